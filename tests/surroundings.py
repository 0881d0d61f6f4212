"""The environment variables of a test process, set before the site's settings read them.

The runner (`python -m tests`) says by TEST_PHASE, TEST_REDIS_URL and
TEST_DATABASE_URL what this process is for and what it may use. A bare `pytest`
gets SQLite and a Redis of its own.
"""

import atexit
import os
from dataclasses import fields
from pathlib import Path

from config.environment import Environment
from tests.services import Shelter, Unavailable, start_redis

ON_POSTGRES = {"postgres", "live"}


def prepare() -> None:
    """Leave nothing of the developer's own configuration, and nothing shared between workers."""
    if os.environ.get("TEST_SITE"):
        return  # a server that a test started: the test has set its variables
    forget_configuration()
    shelter_path = Path(os.environ.get("TEST_DIRECTORY") or open_shelter())
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    phase = os.environ.get("TEST_PHASE", "suite")
    os.environ["VAR_DIR"] = str(shelter_path / f"var-{phase}-{worker}")
    os.environ["REDIS_PREFIX"] = f"test-{shelter_path.name}-{phase}-{worker}"
    if os.environ.get("TEST_REDIS_URL"):
        os.environ["REDIS_URL"] = os.environ["TEST_REDIS_URL"]
    if phase in ON_POSTGRES:
        os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]


def forget_configuration() -> None:
    for field in fields(Environment):
        os.environ.pop(field.name.upper(), None)


def open_shelter() -> str:
    """Without the runner: a directory and a Redis that end with this process."""
    shelter = Shelter()
    atexit.register(shelter.close)
    os.environ["TEST_DIRECTORY"] = str(shelter.path)
    try:
        os.environ["TEST_REDIS_URL"] = start_redis(shelter).url
    except Unavailable as reason:
        print(f"Left out: {reason}")
    return str(shelter.path)
