"""The supervisor keeps its parts alive and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from config.supervisor import MOST_QUICK_DEATHS, Part, Supervisor

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('up', flush=True); time.sleep(60)",
]


def exists(pid: int) -> bool:
    """Whether a process still runs; one that waits to be reaped does not."""
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def wait_for(condition, seconds: float = 5) -> bool:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(said):
    supervisor = Supervisor(say=said.append)
    yield supervisor
    supervisor.stop()


def test_a_part_that_dies_is_started_again(supervisor, said) -> None:
    part = Part("sleeper", SLEEPER)
    supervisor.start(part)
    first = part.process.pid
    os.kill(first, signal.SIGKILL)
    assert supervisor.wait_until(lambda: part.alive and part.process.pid != first, seconds=5)
    assert said == ["The sleeper process ended (exit code -9); starting it again."]


def test_a_part_that_cannot_live_is_given_up_with_a_sentence(supervisor, said) -> None:
    supervisor.start(Part("broken", [sys.executable, "-c", "raise SystemExit(7)"]))
    assert supervisor.watch() is False
    assert said[-1] == "The broken process dies as soon as it starts (exit code 7)."
    assert len(said) == MOST_QUICK_DEATHS


def test_stopping_ends_even_a_part_that_ignores_the_request(supervisor) -> None:
    stubborn, sleeper = Part("stubborn", STUBBORN), Part("sleeper", SLEEPER)
    supervisor.start(sleeper)
    supervisor.start(stubborn)
    pids = [stubborn.process.pid, sleeper.process.pid]
    started = time.monotonic()
    supervisor.stop()
    assert time.monotonic() - started < 5
    assert not any(exists(pid) for pid in pids)


def test_stopping_ends_what_a_part_has_started_itself(supervisor, tmp_path) -> None:
    note = tmp_path / "pid"
    family = (
        "import subprocess, sys, time, pathlib;"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        f"pathlib.Path({str(note)!r}).write_text(str(child.pid)); time.sleep(60)"
    )
    supervisor.start(Part("family", [sys.executable, "-c", family]))
    assert wait_for(lambda: note.exists() and note.read_text() != "")
    grandchild = int(note.read_text())
    supervisor.stop()
    assert wait_for(lambda: not exists(grandchild))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's help is Linux's")
def test_a_killed_supervisor_takes_its_parts_along(tmp_path) -> None:
    note = tmp_path / "pid"
    script = (
        "import sys, pathlib; from config.supervisor import Part, Supervisor;"
        "part = Part('sleeper', [sys.executable, '-c', 'import time; time.sleep(60)']);"
        "supervisor = Supervisor(say=print); supervisor.start(part);"
        f"pathlib.Path({str(note)!r}).write_text(str(part.process.pid)); supervisor.watch()"
    )
    process = subprocess.Popen([sys.executable, "-c", script])
    assert wait_for(lambda: note.exists() and note.read_text() != "")
    process.kill()
    process.wait()
    assert wait_for(lambda: not exists(int(note.read_text())))


def test_a_signal_ends_the_watch(supervisor) -> None:
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        supervisor.catch_signals()
        supervisor.start(Part("sleeper", SLEEPER))
        os.kill(os.getpid(), signal.SIGINT)
        assert supervisor.watch() is True
        assert supervisor.stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
