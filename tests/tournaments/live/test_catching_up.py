"""Whoever was away ends with the true state, whatever was lost on the way."""

import json
import random
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db.models import F
from django.utils import timezone

from dynasties.notices import hints
from tests.sockets import Client
from tests.tournaments.lists import order_all
from tests.tournaments.live.stage import (
    Stage,
    a_duel,
    heard,
    leave_all,
)
from tournaments import arena
from tournaments.announcements.models import Tournament
from tournaments.consequences.afterglow import glimpse
from tournaments.live import closings, frames, sights
from tournaments.live.memory import Memory
from tournaments.turns import positions
from tournaments.turns.adjournment import adjourn
from tournaments.turns.services import Wish, submit_orders

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


async def play(stage: Stage, turns: int) -> None:
    """Let a few turns pass by."""
    chance = random.Random(7)
    for _turn in range(turns):
        await sync_to_async(order_all)(stage.tournament, chance)
        await stage.tournament.arefresh_from_db()


async def forget_all(monkeypatch) -> None:
    """As in a process that has just been started."""
    monkeypatch.setattr(closings, "_known", Memory(10))
    monkeypatch.setattr(frames, "_costly", Memory(10))
    positions._remembered.clear()


async def test_missed_turns_are_told_again_one_by_one(monkeypatch) -> None:
    stage = await a_duel()
    a = await stage.client("a")
    known = a.state["version"]
    await play(stage, 3)
    live = [await heard(a, "turn") for _turn in range(3)]
    await forget_all(monkeypatch)
    await a.tell(type="resume", version=known)
    again = [await heard(a, "turn") for _turn in range(3)]
    for one, other in zip(live, again, strict=True):
        for name in ("version", "turn", "closed", "scene", "report", "story", "orders", "you"):
            assert one[name] == other[name], name
    assert again[-1]["choices"] == live[-1]["choices"] != []
    await leave_all(a)


async def test_after_a_change_that_was_no_turn_the_state_follows() -> None:
    stage = await a_duel()
    a = await stage.client("a")
    known = a.state["version"]
    await play(stage, 1)
    await heard(a, "turn")
    await sync_to_async(adjourn)(number=stage.tournament.pk)
    assert (await heard(a, "state"))["state"] == "adjourned"
    await a.tell(type="resume", version=known)
    assert (await heard(a, "turn", "state"))["type"] == "turn"
    state = await heard(a, "turn", "state")
    assert (state["type"], state["state"], state["deadline"]) == ("state", "adjourned", None)
    await leave_all(a)


async def test_who_has_missed_too_many_turns_is_told_how_things_stand(monkeypatch) -> None:
    monkeypatch.setattr(sights, "MOST_MISSED", 2)
    monkeypatch.setattr(frames, "MOST_MISSED", 2)
    stage = await a_duel()
    a = await stage.client("a")
    await play(stage, 4)
    while (await heard(a, "turn", "state"))["turn"] < 4:
        pass
    await a.tell(type="resume", version=a.state["version"])
    state = await heard(a, "state", "turn")
    assert (state["type"], state["turn"]) == ("state", 4)
    await leave_all(a)


@pytest.mark.parametrize("version", [None, 0, -3, 10**9, "2", True, {}, 2.5])
async def test_who_knows_no_version_or_one_to_come_is_told_everything(version: object) -> None:
    stage = await a_duel()
    a = await stage.client("a")
    await a.tell(type="resume", version=version)
    assert (await heard(a, "state", "error"))["scene"] == a.state["scene"]
    await leave_all(a)


async def test_a_turn_that_cannot_be_told_again_is_passed_over(monkeypatch) -> None:
    stage = await a_duel()
    a = await stage.client("a")
    await play(stage, 1)
    await heard(a, "turn")
    await forget_all(monkeypatch)

    def torn(*_page: object) -> None:
        raise arena.BadRecord("a page is missing")

    monkeypatch.setattr(frames, "closing_of", torn)
    await a.tell(type="resume", version=a.state["version"])
    state = await heard(a, "turn", "state")
    assert (state["type"], state["turn"]) == ("state", 1)
    await leave_all(a)


async def test_a_turn_that_is_closed_while_somebody_looks_is_for_the_next_look(monkeypatch) -> None:
    stage = await a_duel()
    known, faces = stage.tournament.version, sights._faces
    await play(stage, 1)

    def meanwhile(numbers: list[int]) -> object:
        monkeypatch.setattr(sights, "_faces", faces)
        order_all(Tournament.objects.get(), random.Random(1))
        return faces(numbers)

    monkeypatch.setattr(sights, "_faces", meanwhile)
    sight = await sync_to_async(sights.read_sight)(stage.code, since=known)
    assert sight is not None
    told = [json.loads(text) for text in frames.frames_since(sight, known, None, "en")]
    assert [(frame["type"], frame["turn"]) for frame in told] == [("turn", 1)]


