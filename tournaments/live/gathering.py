"""Gathering: what comes while the last batch is worked on makes the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable
from itertools import islice
from typing import Generic, TypeVar

import structlog

from tournaments.turns.mishaps import describe

log = structlog.get_logger(__name__)

T = TypeVar("T", bound=Hashable)


class Gathering(Generic[T]):
    """Works off what is added, one batch after the other; the same thing twice is one.

    A quiet site has batches of one, at once. On a busy one many share a batch, so that the work
    grows slower than the crowd. A batch that fails is logged and holds up no other.
    """

    def __init__(self, work: Callable[[list[T]], Awaitable[None]], *, most: int) -> None:
        self._work = work
        self._most = most
        self._waiting: dict[T, None] = {}
        self._running: asyncio.Task[None] | None = None

    def add(self, items: Iterable[T]) -> None:
        """Have `items` worked off soon. Never waits."""
        self._waiting.update(dict.fromkeys(items))
        if self._waiting and (self._running is None or self._running.done()):
            self._running = asyncio.create_task(self._work_off())

    async def _work_off(self) -> None:
        while self._waiting:
            batch = list(islice(self._waiting, self._most))
            for item in batch:
                del self._waiting[item]
            try:
                await self._work(batch)
            except Exception as trouble:  # its words may hold secrets
                log.error("batch_failed", size=len(batch), **describe(trouble))
