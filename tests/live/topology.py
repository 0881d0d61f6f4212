"""The processes of `deploy/compose.yaml`, as plain processes of this machine."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

from tests.live.visitor import Visitor, wait_for_status
from tests.services import Process, RedisServer, Shelter
from tests.services.ports import free_port
from tests.services.shelter import ROOT

HOST = "emperors.example"
KEPT = ("PATH", "HOME", "LANG", "TMPDIR")
METRICS_TOKEN = "a-token-for-the-metrics-of-the-tests"


def production_environment(*, database_url: str, redis_url: str, var_dir: Path) -> dict[str, str]:
    """All variables of a production process; what compose.yaml sets, for this machine."""
    return {
        **{name: os.environ[name] for name in KEPT if name in os.environ},
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "tests.live.production",
        "TEST_STATIC_ROOT": str(var_dir / "static"),
        "PRODUCTION": "true",
        "SECRET_KEY": secrets.token_urlsafe(64),
        "ALLOWED_HOSTS": HOST,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "EMAIL_URL": f"filemail:///{var_dir / 'mail'}",
        "EMAIL_FROM": f"herald@{HOST}",
        "METRICS_TOKEN": METRICS_TOKEN,
        "VAR_DIR": str(var_dir),
    }


class Topology:
    """Two web nodes, a worker and beat."""

    def __init__(self, shelter: Shelter, *, database_url: str, redis: RedisServer) -> None:
        self.redis = redis
        self._shelter = shelter
        self._logs = shelter.room("site")
        self.environment = production_environment(
            database_url=database_url, redis_url=redis.url, var_dir=self._logs
        )
        self.run("manage.py", "translations", "compile")
        self.run("manage.py", "collectstatic", "--no-input", "--verbosity", "0")
        self.ports = (free_port(), free_port())
        self.processes: dict[str, Process] = {}
        for name, port in zip(("web-a", "web-b"), self.ports, strict=True):
            self.processes[name] = self._start(name, "uvicorn", *web_options(port))
        self.start_worker()
        self.start_beat()
        for port in self.ports:
            wait_for_status(visitor_at(port), "/healthz", 200)

    @property
    def a(self) -> Visitor:
        return visitor_at(self.ports[0])

    @property
    def b(self) -> Visitor:
        return visitor_at(self.ports[1])

    def start_worker(self) -> None:
        options = ("--concurrency", "2", "--without-gossip", "--without-mingle")
        self.processes["worker"] = self._celery("worker", *options)

    def start_beat(self) -> None:
        self.processes["beat"] = self._celery("beat", "--pidfile=")

    def logs(self) -> str:
        """The last words of every process."""
        return "\n".join(f"--- {n}\n{p.output()[-2500:]}" for n, p in self.processes.items())

    def run(self, *words: str) -> str:
        """Run a program of the site to its end, with the site's variables."""
        done = subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}"
        return done.stdout

    def _celery(self, kind: str, *options: str) -> Process:
        return self._start(kind, "celery", "--app", "config", kind, "--loglevel", "INFO", *options)

    def _start(self, name: str, *words: str) -> Process:
        return self._shelter.start(
            [sys.executable, "-m", *words],
            log=self._logs / f"{name}.log",
            environment=self.environment,
        )


def web_options(port: int) -> list[str]:
    """As in the container file."""
    return [
        *("config.asgi:application", "--host", "127.0.0.1", "--port", str(port)),
        *("--lifespan", "off", "--no-access-log", "--no-server-header", "--no-proxy-headers"),
        *("--log-level", "warning"),
        *("--ws-max-size", "65536", "--timeout-graceful-shutdown", "20"),
    ]


def visitor_at(port: int) -> Visitor:
    return Visitor(port, HOST, secure=True)