async def test_a_lost_hint_is_made_good_within_seconds(monkeypatch) -> None:
    stage = await a_duel()
    a, crowd = await stage.client("a"), await stage.client()
    monkeypatch.setattr(hints, "_send_message", lambda *message: None)
    await play(stage, 2)
    for client in (a, crowd):
        assert [(await heard(client, "turn"))["closed"] for _turn in range(2)] == [0, 1]
    await leave_all(a, crowd)


async def test_an_overdue_turn_is_closed_because_somebody_watches() -> None:
    stage = await a_duel()
    crowd = await stage.client()
    await Tournament.objects.aupdate(deadline=timezone.now() - timedelta(seconds=1))
    turn = await heard(crowd, "turn")
    assert {seat["absences"] for seat in turn["seats"]} == {1}
    told = [sentence["text"] for sentence in turn["story"]]
    assert f"{turn['seats'][0]['who']} (a) gave no order in time, so it held." in told
    await leave_all(crowd)


async def test_a_moved_deadline_is_told() -> None:
    stage = await a_duel()
    crowd = await stage.client()
    later = timezone.now() + timedelta(days=3)
    await Tournament.objects.aupdate(deadline=later, version=crowd.state["version"] + 1)
    assert (await heard(crowd, "state"))["deadline"] == later.isoformat()
    await leave_all(crowd)


async def test_a_tournament_that_cannot_be_read_silences_no_other(caplog) -> None:
    broken, sound = await a_duel(), await a_duel()
    one, other = await broken.client(), await sound.client()
    positions._remembered.clear()
    position = broken.tournament.position
    for stage, kept in ((broken, "{}"), (sound, sound.tournament.position)):
        row = Tournament.objects.filter(pk=stage.tournament.pk)
        await row.aupdate(position=kept, version=F("version") + 1)
    assert (await heard(other, "state"))["version"] == other.state["version"] + 1
    assert "tournament_not_told" in caplog.text
    await Tournament.objects.filter(pk=broken.tournament.pk).aupdate(position=position)
    assert (await heard(one, "state"))["version"] == one.state["version"] + 1
    await leave_all(one, other)


# --- Training leaves no trace ----------------------------------------------------------------


async def over(stage: Stage) -> None:
    orders = {"a": {"resign": True}, "b": {"hold": True}}
    wishes = [Wish(stage.seats[seat].pk, 0, order) for seat, order in orders.items()]
    await sync_to_async(submit_orders)(wishes)


async def test_the_end_of_a_training_is_told_though_every_row_of_it_is_gone() -> None:
    stage = await a_duel(type_="training")
    a, crowd = await stage.client("a"), await stage.client()
    await over(stage)
    assert not await Tournament.objects.aexists()
    for client, seat in ((a, "a"), (crowd, None)):
        turn = await heard(client, "turn")
        assert (turn["state"], turn["winners"], turn["closed"]) == ("finished", ["b"], 0)
        assert (turn["you"], turn["choices"]) == (seat, [])
        assert turn["seed"] == stage.tournament.seed
        assert dict(turn["orders"]) == {"a": {"resign": True}, "b": {"hold": True}}
        assert [seat["who"] for seat in turn["seats"]] == [seat["who"] for seat in a.state["seats"]]
    late = await stage.client("b")
    assert (late.state["state"], late.state["winners"]) == ("finished", ["b"])
    await leave_all(a, crowd, late)


async def test_an_end_that_no_hint_told_is_found_by_looking_around(monkeypatch) -> None:
    stage = await a_duel(type_="training")
    crowd = await stage.client()
    monkeypatch.setattr(hints, "_send_message", lambda *message: None)
    await over(stage)
    assert (await heard(crowd, "turn"))["state"] == "finished"
    await leave_all(crowd)


async def test_a_training_that_nobody_remembers_sends_its_followers_away(monkeypatch) -> None:
    monkeypatch.setattr("tournaments.consequences.afterglow._keep", lambda *sight: None)
    stage = await a_duel(type_="training")
    crowd = await stage.client()
    await over(stage)
    assert await sync_to_async(glimpse)(stage.code) is None
    assert (await heard(crowd, "error"))["code"] == "no-such-tournament"
    assert await crowd.closed() == 4404


async def test_a_socket_for_no_tournament_is_closed() -> None:
    client = await Client("/ws/tournaments/nowhere/").greeted()
    assert (await heard(client, "error"))["code"] == "no-such-tournament"
    assert await client.closed() == 4404
