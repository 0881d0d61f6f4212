"""The site for the browser: a web process and a worker on the test database."""

import os
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

from tests.services import Process, Shelter
from tests.services.ports import free_port

START_SECONDS = 30.0
SIGNS_OF_TROUBLE = ("Traceback", "[error", "[critical")


class Site:
    """A running site; `origin` is its address."""

    def __init__(self, shelter: Shelter, *, database: str) -> None:
        port = free_port()
        self.origin = f"http://localhost:{port}"
        self.mail = Path(os.environ["VAR_DIR"]) / "mail"
        self._environment = {
            **os.environ,
            "TEST_SITE": "1",
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATABASE_URL": f"sqlite:///{database}",
            "REDIS_URL": os.environ["TEST_REDIS_URL"],
            "SITE_ORIGIN": self.origin,
            "PYTHONUNBUFFERED": "1",
        }
        self._shelter = shelter
        self._logs = shelter.room("site")
        self._read: dict[str, int] = {}
        self._processes = {
            "web": self._start(
                "web", "uvicorn", "config.asgi:application", "--host", "localhost", "--port",
                str(port), "--lifespan", "off", "--no-access-log", "--log-level", "warning",
            ),
            "worker": self._start(
                "worker", "celery", "--quiet", "--app", "config", "worker", "--pool", "solo",
                "--without-gossip", "--without-mingle", "--without-heartbeat",
                "--loglevel", "WARNING",
            ),
        }  # fmt: skip
        self._wait_until_it_answers(port)

    def trouble(self) -> list[str]:
        """What the processes have complained about since this was last asked."""
        found = []
        for name, process in self._processes.items():
            said = process.output()
            fresh, self._read[name] = said[self._read.get(name, 0) :], len(said)
            if any(sign in fresh for sign in SIGNS_OF_TROUBLE):
                found.append(f"{name}: {fresh[-4000:]}")
        return found

    def stop(self) -> None:
        for process in self._processes.values():
            process.stop()

    def _start(self, name: str, *words: str) -> Process:
        return self._shelter.start(
            [sys.executable, "-m", *words],
            log=self._logs / f"{name}.log",
            environment=self._environment,
        )

    def _wait_until_it_answers(self, port: int) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._processes["web"].running:
            try:
                connection = HTTPConnection("localhost", port, timeout=5)
                connection.request("GET", "/healthz")
                if connection.getresponse().status == 200:
                    return
            except OSError:
                time.sleep(0.1)
            finally:
                connection.close()
        raise AssertionError(f"The site did not start: {self._processes['web'].output()}")
