"""Deadlines hold without one trusted timer: turns that nobody orders in are closed in time."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from dynasties.accounts.models import Guest
from dynasties.clock import database_now
from tests.live.topology import Topology
from tests.live.visitor import wait_for_status
from tests.scale import figure
from tournaments.announcements.models import Terms, Tournament
from tournaments.announcements.services import announce
from tournaments.fields.models import Battlefield
from tournaments.seating.players import Player
from tournaments.seating.services import enter
from tournaments.turns.models import Outage, Turn

DUE_AT_ONCE = figure(20, soak=500)
TURN_SECONDS = 10
# Until all tables are set and whatever has to die is dead.
SLOWEST = 300
SECONDS_LATE = 2.0
SECONDS_LATE_WITH_LESS = 10.0
# How long a test waits before it says that nobody closes anything: longer than it may take.
PATIENCE_SECONDS = 30.0


@pytest.fixture
def tables(topology: Topology) -> Iterator[dict[int, datetime]]:
    """Tables with two guests who never order: the deadline of each first turn, by its number."""
    for node in (topology.a, topology.b):
        wait_for_status(node, "/readyz", 200)
    field = Battlefield.objects.get(key="duel")
    tables = dict(set_table(field) for _ in range(DUE_AT_ONCE))
    yield tables
    Tournament.objects.filter(pk__in=tables).delete()


def set_table(field: Battlefield) -> tuple[int, datetime]:
    terms = Tournament(type=Terms.Type.TRAINING, battlefield=field, turn_seconds=SLOWEST)
    tournament = announce(terms=terms, host=None)
    for _seat in range(2):
        guest = Guest.objects.create(lodging=Guest.Lodging.AMBER_GATE)
        enter(tournament=tournament, player=Player(guest=guest))
    tournament.refresh_from_db()
    assert tournament.deadline is not None
    return tournament.pk, tournament.deadline


def let_all_be_due_at_once(tables: dict[int, datetime]) -> None:
    """All deadlines in one moment: as hard as it gets."""
    moment = database_now() + timedelta(seconds=TURN_SECONDS)
    Tournament.objects.filter(pk__in=tables).update(deadline=moment, turn_seconds=TURN_SECONDS)
    tables.update(dict.fromkeys(tables, moment))


def seconds_late(tables: dict[int, datetime]) -> list[float]:
    """How late each first turn was closed, as its own row tells, least late first."""
    turns = Turn.objects.filter(tournament__in=tables, number=0)
    last = max(tables.values()) + timedelta(seconds=PATIENCE_SECONDS)
    while turns.count() < len(tables):
        assert database_now() < last, f"only {turns.count()} of {len(tables)} turns were closed"
        time.sleep(0.1)
    late = turns.values_list("tournament", "closed_at")
    return sorted((at - tables[number]).total_seconds() for number, at in late)


def test_with_everything_alive_a_turn_is_closed_within_two_seconds_of_its_deadline(
    topology: Topology, tables: dict[int, datetime]
) -> None:
    let_all_be_due_at_once(tables)
    late = seconds_late(tables)
    assert late[0] >= 0, "nobody loses time that he had"
    assert late[-1 - len(late) // 100] <= SECONDS_LATE, late


def test_without_worker_beat_and_redis_a_web_process_closes_turns_within_ten_seconds(
    topology: Topology, tables: dict[int, datetime]
) -> None:
    outages = Outage.objects.count()
    try:
        for name in ("worker", "beat"):
            topology.processes[name].stop()
        topology.redis.stop()
        let_all_be_due_at_once(tables)
        late = seconds_late(tables)
    finally:
        topology.redis.restart()
        topology.start_worker()
        topology.start_beat()
    assert late[0] >= 0, "nobody loses time that he had"
    assert late[-1] <= SECONDS_LATE_WITH_LESS, late
    assert Outage.objects.count() == outages, "it took orders all the time"
    for node in (topology.a, topology.b):
        wait_for_status(node, "/readyz", 200)
