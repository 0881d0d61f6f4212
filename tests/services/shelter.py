"""A temporary directory and the processes that live in it; nothing of either outlives the run."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from tests.services import keeper
from tests.services.keeper import send

ROOT = Path(__file__).resolve().parent.parent.parent


class Process:
    """A process group started for the tests, with its output in a file."""

    def __init__(
        self, popen: subprocess.Popen[bytes], *, note: Path, log: Path | None, polite: int
    ) -> None:
        self.popen = popen
        self.log = log
        self._note = note
        self._polite = polite

    @property
    def pid(self) -> int:
        return self.popen.pid

    @property
    def running(self) -> bool:
        return self.popen.poll() is None

    def output(self) -> str:
        """Everything that it has said so far."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log else ""

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            self.popen.send_signal(number)

    def stop(self, *, grace: float = 8.0) -> int:
        """End the process and all of its group, politely first; return its exit code."""
        if self.running:
            self.signal(self._polite)
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(grace)
        send(self.pid, signal.SIGKILL)
        code = self.popen.wait()
        self._note.unlink(missing_ok=True)
        return code


class Shelter:
    """Where one run keeps its services. Leaving it ends them and removes every file."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="emperors-test-")).resolve()
        # A database server that runs as another user must be able to pass through.
        self.path.chmod(0o711)
        self._notes = self.path / "started"
        self._notes.mkdir()
        self._processes: list[Process] = []
        self._keeper = subprocess.Popen(
            [sys.executable, keeper.__file__, str(self.path)],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def __enter__(self) -> "Shelter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def room(self, name: str) -> Path:
        """A fresh directory of its own."""
        return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.path))

    def start(
        self,
        command: Sequence[str | Path],
        *,
        log: Path | None = None,
        environment: Mapping[str, str] | None = None,
        directory: Path = ROOT,
        user: str | None = None,
        polite: int = signal.SIGTERM,
    ) -> Process:
        """Start `command` as a process group; without a `log` it shares our own output."""
        output: IO[bytes] | None = log.open("ab") if log else None
        try:
            popen = subprocess.Popen(
                [str(word) for word in command],
                cwd=directory,
                env=dict(environment) if environment is not None else None,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output else None,
                start_new_session=True,
                **as_user(user),
            )
        finally:
            if output:
                output.close()
        note = self._notes / str(popen.pid)
        note.write_text(str(int(polite)))
        process = Process(popen, note=note, log=log, polite=polite)
        self._processes.append(process)
        return process

    def close(self) -> None:
        """End everything, last started first, and remove the directory."""
        for process in reversed(self._processes):
            process.stop()
        self._processes.clear()
        shutil.rmtree(self.path, ignore_errors=True)
        if self._keeper.stdin and not self._keeper.stdin.closed:
            self._keeper.stdin.close()
        self._keeper.wait()


def as_user(name: str | None) -> dict[str, object]:
    """The arguments of Popen that run a command as another user."""
    if name is None:
        return {}
    import pwd  # not on every system, and needed only where root runs the tests

    entry = pwd.getpwnam(name)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def running_as_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
