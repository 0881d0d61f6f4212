"""Training leaves no trace: every table is the same before and after."""

import hashlib
import random
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from dynasties.accounts.models import Guest
from dynasties.treasury.models import Account
from dynasties.treasury.services import open_escrow
from emperors.services import note_serious_tournament
from tests.factories import GuestFactory
from tests.scale import figure
from tests.tournaments.lists import announced, fight, fighter, order_all, seat
from tournaments.announcements.models import Tournament
from tournaments.consequences import services
from tournaments.consequences.afterglow import glimpse
from tournaments.consequences.tellings import tell_result
from tournaments.seating.players import Player
from tournaments.seating.services import cancel, enter, start_or_cancel
from tournaments.turns.services import close_turns, submit_order

pytestmark = pytest.mark.django_db

RUNS = figure(50, soak=500)


def checksums() -> dict[str, str]:
    """A digest of every table, whatever the order of its rows."""
    return {table: digest(table) for table in tables()}


def tables() -> Iterator[str]:
    models = apps.get_models(include_auto_created=True)
    return (model._meta.db_table for model in models if model._meta.managed)


def digest(table: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
        rows = sorted(repr(row) for row in cursor.fetchall())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


@pytest.fixture
def people():
    """Those who train are there before: two emperors, one who never fought, and two guests."""
    return {
        "emperors": [fighter(), fighter(reputation=0)],
        "guests": [GuestFactory(), GuestFactory()],
    }


def trained(people, chance: random.Random) -> None:
    """One training from its announcement to its end, whatever that is."""
    options = {"turn_limit": chance.randint(1, 6)}
    tournament = announced(
        "training", "duel", options=options, starts_at=timezone.now() + timedelta(hours=1)
    )
    first, second = chance.choice(
        [people["emperors"], people["guests"], [people["emperors"][0], people["guests"][0]]]
    )
    for who in (first, second):
        sit(tournament, who)
    tournament.refresh_from_db()
    chance.choice([fight_it_out, draw, resign, call_off])(tournament, chance)
    assert not Tournament.objects.exists()


def sit(tournament: Tournament, who) -> None:
    if hasattr(who, "dynasty"):
        seat(tournament, who)
    else:
        enter(tournament=tournament, player=Player(guest=who))


def fight_it_out(tournament: Tournament, chance: random.Random) -> None:
    assert fight(tournament, chance) is None


def draw(tournament: Tournament, chance: random.Random) -> None:
    tournament.seats.update(draw_turn=tournament.turn)
    assert close_turns([tournament.pk]) == 1


def resign(tournament: Tournament, chance: random.Random) -> None:
    for each in tournament.seats.all():
        submit_order(seat=each.pk, turn=tournament.turn, content={"resign": True})


def call_off(tournament: Tournament, chance: random.Random) -> None:
    order_all(tournament, chance)
    held = Tournament.objects.filter(pk=tournament.pk).first()
    if held is not None:
        assert cancel(tournament=held)


def test_every_table_is_the_same_before_and_after(people) -> None:
    before = checksums()
    assert len(before) > 30
    for number in range(RUNS):
        trained(people, random.Random(number))
        after = checksums()
        changed = [table for table, digest in after.items() if digest != before[table]]
        assert changed == []


def count_the_battle(patch: pytest.MonkeyPatch) -> None:
    right = services._send_home

    def send_home(tournament, people) -> None:
        right(tournament, people)
        for emperor in people.values():
            note_serious_tournament(emperor=emperor, at=timezone.now())

    patch.setattr(services, "_send_home", send_home)


def keep_the_tournament(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(services, "leave_no_trace", lambda tournament: None)


def open_an_escrow(patch: pytest.MonkeyPatch) -> None:
    right = services.leave_no_trace

    def leave(tournament) -> None:
        open_escrow(purpose=tournament.place)
        right(tournament)

    patch.setattr(services, "leave_no_trace", leave)


def tell_the_chronicle(patch: pytest.MonkeyPatch) -> None:
    right = services.leave_no_trace

    def leave(tournament) -> None:
        people = [each.emperor for each in tournament.seats.all() if each.emperor]
        tell_result(tournament=tournament, winners=(), others=people, at=timezone.now())
        right(tournament)

    patch.setattr(services, "leave_no_trace", leave)


def note_the_guest(patch: pytest.MonkeyPatch) -> None:
    right = services.leave_no_trace

    def leave(tournament) -> None:
        Guest.objects.update(seen_at=timezone.now())
        right(tournament)

    patch.setattr(services, "leave_no_trace", leave)


@pytest.mark.parametrize(
    "mutant",
    [count_the_battle, keep_the_tournament, open_an_escrow, tell_the_chronicle, note_the_guest],
)
def test_the_checksums_catch_whatever_is_left(people, mutant, monkeypatch) -> None:
    before = checksums()
    mutant(monkeypatch)
    with pytest.raises(AssertionError):  # noqa: PT012 - the first of several that leaves a trace
        for number in range(8):
            trained(people, random.Random(number))
            assert checksums() == before


def test_too_few_for_a_training_leave_nothing_either(people) -> None:
    before = checksums()
    tournament = announced("training", "duel", starts_at=timezone.now() + timedelta(hours=1))
    sit(tournament, people["guests"][0])
    Tournament.objects.update(starts_at=timezone.now())
    assert start_or_cancel(number=tournament.pk)
    assert checksums() == before


def test_training_never_opens_an_escrow(people) -> None:
    tournament = announced("training", "duel", options={"turn_limit": 2})
    for who in people["emperors"]:
        sit(tournament, who)
    tournament.refresh_from_db()
    assert not Account.objects.filter(purpose=tournament.place).exists()


def test_its_last_sight_is_remembered_for_a_while_and_no_longer(
    people, django_capture_on_commit_callbacks
) -> None:
    tournament = announced("training", "duel", options={"turn_limit": 2})
    for who in people["guests"]:
        sit(tournament, who)
    tournament.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        assert fight(tournament, random.Random(1)) is None
    sight = glimpse(tournament.code)
    assert sight is not None
    assert sight["state"] == "finished"
    cache.clear()
    assert glimpse(tournament.code) is None
