"""What every test has around it: its phase, the N+1 watch, a clean Redis, the audit after it."""

import json
import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker
from zeal import zeal_context

from tests.scale import SOAKING

TESTS = Path(__file__).resolve().parent
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "django_db_setup"}
TRANSACTIONAL_FIXTURES = {"transactional_db", "django_db_reset_sequences"}

hypothesis.settings.register_profile("default", deadline=None, max_examples=50)
# The same examples in every run: a red build must stay red until it is mended.
hypothesis.settings.register_profile("ci", deadline=None, max_examples=100, derandomize=True)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=20_000)
hypothesis.settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") == "true" else "default")
)


# --- Which tests belong to this run -------------------------------------------------


def room_of(item: pytest.Item) -> str:
    """`live` and `browser` tests need a process of their own; all others are the suite."""
    top = item.path.relative_to(TESTS).parts[0]
    return top if top in {"live", "browser"} else "suite"


def touches_database(item: pytest.Item) -> bool:
    owner = getattr(item, "cls", None)
    return (
        item.get_closest_marker("django_db") is not None
        or bool(DATABASE_FIXTURES.intersection(getattr(item, "fixturenames", ())))
        or (isinstance(owner, type) and issubclass(owner, TransactionTestCase))
    )


def is_transactional(item: pytest.Item) -> bool:
    """Whether the test commits for real, so that the world it leaves can be audited."""
    marker = item.get_closest_marker("django_db")
    return (marker is not None and bool(marker.kwargs.get("transaction"))) or bool(
        TRANSACTIONAL_FIXTURES.intersection(getattr(item, "fixturenames", ()))
    )


def in_phase(item: pytest.Item, phase: str | None, rooms: set[str]) -> bool:
    """Whether `item` runs in this phase; without a phase, never beside an event loop of others."""
    room = room_of(item)
    if phase is None:
        return room == "suite" or rooms == {room}
    if phase in {"live", "browser"}:
        return room == phase
    return room == "suite" and (phase == "sqlite" or touches_database(item))


def is_for_this_database(item: pytest.Item) -> bool:
    only_on = item.get_closest_marker("only_on")
    return only_on is None or settings.DATABASES["default"]["ENGINE"].endswith(only_on.args[0])


def is_short_enough(item: pytest.Item) -> bool:
    return SOAKING or item.get_closest_marker("soak") is None


def pytest_sessionstart() -> None:
    """A fresh clone has no compiled translations yet."""
    from config.translations import site_translations

    site_translations().compile()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rooms = {room_of(item) for item in items}
    phase = os.environ.get("TEST_PHASE")
    chosen = [
        item
        for item in items
        if in_phase(item, phase, rooms) and is_for_this_database(item) and is_short_enough(item)
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell the runner what happened, so that it can add up the phases."""
    target = os.environ.get("TEST_TALLY")
    if not target:
        return
    stats = terminalreporter.stats
    skipped = stats.get("skipped", [])
    tally = {
        "passed": len(stats.get("passed", [])) + len(stats.get("xfailed", [])),
        "failed": sum(len(stats.get(key, [])) for key in ("failed", "error", "xpassed")),
        "skipped": len(skipped),
        "reasons": sorted({f"{report.nodeid}: {reason_of(report)}" for report in skipped}),
    }
    Path(target).write_text(json.dumps(tally), encoding="utf-8")


def reason_of(report: Any) -> str:
    said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return str(said).removeprefix("Skipped: ")


# --- Around each test -----------------------------------------------------------------


@pytest.fixture
def watch_for_n_plus_one() -> Iterator[None]:
    """Fail on N+1 queries in the test itself; requests are watched without asking.

    Not for every test: one that makes five people one by one asks five times, and may.
    """
    with zeal_context():
        yield


@pytest.fixture(autouse=True)
def clean_redis() -> Iterator[None]:
    """No rate limit, cache or presence of one test reaches the next."""
    yield
    url = os.environ.get("TEST_REDIS_URL")
    if url:
        forget_keys(url, os.environ["REDIS_PREFIX"])
    else:
        from django.core.cache import cache

        cache.clear()


def forget_keys(url: str, prefix: str) -> None:
    """Remove our own keys only: the server may be one that a developer lent us."""
    client = redis_client(url)
    keys = list(client.scan_iter(match=f"*{prefix}*", count=1000))
    if keys:
        client.delete(*keys)


_clients: dict[str, Any] = {}


def redis_client(url: str) -> Any:
    import redis

    if url not in _clients:
        _clients[url] = redis.Redis.from_url(url)
    return _clients[url]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Let no thread that still holds a connection keep PostgreSQL from dropping the database."""
    yield
    with django_db_blocker.unblock():
        end_other_sessions()


@pytest.fixture(scope="session", autouse=True)
def emptying_lifts_the_guards() -> Iterator[None]:
    """SQLite empties a test's tables by DELETE, which the ledger refuses while it is guarded.

    Once they are empty Django tells everybody so, as after a migration, and the guards are set.
    """
    from dynasties.treasury.guards import lifting

    if connection.vendor != "sqlite":
        yield
        return
    operations = type(connection.ops)
    empty = operations.sql_flush

    def lift_and_empty(self: Any, *args: Any, **options: Any) -> list[str]:
        return [*lifting(), *empty(self, *args, **options)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operations, "sql_flush", lift_and_empty)
        yield


def end_other_sessions() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


# --- The audit ------------------------------------------------------------------------


def assert_world_is_sound() -> None:
    """Fail with every broken invariant of the standing world."""
    from dynasties.audit import run_audit

    breaches = run_audit()
    assert not breaches, "The audit found:\n" + "\n".join(str(breach) for breach in breaches)


@pytest.fixture
def audit(db: None) -> Callable[[], None]:
    """Audit the world at any moment of a test."""
    return assert_world_is_sound


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Audit after every test that commits; `@pytest.mark.unaudited` is for those who break it."""
    result = yield
    if is_transactional(item) and item.get_closest_marker("unaudited") is None:
        assert_world_is_sound()
        connection.close()
    return result
