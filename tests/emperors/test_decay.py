"""Decay takes each emperor's part once a day, late, twice or in parallel, and tells it weekly."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dynasties.charter.models import Charter
from dynasties.chronicle.models import Entry, Mention
from dynasties.chronicle.rendering import tell
from dynasties.houses.models import Dynasty
from dynasties.houses.services import let_dynasty_fall
from emperors import decay, decay_weeks, tasks
from emperors.models import (
    DecayDay,
    Emperor,
    ReputationChange,
    Standing,
    StandingChange,
    roman,
)
from emperors.reputation import change_reputation
from emperors.selectors import champion
from emperors.services import bear, cede, let_die, note_serious_tournament, send_to
from tests.concurrency.rivals import all_at_once
from tests.factories import DynastyFactory
from tests.scale import figure

DAY = timedelta(days=1)
TODAY = datetime(2026, 3, 31, 12, tzinfo=UTC)
MIDNIGHT = datetime(2026, 3, 31, tzinfo=UTC)
anywhere = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)
on_postgresql = pytest.mark.only_on("postgresql")


def veteran(
    house: Dynasty, *, reputation: int = 100, active_at: datetime = MIDNIGHT - 90 * DAY
) -> Emperor:
    """Somebody with reputation whose last serious tournament was at that moment."""
    emperor = bear(dynasty=house, name="Otto", at=active_at)
    note_serious_tournament(emperor=emperor, at=active_at)
    change_reputation(emperor=emperor, change=reputation, reason="test", at=active_at)
    return emperor


def left(emperor: Emperor) -> int:
    return Emperor.objects.get(pk=emperor.pk).reputation


# --- Once a day -----------------------------------------------------------------------------


@anywhere
def test_the_first_run_ever_applies_today_alone() -> None:
    emperor = veteran(DynastyFactory())
    assert decay.apply_due_decay(now=TODAY) == 1
    assert left(emperor) == 99
    assert [day.day for day in DecayDay.objects.all()] == [TODAY.date()]


@anywhere
def test_each_missed_day_takes_a_part_of_what_the_day_before_left() -> None:
    emperor = veteran(DynastyFactory(), reputation=1000)
    decay.apply_due_decay(now=TODAY)
    assert decay.apply_due_decay(now=TODAY + 3 * DAY) == 3
    # 1000 -> 990 -> 981 -> 972 -> 963, not four times ten.
    assert left(emperor) == 963


@anywhere
def test_a_long_absence_is_caught_up_in_several_rounds() -> None:
    emperor = veteran(DynastyFactory())
    decay.apply_due_decay(now=TODAY)
    rounds = [decay.apply_due_decay(now=TODAY + 7 * DAY) for _ in range(3)]
    assert rounds == [decay.DAYS_A_ROUND, 2, 0]
    assert left(emperor) == 92


@anywhere
def test_a_day_that_is_done_is_not_done_again() -> None:
    emperor = veteran(DynastyFactory())
    assert decay.apply_day(day=TODAY.date())
    assert not decay.apply_day(day=TODAY.date())
    assert left(emperor) == 99


@anywhere
def test_a_clock_that_goes_back_takes_nothing() -> None:
    emperor = veteran(DynastyFactory())
    decay.apply_due_decay(now=TODAY)
    assert decay.apply_due_decay(now=TODAY - 3 * DAY) == 0
    assert left(emperor) == 99


@anywhere
@pytest.mark.unaudited
def test_even_without_the_row_of_the_day_nobody_loses_twice() -> None:
    emperor = veteran(DynastyFactory())
    decay.apply_day(day=TODAY.date())
    DecayDay.objects.all().delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        decay.apply_day(day=TODAY.date())
    assert left(emperor) == 99


@anywhere
def test_a_day_takes_as_many_statements_for_ten_emperors_as_for_one() -> None:
    house = DynastyFactory()
    veteran(house)
    with CaptureQueriesContext(connection) as few:
        decay.apply_due_decay(now=TODAY)
    for _ in range(9):
        veteran(house)
    veteran(DynastyFactory())
    with CaptureQueriesContext(connection) as many:
        decay.apply_due_decay(now=TODAY + DAY)
    assert len(many) <= len(few) + 1 <= 26


@anywhere
def test_the_task_does_today_and_then_nothing() -> None:
    emperor = veteran(DynastyFactory(), active_at=timezone.now() - 90 * DAY)
    tasks.apply_decay()
    tasks.apply_decay()
    assert left(emperor) == 99
    with CaptureQueriesContext(connection) as queries:
        tasks.apply_decay()
    assert len(queries) <= 2


# --- Who and how much ---------------------------------------------------------------------


@anywhere
@pytest.mark.parametrize(
    ("reputation", "after"),
    [
        (1, 0),
        (2, 1),
        (99, 98),
        (100, 99),
        (199, 198),
        (200, 198),
        (2**31 - 1, 2**31 - 1 - 21474836),
    ],
)
def test_it_takes_one_percent_rounded_down_and_at_least_one(reputation: int, after: int) -> None:
    emperor = veteran(DynastyFactory(), reputation=reputation)
    decay.apply_due_decay(now=TODAY)
    assert left(emperor) == after


@anywhere
@pytest.mark.parametrize(
    ("active_at", "after"),
    [
        (MIDNIGHT - 30 * DAY, 99),
        (MIDNIGHT - 30 * DAY + timedelta(microseconds=1), 100),
        (MIDNIGHT - 29 * DAY, 100),
    ],
)
def test_it_begins_with_the_first_midnight_thirty_days_after_the_last_tournament(
    active_at: datetime, after: int
) -> None:
    emperor = veteran(DynastyFactory(), active_at=active_at)
    decay.apply_due_decay(now=TODAY)
    assert left(emperor) == after


@anywhere
def test_the_charter_says_when_and_how_much() -> None:
    Charter.objects.create(decay_after_days=1, decay_percent=10, decay_minimum=3, reason="Test")
    house = DynastyFactory()
    emperors = [
        veteran(house, reputation=points, active_at=MIDNIGHT - 2 * DAY) for points in (2, 20, 50)
    ]
    decay.apply_due_decay(now=TODAY)
    assert [left(each) for each in emperors] == [0, 17, 45]


@anywhere
def test_a_charter_without_decay_takes_nothing_and_logs_nothing() -> None:
    Charter.objects.create(decay_percent=0, decay_minimum=0, reason="Test")
    emperor = veteran(DynastyFactory())
    assert decay.apply_due_decay(now=TODAY) == 1
    assert left(emperor) == 100
    assert not ReputationChange.objects.filter(reason="decay").exists()


@anywhere
def test_who_fights_right_now_still_loses_if_his_last_tournament_is_long_over() -> None:
    emperor = veteran(DynastyFactory())
    send_to(emperor=emperor, life=Emperor.Life.FIGHTING, place="field 1")
    decay.apply_due_decay(now=TODAY)
    assert left(emperor) == 99


@anywhere
def test_who_has_fought_again_since_a_missed_day_is_spared() -> None:
    emperor = veteran(DynastyFactory())
    decay.apply_due_decay(now=TODAY)
    note_serious_tournament(emperor=emperor, at=TODAY + 2 * DAY)
    decay.apply_due_decay(now=TODAY + 3 * DAY)
    assert left(emperor) == 99


@anywhere
def test_the_dead_and_the_fallen_are_left_in_peace(audit) -> None:
    house, falling = DynastyFactory(), DynastyFactory()
    dead, fallen, living = veteran(house), veteran(falling), veteran(house)
    let_die(emperor=dead)
    let_dynasty_fall(ruler=falling.ruler)
    decay.apply_due_decay(now=TODAY)
    logged = ReputationChange.objects.filter(reason="decay").values_list("emperor", flat=True)
    assert list(logged) == [living.pk]
    assert left(dead) == left(fallen) == 0


# --- What follows from it -----------------------------------------------------------------


@anywhere
def test_the_standing_sinks_by_the_sum_and_says_since_when(audit) -> None:
    house = DynastyFactory()
    for points in (100, 500, 0):
        veteran(house, reputation=points)
    decay.apply_due_decay(now=TODAY)
    standing = Standing.objects.get(pk=house.pk)
    change = StandingChange.objects.filter(reason="decay").get()
    assert (standing.reputation, change.change, change.after) == (594, -6, 594)
    assert standing.since == change.at == DecayDay.objects.get().applied_at
    audit()


@anywhere
def test_a_champion_who_rests_on_his_laurels_loses_the_crown(audit) -> None:
    idle, active = DynastyFactory(), DynastyFactory()
    veteran(idle, reputation=100)
    veteran(active, reputation=99, active_at=TODAY - DAY)
    assert champion().dynasty == idle
    # Equal after a day, and the other one was there first; below after two.
    decay.apply_due_decay(now=TODAY)
    assert champion().dynasty == active
    audit()


@anywhere
def test_the_chronicle_tells_a_week_in_one_entry_in_both_languages(audit) -> None:
    emperor = veteran(DynastyFactory())
    for day in range(14):
        decay.apply_due_decay(now=TODAY + day * DAY)
    entries = list(Entry.objects.filter(kind=decay_weeks.KIND).order_by("pk"))
    points = [each.facts["points"] for each in entries]
    assert len(points) == 2
    assert points[1] == 7
    [line] = tell(entries[1:])
    assert line.text.startswith(f"{emperor} of {emperor.dynasty} lost 7 points")
    mentioned = set(Mention.objects.filter(entry=entries[0]).values_list("subject", "number"))
    assert mentioned == {("emperor", emperor.pk), ("dynasty", emperor.dynasty_id)}
    audit()


@anywhere
def test_weeks_end_on_different_days_for_different_emperors() -> None:
    house = DynastyFactory()
    for _ in range(7):
        veteran(house)
    for day in range(7):
        decay.apply_due_decay(now=TODAY + day * DAY)
        assert Entry.objects.filter(kind=decay_weeks.KIND).count() == day + 1


@anywhere
def test_a_week_with_two_dynasties_is_one_entry_of_the_one_that_has_him_now() -> None:
    first, second = DynastyFactory(), DynastyFactory()
    emperor = veteran(first)
    monday = TODAY + (emperor.pk - TODAY.toordinal() + 1) % 7 * DAY  # the first day of his week
    for day in range(7):
        decay.apply_due_decay(now=monday + day * DAY)
        if day == 3:
            cede(emperor=emperor, to=second)
    facts = Entry.objects.filter(kind=decay_weeks.KIND).get().facts
    assert (facts["dynasty"]["number"], facts["points"]) == (second.pk, 7)


@anywhere
@pytest.mark.parametrize("number", [1, 4, 9, 14, 40, 49, 90, 99, 400, 444, 888, 999, 1000, 3999])
def test_the_database_writes_regnal_numbers_as_romans_did(number: int) -> None:
    emperor = veteran(DynastyFactory())
    Emperor.objects.filter(pk=emperor.pk).update(number=number)
    for day in range(7):
        decay.apply_due_decay(now=TODAY + day * DAY)
    facts = Entry.objects.filter(kind=decay_weeks.KIND).get().facts
    assert facts["emperor"]["name"] == f"Otto {roman(number)}"


# --- At the same moment -------------------------------------------------------------------


@committed
@on_postgresql
def test_of_many_who_apply_a_day_at_once_one_does() -> None:
    emperors = [veteran(DynastyFactory()) for _ in range(3)]
    ends = all_at_once([lambda: decay.apply_day(day=TODAY.date())] * 8)
    assert sorted(ends) == [False] * 7 + [True]
    assert [left(each) for each in emperors] == [99] * 3


@committed
@on_postgresql
@pytest.mark.parametrize("seed", range(figure(5, soak=200)))
def test_deeds_at_the_same_moment_leave_every_sum_exact(seed: int) -> None:
    # The audit after the test says whether they did.
    decay.apply_due_decay(now=TODAY - DAY)  # or each clock would have a first day of its own
    first, second = DynastyFactory(), DynastyFactory()
    emperors = [veteran(house, reputation=100 + seed) for house in (first, second) * 3]
    deeds = [
        *[lambda day=day: decay.apply_due_decay(now=TODAY + day * DAY) for day in range(3)],
        *[lambda each=each: change_reputation(
            emperor=each, change=7, reason="test", at=timezone.now()) for each in emperors],
        lambda: cede(emperor=emperors[0], to=second),
        lambda: cede(emperor=emperors[1], to=first),
        lambda: let_die(emperor=emperors[2]),
        lambda: note_serious_tournament(emperor=emperors[3], at=TODAY),
    ]  # fmt: skip
    ends = all_at_once(deeds)
    assert not [end for end in ends if isinstance(end, DatabaseError)], ends
