"""One place at a time, one dynasty at a time, and dead for ever."""

import pytest
from django.db import IntegrityError, transaction

from dynasties.accounts.departures import ties_of
from dynasties.accounts.services import ask_departure
from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.services import let_dynasty_fall
from emperors.crown import one_deed
from emperors.models import Emperor, Reign, Standing, StandingChange
from emperors.reputation import change_reputation
from emperors.services import (
    ElsewhereError,
    FallenError,
    NotAliveError,
    OfAnotherError,
    bring_home,
    capture,
    cede,
    let_die,
    note_serious_tournament,
    send_to,
    slay,
)
from tests.factories import DynastyFactory, EmperorFactory

pytestmark = pytest.mark.django_db


def points_of(house) -> int:
    return Standing.objects.get(pk=house.pk).reputation


# --- One place at a time ---------------------------------------------------------------


def test_who_is_sent_somewhere_is_there_and_nowhere_else_until_he_is_home() -> None:
    emperor = EmperorFactory()
    send_to(emperor=emperor, life="fighting", place="field 1")
    for life in ("fighting", "attending"):
        with pytest.raises(ElsewhereError):
            send_to(emperor=emperor, life=life, place="field 2")
    with pytest.raises(ElsewhereError):
        bring_home(emperor=emperor, place="field 2")
    bring_home(emperor=emperor, place="field 1")
    send_to(emperor=emperor, life="attending", place="field 2")
    emperor.refresh_from_db()
    assert (emperor.life, emperor.place) == ("attending", "field 2")


def test_who_is_home_cannot_be_brought_home() -> None:
    with pytest.raises(ElsewhereError):
        bring_home(emperor=EmperorFactory())


def test_nobody_is_sent_to_rest_or_to_nowhere() -> None:
    for life, place in (("at-rest", "field 1"), ("fighting", ""), ("dead", "x")):
        with pytest.raises(ValueError, match="sent to a place"):
            send_to(emperor=EmperorFactory(), life=life, place=place)


@pytest.mark.parametrize(
    "fields", [{"life": "fighting"}, {"place": "x"}, {"life": "dead"}, {"dynasty": None}]
)
def test_the_database_itself_refuses_a_life_that_cannot_be(fields) -> None:
    emperor = EmperorFactory()
    with pytest.raises(IntegrityError), transaction.atomic():
        Emperor.objects.filter(pk=emperor.pk).update(**fields)


def test_a_departure_waits_for_emperors_who_are_away(audit) -> None:
    emperor = EmperorFactory(away="fighting", battles=1)
    EmperorFactory(dynasty=emperor.dynasty, away="attending")
    ruler = emperor.dynasty.ruler
    assert len(ties_of(ruler)) == 2
    assert not ask_departure(user=ruler)
    for each in Emperor.objects.all():
        bring_home(emperor=each)
    assert ask_departure(user=ruler)
    audit()


def test_a_dynasty_cannot_fall_while_one_of_its_emperors_is_away() -> None:
    emperor = EmperorFactory(away="fighting", battles=1)
    with pytest.raises(ElsewhereError), transaction.atomic():
        let_dynasty_fall(ruler=emperor.dynasty.ruler)
    emperor.dynasty.refresh_from_db()
    assert emperor.dynasty.fallen_at is None


# --- Other hands -----------------------------------------------------------------------


def test_a_captured_emperor_takes_his_reputation_along(now, audit) -> None:
    emperor, captor = EmperorFactory(reputation=30, away="fighting"), DynastyFactory()
    former = emperor.dynasty
    capture(emperor=emperor, by=captor, at=now)
    emperor.refresh_from_db()
    assert (emperor.dynasty, emperor.founder, emperor.reputation) == (captor, former, 30)
    assert (points_of(former), points_of(captor)) == (0, 30)
    told = [(reign.dynasty, reign.began_by, reign.ended_by) for reign in emperor.reigns.all()]
    assert told == [(former, "born", "captured"), (captor, "captured", "")]
    audit()


def test_the_second_captor_finds_that_he_is_of_another() -> None:
    emperor = EmperorFactory()
    again = Emperor.objects.get()
    capture(emperor=emperor, by=DynastyFactory(), at=emperor.born_at)
    with pytest.raises(OfAnotherError):
        capture(emperor=again, by=DynastyFactory(), at=emperor.born_at)


def test_who_captures_his_own_changes_nothing(now) -> None:
    emperor = EmperorFactory(reputation=5)
    capture(emperor=emperor, by=emperor.dynasty, at=now)
    assert Reign.objects.count() == 1


def test_only_who_is_home_can_be_ceded_and_only_to_who_stands() -> None:
    emperor, fallen = EmperorFactory(away="fighting"), DynastyFactory(fallen=True)
    with pytest.raises(ElsewhereError):
        cede(emperor=emperor, to=DynastyFactory())
    bring_home(emperor=emperor)
    with pytest.raises(FallenError):
        cede(emperor=emperor, to=fallen)
    receiver = DynastyFactory()
    cede(emperor=emperor, to=receiver)
    assert Emperor.objects.get().dynasty == receiver


# --- Death -----------------------------------------------------------------------------


