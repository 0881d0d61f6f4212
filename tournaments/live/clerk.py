"""The clerk takes the orders of all sockets of an event loop, and writes them down in batches.

An order is acknowledged after its commit, and not before. Whatever has arrived while a batch was
written goes into the next; closing turns is gathered in the same way, beside it.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import structlog
from channels.db import database_sync_to_async
from django.utils.translation import gettext_lazy as _

from tournaments.errors import Refused
from tournaments.live.gathering import Gathering
from tournaments.turns.mishaps import describe
from tournaments.turns.services import (
    LARGEST_BATCH,
    Accepted,
    Answer,
    Wish,
    close_turns,
    keep_orders,
)

log = structlog.get_logger(__name__)


class NotKept(Refused):
    """The database could not be reached, or not in time: the order was not acknowledged."""

    code = "try-again"
    words = _("This could not be kept just now. Send it again.")


@dataclass(eq=False)
class _Request:
    wish: Wish
    answered: "asyncio.Future[Answer]"

    def answer(self, answer: Answer) -> None:
        if not self.answered.done():  # whoever asked may be gone
            self.answered.set_result(answer)


class Clerk:
    """One an event loop."""

    def __init__(self) -> None:
        self._orders: Gathering[_Request] = Gathering(self._keep, most=LARGEST_BATCH)
        self._turns: Gathering[int] = Gathering(self._close, most=LARGEST_BATCH)

    async def submit(self, wish: Wish) -> Accepted:
        """Have an order kept; returns once it can't be lost any more. Raises Refused."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._orders.add([_Request(wish, answered)])
        answer = await answered
        if isinstance(answer, Refused):
            raise answer
        return answer

    def close(self, numbers: Iterable[int]) -> None:
        """Have the turns of these tournaments closed, if they can be."""
        self._turns.add(numbers)

    async def _keep(self, batch: list[_Request]) -> None:
        try:
            answers = await _keep_in_a_thread([request.wish for request in batch])
        except Exception as error:
            log.warning("batch_of_orders_failed", size=len(batch), **describe(error))
            answers = [await _keep_alone(request.wish) for request in batch]
        for request, answer in zip(batch, answers, strict=True):
            request.answer(answer)
        self.close(
            each.tournament for each in answers if isinstance(each, Accepted) and each.complete
        )

    async def _close(self, numbers: list[int]) -> None:
        await database_sync_to_async(close_turns, thread_sensitive=False)(numbers)


async def _keep_in_a_thread(wishes: list[Wish]) -> list[Answer]:
    return await database_sync_to_async(keep_orders, thread_sensitive=False)(wishes)


async def _keep_alone(wish: Wish) -> Answer:
    """Try one order of a batch that failed: it is not the fault of all."""
    try:
        (answer,) = await _keep_in_a_thread([wish])
    except Exception as error:  # without its content: it is a secret
        log.error("order_not_kept", seat=wish.seat, **describe(error))
        return NotKept()
    return answer


_clerks: WeakKeyDictionary[asyncio.AbstractEventLoop, Clerk] = WeakKeyDictionary()


def get_clerk() -> Clerk:
    """The clerk of the running event loop."""
    return _clerks.setdefault(asyncio.get_running_loop(), Clerk())
