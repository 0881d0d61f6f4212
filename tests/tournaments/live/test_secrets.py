"""What a rival has ordered is known to nobody before the turn is over."""

import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client as Browser
from django.urls import reverse

from dynasties.notices import hints
from tests.factories import AdminFactory
from tests.tournaments.live.stage import (
    Stage,
    a_duel,
    heard,
    heard_meanwhile,
    leave_all,
    logged_in,
)
from tournaments.announcements.models import Seat, Tournament
from tournaments.turns.models import Order

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

MARKER = "marker-90b7"
CLOCK = re.compile(r'"at":"[^"]*"')


def routes(stage: Stage) -> list[str]:
    code = stage.code
    return [
        reverse("tournament-state", args=[code]),
        reverse("tournament-state", args=[code]) + "?since=1",
        reverse("tournament-orders", args=[code]),
        reverse("tournament-record", args=[code]),
        reverse("tournament", args=[code]),
        reverse("tournaments"),
    ]


def answers(browser: Browser, pages: list[str]) -> list[str]:
    found = [browser.get(page) for page in pages]
    return [CLOCK.sub("", f"{each.status_code} {each.content.decode()}") for each in found]


async def test_a_sealed_order_is_in_no_frame_and_no_answer_of_anybody_else() -> None:
    stage = await a_duel()
    a, b, crowd = await stage.client("a"), await stage.client("b"), await stage.client()
    await a.tell(type="order", turn=0, order=stage.move("a"))
    await heard(a, "accepted")
    await Order.objects.aupdate(content={"hold": MARKER})
    told = [await heard(client, "ready") for client in (b, crowd)]
    for client in (b, crowd):
        await client.tell(type="resume", version=1)
    late = [await stage.client("b"), await stage.client()]
    told += [
        *(await heard_meanwhile(b)),
        *(await heard_meanwhile(crowd)),
        *(client.state for client in late),
    ]
    assert {"ready", "state"} <= {frame["type"] for frame in told}
    assert MARKER not in json.dumps(told)
    admin = await sync_to_async(lambda: logged_in(AdminFactory()))()
    for browser in (stage.browsers["b"], Browser(), admin):
        for page in await sync_to_async(answers)(browser, routes(stage)):
            assert MARKER not in page
    own = await sync_to_async(answers)(stage.browsers["a"], routes(stage)[:1])
    assert MARKER in own[0], "the marker must be somewhere to prove anything"
    await leave_all(a, b, crowd, *late)


async def secretly(stage: Stage, order: dict[str, Any]) -> None:
    """Order through HTTP: a socket that comes and goes is seen by everybody."""
    page = reverse("tournament-orders", args=[stage.code])
    body = json.dumps({"turn": 0, "order": order})
    answer = await sync_to_async(stage.browsers["a"].post)(page, body, "application/json")
    assert answer.status_code == 200


async def test_which_order_was_given_changes_no_byte_for_anybody_else() -> None:
    stage = await a_duel()
    seen = []
    for number in (0, 1):
        await secretly(stage, stage.move("a", number))
        for browser in (stage.browsers["b"], Browser()):
            seen.append(await sync_to_async(answers)(browser, routes(stage)[:3]))
    assert seen[:2] == seen[2:]


async def test_hidden_readiness_changes_nothing_at_all() -> None:
    stage = await a_duel(shows_ready=False)
    b, crowd = await stage.client("b"), await stage.client()
    assert b.state["ready"] is None
    await heard(crowd, "presence")
    before = [
        await sync_to_async(answers)(browser, routes(stage)[:3])
        for browser in (stage.browsers["b"], Browser())
    ]
    await secretly(stage, stage.move("a"))
    after = [
        await sync_to_async(answers)(browser, routes(stage)[:3])
        for browser in (stage.browsers["b"], Browser())
    ]
    assert before == after
    assert await heard_meanwhile(b) == []
    assert await heard_meanwhile(crowd) == []
    row = await Tournament.objects.aget()
    assert row.version == b.state["version"]
    await leave_all(b, crowd)


async def test_an_order_that_is_replaced_is_no_news() -> None:
    stage = await a_duel()
    b = await stage.client("b")
    for number in (0, 1, 0):
        await secretly(stage, stage.move("a", number))
    assert [frame["type"] for frame in await heard_meanwhile(b)] == ["ready"]
    await leave_all(b)


async def test_a_count_reaches_those_who_were_there_before_somebody_joined(monkeypatch) -> None:
    stage = await a_duel()
    b = await stage.client("b")
    held_back: list[Any] = []
    with monkeypatch.context() as slow:
        slow.setattr(hints, "_send_message", lambda *message: held_back.append(message))
        await secretly(stage, stage.move("a"))
    late = await stage.client()
    assert late.state["ready"] == 1
    for topic, message in held_back:
        await sync_to_async(hints._send_message)(topic, message)
    assert [frame["count"] for frame in await heard_meanwhile(b)] == [1]
    assert await heard_meanwhile(late) == []
    await leave_all(b, late)


async def test_a_chest_is_in_no_frame() -> None:
    stage = await a_duel(chests=True, field_="four-islands")
    await Seat.objects.aupdate(chest=918273)
    a, crowd = await stage.client("a"), await stage.client()
    assert "918273" not in json.dumps([a.state, crowd.state])
    await Seat.objects.aupdate(chest=300)
    await leave_all(a, crowd)