def test_who_fought_is_dead_for_ever_and_remembered(audit) -> None:
    emperor = EmperorFactory(reputation=12, battles=1)
    house = emperor.dynasty
    let_die(emperor=emperor)
    emperor.refresh_from_db()
    assert (emperor.life, emperor.dynasty, emperor.reputation) == ("dead", None, 0)
    assert emperor.reigns.get().ended_by == "died"
    assert points_of(house) == 0
    assert Entry.objects.filter(kind="emperor-died").count() == 1
    audit()


def test_nothing_more_happens_to_the_dead(now) -> None:
    emperor = EmperorFactory(battles=1)
    let_die(emperor=emperor)
    for deed in (
        lambda: let_die(emperor=emperor),
        lambda: slay(emperor=emperor, at=now),
        lambda: cede(emperor=emperor, to=DynastyFactory()),
        lambda: capture(emperor=emperor, by=DynastyFactory(), at=now),
        lambda: change_reputation(emperor=emperor, change=1, reason="gift", at=now),
    ):
        with pytest.raises(NotAliveError):
            deed()
    with pytest.raises(ElsewhereError):
        send_to(emperor=emperor, life="fighting", place="field 1")


def test_who_is_away_does_not_die_in_his_palace() -> None:
    emperor = EmperorFactory(away="attending")
    with pytest.raises(ElsewhereError):
        let_die(emperor=emperor)


def test_who_never_fought_leaves_no_trace_in_any_table(audit) -> None:
    """Checksums of every table before he was born and after he died."""
    house = EmperorFactory(reputation=3, battles=1).dynasty
    before = contents_of_every_table()
    emperor = EmperorFactory(dynasty=house, name="Boris")
    assert contents_of_every_table() != before
    let_die(emperor=emperor)
    assert contents_of_every_table() == before
    audit()


def test_who_never_fought_is_forgotten_wherever_he_has_been(audit) -> None:
    emperor = EmperorFactory()
    cede(emperor=emperor, to=DynastyFactory())
    let_die(emperor=emperor)
    assert not Emperor.objects.exists()
    assert not Reign.objects.exists()
    assert not StandingChange.objects.exists()
    assert not Mention.objects.filter(subject="emperor").exists()
    audit()


def contents_of_every_table() -> dict[str, list]:
    from django.apps import apps

    return {
        model._meta.label: sorted(map(str, model._default_manager.order_by("pk").values_list()))
        for model in apps.get_models()
    }


def test_the_slain_leaves_his_reputation_to_his_heir_exactly(now, audit) -> None:
    victim = EmperorFactory(reputation=21, battles=1)
    heir = EmperorFactory(reputation=4, battles=1)
    houses = victim.dynasty, heir.dynasty
    slay(emperor=victim, at=now, heir=heir)
    heir.refresh_from_db()
    assert heir.reputation == 25
    assert [points_of(house) for house in houses] == [0, 25]
    assert Entry.objects.filter(kind="emperor-slain-by").count() == 1
    audit()


def test_without_an_heir_the_reputation_of_the_slain_is_gone(now, audit) -> None:
    victim = EmperorFactory(reputation=21, battles=1)
    slay(emperor=victim, at=now)
    assert points_of(victim.founder) == 0
    assert Entry.objects.filter(kind="emperor-slain").count() == 1
    audit()


def test_deaths_in_their_order_pass_reputation_on_and_on(now, audit) -> None:
    first, second, third = (EmperorFactory(reputation=10, battles=1) for _ in range(3))
    with one_deed(at=now, emperors=[first, second, third]):
        slay(emperor=first, at=now, heir=second)
        slay(emperor=second, at=now, heir=third)
    third.refresh_from_db()
    assert third.reputation == 30
    audit()


def test_nobody_is_slain_in_a_tournament_that_was_not_noted(now) -> None:
    novice, veteran = EmperorFactory(), EmperorFactory(battles=1)
    for victim, heir in ((novice, None), (novice, veteran), (veteran, novice)):
        with pytest.raises(ValueError, match="note the tournament"):
            slay(emperor=victim, heir=heir, at=now)


def test_emperors_die_with_their_dynasty(audit) -> None:
    veteran = EmperorFactory(reputation=9, battles=2)
    novice = EmperorFactory(dynasty=veteran.dynasty, name="Boris")
    assert ask_departure(user=veteran.dynasty.ruler)
    veteran.refresh_from_db()
    assert (veteran.life, veteran.reigns.get().ended_by) == ("dead", "fell")
    assert not Emperor.objects.filter(pk=novice.pk).exists()
    standing = Standing.objects.get(pk=veteran.founder_id)
    assert (standing.reputation, standing.is_ranked) == (0, False)
    audit()


# --- Serious tournaments ------------------------------------------------------------------


def test_a_serious_tournament_is_counted_and_tries_the_dynasty_once(now, later) -> None:
    emperor = EmperorFactory()
    for at in (later(days=2), later(days=1)):
        note_serious_tournament(emperor=emperor, at=at)
    assert (emperor.battles, emperor.active_at) == (2, later(days=2))
    emperor.dynasty.refresh_from_db()
    assert emperor.dynasty.tried_at == later(days=2)
