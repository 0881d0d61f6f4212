"""A backup restores to the same, sound world: by the scripts that the operator runs."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from config.demo import found_demo_world
from tests.live.conftest import database_url
from tests.live.topology import production_environment
from tests.services import Shelter
from tests.services.shelter import ROOT

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def world(standing_database: str) -> str:
    """A world with people and houses in it."""
    found_demo_world()
    return standing_database


@pytest.fixture
def folder(shelter: Shelter) -> Path:
    return shelter.room("backups")


@pytest.fixture
def empty_database(standing_database: str) -> Iterator[str]:
    """Another database on the same server."""
    name = sql.Identifier("restored_world")
    with psycopg.connect(standing_database, autocommit=True) as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        server.execute(sql.SQL("CREATE DATABASE {}").format(name))
        yield database_url("restored_world")
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@pytest.fixture
def run(shelter: Shelter) -> Run:
    """Run a script of deploy/ on the database at `url`."""

    def run(script: str, url: str, *words: object) -> "subprocess.CompletedProcess[str]":
        environment = production_environment(
            database_url=url, redis_url="redis://unused.invalid", var_dir=shelter.path
        )
        if url.startswith("sqlite"):
            environment["PRODUCTION"] = "false"
        tools = os.environ.get("TEST_POSTGRES_TOOLS", "")
        environment |= {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHON": sys.executable}
        return subprocess.run(
            [str(ROOT / "deploy" / script), *map(str, words)],
            env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    return run


@pytest.fixture
def backup(run: Run, world: str, folder: Path) -> Path:
    done = run("backup.sh", world, folder)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.splitlines()[-1])


def content_of(url: str) -> dict[str, tuple[int, str]]:
    """For each table: how many rows it has, and a digest of all of them."""
    digest = (
        "SELECT count(*), coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM {} t"
    )
    with psycopg.connect(url) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        names = [name for (name,) in tables.fetchall()]
        return {
            name: connection.execute(sql.SQL(digest).format(sql.Identifier(name))).fetchone()
            for name in names
        }  # type: ignore[return-value]


def test_a_restored_world_is_the_same_to_the_last_row(
    run: Run, world: str, backup: Path, empty_database: str
) -> None:
    done = run("restore.sh", empty_database, backup)
    assert done.returncode == 0, done.stderr
    assert "The world is sound" in done.stdout
    before = content_of(world)
    assert before["dynasties_dynasty"][0] > 0
    assert content_of(empty_database) == before


def test_a_world_is_not_overwritten_unless_forced(
    run: Run, backup: Path, empty_database: str
) -> None:
    assert run("restore.sh", empty_database, backup).returncode == 0
    before = content_of(empty_database)
    refused = run("restore.sh", empty_database, backup)
    assert refused.returncode == 1
    assert "--force replaces all of them" in refused.stderr
    with psycopg.connect(empty_database) as connection:
        connection.execute("UPDATE dynasties_dynasty SET motto = 'overwritten'")
    assert content_of(empty_database) != before
    forced = run("restore.sh", empty_database, backup, "--force")
    assert forced.returncode == 0, forced.stderr
    assert content_of(empty_database) == before


def test_a_damaged_backup_is_refused(run: Run, backup: Path, empty_database: str) -> None:
    backup.write_bytes(backup.read_bytes()[:-100])
    done = run("restore.sh", empty_database, backup)
    assert done.returncode == 1
    assert "is damaged" in done.stderr
    assert content_of(empty_database) == {}


def test_a_backup_that_breaks_off_changes_nothing(
    run: Run, backup: Path, empty_database: str
) -> None:
    assert run("restore.sh", empty_database, backup).returncode == 0
    before = content_of(empty_database)
    backup.write_bytes(backup.read_bytes()[: backup.stat().st_size * 3 // 4])
    checksum = [sys.executable, str(ROOT / "deploy" / "checksum.py"), "write", backup.name]
    subprocess.run(checksum, cwd=backup.parent, check=True)
    done = run("restore.sh", empty_database, backup, "--force")
    assert done.returncode == 1
    assert content_of(empty_database) == before


def test_an_older_backup_asks_for_the_migrations(
    run: Run, backup: Path, empty_database: str, folder: Path
) -> None:
    assert run("restore.sh", empty_database, backup).returncode == 0
    with psycopg.connect(empty_database) as connection:
        connection.execute("DELETE FROM django_migrations WHERE app = 'usersessions'")
    older = run("backup.sh", empty_database, folder / "older").stdout.splitlines()[-1]
    done = run("restore.sh", empty_database, older, "--force")
    assert done.returncode == 2
    assert "manage.py migrate" in done.stderr


def test_a_backup_of_nowhere_says_why(run: Run, folder: Path) -> None:
    done = run("backup.sh", "postgres://nobody:x@127.0.0.1:1/nothing", folder)
    assert done.returncode == 1
    assert "pg_dump failed" in done.stderr
    assert list(folder.iterdir()) == []


def test_the_password_is_on_no_command_line() -> None:
    for script in ("backup.sh", "restore.sh"):
        assert "$DATABASE_URL" not in (ROOT / "deploy" / script).read_text()


def test_the_embedded_world_is_saved_while_it_is_written_to(
    run: Run, folder: Path, shelter: Shelter
) -> None:
    source, target = folder / "world.sqlite3", folder / "elsewhere" / "world.sqlite3"
    with closing(sqlite3.connect(source)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("CREATE TABLE coins (owner TEXT)")
        writer.execute("INSERT INTO coins VALUES ('kept')")
        writer.commit()
        writer.execute("INSERT INTO coins VALUES ('not committed')")
        done = run("backup.sh", f"sqlite:///{source}", folder)
    assert done.returncode == 0, done.stderr
    saved = done.stdout.splitlines()[-1]
    run("restore.sh", f"sqlite:///{target}", saved)
    with closing(sqlite3.connect(target)) as reader:
        assert reader.execute("SELECT owner FROM coins").fetchall() == [("kept",)]
    refused = run("restore.sh", f"sqlite:///{target}", saved)
    assert "--force replaces it" in refused.stderr
