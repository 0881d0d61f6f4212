"""A standing database for the processes of the site: committed to, never rolled back."""

from collections.abc import Generator, Iterator
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from pytest_django import DjangoDbBlocker

from tests.conftest import end_other_sessions
from tests.live.topology import Topology
from tests.services import Shelter, start_redis


@pytest.fixture(scope="session")
def shelter() -> Iterator[Shelter]:
    with Shelter() as shelter:
        yield shelter


@pytest.fixture(scope="session")
def standing_database(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """The address of the migrated test database, which this process may use as well."""
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: run `python -m tests --phase live`")
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False)
        yield database_url()
        end_other_sessions()
        teardown_databases(made, verbosity=0)


def database_url(name: str | None = None) -> str:
    """The address of a database on the server that the tests are connected to."""
    s = connection.settings_dict
    user, password = quote(s["USER"], safe=""), quote(s["PASSWORD"] or "", safe="")
    return f"postgres://{user}:{password}@{s['HOST']}:{s['PORT']}/{name or s['NAME']}"


@pytest.fixture(scope="session")
def topology(standing_database: str, shelter: Shelter) -> Iterator[Topology]:
    """The site as in production, with a Redis of its own that a test may stop."""
    redis = start_redis(shelter, own=True, tcp=True)
    topology = Topology(shelter, database_url=standing_database, redis=redis)
    yield topology
    for process in topology.processes.values():
        process.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test shows what the processes of the site had to say."""
    report = yield
    topology = getattr(item, "funcargs", {}).get("topology")
    if report.failed and topology is not None:
        report.sections.append(("The site's logs", topology.logs()))
    return report
