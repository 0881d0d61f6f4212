"""Who is behind a socket, who is there, and who has to go."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.test import Client as Browser
from django.urls import reverse

from dynasties.accounts.models import Guest
from dynasties.notices import live
from tests.sockets import Client
from tests.tournaments.lists import announced, fighter, seat
from tests.tournaments.live.stage import (
    Stage,
    a_duel,
    cookie_of,
    heard,
    heard_meanwhile,
    leave_all,
    logged_in,
)
from tournaments.live import attendance, doorkeeper
from tournaments.seating.players import Player
from tournaments.seating.services import enter

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


def with_a_guest() -> tuple[Stage, Browser]:
    """A training duel between a guest and a ruler."""
    tournament = announced("training", "duel")
    browser = Browser()
    browser.post(reverse("guest_enter"))
    guest = Guest.objects.get()
    emperor = fighter()
    seats = [enter(tournament=tournament, player=Player(guest=guest)), seat(tournament, emperor)]
    tournament.refresh_from_db()
    stage = Stage(tournament, {each.name: each for each in seats})
    stage.browsers = {"a": browser, "b": logged_in(emperor.dynasty.ruler)}
    return stage, browser


async def test_a_guest_plays_by_the_browsers_session() -> None:
    stage, _browser = await sync_to_async(with_a_guest)()
    guest, ruler = await stage.client("a"), await stage.client("b", language="es")
    assert guest.state["you"] == "a"
    names = [seat["who"] for seat in guest.state["seats"]]
    assert names[0].startswith("Guest of the ")
    assert ruler.state["seats"][0]["who"] != names[0], "guests are named in the reader's language"
    await guest.tell(type="order", turn=0, order={"hold": True})
    assert (await heard(guest, "accepted"))["turn"] == 0
    await leave_all(guest, ruler)


async def test_a_seat_taken_while_the_socket_is_open_is_known_at_once() -> None:
    tournament = await sync_to_async(announced)("honour", "duel")
    emperor, rival = await sync_to_async(fighter)(), await sync_to_async(fighter)()
    browser = await sync_to_async(lambda: logged_in(emperor.dynasty.ruler))()
    stage = Stage(tournament, {}, {"a": browser})
    client = await stage.client("a")
    assert (client.state["you"], client.state["state"]) == (None, "open")
    assert (client.state["scene"], client.state["seats"]) == (None, [])
    await sync_to_async(seat)(tournament, emperor)
    assert (await heard(client, "state"))["you"] == "a"
    await sync_to_async(seat)(tournament, rival)
    begun = await heard(client, "state")
    while begun["state"] == "open":
        begun = await heard(client, "state")
    assert begun["state"] == "running"
    assert begun["choices"]
    await client.tell(type="order", turn=0, order={"hold": True})
    assert (await heard(client, "accepted"))["order"] == {"hold": True}
    await leave_all(client)


async def test_the_socket_ends_when_its_visitor_logs_out() -> None:
    stage = await a_duel()
    a, b = await stage.client("a"), await stage.client("b")
    await sync_to_async(stage.browsers["a"].post)(reverse("account_logout"))
    assert (await heard(a, "farewell"))["reason"] == "signed-out"
    assert await a.closed() == 4401
    await b.tell(type="ping")
    assert await heard(b, "pong")
    await leave_all(b)


async def test_the_socket_of_a_banned_account_ends_even_if_the_hint_is_lost() -> None:
    stage = await a_duel()
    a = await stage.client("a")
    ruler = stage.seats["a"].dynasty.ruler
    await type(ruler).objects.filter(pk=ruler.pk).aupdate(is_active=False)
    assert (await heard(a, "farewell"))["reason"] == "signed-out"
    assert await a.closed() == 4401


async def test_the_socket_of_a_guest_ends_with_the_session() -> None:
    stage, browser = await sync_to_async(with_a_guest)()
    guest = await stage.client("a")
    await heard_meanwhile(guest)
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value
    await sync_to_async(live.end_session)(session_key=key)
    assert (await heard(guest, "farewell"))["reason"] == "signed-out"
    assert await guest.closed() == 4401


# --- Presence ------------------------------------------------------------------------------


async def present(client: Client, here: list[str], watchers: int) -> None:
    """Listen until this is who is there."""
    async with asyncio.timeout(8):
        while True:
            told = await heard(client, "presence")
            if (told["here"], told["watchers"]) == (here, watchers):
                return


async def test_who_comes_and_goes_is_told() -> None:
    stage = await a_duel()
    a = await stage.client("a")
    await present(a, ["a"], 0)
    b, crowd = await stage.client("b"), await stage.client()
    await present(a, ["a", "b"], 1)
    late = await stage.client()
    here = {seat["seat"]: seat["here"] for seat in late.state["seats"]}
    assert (here, late.state["watchers"]) == ({"a": True, "b": True}, 1)
    await leave_all(b, crowd, late)
    await present(a, ["a"], 0)
    await leave_all(a)


async def test_who_is_on_other_nodes_is_told_and_forgotten_with_them(monkeypatch) -> None:
    monkeypatch.setattr(attendance, "MEMORY_SECONDS", 2)
    stage = await a_duel()
    a = await stage.client("a")
    await present(a, ["a"], 0)
    told = {stage.code: [["b"], 7], "strange": 3, "stranger": [1, "x"]}
    message = {"type": "attendance", "node": "elsewhere", "told": told}
    await get_channel_layer().group_send("world", message)
    await present(a, ["a", "b"], 7)
    await present(a, ["a"], 0)
    await leave_all(a)


# --- Limits ----------------------------------------------------------------------------------


async def test_one_session_holds_so_many_sockets_and_no_more(monkeypatch) -> None:
    monkeypatch.setattr(doorkeeper, "MOST_A_SESSION", 2)
    stage = await a_duel()
    open_ones = [await stage.client("a"), await stage.client("a")]
    cookie = cookie_of(stage.browsers["a"])
    third = await Client(f"/ws/tournaments/{stage.code}/", cookie=cookie).greeted()
    assert (await heard(third, "error"))["code"] == "too-many-sockets"
    assert await third.closed() == 4429
    other = await stage.client("b")
    await open_ones.pop().leave()
    again = await stage.client("a")
    await leave_all(*open_ones, other, again)
    assert not doorkeeper._open


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, b"6.6.6.6", "10.0.0.1"),
        (1, b"6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, b"6.6.6.6, 1.2.3.4, 10.0.0.9", "1.2.3.4"),
        (2, b"1.2.3.4", "10.0.0.1"),
        (1, b"", "10.0.0.1"),
    ],
)
async def test_an_address_is_what_a_trusted_proxy_says(
    settings, proxies: int, forwarded: bytes, address: str
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    scope = {"client": ["10.0.0.1", 4000], "headers": [(b"x-forwarded-for", forwarded)]}
    assert doorkeeper.address_of(scope) == address


async def test_passers_by_of_one_address_are_limited_apart_from_others(monkeypatch) -> None:
    monkeypatch.setattr(doorkeeper, "MOST_AN_ADDRESS", 1)
    stage = await a_duel()
    crowd, seat_a = await stage.client(), await stage.client("a")
    second = await Client(f"/ws/tournaments/{stage.code}/").greeted()
    assert (await heard(second, "error"))["code"] == "too-many-sockets"
    await leave_all(crowd, seat_a)
