"""An acknowledged order is never lost and each turn is resolved once, whatever is killed when."""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.siege import (
    DECK,
    Client,
    Siege,
    Wish,
    kill_at_random,
    lost_orders,
    seat_clients,
    until,
)
from tests.scale import figure
from tests.services import Shelter

KILLS = figure(40, soak=2_000)
TABLES = 3
TURNS_AFTERWARDS = 2
# What may differ between two looks at the same state; a count of who is ready may be lost.
FLEETING = {"at", "type", "watchers", "seats", "ready", "closed", "report", "story", "orders"}


@pytest.fixture
def topology(shelter: Shelter) -> Iterator[Siege]:
    """A site of its own: here nothing is spared."""
    site = Siege(shelter)
    yield site
    site.stop()


async def test_no_acknowledged_order_is_lost_and_no_turn_resolved_twice_by_kills(
    topology: Siege,
) -> None:
    seed = random.SystemRandom().randrange(1_000_000)
    chance = random.Random(seed)
    print(f"seed {seed}")
    for _round in range(KILLS // sum(DECK.values())):
        clients = seat_clients(topology, TABLES, chance)
        truth = await play_while_parts_are_killed(topology, clients, chance)
        assert_nothing_was_lost(clients, truth)
        assert_turns_are_whole(truth)
        assert_everybody_knows(clients, truth)
        assert "The world is sound" in topology.run("manage.py", "audit", "--strict")


async def play_while_parts_are_killed(
    site: Siege, clients: list[Client], chance: random.Random
) -> dict[str, Any]:
    """Let them play through all kills and a little longer; return what the database holds then."""
    playing = [asyncio.create_task(client.stay()) for client in clients]
    try:
        async with asyncio.TaskGroup() as watch:
            ended = [watch.create_task(fail_if_it_ends(task)) for task in playing]
            await until(lambda: all(client.knows for client in clients), "everybody is there")
            assert await kill_at_random(site, chance) == sum(DECK.values())
            await play_on(clients)
            truth = await come_to_rest(site, clients)
            for task in ended:
                task.cancel()
            return truth
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def fail_if_it_ends(playing: "asyncio.Task[None]") -> None:
    """A client stays until it is told to go: one that breaks breaks the test."""
    await asyncio.shield(playing)


async def play_on(clients: list[Client]) -> None:
    """Each table goes on after the last kill."""
    goals = {client: client.knows["turn"] + TURNS_AFTERWARDS for client in clients}
    await until(
        lambda: all(client.knows["turn"] >= turn for client, turn in goals.items()),
        "every table goes on after the last kill",
    )


async def come_to_rest(site: Siege, clients: list[Client]) -> dict[str, Any]:
    """Nobody orders any more; wait until everybody knows the version that the database has."""
    for client in clients:
        client.quiet = True
    await until(lambda: not any(client.pending for client in clients), "all have their answers")
    codes = sorted({client.code for client in clients})
    for _look in range(10):
        truth = await asyncio.to_thread(site.truth, codes)
        if all(client.knows["version"] == version_of(client, truth) for client in clients):
            break
        await asyncio.sleep(1)
    return truth


def version_of(client: Client, truth: dict[str, Any]) -> int:
    version: int = truth[client.code]["frames"][""]["version"]
    return version


def assert_nothing_was_lost(clients: list[Client], truth: dict[str, Any]) -> None:
    lost = [
        f"{client.code}, {sentence}"
        for client in clients
        if client.seat is not None
        for sentence in lost_orders(client.wishes, client.seat, turns_of(client, truth))
    ]
    assert lost == []
    seated = [client for client in clients if client.cookie]
    assert all(client.seat for client in seated)
    kept = [wish for client in clients for wish in client.wishes if wish.acknowledged]
    cuts = sum(client.cuts for client in clients)
    print(f"{len(kept)} orders acknowledged, {cuts} connections cut")
    assert len(kept) > len(seated), "hardly anybody could play"
    assert cuts > len(clients), "hardly anybody was cut off"


def turns_of(client: Client, truth: dict[str, Any]) -> dict[int, dict[str, Any]]:
    return {number: dict(orders) for number, _version, orders in truth[client.code]["turns"]}


def assert_turns_are_whole(truth: dict[str, Any]) -> None:
    """From the first to the last none is missing, and none is there twice."""
    for table in truth.values():
        numbers = [number for number, _version, _orders in table["turns"]]
        assert numbers == list(range(table["frames"][""]["turn"]))
        versions = [version for _number, version, _orders in table["turns"]]
        assert versions == sorted(set(versions))
        for _number, _version, orders in table["turns"]:
            seats = [seat for seat, _order in orders]
            assert len(seats) == len(set(seats))


def assert_everybody_knows(clients: list[Client], truth: dict[str, Any]) -> None:
    """The last frame of every client is the true state, his own open order included."""
    for client in clients:
        assert lasting(client.knows) == lasting(truth[client.code]["frames"][client.seat or ""])


def lasting(frame: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in frame.items() if name not in FLEETING}


# --- The wrong variants ----------------------------------------------------------------------

HOLD, MOVE = {"hold": True}, {"piece": "a1", "to": [1, 1]}


@pytest.mark.parametrize(
    ("wishes", "stands"),
    [
        ([(HOLD, True)], None),
        ([(HOLD, True)], MOVE),
        ([(MOVE, True), (HOLD, True)], MOVE),
        ([(MOVE, False), (HOLD, True)], MOVE),
        ([(HOLD, True), (None, True)], HOLD),
        ([(HOLD, True), (None, True), (MOVE, True)], None),
    ],
)
def test_an_order_that_was_acknowledged_and_does_not_stand_would_be_noticed(
    wishes: list[tuple[Any, bool]], stands: Any
) -> None:
    log = [Wish(0, order, acknowledged=kept) for order, kept in wishes]
    turns = {0: {} if stands is None else {"a": stands}}
    assert list(lost_orders(log, "a", turns))


@pytest.mark.parametrize(
    ("wishes", "stands"),
    [
        ([(HOLD, False)], None),
        ([(HOLD, True)], HOLD),
        ([(MOVE, True), (HOLD, True)], HOLD),
        ([(MOVE, True), (HOLD, False)], MOVE),
        ([(MOVE, True), (HOLD, False)], HOLD),
        ([(MOVE, True), (None, True)], None),
    ],
)
def test_what_the_seat_replaced_or_nobody_acknowledged_is_not_lost(
    wishes: list[tuple[Any, bool]], stands: Any
) -> None:
    log = [Wish(0, order, acknowledged=kept) for order, kept in wishes]
    turns = {0: {} if stands is None else {"a": stands}}
    assert list(lost_orders(log, "a", turns)) == []
