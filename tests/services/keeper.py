"""Cleans up after a run, however the run ends: also when it is killed and can't do it itself.

`python keeper.py DIRECTORY` waits until its standard input closes,
which happens at the latest when the run's process dies. Then it ends what is
still noted in DIRECTORY/started and removes DIRECTORY.
"""

import os
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

GRACE_SECONDS = 3.0


def main() -> None:
    directory = Path(sys.argv[1])
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    sys.stdin.buffer.read()
    end_all(directory / "started")
    shutil.rmtree(directory, ignore_errors=True)


def end_all(notes: Path) -> None:
    """Stop every process group noted as a file `PID` that holds the polite signal."""
    if not notes.is_dir():
        return
    groups = {int(note.name): int(note.read_text() or signal.SIGTERM) for note in notes.iterdir()}
    for group, polite in groups.items():
        send(group, polite)
    deadline = time.monotonic() + GRACE_SECONDS
    while any(send(group, 0) for group in groups) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in groups:
        send(group, signal.SIGKILL)


def send(group: int, number: int) -> bool:
    """Signal a process group; False when nothing of it is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        return True
    return False


if __name__ == "__main__":
    main()
