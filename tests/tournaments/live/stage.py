"""A stage for live play: a duel that is being fought, and clients for its seats and the crowd."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.test import Client as Browser

from dynasties.accounts.models import User
from tests.sockets import Client
from tests.tournaments.lists import announced, filled
from tournaments.announcements.models import Seat, Tournament
from tournaments.announcements.news import topic_of
from tournaments.turns.positions import position_of

SLOW = {"pace": "slow", "turn_seconds": 3600}
PATIENCE_SECONDS = 8
NOBODYS_NEWS = {"presence", "pulse", "probe"}


@dataclass
class Stage:
    """A tournament, its seats by name, and a browser for each of their rulers."""

    tournament: Tournament
    seats: dict[str, Seat]
    browsers: dict[str, Browser] = field(default_factory=dict)

    @property
    def code(self) -> str:
        return self.tournament.code

    async def client(
        self, seat: str | None = None, *, language: str = "", hears: bool = True
    ) -> Client:
        """A socket that has been greeted: `hello`, then how things stand; now it `hears` news."""
        cookies = [cookie_of(self.browsers[seat])] if seat else []
        if language:
            cookies.append(f"{settings.LANGUAGE_COOKIE_NAME}={language}")
        path = f"/ws/tournaments/{self.code}/"
        client = await Client(path, cookie="; ".join(cookies)).greeted()
        client.state = await heard(client, "state")  # type: ignore[attr-defined]
        if hears:
            await until_news_arrives(client, topic_of(self.code))
        return client

    def move(self, seat: str, number: int = 0) -> dict[str, Any]:
        """An order that this seat may give in the first turn."""
        moves = [each for each in position_of(self.tournament).choices(seat) if each["piece"]]
        order: dict[str, Any] = moves[number]["order"]
        return {**order, "to": list(order["to"])}


def cookie_of(browser: Browser) -> str:
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={browser.cookies[name].value}"


def set_up(type_: str = "honour", field_: str = "duel", **terms: Any) -> Stage:
    """A tournament with all seats taken, their rulers logged in."""
    tournament = announced(type_, field_, **{**SLOW, **terms})
    seats = {seat.name: seat for seat in filled(tournament)}
    stage = Stage(tournament, seats)
    for name, seat in seats.items():
        stage.browsers[name] = logged_in(seat.dynasty.ruler)
    return stage


def logged_in(user: User) -> Browser:
    browser = Browser()
    browser.force_login(user)
    return browser


async def a_duel(**terms: Any) -> Stage:
    return await sync_to_async(set_up)(**terms)


async def heard(client: Client, *types: str) -> dict[str, Any]:
    """The next frame of one of these types; presence and the world's pulse come when they like."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            frame = await client.frame()
            if frame["type"] in types:
                return frame


async def leave_all(*clients: Client) -> None:
    for client in clients:
        await client.leave()


async def until_news_arrives(client: Client, topic: str) -> None:
    """Publish until it is heard: pub/sub tells nobody when a subscription has taken hold."""
    probe = {"type": "frame", "topic": topic, "frame": {"type": "probe"}}
    hearing = asyncio.create_task(heard(client, "probe"))
    while not hearing.done():
        await get_channel_layer().group_send(topic, probe)
        await asyncio.wait({hearing}, timeout=0.05)
    await hearing


async def heard_meanwhile(client: Client, seconds: float = 0.6) -> list[dict[str, Any]]:
    """All that a client hears in a while, but for who is there and what is nobody's news."""
    await asyncio.sleep(seconds)
    await client.tell(type="ping")
    frames = []
    while (frame := await client.frame())["type"] != "pong":
        frames.append(frame)
    return [frame for frame in frames if frame["type"] not in NOBODYS_NEWS]
