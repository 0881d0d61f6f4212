"""Whole tournaments, from the first order to the last consequence."""

import random

import pytest

from emperors.models import Emperor
from tests.tournaments.lists import announced, fight, filled
from tournaments.announcements.models import Tournament
from tournaments.turns.records import replays_to_what_was_kept

pytestmark = pytest.mark.django_db

QUICK = {"options": {"turn_limit": 60}}


@pytest.mark.parametrize("type_", ["gift", "honour", "conquer", "death"])
@pytest.mark.parametrize("chance", range(3))
def test_a_serious_tournament_is_fought_to_its_end(type_: str, chance: int, audit) -> None:
    tournament = announced(type_, "crossroads", **QUICK)
    seats = filled(tournament)
    assert tournament.state == Tournament.State.RUNNING
    over = fight(tournament, random.Random(chance))
    assert over is not None
    assert over.state == Tournament.State.FINISHED
    assert over.turns.count() == over.turn
    assert replays_to_what_was_kept(over)
    people = Emperor.objects.filter(pk__in=[seat.emperor_id for seat in seats])
    assert not people.exclude(place="").exists()
    assert all(emperor.battles >= 1 for emperor in people)
    audit()


def test_training_is_gone_when_it_is_over(audit) -> None:
    tournament = announced("training", "duel", **QUICK)
    seats = filled(tournament, reputation=0)
    assert fight(tournament, random.Random(1)) is None
    assert not Tournament.objects.exists()
    people = Emperor.objects.filter(pk__in=[seat.emperor_id for seat in seats])
    assert {(emperor.life, emperor.battles) for emperor in people} == {("at-rest", 0)}
    audit()
