"""Every invariant of this floor is broken by something, and then says so."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models import F, QuerySet
from django.utils import timezone

from dynasties.audit import all_invariants, run_audit
from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.models import Dynasty
from emperors.corrections import correct_reputation
from emperors.models import (
    Championship,
    Correction,
    Emperor,
    Reign,
    ReputationChange,
    Standing,
    StandingChange,
)
from emperors.reputation import change_reputation
from emperors.services import capture, let_die
from tests.factories import DynastyFactory, EmperorFactory

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def open_reign_elsewhere() -> None:
    Reign.objects.filter(emperor=EmperorFactory()).update(dynasty=DynastyFactory())


def reign_in_the_grave() -> None:
    emperor = EmperorFactory(battles=1)
    let_die(emperor=emperor)
    Reign.objects.update(ended_at=None, ended_by="")


def come_from_nowhere() -> None:
    emperor = EmperorFactory()
    capture(emperor=emperor, by=DynastyFactory(), at=timezone.now())
    Reign.objects.filter(began_by="born").update(ended_at=F("began_at"))
    Reign.objects.filter(began_by="captured").update(began_at=timezone.now() + DAY)


def belong_to_two() -> None:
    emperor = EmperorFactory()
    capture(emperor=emperor, by=DynastyFactory(), at=timezone.now())
    Reign.objects.filter(began_by="born").update(ended_at=timezone.now() + DAY)


def be_born_elsewhere() -> None:
    Emperor.objects.filter(pk=EmperorFactory().pk).update(founder=DynastyFactory())


def die_without_leaving_office() -> None:
    let_die(emperor=EmperorFactory(battles=1))
    Reign.objects.update(ended_by="ceded")


def look_unlike_a_name() -> None:
    Emperor.objects.filter(pk=EmperorFactory().pk).update(name_key="otherwise")


def outlive_a_dynasty() -> None:
    house = EmperorFactory().dynasty
    Dynasty.objects.filter(pk=house.pk).update(fallen_at=timezone.now(), ruler=None)


def die_without_a_fight_and_be_remembered() -> None:
    let_die(emperor=EmperorFactory(battles=1))
    Emperor.objects.update(battles=0)


def be_famous_for_nothing() -> None:
    EmperorFactory(reputation=5)
    Emperor.objects.update(battles=0)


def remember_the_forgotten() -> None:
    emperor = EmperorFactory()
    Emperor.objects.filter(pk=emperor.pk).delete()


def leave_a_birth_untold() -> None:
    EmperorFactory()
    QuerySet(Mention).filter(entry__kind="emperor-born", subject="emperor").delete()


def leave_a_death_untold() -> None:
    let_die(emperor=EmperorFactory(battles=1))
    QuerySet(Mention).filter(entry__kind="emperor-died", subject="emperor").delete()


def be_tried_without_a_battle() -> None:
    Dynasty.objects.filter(pk=EmperorFactory().dynasty_id).update(tried_at=timezone.now())


def have_more_than_was_given() -> None:
    emperor = EmperorFactory(reputation=5)
    Emperor.objects.filter(pk=emperor.pk).update(reputation=6)


def break_a_chain() -> None:
    emperor = EmperorFactory(reputation=5)
    QuerySet(ReputationChange).filter(emperor=emperor).update(after=4)


def stand_higher_than_the_living() -> None:
    Standing.objects.filter(pk=EmperorFactory(reputation=5).dynasty_id).update(reputation=6)


def stand_off_the_changes() -> None:
    QuerySet(StandingChange).filter(dynasty=EmperorFactory(reputation=5).dynasty).update(change=4)


def break_a_chain_of_standings() -> None:
    QuerySet(StandingChange).filter(dynasty=EmperorFactory(reputation=5).dynasty).update(after=4)


def stand_nowhere() -> None:
    Standing.objects.filter(pk=DynastyFactory().pk).delete()


def rank_the_fallen() -> None:
    Standing.objects.filter(pk=DynastyFactory(fallen=True).pk).update(is_ranked=True)


def crown_the_second() -> None:
    EmperorFactory(reputation=9)
    Championship.objects.update(dynasty=EmperorFactory(reputation=5).dynasty)


def crown_nobody() -> None:
    EmperorFactory(reputation=9)
    Championship.objects.update(ended_at=timezone.now())


def reign_at_once() -> None:
    house = EmperorFactory(reputation=9).dynasty
    began = Championship.objects.get().began_at
    Championship.objects.create(dynasty=house, began_at=began - DAY, ended_at=timezone.now() + DAY)


CORRECTIONS = "Every correction of reputation is kept with its reason, and with its own change."


def correct_off_the_record() -> None:
    change_reputation(emperor=EmperorFactory(reputation=5), change=1, reason="correction")


def keep_a_correction_of_another() -> None:
    emperor, other = EmperorFactory(reputation=5), EmperorFactory(reputation=5)
    correct_reputation(emperor=emperor, change=1, reason="x", key=uuid4(), author=None)
    QuerySet(Correction).update(emperor=other)


@pytest.mark.parametrize(
    ("misdeed", "sentence"),
    [
        (open_reign_elsewhere, "A living emperor has one open reign, and it is with his dynasty."),
        (reign_in_the_grave, "No dead emperor has an open reign."),
        (
            come_from_nowhere,
            "A reign that begins by capture or cession begins when the one before ended by it.",
        ),
        (belong_to_two, "Nobody belongs to two dynasties at a time."),
        (
            be_born_elsewhere,
            "The first reign of an emperor is his birth into the dynasty that founded him.",
        ),
        (die_without_leaving_office, "The last reign of a dead emperor ends with his death."),
        (look_unlike_a_name, "Every emperor's key is what his name looks like."),
        (outlive_a_dynasty, "A fallen dynasty has no living emperor."),
        (
            die_without_a_fight_and_be_remembered,
            "Who is dead has fought: all others are forgotten.",
        ),
        (be_famous_for_nothing, "Who has never fought has no reputation."),
        (remember_the_forgotten, "The chronicle mentions no emperor who is forgotten."),
        (leave_a_birth_untold, "The chronicle tells the birth of every emperor."),
        (leave_a_death_untold, "The chronicle tells the death of every dead emperor."),
        (
            be_tried_without_a_battle,
            "A dynasty is tried once an emperor that it founded has fought, and not before.",
        ),
        (have_more_than_was_given, "An emperor's reputation is the sum of its changes."),
        (break_a_chain, "Each change of an emperor's reputation goes on where the last one ended."),
        (correct_off_the_record, CORRECTIONS),
        (keep_a_correction_of_another, CORRECTIONS),
        (
            stand_higher_than_the_living,
            "A standing is what the dynasty's living emperors have together.",
        ),
        (stand_off_the_changes, "A standing is the sum of its changes."),
        (
            break_a_chain_of_standings,
            "Each change of a standing goes on where the last one ended.",
        ),
        (stand_nowhere, "Every dynasty that opened has a standing."),
        (rank_the_fallen, "A dynasty is ranked as long as it stands."),
        (
            crown_the_second,
            "The champion is on top of the ranking, and there is one if anybody is.",
        ),
        (crown_nobody, "The champion is on top of the ranking, and there is one if anybody is."),
        (reign_at_once, "The reigns of champions do not overlap."),
    ],
)
def test_the_audit_finds(misdeed: Callable[[], object], sentence: str) -> None:
    assert sentence in {each.sentence for each in all_invariants()}
    assert run_audit() == []
    misdeed()
    assert sentence in {breach.sentence for breach in run_audit()}


def test_what_the_database_refuses_by_itself_is_asked_too() -> None:
    """Without their constraints, which a restored dump may lack, these would be found."""
    asked = {each.sentence for each in all_invariants()}
    assert "Who fights or attends is somewhere, and nobody else is." in asked
    assert "No two emperors of one founder bear the same name and number." in asked
    assert Entry.objects.count() == 0
