"""The live socket answers what it can, refuses what it can't, and outlives hostile frames."""

import asyncio
import json
import random
import threading
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client as DjangoClient
from django.utils import timezone

from dynasties.notices import sockets
from dynasties.notices.hub import get_hub
from dynasties.notices.models import Proclamation
from dynasties.notices.presence import Visitor
from dynasties.notices.sockets import LONGEST_FRAME
from tests.factories import UserFactory
from tests.scale import figure
from tests.sockets import Client

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

ORIGIN = settings.SITE_ORIGINS[0]


async def test_a_visitor_is_greeted_with_the_servers_time() -> None:
    client = await Client().connect()
    hello = await client.frame()
    assert (hello["v"], hello["type"]) == (1, "hello")
    assert hello["at"].endswith("+00:00")
    await client.leave()


async def test_open_sockets_are_counted_for_the_metrics() -> None:
    def counted() -> float:
        return next(iter(sockets.open_sockets.collect())).samples[0].value

    client = await Client().greeted()
    assert counted() == 1
    await client.leave()
    assert counted() == 0


async def test_a_ping_is_answered() -> None:
    client = await Client().greeted()
    await client.tell(type="ping")
    assert (await client.frame())["type"] == "pong"
    await client.leave()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", f"{ORIGIN}.evil.example"])
async def test_pages_of_other_sites_may_not_open_a_socket(origin: str) -> None:
    client = await Client(origin=origin).connect()
    assert not client.accepted


async def test_an_unknown_path_is_refused() -> None:
    client = await Client("/ws/nowhere/").connect()
    assert (client.accepted, client.close_code) == (False, 4404)


HOSTILE = {
    "{": "unreadable",
    "": "unreadable",
    "[]": "unreadable",
    "null": "unreadable",
    "[" * 10_000: "unreadable",
    '{"a":' * 3_000: "unreadable",
    '{"type": ' + "9" * 10_000 + "}": "unreadable",
    '{"type": ["ping"]}': "unknown-type",
    '{"type": {"ping": 1}}': "unknown-type",
    '{"type": "__class__"}': "unknown-type",
    '{"type": "websocket.close"}': "unknown-type",
    '{"type": "ping\\u0000"}': "unknown-type",
    '{"type": NaN}': "unknown-type",
    "x" * (LONGEST_FRAME + 1): "too-large",
}


@pytest.mark.parametrize(("text", "code"), HOSTILE.items(), ids=range(len(HOSTILE)))
async def test_a_hostile_frame_gets_an_error_and_the_socket_lives_on(text: str, code: str) -> None:
    client = await Client().greeted()
    await client.send(text=text)
    error = await client.frame()
    assert (error["type"], error["code"]) == ("error", code)
    await client.tell(type="ping")
    assert (await client.frame())["type"] == "pong"
    await client.leave()


async def test_a_binary_frame_gets_an_error() -> None:
    client = await Client().greeted()
    await client.send(data=b"\xff\x00")
    assert (await client.frame())["code"] == "unreadable"
    await client.leave()


async def test_frames_of_any_kind_by_the_thousand_hurt_nobody(monkeypatch) -> None:
    monkeypatch.setattr(sockets, "FRAMES_A_SECOND", 10**9)
    chance = random.Random(20261118)
    client, neighbour = await Client().greeted(), await Client().greeted()
    for _ in range(figure(5_000, soak=1_000_000)):
        await client.send(**random_frame(chance))
        assert (await client.frame())["type"] in {"error", "pong"}
    await neighbour.tell(type="ping")
    assert (await neighbour.frame())["type"] == "pong"
    await client.leave()
    await neighbour.leave()


def random_frame(chance: random.Random) -> dict[str, Any]:
    """Noise, or a hostile frame with some of it damaged, as text or binary."""
    if chance.random() < 0.1:
        return {"data": chance.randbytes(chance.randrange(64))}
    text = list(chance.choice([*HOSTILE, '{"type": "ping"}'])[:500])
    for _ in range(chance.randrange(4)):
        if text:
            text[chance.randrange(len(text))] = chr(chance.choice([0, 34, 92, 123, 0x7F, 0x10FFFF]))
    return {"text": "".join(text)}


