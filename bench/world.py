"""A PostgreSQL of its own with a made-up world in it, for the measurements of the world."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from tests.services import Shelter, start_postgres

EMPERORS = int(os.environ.get("WORLD_EMPERORS", "1000000"))
EMPERORS_A_DYNASTY = 5
YEARS = 2


@contextmanager
def world_on_postgres() -> Iterator[None]:
    """Start a server, connect Django to it and lay out its tables."""
    with Shelter() as shelter:
        # The settings are read when Django starts, so the address must be known before.
        os.environ["DATABASE_URL"] = start_postgres(shelter, own=True).url
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ["VAR_DIR"] = str(shelter.room("var"))
        import django
        from django.core.management import call_command
        from django.db import connection

        django.setup()
        call_command("migrate", verbosity=0)
        # A statement may well take longer here than any page would wait for.
        connection.ensure_connection()
        try:
            yield
        finally:
            connection.close()
            connection.close_pool()


@dataclass(frozen=True)
class Cost:
    """What something took: seconds, and those that the database was at work."""

    seconds: float
    work: float


class Stopwatch:
    """Reads the clock, and the processor time of the database's process for our connection.

    On a machine with other things to do the latter is the steadier figure.
    """

    def __init__(self) -> None:
        from django.db import connection

        connection.ensure_connection()
        self._server = psutil.Process(connection.connection.info.backend_pid)
        self._began, self._work = time.perf_counter(), self._worked()

    def read(self) -> Cost:
        return Cost(time.perf_counter() - self._began, self._worked() - self._work)

    def _worked(self) -> float:
        times = self._server.cpu_times()
        return times.user + times.system


def populate(emperors: int) -> None:
    """Add so many emperors, and a dynasty for every few of them."""
    from config.populate.services import Plan, populate_world

    dynasties = max(emperors // EMPERORS_A_DYNASTY, 1)
    watch, own = Stopwatch(), time.process_time()
    rows = populate_world(plan=Plan(dynasties, emperors, YEARS))
    cost, own = watch.read(), time.process_time() - own
    print(
        f"  populated {emperors} emperors of {dynasties} dynasties: {rows} rows in "
        f"{cost.seconds:.0f} s, {emperors / cost.seconds:.0f} emperors/s "
        f"({emperors / (own + cost.work):.0f} a second of work), {peak_memory()} MB",
        flush=True,
    )


def tidy_up() -> None:
    """What autovacuum does in time: statistics, and a map of pages that all can see."""
    run("VACUUM (ANALYZE)")


def run(sql: str) -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql)
        return int(cursor.rowcount)


def peak_memory() -> int:
    """The most memory, in MB, that this process has had so far."""
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1024
