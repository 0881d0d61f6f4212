"""Starts the processes of the embedded site, keeps them alive, and ends them together.

The children live in sessions of their own, so that Ctrl-C reaches only the
supervisor, which then ends them in order. Should the supervisor itself be killed,
the kernel ends them; only Linux does that, elsewhere they must be ended by hand.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType

LOOK_EVERY_SECONDS = 0.2
GRACE_SECONDS = 3.0
LAST_GRACE_SECONDS = 1.0
# A part that dies this often, each time this soon, will not live: give up and say so.
MOST_QUICK_DEATHS = 5
QUICK_DEATH_SECONDS = 5.0
PR_SET_PDEATHSIG = 1

Say = Callable[[str], None]


@dataclass
class Part:
    """One process of the site: what it is called and how it is started."""

    name: str
    command: Sequence[str]
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    quick_deaths: int = field(default=0)

    def start(self) -> None:
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent(os.getpid()),
        )

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def signal(self, number: int) -> None:
        """Signal the process and all that it started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)


class Supervisor:
    """Runs parts until a signal or until one of them can't be kept alive.

    Parts that were started together are ended together, the last started first.
    """

    def __init__(self, *, say: Say) -> None:
        self._say = say
        self._groups: list[list[Part]] = []
        self._stop = False

    def catch_signals(self) -> None:
        """From now on SIGINT, SIGTERM and SIGHUP ask the supervisor to stop."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, stack: FrameType | None) -> None:
        self._stop = True

    @property
    def stopping(self) -> bool:
        return self._stop

    def start(self, *parts: Part) -> None:
        """Start parts that belong together."""
        self._groups.append(list(parts))
        for part in parts:
            part.start()

    def wait_until(self, ready: Callable[[], bool], *, seconds: float) -> bool:
        """Wait for `ready`; give up after `seconds`, at a signal, or when a part dies for good."""
        until = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > until or not self._keep_alive():
                return False
            time.sleep(LOOK_EVERY_SECONDS)
        return True

    def watch(self) -> bool:
        """Keep the parts alive until a signal comes (True) or one is past saving (False)."""
        while self._keep_alive():
            time.sleep(LOOK_EVERY_SECONDS)
        return not self._beyond_saving()

    def _keep_alive(self) -> bool:
        for part in self._parts():
            if not part.alive and not self._stop:
                self._revive(part)
        return not self._stop and not self._beyond_saving()

    def _revive(self, part: Part) -> None:
        lived = time.monotonic() - part.started_at
        part.quick_deaths = part.quick_deaths + 1 if lived < QUICK_DEATH_SECONDS else 0
        code = part.process.returncode if part.process else None
        if part.quick_deaths >= MOST_QUICK_DEATHS:
            self._say(f"The {part.name} process dies as soon as it starts (exit code {code}).")
            return
        self._say(f"The {part.name} process ended (exit code {code}); starting it again.")
        time.sleep(LOOK_EVERY_SECONDS * part.quick_deaths)
        part.start()

    def _beyond_saving(self) -> bool:
        return any(part.quick_deaths >= MOST_QUICK_DEATHS for part in self._parts())

    def _parts(self) -> list[Part]:
        return [part for group in self._groups for part in group]

    def stop(self) -> None:
        """End every part, the last started first, in less than five seconds."""
        self._stop = True
        graces = [LAST_GRACE_SECONDS] * (len(self._groups) - 1) + [GRACE_SECONDS]
        for group, grace in zip(reversed(self._groups), reversed(graces), strict=True):
            end_together(group, grace=grace)


def end_together(parts: Sequence[Part], *, grace: float) -> None:
    """Ask the parts to end; after `grace` seconds, end them."""
    for part in parts:
        part.signal(signal.SIGTERM)
    until = time.monotonic() + grace
    while any(part.alive for part in parts) and time.monotonic() < until:
        time.sleep(0.05)
    for part in parts:
        part.signal(signal.SIGKILL)
        if part.process is not None:
            part.process.wait()


def die_with_parent(parent: int) -> Callable[[], None] | None:
    """What a child does before it becomes its program: ask to be ended with its parent."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)

    def ask_kernel() -> None:
        # Not SIGTERM: with Valkey gone at the same moment, a polite worker waits for it to return.
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before we could ask
            os._exit(1)

    return ask_kernel
