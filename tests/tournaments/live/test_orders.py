"""Orders over the socket: sealed, acknowledged, disclosed to all at once."""

import pytest
from django.utils import timezone, translation

from tests.tournaments.live.stage import a_duel, heard, heard_meanwhile, leave_all
from tournaments import errors
from tournaments.announcements.models import Tournament
from tournaments.turns.models import Order

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


async def test_whoever_joins_is_told_how_things_stand() -> None:
    stage = await a_duel()
    client, crowd = await stage.client("a"), await stage.client()
    mine, theirs = client.state, crowd.state
    assert (mine["code"], mine["turn"], mine["you"], mine["kind"]) == (stage.code, 0, "a", "honour")
    assert mine["choices"]
    assert {choice["piece"][:1] for choice in mine["choices"]} <= {"a", ""}
    assert (theirs["you"], theirs["choices"], theirs["order"]) == (None, [], None)
    assert theirs["scene"]
    assert (mine["seed"], mine["of"], mine["ready"]) == (None, 2, 0)
    await leave_all(client, crowd)


async def test_a_turn_is_disclosed_to_all_at_once() -> None:
    stage = await a_duel()
    a, b, crowd = await stage.client("a"), await stage.client("b"), await stage.client()
    order = stage.move("a")
    await a.tell(type="order", turn=0, order=order, ref=7)
    accepted = await heard(a, "accepted")
    assert (accepted["ref"], accepted["turn"], accepted["order"]) == (7, 0, order)
    assert await Order.objects.acount() == 1
    for client in (b, crowd):
        ready = await heard(client, "ready", "turn")
        assert (ready["type"], ready["count"], ready["of"]) == ("ready", 1, 2)
    await b.tell(type="order", turn=0, order={"hold": True})
    assert (await heard(b, "accepted", "turn"))["type"] == "accepted"
    for client in (a, b, crowd):
        turn = await heard(client, "turn")
        assert (turn["closed"], turn["turn"]) == (0, 1)
        assert turn["version"] == client.state["version"] + 1
        assert dict(turn["orders"]) == {"a": order, "b": {"hold": True}}
        assert turn["story"]
        assert turn["report"]
    await leave_all(a, b, crowd)


async def test_an_order_can_be_replaced_and_withdrawn_and_everybody_hears_only_a_count() -> None:
    stage = await a_duel()
    a, b = await stage.client("a"), await stage.client("b")
    for number in (0, 1):
        await a.tell(type="order", turn=0, order=stage.move("a", number))
        assert (await heard(a, "accepted"))["order"] == stage.move("a", number)
    assert [frame["count"] for frame in await heard_meanwhile(b)] == [1]
    assert (await Order.objects.aget()).content == stage.move("a", 1)
    await a.tell(type="withdraw", turn=0, ref="w")
    accepted = await heard(a, "accepted")
    assert (accepted["order"], accepted["ref"]) == (None, "w")
    assert [frame["count"] for frame in await heard_meanwhile(b)] == [0]
    assert not await Order.objects.aexists()
    await leave_all(a, b)


async def test_an_own_order_is_told_again_to_its_seat_alone() -> None:
    stage = await a_duel()
    a = await stage.client("a")
    await a.tell(type="order", turn=0, order=stage.move("a"))
    await heard(a, "accepted")
    again, rival, crowd = await stage.client("a"), await stage.client("b"), await stage.client()
    assert (again.state["order"], again.state["ready"]) == (stage.move("a"), 1)
    assert (rival.state["order"], crowd.state["order"]) == (None, None)
    await leave_all(a, again, rival, crowd)


