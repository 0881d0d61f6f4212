"""The watchman: in every web process two threads that need neither a worker nor Redis.

One notes every other second that the site takes orders. The other goes the rounds: it closes
what is overdue, and does what rooms above this one have registered. Whatever fails is tried
again in the next round.
"""

import threading
from collections.abc import Callable, Sequence

import structlog
from django.conf import settings
from django.db import connections

from tournaments.turns.deadlines import close_complete, close_overdue
from tournaments.turns.mishaps import describe
from tournaments.turns.watch import keep_watch

log = structlog.get_logger(__name__)

WATCH_SECONDS = 2.0
ROUND_SECONDS = 1.0

Deed = Callable[[], object]
ROUNDS: list[Deed] = [close_overdue, close_complete]


def on_every_round(deed: Deed) -> Deed:
    """Register something that has to be done every other second: short, and idempotent."""
    if deed not in ROUNDS:
        ROUNDS.append(deed)
    return deed


class Watchman:
    """Two threads, until they are told to stop; a process that ends takes them with it."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._threads = [
            self._thread("watch", [keep_watch], WATCH_SECONDS),
            self._thread("rounds", ROUNDS, ROUND_SECONDS, first=[close_all_complete]),
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _thread(
        self, name: str, deeds: list[Deed], seconds: float, *, first: Sequence[Deed] = ()
    ) -> threading.Thread:
        def go() -> None:
            do_all(first)
            while True:
                do_all(deeds)
                if self._over.wait(seconds):
                    return

        return threading.Thread(target=go, name=f"watchman-{name}", daemon=True)


def close_all_complete() -> int:
    """What was handed in just before all processes of the site died, however long ago."""
    return close_complete(since=None)


def do_all(deeds: Sequence[Deed]) -> None:
    """Do each of them, whatever becomes of the others; keep no connection."""
    try:
        for deed in deeds:
            _do(deed)
    finally:
        connections.close_all()


def _do(deed: Deed) -> None:
    try:
        deed()
    except Exception as trouble:  # the database or Redis is away: the next round tries again
        log.warning("round_failed", deed=getattr(deed, "__name__", ""), **describe(trouble))
        connections.close_all()


_started = threading.Lock()


def start_watching() -> None:
    """Let this process keep watch, once, unless the settings say that it does not."""
    if settings.KEEPS_WATCH and _started.acquire(blocking=False):
        Watchman().start()
