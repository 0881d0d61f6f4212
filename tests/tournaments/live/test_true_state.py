"""Every client ends with the true state, however often it is cut off and whatever gets lost."""

import asyncio
import json
import random
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from dynasties.notices import hints
from tests.scale import figure
from tests.sockets import Client
from tests.tournaments.lists import order_all
from tests.tournaments.live.stage import Stage, a_duel, heard
from tournaments.live.frames import state_frame
from tournaments.live.sights import read_sight
from tournaments.turns.adjournment import adjourn

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

CLIENTS = figure(10, soak=50)
EVENTS = figure(200, soak=2_000)
SEATS = "abcd"
LOST = 0.3
CUT_OFF = 0.1
# What may differ between two looks at the same state.
FLEETING = ("at", "type", "watchers", "seats", "closed", "report", "story", "orders")


class Follower:
    """A client that knows what it was told last, and asks when it sees a gap."""

    def __init__(self, stage: Stage, seat: str | None, chance: random.Random) -> None:
        self.stage, self.seat, self.chance = stage, seat, chance
        self.knows: dict[str, Any] = {}
        self.cuts = 0

    async def follow(self, last: "asyncio.Future[int]") -> None:
        """Listen until the last version is known."""
        while not (last.done() and self.knows.get("version") == last.result()):
            client = await self.stage.client(self.seat, hears=False)
            self.knows = client.state
            await self._listen(client, last)
            await client.leave()
            self.cuts += 1

    async def _listen(self, client: Client, last: "asyncio.Future[int]") -> None:
        while not (last.done() and self.knows["version"] == last.result()):
            frame = await heard(client, "state", "turn")
            if frame["version"] > self.knows["version"] + 1:
                await client.tell(type="resume", version=self.knows["version"])
            if frame["version"] >= self.knows["version"]:
                self.knows = frame
            if self.chance.random() < CUT_OFF:
                return


async def play(stage: Stage, chance: random.Random) -> int:
    """Fight on for a while; return the version then."""
    for _turn in range(EVENTS // len(SEATS)):
        await sync_to_async(order_all)(stage.tournament, chance)
        await stage.tournament.arefresh_from_db()
        assert not stage.tournament.is_over
        await asyncio.sleep(chance.random() / 50)
    version: int = stage.tournament.version
    return version


async def test_every_client_ends_with_the_true_state(monkeypatch) -> None:
    chance, luck, send = random.Random(12), random.Random(3), hints._send_message

    def lose_some(topic: str, message: dict[str, Any]) -> None:
        if luck.random() > LOST:
            send(topic, message)

    monkeypatch.setattr(hints, "_send_message", lose_some)
    stage = await a_duel(type_="honour", field_="crossroads", options={"turn_limit": 1000})
    seats = [*SEATS, *[None] * (CLIENTS - len(SEATS))]
    clients = [Follower(stage, seat, random.Random(n)) for n, seat in enumerate(seats)]
    last: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    following = [asyncio.create_task(client.follow(last)) for client in clients]
    last.set_result(await play(stage, chance) + 1)
    await sync_to_async(adjourn)(number=stage.tournament.pk)
    await asyncio.wait_for(asyncio.gather(*following), 30)
    assert sum(client.cuts for client in clients) > CLIENTS, "some must have been cut off"
    sight = await sync_to_async(read_sight)(stage.code)
    assert sight is not None
    for client in clients:
        truth = json.loads(state_frame(sight, client.seat, "en"))
        assert lasting(client.knows) == lasting(truth)


def lasting(frame: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in frame.items() if name not in FLEETING}
