"""What is said reaches the sockets of those who may hear it, at once, and no other."""

import pytest
from asgiref.sync import sync_to_async
from django.test import Client as Browser

from dynasties.notices import hints
from dynasties.relations.people import Person
from dynasties.relations.services import block
from tests.factories import UserFactory
from tests.sockets import Client
from tests.tournaments.live.stage import (
    Stage,
    a_duel,
    heard,
    heard_meanwhile,
    leave_all,
    logged_in,
)
from tournaments.chat.services import say
from tournaments.seating.players import player_for
from tournaments.seating.services import cancel

OWN = ("accepted", "said", "error")

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


async def a_watcher(stage: Stage) -> Client:
    """A socket of a ruler without a seat."""
    user = await sync_to_async(UserFactory)()
    browser: Browser = await sync_to_async(logged_in)(user)
    stage.browsers["watcher"] = browser
    return await stage.client("watcher")


def said(frames: list[dict]) -> list[str]:
    return [frame["text"] for frame in frames if frame["type"] == "said"]


async def test_a_line_reaches_its_own_room_and_nobody_else() -> None:
    stage = await a_duel()
    a, b, crowd = await stage.client("a"), await stage.client("b"), await stage.client()
    watcher = await a_watcher(stage)
    await a.tell(type="say", text="  Well   met. ", ref="hi")
    # The line may reach its speaker before the word that it was kept.
    told = {frame["type"]: frame for frame in [await heard(a, *OWN), await heard(a, *OWN)]}
    accepted = told["accepted"]
    assert (accepted["ref"], accepted["room"], accepted["number"]) == ("hi", "seats", 1)
    for line in (told["said"], await heard(b, "said")):
        assert (line["room"], line["seat"], line["text"]) == ("seats", "a", "Well met.")
        assert line["who"] == stage.seats["a"].who
    await watcher.tell(type="say", text="How dull.")
    assert (await heard(watcher, "said"))["room"] == "spectators"
    for client in (a, b, crowd):
        assert said(await heard_meanwhile(client)) == []
    assert said(await heard_meanwhile(watcher)) == []
    await leave_all(a, b, crowd, watcher)


async def test_when_it_is_over_everybody_hears_what_is_said() -> None:
    stage = await a_duel()
    await sync_to_async(cancel)(tournament=stage.tournament)
    a, crowd = await stage.client("a"), await stage.client()
    await a.tell(type="say", text="A good fight.")
    for client in (a, crowd):
        line = await heard(client, "said")
        assert (line["room"], line["text"]) == ("spectators", "A good fight.")
    await leave_all(a, crowd)


async def test_whoever_has_blocked_the_speaker_hears_nothing_of_him() -> None:
    stage = await a_duel()
    a, b = await stage.client("a"), await stage.client("b")
    mine, other = (Person(stage.seats[seat].dynasty_id) for seat in "ab")
    await sync_to_async(block)(by=mine, whom=other)
    await b.tell(type="say", text="Can you hear me?")
    assert (await heard(b, "said"))["text"] == "Can you hear me?"
    assert said(await heard_meanwhile(a)) == []
    await a.tell(type="say", text="I hear nothing.")
    assert (await heard(b, "said"))["text"] == "I hear nothing."
    await leave_all(a, b)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "unspeakable"),
        (7, "unspeakable"),
        (["x"], "unspeakable"),
        ("\u200b", "unspeakable"),
        ("x" * 501, "too-long"),
        ("nul \0", "unreadable"),
        ("half \ud800", "unreadable"),
    ],
)
async def test_what_cannot_be_said_is_refused_in_words(text: object, code: str) -> None:
    stage = await a_duel()
    a = await stage.client("a")
    await a.tell(type="say", text=text, ref=5)
    error = await heard(a, "error", "accepted")
    assert (error["type"], error["code"], error["ref"]) == ("error", code, 5)
    await leave_all(a)


async def test_a_passer_by_says_nothing() -> None:
    stage = await a_duel()
    crowd, strange = await stage.client(), await stage.client(language="es")
    for client in (crowd, strange):
        await client.tell(type="say", text="Hello?")
        assert (await heard(client, "error", "accepted"))["code"] == "not-heard"
    await leave_all(crowd, strange)


async def test_a_hint_names_the_line_and_carries_no_word_of_it(monkeypatch) -> None:
    stage = await a_duel()
    left: list[object] = []
    monkeypatch.setattr(hints, "_send_message", lambda *message: left.append(message))
    player = await sync_to_async(player_for)(user=stage.seats["a"].dynasty.ruler)
    await sync_to_async(say)(tournament=stage.tournament, player=player, text="marker-words")
    topic = f"tournament.{stage.code}"
    message = {"type": "said", "topic": topic, "code": stage.code, "room": "seats", "number": 1}
    assert left == [(topic, message)]
