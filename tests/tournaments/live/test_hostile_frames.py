"""Frames of any kind get a clear error, and hurt nobody else."""

import json
import random
from typing import Any

import pytest

from dynasties.notices import sockets
from tests.dynasties.notices.test_sockets import random_frame
from tests.scale import figure
from tests.sockets import Client
from tests.tournaments.live.stage import Stage, a_duel, heard, heard_meanwhile, leave_all
from tournaments.turns.models import Order

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

TYPES = ["order", "withdraw", "draw", "resume", "say", "ping", "state", "accepted", None, 3, []]
VALUES: list[Any] = [
    None, True, 0, 1, -1, 2**31, 10**300, 0.5, float("nan"), float("inf"), "", "0", "a1", "\x00",
    "\ud800", "ñ" * 100, [], [0, 0], [[]], {}, {"hold": True}, {"resign": False},
    {"piece": "a1", "to": [10**200, 0]}, {"piece": "\ud800", "to": [0, 0]},
    {"piece": "a1", "to": [0, True]}, {"piece": "x" * 5000, "to": [1, 1]}, {"hold": True, "x": 1},
    json.loads('{"a":' * 200 + "1" + "}" * 200),
]  # fmt: skip


def random_play(chance: random.Random) -> dict[str, Any]:
    """A frame that is almost one of the protocol."""
    if chance.random() < 0.2:
        return random_frame(chance)
    content = {"type": chance.choice(TYPES)}
    for name in ("turn", "order", "ref", "version", "seat"):
        if chance.random() < 0.7:
            content[name] = chance.choice(VALUES)
    if chance.random() < 0.5:
        content["turn"] = 0
    return {"text": json.dumps(content)}


async def endure(stage: Stage, chance: random.Random, frames: int) -> None:
    """Send frames as a seat; each gets an answer that can be sent over a wire."""
    a = await stage.client("a")
    for _frame in range(frames):
        await a.send(**random_play(chance))
        answer = await heard(a, "error", "accepted", "pong", "state", "turn")
        json.dumps(answer, ensure_ascii=False).encode()
    await a.tell(type="ping")
    await heard(a, "pong")
    assert a.close_code is None
    await leave_all(a)


async def test_frames_by_the_thousand_hurt_nobody(monkeypatch, caplog) -> None:
    monkeypatch.setattr(sockets, "FRAMES_A_SECOND", 10**9)
    stage = await a_duel()
    neighbour = await stage.client("b")
    await endure(stage, random.Random(20261118), figure(1_000, soak=100_000))
    assert "socket_failed" not in caplog.text
    assert "order_not_kept" not in caplog.text
    await heard_meanwhile(neighbour)
    await neighbour.tell(type="order", turn=0, order={"hold": True}, ref="still")
    assert (await heard(neighbour, "accepted", "error"))["type"] == "accepted"
    assert await Order.objects.filter(seat=stage.seats["b"].pk).aexists()
    await leave_all(neighbour)


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "order", "turn": 0, "order": {"piece": "\\ud800", "to": [0, 0]}}',
        '{"type": "order", "turn": 0, "order": {"hold": true}, "ref": "\\ud800"}',
        '{"type": "order", "turn": 0, "order": {"piece": "\\u0000", "to": [0, 0]}}',
    ],
)
async def test_halves_of_characters_and_nothings_are_refused(text: str) -> None:
    stage = await a_duel()
    a = await stage.client("a")
    await a.send(text=text)
    error = await heard(a, "error")
    assert (error["code"], error["ref"]) == ("unreadable", None)
    await leave_all(a)


@pytest.mark.parametrize("code", ["x" * 200, "a_b", "A", "%00", "a.b", "..", "ñ"])
async def test_what_can_be_no_code_opens_no_socket(code: str) -> None:
    client = await Client(f"/ws/tournaments/{code}/").connect()
    assert (client.accepted, client.close_code) == (False, 4404)