async def test_a_fault_of_ours_is_logged_and_ends_that_socket_alone(monkeypatch, caplog) -> None:
    async def fail(self: sockets.LiveSocket, content: dict[str, Any]) -> None:
        raise RuntimeError("a fault of ours")

    client, neighbour = await Client().greeted(), await Client().greeted()
    with monkeypatch.context() as fault:
        fault.setattr(sockets.LiveSocket, "answer", fail)
        await client.tell(type="ping")
        assert await client.closed() == sockets.FAULT
    assert "socket_failed" in caplog.text
    await neighbour.tell(type="ping")
    assert (await neighbour.frame())["type"] == "pong"
    await neighbour.leave()


async def test_a_slow_look_up_of_one_visitor_holds_up_no_other(monkeypatch) -> None:
    together = threading.Barrier(4)

    def slow(session_key: str) -> Visitor:
        together.wait(5)  # none is done before all have begun
        return Visitor()

    monkeypatch.setattr("dynasties.notices.presence.visitor_of", slow)
    cookie = f"{settings.SESSION_COOKIE_NAME}=anything"
    clients = [Client(cookie=cookie) for _ in range(4)]
    await asyncio.gather(*(client.connect() for client in clients))
    assert all(client.accepted for client in clients)
    for client in clients:
        await client.leave()


async def test_a_newcomer_hears_what_was_proclaimed_before() -> None:
    now = timezone.now()
    await Proclamation.objects.acreate(
        text_en="War!", text_es="¡Guerra!", starts_at=now, ends_at=now + timedelta(hours=1)
    )
    client = await Client().greeted()
    assert (await client.frame())["text"]["en"] == "War!"
    await client.leave()


async def test_a_socket_knows_its_visitor_by_the_session_cookie() -> None:
    user = await sync_to_async(UserFactory)()
    browser = DjangoClient()
    await sync_to_async(browser.force_login)(user)
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value
    client = await Client(cookie=f"{settings.SESSION_COOKIE_NAME}={key}").greeted()
    (socket,) = get_hub().sockets
    assert socket.visitor == Visitor(user.pk, key)
    await client.leave()


@pytest.mark.parametrize("cookie", ["", "x" * 5000, "\x00", "unknown", '"\\000"'])
async def test_a_cookie_that_is_no_session_makes_a_passer_by(cookie: str) -> None:
    client = await Client(cookie=f"{settings.SESSION_COOKIE_NAME}={cookie}").greeted()
    (socket,) = get_hub().sockets
    assert socket.visitor == Visitor()
    await client.leave()


async def test_a_flood_ends_that_socket_alone() -> None:
    flooder, neighbour = await Client().greeted(), await Client().greeted()
    for _ in range(sockets.BURST + 20):
        await flooder.tell(type="ping")
    assert await flooder.closed() == sockets.TOO_FAST
    await neighbour.tell(type="ping")
    assert (await neighbour.frame())["type"] == "pong"
    await neighbour.leave()


async def test_a_reader_too_slow_for_the_news_is_sent_away_to_catch_up() -> None:
    sent: list[dict[str, Any]] = []
    gate = asyncio.Event()

    async def slow_send(message: dict[str, Any]) -> None:
        await gate.wait()
        sent.append(message)

    async def silence() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    socket = sockets.LiveSocket({}, silence, slow_send)
    writing = asyncio.create_task(socket._write())
    for number in range(sockets.LONGEST_QUEUE + 10):
        socket.push(json.dumps(number))
    gate.set()
    await asyncio.wait_for(writing, 5)
    assert sent[-1] == {"type": "websocket.close", "code": sockets.TOO_SLOW}
    assert len(sent) <= sockets.LONGEST_QUEUE + 1
