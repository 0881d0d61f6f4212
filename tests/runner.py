"""The phases of a whole test run: what each needs, how it went, what had to be left out."""

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import TimeoutExpired
from types import FrameType

from tests.checks import CHECKS
from tests.services import (
    Process,
    Shelter,
    Unavailable,
    find_chromium,
    start_postgres,
    start_redis,
)

NO_TESTS_COLLECTED = 5
WORKERS = str(max(2, min(os.cpu_count() or 2, 8)))
PARALLEL = ("-n", WORKERS, "--dist", "worksteal")


@dataclass(frozen=True)
class Phase:
    name: str
    title: str
    needs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


PHASES = (
    Phase("sqlite", "The suite on SQLite", options=PARALLEL),
    Phase(
        "postgres",
        "What touches the database, on PostgreSQL",
        needs=("TEST_DATABASE_URL",),
        options=PARALLEL,
    ),
    Phase(
        "live",
        "The site as processes: production on PostgreSQL and Redis, and the embedded default",
        needs=("TEST_DATABASE_URL", "TEST_REDIS_URL"),
    ),
    Phase(
        "browser",
        "The site in a real browser",
        needs=("TEST_REDIS_URL", "CHROMIUM"),
        options=(*PARALLEL, "--screenshot", "only-on-failure", "--output", "test-results"),
    ),
)


