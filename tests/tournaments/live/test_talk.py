"""Lines beside a tournament reach those who may hear them, over the socket too."""

import pytest

from tests.tournaments.live.stage import a_duel, heard, heard_meanwhile, leave_all

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


async def test_seats_hear_each_other_and_nobody_else_does() -> None:
    stage = await a_duel()
    a, b, crowd = await stage.client("a"), await stage.client("b"), await stage.client()
    await a.tell(type="say", text="Well met.", ref=3)
    frames = [await heard(a, "accepted", "said"), await heard(a, "accepted", "said")]
    accepted, said = sorted(frames, key=lambda frame: frame["type"])
    assert (accepted["ref"], accepted["number"]) == (3, said["number"])
    assert (await heard(b, "said"))["text"] == "Well met."
    assert await heard_meanwhile(crowd) == []
    await leave_all(a, b, crowd)


@pytest.mark.parametrize("text", [None, 3, "", " ", "x" * 5000, ["a"]])
async def test_what_is_no_line_is_refused(text: object) -> None:
    stage = await a_duel()
    a = await stage.client("a")
    await a.tell(type="say", text=text, ref=4)
    assert (await heard(a, "error", "said"))["ref"] == 4
    await leave_all(a)


async def test_passers_by_say_nothing() -> None:
    stage = await a_duel()
    crowd = await stage.client()
    await crowd.tell(type="say", text="Move the pawn!")
    assert (await heard(crowd, "error", "said"))["type"] == "error"
    await leave_all(crowd)
