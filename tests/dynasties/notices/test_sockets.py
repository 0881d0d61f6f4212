"""The live socket answers what it can, refuses what it can't, and outlives hostile frames."""

import asyncio
import json
from typing import Any

import pytest
from django.conf import settings

from dynasties.notices import sockets
from dynasties.notices.sockets import LONGEST_FRAME
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