@dataclass
class Tally:
    """How many tests ended how; `reasons` says why some were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reasons: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.reasons += other.reasons

    @property
    def line(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


class Run:
    """One run of all phases in one shelter."""

    def __init__(self, shelter: Shelter, arguments: Sequence[str]) -> None:
        self.shelter = shelter
        self.arguments = list(arguments)
        self.services: dict[str, str] = {}
        self.left_out: list[str] = []
        self.absent: dict[str, str] = {}
        self.times: list[tuple[str, float, Tally]] = []
        self.total = Tally()
        self.failed_checks: list[str] = []
        self.broken = False
        self.current: Process | None = None

    def check(self) -> None:
        """Run what `make check` adds to the tests."""
        say("=== Checks ===")
        for check in CHECKS:
            started = time.monotonic()
            holds, said = check.run()
            seconds = time.monotonic() - started
            say(f"  {'ok    ' if holds else 'FAILED'} {check.title} ({seconds:.1f} s)")
            if not holds:
                say(said)
                self.failed_checks.append(check.title)

    def provide_services(self, needed: Set[str]) -> None:
        self._provide("TEST_REDIS_URL", "Redis", self._redis)
        if "TEST_DATABASE_URL" in needed:
            self._provide("TEST_DATABASE_URL", "PostgreSQL", self._postgres)
        if "CHROMIUM" in needed:
            self._provide("CHROMIUM", "Chromium", self._chromium)

    def _provide(self, variable: str, name: str, find: Callable[[], tuple[str, str]]) -> None:
        started = time.monotonic()
        try:
            self.services[variable], origin = find()
            say(f"  {name}: {origin} ({time.monotonic() - started:.1f} s)")
        except Unavailable as reason:
            self.absent[variable] = str(reason)
            say(f"  {name}: left out. {reason}")

    def _redis(self) -> tuple[str, str]:
        server = start_redis(self.shelter)
        return server.url, server.origin

    def _postgres(self) -> tuple[str, str]:
        server = start_postgres(self.shelter)
        if server.tools:
            self.services["TEST_POSTGRES_TOOLS"] = str(server.tools)
        return server.url, server.origin

    def _chromium(self) -> tuple[str, str]:
        path, origin = find_chromium()
        return str(path), origin

    def run_phase(self, phase: Phase, position: str) -> None:
        say(f"\n=== {position} {phase.title} ===")
        missing = [self.absent[need] for need in phase.needs if need in self.absent]
        if missing:
            self.left_out.append(f"{phase.title}: {' '.join(missing)}")
            say(f"Left out: {' '.join(missing)}")
            return
        started = time.monotonic()
        tally_file = self.shelter.path / f"tally-{phase.name}.json"
        code = self._pytest(phase, tally_file)
        tally = read_tally(tally_file)
        if code not in (0, NO_TESTS_COLLECTED) and not tally.failed:
            say(f"pytest ended with code {code}.")
            self.broken = True
        self.total.add(tally)
        self.times.append((phase.title, time.monotonic() - started, tally))

    def _pytest(self, phase: Phase, tally_file: Path) -> int:
        command = [sys.executable, "-m", "pytest", *phase.options, *self.arguments]
        self.current = self.shelter.start(command, environment=self._environment(phase, tally_file))
        try:
            return self.current.popen.wait()
        finally:
            self._end_current()

    def _environment(self, phase: Phase, tally_file: Path) -> Mapping[str, str]:
        return {
            **os.environ,
            **self.services,
            "TEST_PHASE": phase.name,
            "TEST_DIRECTORY": str(self.shelter.path),
            "TEST_TALLY": str(tally_file),
            "PYTHONUNBUFFERED": "1",
        }

    def _end_current(self) -> None:
        """Let an interrupted pytest put its things away, then end all that it left behind."""
        if self.current and self.current.running:
            self.current.signal(signal.SIGINT)
            with suppress(TimeoutExpired):
                self.current.popen.wait(15)
        if self.current:
            self.current.stop(grace=2)
        self.current = None

    def report(self, *, ci: bool) -> int:
        """Say how it all went; return the exit code."""
        say("\n=== Result ===")
        for title, seconds, tally in self.times:
            say(f"  {seconds:6.1f} s  {title}: {tally.line}")
        left_out = [*self.left_out, *self._services_left_out(), *self.total.reasons]
        say("Left out: nothing." if not left_out else "Left out:")
        for sentence in left_out:
            say(f"  - {sentence}")
        if left_out and ci:
            say("With CI=true nothing may be left out: this run fails.")
        if self.failed_checks:
            say(f"Checks that failed: {', '.join(self.failed_checks)}.")
        nothing_ran = not (self.total.passed or self.total.failed)
        if nothing_ran:
            say("No test ran.")
        say(self.total.line)
        failed = self.broken or self.failed_checks or self.total.failed
        return 1 if failed or nothing_ran or (ci and left_out) else 0

    def _services_left_out(self) -> Iterator[str]:
        """What was missing without costing a whole phase."""
        told = " ".join(self.left_out)
        return (reason for reason in self.absent.values() if reason not in told)


def read_tally(path: Path) -> Tally:
    try:
        return Tally(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return Tally()


def say(text: str) -> None:
    print(text, flush=True)


def leave_on_signal(number: int, frame: FrameType | None) -> None:
    # A second signal must not interrupt the tidying up that the first one began.
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    sys.exit(128 + number)


def read_arguments(words: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Split our own options from those that pytest gets."""
    parser = argparse.ArgumentParser(
        prog="python -m tests",
        description="Run all tests. Every other argument goes to pytest, in every phase.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--with-checks", action="store_true", help="also what `make check` checks (CI always)"
    )
    parser.add_argument("--soak", action="store_true", help="the large figures: hours, not minutes")
    parser.add_argument(
        "--phase",
        action="append",
        choices=[phase.name for phase in PHASES],
        help="only this phase (may be given several times)",
    )
    return parser.parse_known_args(words)


def main(words: Sequence[str], *, ci: bool) -> int:
    """Run the phases; return 0 only if tests ran, all passed and, in CI, none was left out."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, leave_on_signal)
    options, arguments = read_arguments(words)
    if options.soak:
        os.environ.update(SOAK="1", HYPOTHESIS_PROFILE="soak")
    phases = [phase for phase in PHASES if not options.phase or phase.name in options.phase]
    with Shelter() as shelter:
        run = Run(shelter, arguments)
        if options.with_checks or ci:
            run.check()
        say("Services of this run:")
        run.provide_services({need for phase in phases for need in phase.needs})
        for number, phase in enumerate(phases, start=1):
            run.run_phase(phase, f"{number}/{len(phases)}")
        return run.report(ci=ci)
