"""Nothing that a run starts outlives it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import Shelter, start_redis
from tests.services.shelter import ROOT
from tests.services.valkey import answers

# A run that starts a Redis, says where it is, and waits to be killed.
A_RUN = """
import time
from tests.services import Shelter, start_redis
shelter = Shelter()
print(shelter.path, start_redis(shelter, own=True).url, flush=True)
time.sleep(60)
"""


@pytest.fixture
def doomed_run() -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", A_RUN]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as run:
        yield run
        run.kill()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_run_leaves_neither_process_nor_file(
    doomed_run: "subprocess.Popen[str]", number: int
) -> None:
    assert doomed_run.stdout is not None
    path, url = doomed_run.stdout.readline().split()
    assert answers(url)
    os.kill(doomed_run.pid, number)
    deadline = time.monotonic() + 10
    while Path(path).exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(path).exists()
    assert not answers(url)


def test_leaving_a_shelter_ends_its_processes_and_removes_its_files() -> None:
    with Shelter() as shelter:
        server = start_redis(shelter, own=True, tcp=True)
        assert answers(server.url)
    assert not answers(server.url)
    assert not shelter.path.exists()


def test_a_process_that_does_not_listen_is_ended_all_the_same() -> None:
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up'); time.sleep(60)"
    with Shelter() as shelter:
        process = shelter.start([sys.executable, "-uc", stubborn], log=shelter.path / "log")
        while "up" not in process.output():
            time.sleep(0.01)
        assert process.stop(grace=0.1) == -signal.SIGKILL