async def test_who_resigns_has_lost_and_the_seed_is_open() -> None:
    stage = await a_duel()
    a, b, crowd = await stage.client("a"), await stage.client("b"), await stage.client()
    await a.tell(type="order", turn=0, order={"resign": True})
    await b.tell(type="order", turn=0, order={"hold": True})
    for client in (a, b, crowd):
        turn = await heard(client, "turn")
        assert (turn["state"], turn["winners"], turn["deadline"]) == ("finished", ["b"], None)
        assert turn["seed"] == stage.tournament.seed
        assert turn["choices"] == []
        assert turn["of"] == 0
    await a.tell(type="order", turn=1, order={"hold": True})
    assert (await heard(a, "error"))["code"] == "not-running"
    await leave_all(a, b, crowd)


async def test_a_draw_needs_everybody() -> None:
    stage = await a_duel()
    a, b = await stage.client("a"), await stage.client("b")
    await a.tell(type="draw", turn=0, ref=1)
    frames = [await heard(a, "accepted", "state"), await heard(a, "accepted", "state")]
    assert {frame["type"] for frame in frames} == {"accepted", "state"}
    offered = await heard(b, "state")
    assert {seat["seat"]: seat["draw"] for seat in offered["seats"]} == {"a": True, "b": False}
    assert offered["state"] == "running"
    await b.tell(type="draw", turn=0)
    for client in (a, b):
        over = await heard(client, "state")
        while over["state"] == "running":
            over = await heard(client, "state")
        assert (over["state"], over["ending"], over["winners"]) == ("finished", "agreed", [])
    await leave_all(a, b)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"type": "order", "turn": 1, "order": {"hold": True}}, "wrong-turn"),
        ({"type": "withdraw", "turn": 5}, "wrong-turn"),
        ({"type": "draw", "turn": 5}, "wrong-turn"),
        ({"type": "order", "turn": 0, "order": {"fly": True}}, "not-an-order"),
        ({"type": "order", "turn": 0, "order": {"piece": "b1", "to": [0, 0]}}, None),
        ({"type": "order", "turn": 0}, "unreadable"),
        ({"type": "order", "turn": "0", "order": {"hold": True}}, "unreadable"),
        ({"type": "order", "turn": True, "order": {"hold": True}}, "unreadable"),
        ({"type": "order", "turn": -1, "order": {"hold": True}}, "unreadable"),
        ({"type": "conquer"}, "unknown-type"),
    ],
)
async def test_what_cannot_be_done_gets_an_error_with_its_ref(frame: dict, code: str) -> None:
    stage = await a_duel()
    a = await stage.client("a")
    await a.tell(**frame, ref="mine")
    error = await heard(a, "error")
    assert error["ref"] == "mine"
    assert error["text"]
    assert code in (None, error["code"])
    assert not await Order.objects.aexists()
    await leave_all(a)


async def test_nobody_orders_for_a_seat_that_is_not_his() -> None:
    stage = await a_duel()
    crowd = await stage.client()
    for frame in ({"type": "order", "order": {"hold": True}}, {"type": "draw"}):
        await crowd.tell(turn=0, seat="a", you="a", **frame)
        assert (await heard(crowd, "error"))["code"] == "not-seated"
    assert not await Order.objects.aexists()
    await leave_all(crowd)


async def test_an_order_after_the_deadline_is_too_late(monkeypatch) -> None:
    stage = await a_duel()
    a = await stage.client("a")
    monkeypatch.setattr("tournaments.live.crier.Crier.look_around", quiet)
    await Tournament.objects.aupdate(deadline=timezone.now(), remind_at=None)
    await a.tell(type="order", turn=0, order={"hold": True})
    assert (await heard(a, "error"))["code"] == "too-late"
    await leave_all(a)


async def quiet(_crier: object) -> None:
    """Nobody looks around in this test."""


async def test_errors_speak_the_language_of_the_reader() -> None:
    stage = await a_duel()
    a = await stage.client("a", language="es")
    await a.tell(type="order", turn=1, order={"hold": True})
    error = await heard(a, "error")
    with translation.override("es"):
        assert error["text"] == str(errors.WrongTurn())
    await leave_all(a)
