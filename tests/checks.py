"""What is checked without a test: format, lint, types, contracts, migrations, deployment."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.services.shelter import ROOT

# A deployment that lacks nothing; it is only looked at, never started.
DEPLOYMENT = {
    "PRODUCTION": "true",
    "SECRET_KEY": "0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_HOSTS": "emperors.example",
    "SITE_ORIGIN": "https://emperors.example",
    "DATABASE_URL": "postgres://emperors:secret@database.example:5432/emperors",
    "REDIS_URL": "redis://redis.example:6379/0",
    "EMAIL_URL": "smtp+tls://herald:secret@mail.example:587",
    "EMAIL_FROM": "herald@emperors.example",
}


@dataclass(frozen=True)
class Check:
    title: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self) -> tuple[bool, str]:
        """Whether it holds, and what the tool said."""
        done = subprocess.run(
            [sys.executable, *self.command],
            cwd=ROOT,
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode == 0, done.stdout


IMPORT_CONTRACTS = "from importlinter.cli import lint_imports_command as run; run()"

CHECKS = (
    Check("format", ("-m", "ruff", "format", "--check", "--quiet", ".")),
    Check("lint", ("-m", "ruff", "check", ".")),
    Check("types", ("-m", "mypy")),
    Check("import contracts", ("-c", IMPORT_CONTRACTS)),
    Check("migrations complete", ("manage.py", "makemigrations", "--check", "--dry-run")),
    Check("messages translated", ("manage.py", "translations", "check")),
    Check(
        "ready to deploy",
        ("manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        DEPLOYMENT,
    ),
)
