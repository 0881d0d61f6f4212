"""The clerk writes orders in batches; one bad order or one bad moment harms no other."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from tests.tournaments.live.stage import set_up
from tournaments import errors
from tournaments.live import clerk as clerk_module
from tournaments.live.clerk import Clerk, NotKept, get_clerk
from tournaments.live.gathering import Gathering
from tournaments.turns.models import Order, Turn
from tournaments.turns.services import Wish, keep_orders

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

HOLD = {"hold": True}


def seats_of(count: int) -> list[int]:
    """The seats of so many duels."""
    return [seat.pk for _duel in range(count) for seat in set_up().seats.values()]


async def test_what_comes_together_is_written_together(monkeypatch) -> None:
    sizes: list[int] = []

    def counted(wishes: list[Wish]) -> Any:
        sizes.append(len(wishes))
        return keep_orders(wishes)

    monkeypatch.setattr(clerk_module, "keep_orders", counted)
    seats, clerk = await sync_to_async(seats_of)(4), Clerk()
    await asyncio.gather(*(clerk.submit(Wish(seat, 0, HOLD)) for seat in seats))
    assert sum(sizes) == len(seats)
    assert len(sizes) <= 2
    async with asyncio.timeout(5):
        while await Turn.objects.acount() < 4:
            await asyncio.sleep(0.02)
    assert not await Order.objects.aexists()


async def test_an_order_that_is_refused_harms_no_other() -> None:
    (one, other), clerk = await sync_to_async(seats_of)(1), Clerk()
    answers = await asyncio.gather(
        clerk.submit(Wish(one, 0, {"fly": True})),
        clerk.submit(Wish(other, 0, HOLD)),
        clerk.submit(Wish(other, 7, HOLD)),
        clerk.submit(Wish(-1, 0, HOLD)),
        return_exceptions=True,
    )
    assert [type(answer).__name__ for answer in answers] == [
        "BadOrder", "Accepted", "WrongTurn", "NotSeated"
    ]  # fmt: skip
    assert (await Order.objects.aget()).seat_id == other


async def test_a_batch_that_fails_is_tried_again_one_by_one(monkeypatch, caplog) -> None:
    (bad, good), clerk = await sync_to_async(seats_of)(1), Clerk()

    def fails(wishes: list[Wish]) -> Any:
        if any(wish.seat == bad for wish in wishes):
            raise RuntimeError("marker-order")
        return keep_orders(wishes)

    monkeypatch.setattr(clerk_module, "keep_orders", fails)
    answers = await asyncio.gather(
        clerk.submit(Wish(bad, 0, HOLD)), clerk.submit(Wish(good, 0, HOLD)), return_exceptions=True
    )
    assert isinstance(answers[0], NotKept)
    assert isinstance(answers[0], errors.Refused)
    assert not isinstance(answers[1], BaseException)
    assert "order_not_kept" in caplog.text
    assert "marker-order" not in caplog.text
    assert "hold" not in caplog.text


async def test_one_who_did_not_wait_for_the_answer_harms_nobody() -> None:
    (one, other), clerk = await sync_to_async(seats_of)(1), Clerk()
    gone = asyncio.create_task(clerk.submit(Wish(one, 0, HOLD)))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await clerk.submit(Wish(other, 0, HOLD))).turn == 0


async def test_a_loop_has_one_clerk() -> None:
    assert get_clerk() is get_clerk()


async def test_a_gathering_goes_on_after_a_batch_that_failed(caplog) -> None:
    done: list[list[int]] = []

    async def work(batch: list[int]) -> None:
        await asyncio.sleep(0)
        if 1 in batch:
            raise RuntimeError("one of them")
        done.append(batch)

    gathering: Gathering[int] = Gathering(work, most=2)
    gathering.add([1, 2, 3, 3, 4, 5])
    async with asyncio.timeout(2):
        while len(done) < 2:
            await asyncio.sleep(0.01)
    assert done == [[3, 4], [5]]
    assert "batch_failed" in caplog.text
