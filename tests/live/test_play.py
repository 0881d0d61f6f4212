"""`manage.py play`, as a newcomer runs it: no service at hand, an empty folder."""

import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.live.visitor import Visitor, next_frame, wait_for_status
from tests.services import Process, Shelter
from tests.services.ports import free_port
from tests.services.shelter import ROOT

SECONDS_TO_START = 60.0
SECONDS_TO_END = 5.0


class Play:
    """One run of the embedded site in `var_dir`."""

    def __init__(
        self, shelter: Shelter, var_dir: Path, *words: str, port: int | None = None
    ) -> None:
        self.port = port or free_port()
        self.started = time.monotonic()
        self.process: Process = shelter.start(
            [sys.executable, "manage.py", "play", "--port", str(self.port), *words],
            log=shelter.room("play") / "log",
            environment=newcomers_environment(var_dir),
            polite=signal.SIGINT,
        )

    @property
    def visitor(self) -> Visitor:
        return Visitor(self.port)

    def wait_for_greeting(self) -> float:
        """Wait until it has said its address and a login; return the seconds it took."""
        while "Password" not in self.process.output():
            assert self.process.running, self.process.output()
            assert time.monotonic() - self.started < SECONDS_TO_START, self.process.output()
            time.sleep(0.05)
        return time.monotonic() - self.started

    def family(self) -> list[psutil.Process]:
        """The supervisor and everything below it."""
        head = psutil.Process(self.process.pid)
        return [head, *head.children(recursive=True)]

    def child(self, *words: str) -> psutil.Process | None:
        """The process whose command holds all of `words`; the parent, if there are several."""
        found = [p for p in self.family()[1:] if all(word in command_of(p) for word in words)]
        return min(found, key=lambda process: process.create_time(), default=None)


def command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return ""


def newcomers_environment(var_dir: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "VAR_DIR": str(var_dir), "PYTHONUNBUFFERED": "1"}


def wait_until_gone(processes: list[psutil.Process], *, seconds: float) -> list[psutil.Process]:
    """Wait for all of them to end; return those that have not."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and any(is_alive(p) for p in processes):
        time.sleep(0.05)
    return [process for process in processes if is_alive(process)]


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture(scope="module")
def var_dir(shelter: Shelter) -> Path:
    return shelter.room("world") / "var"


@pytest.fixture
def play(shelter: Shelter, var_dir: Path) -> Iterator[Callable[..., Play]]:
    """Start the site on the module's world; whatever is left of it ends with the test."""
    started: list[Play] = []

    def start(*words: str, port: int | None = None) -> Play:
        started.append(Play(shelter, var_dir, *words, port=port))
        return started[-1]

    yield start
    for each in started:
        each.process.stop()


def test_a_fresh_start_serves_the_world_and_its_heart_beats(play: Callable[..., Play]) -> None:
    site = play("--fresh")
    site.wait_for_greeting()
    assert site.visitor.get("/").status == 200
    wait_for_status(site.visitor, "/readyz", 200)
    with site.visitor.open_socket() as connection:
        next_frame(connection, "hello")
        assert next_frame(connection, "pulse", seconds=15)["online"] >= 1


def test_the_login_that_is_printed_works(play: Callable[..., Play]) -> None:
    site = play()
    site.wait_for_greeting()
    said = site.process.output()
    logins = re.findall(r"\S+@\S+", said)
    password = re.findall(r"Password\s+(\S.*)", said)[0].strip()
    assert len(logins) >= 2
    for login in logins[:2]:
        visitor = site.visitor
        visitor.log_in(login, password)
        assert visitor.get("/palace/").status == 200


def test_ctrl_c_ends_everything_within_five_seconds(play: Callable[..., Play]) -> None:
    site = play()
    site.wait_for_greeting()
    wait_for_status(site.visitor, "/readyz", 200)
    with site.visitor.open_socket():
        family = site.family()
        assert len(family) >= 5  # supervisor, Valkey, web, worker, beat
        site.process.signal(signal.SIGINT)
        assert wait_until_gone(family, seconds=SECONDS_TO_END) == []
    assert site.process.popen.wait(1) == 0


def test_a_second_start_keeps_the_world_and_takes_seconds(play: Callable[..., Play]) -> None:
    first = play()
    first.wait_for_greeting()
    houses = re.findall(r'href="(/dynasties/[^"?]+/)"', first.visitor.get("/dynasties/").text)
    password = re.findall(r"Password\s+(\S.*)", first.process.output())
    first.process.stop()
    second = play()
    assert second.wait_for_greeting() < 15
    assert houses
    again = re.findall(r'href="(/dynasties/[^"?]+/)"', second.visitor.get("/dynasties/").text)
    assert again == houses
    assert re.findall(r"Password\s+(\S.*)", second.process.output()) == password


def test_a_port_that_is_taken_gets_a_sentence(play: Callable[..., Play]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        site = play(port=port)
        assert site.process.popen.wait(30) != 0
    said = site.process.output()
    assert f"Port {port} is taken" in said
    assert "Traceback" not in said


def test_one_world_is_played_once_at_a_time(play: Callable[..., Play]) -> None:
    play().wait_for_greeting()
    second = play()
    assert second.process.popen.wait(30) != 0
    assert "being played already" in second.process.output()


def test_a_folder_that_cannot_be_written_gets_a_sentence(shelter: Shelter) -> None:
    file = shelter.room("locked") / "file"
    file.touch()  # not even root makes a folder below a file
    site = Play(shelter, file / "var")
    assert site.process.popen.wait(30) != 0
    assert "can't be written" in site.process.output()
    assert "Traceback" not in site.process.output()


@pytest.mark.parametrize(
    "words", [("celery", "worker"), ("celery", "beat"), ("uvicorn",), ("valkey-server",)]
)
def test_a_part_that_is_killed_is_started_again(
    play: Callable[..., Play], words: tuple[str, ...]
) -> None:
    site = play()
    site.wait_for_greeting()
    victim = site.child(*words)
    assert victim is not None
    orphans = victim.children(recursive=True)
    victim.kill()
    deadline = time.monotonic() + 15
    while "starting it again" not in site.process.output() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "starting it again" in site.process.output()
    assert wait_until_gone([victim, *orphans], seconds=10) == []
    wait_for_status(site.visitor, "/readyz", 200)
    with site.visitor.open_socket() as connection:
        assert next_frame(connection, "pulse", seconds=20)


def test_nothing_is_left_running_when_the_supervisor_is_killed(play: Callable[..., Play]) -> None:
    site = play()
    site.wait_for_greeting()
    family = site.family()
    os.kill(site.process.pid, signal.SIGKILL)
    assert wait_until_gone(family, seconds=15) == []


def test_the_command_works_from_any_folder(shelter: Shelter, var_dir: Path) -> None:
    room = shelter.room("elsewhere")
    process = shelter.start(
        [sys.executable, ROOT / "manage.py", "audit"],
        log=room / "log",
        environment=newcomers_environment(var_dir),
        directory=room,
    )
    assert process.popen.wait(30) == 0, process.output()
    assert "The world is sound" in process.output()
