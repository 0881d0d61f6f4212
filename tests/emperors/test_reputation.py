"""Reputation: whole, never below 0, and always the sum of what is known of it."""

from contextlib import suppress

import pytest
from django.db import connection

from dynasties.chronicle.models import Entry
from dynasties.chronicle.rendering import tell
from dynasties.houses.services import let_dynasty_fall
from emperors.crown import one_deed, reseat
from emperors.models import Championship, ReputationChange, Standing, StandingChange
from emperors.reputation import MOST_REPUTATION, UntriedError, change_reputation
from emperors.selectors import champion, champions, place_of, ranking, standing_of
from emperors.services import capture, slay
from tests.factories import DynastyFactory, EmperorFactory

pytestmark = pytest.mark.django_db


def reigns() -> list[tuple[int, bool]]:
    return [(each.dynasty_id, each.ended_at is None) for each in champions().order_by("pk")]


def test_a_change_is_an_event_with_its_reason_for_emperor_and_dynasty(now) -> None:
    emperor = EmperorFactory(battles=1)
    assert change_reputation(emperor=emperor, change=10, reason="gift", at=now) == 10
    assert change_reputation(emperor=emperor, change=-3, reason="honour", at=now) == -3
    told = ReputationChange.objects.order_by("pk").values_list("change", "after", "reason")
    assert list(told) == [(10, 10, "gift"), (-3, 7, "honour")]
    assert list(StandingChange.objects.order_by("pk").values_list("change", "after", "reason")) == [
        (10, 10, "gift"),
        (-3, 7, "honour"),
    ]
    assert standing_of(emperor.dynasty).reputation == emperor.reputation == 7


def test_nobody_falls_below_nothing_and_is_told_what_he_really_lost(now) -> None:
    emperor = EmperorFactory(reputation=4)
    assert change_reputation(emperor=emperor, change=-10, reason="honour", at=now) == -4
    assert change_reputation(emperor=emperor, change=-10, reason="honour", at=now) == 0
    assert emperor.changes.count() == 2


def test_who_has_never_fought_is_given_nothing(now) -> None:
    emperor = EmperorFactory()
    with pytest.raises(UntriedError):
        change_reputation(emperor=emperor, change=1, reason="gift", at=now)
    assert not ReputationChange.objects.exists()


def test_there_is_an_end_to_greatness(now) -> None:
    emperor = EmperorFactory(reputation=5)
    applied = change_reputation(emperor=emperor, change=MOST_REPUTATION, reason="gift", at=now)
    assert applied == MOST_REPUTATION - 5


def test_the_chronicle_says_why_in_the_singular_and_the_plural(now) -> None:
    emperor = EmperorFactory(battles=1)
    change_reputation(emperor=emperor, change=1, reason="gift", at=now)
    change_reputation(emperor=emperor, change=-1, reason="of no known kind", at=now)
    lines = tell(Entry.objects.filter(kind__startswith="reputation").order_by("pk"))
    assert "gained 1 point of reputation: prize" in lines[0].text
    assert lines[1].text.endswith("lost 1 point of reputation: of no known kind.")


# --- Champions ------------------------------------------------------------------------


def test_without_reputation_there_is_no_champion() -> None:
    EmperorFactory()
    assert champion() is None
    assert ranking().ranks == []


def test_the_highest_reigns_until_somebody_passes_it(now, later) -> None:
    one, two = EmperorFactory(reputation=10, at=now), EmperorFactory(battles=1, at=now)
    assert champion().dynasty == one.dynasty
    change_reputation(emperor=two, change=10, reason="gift", at=later(days=1))
    assert champion().dynasty == one.dynasty, "ties go to the one that reached it first"
    change_reputation(emperor=two, change=1, reason="gift", at=later(days=2))
    assert reigns() == [(one.dynasty_id, False), (two.dynasty_id, True)]
    former = Championship.objects.get(dynasty=one.dynasty)
    assert former.ended_at == champion().began_at == later(days=2)


def test_a_tie_that_was_reached_earlier_and_told_later_takes_the_crown(now, later) -> None:
    one = EmperorFactory(reputation=10, at=now)
    two = EmperorFactory(battles=1, at=later(days=-9))
    change_reputation(emperor=two, change=10, reason="gift", at=later(days=-1))
    assert champion().dynasty == two.dynasty
    assert champion().began_at >= Championship.objects.get(dynasty=one.dynasty).ended_at


def test_a_champion_who_sinks_hands_over_to_the_next_or_to_nobody(now) -> None:
    one, two = EmperorFactory(reputation=10), EmperorFactory(reputation=6)
    change_reputation(emperor=one, change=-5, reason="honour", at=now)
    assert champion().dynasty == two.dynasty
    for each in (one, two):
        change_reputation(emperor=each, change=-10, reason="honour", at=now)
    assert champion() is None


def test_a_fallen_champion_reigns_no_more() -> None:
    one, two = EmperorFactory(reputation=10, battles=1), EmperorFactory(reputation=6)
    let_dynasty_fall(ruler=one.dynasty.ruler)
    assert champion().dynasty == two.dynasty


def test_a_captured_champion_makes_nobody_champion_in_between(now) -> None:
    one, between = EmperorFactory(reputation=50), EmperorFactory(reputation=20)
    captor = DynastyFactory()
    capture(emperor=one, by=captor, at=now)
    assert between.dynasty_id not in {house for house, _open in reigns()}
    assert champion().dynasty == captor


def test_one_deed_is_judged_by_its_end(now) -> None:
    one, two = EmperorFactory(reputation=10), EmperorFactory(reputation=5)
    with one_deed(at=now, emperors=[one, two]):
        change_reputation(emperor=two, change=20, reason="gift", at=now)
        change_reputation(emperor=two, change=-20, reason="honour", at=now)
    assert reigns() == [(one.dynasty_id, True)]


def test_who_kills_his_own_brother_has_reached_his_figure_when_he_did(now, later) -> None:
    first = EmperorFactory(reputation=5, battles=1, at=now)
    brother = EmperorFactory(dynasty=first.dynasty, name="Boris", reputation=5, battles=1, at=now)
    EmperorFactory(reputation=10, at=later(hours=1))
    slay(emperor=first, heir=brother, at=later(hours=2))
    assert standing_of(brother.dynasty).since == now
    assert champion().dynasty == brother.dynasty
    assert Championship.objects.count() == 1


def test_a_deed_that_fails_leaves_nothing(now) -> None:
    one, two = EmperorFactory(reputation=10), EmperorFactory(reputation=5)
    with suppress(RuntimeError), one_deed(at=now, emperors=[one, two]):
        change_reputation(emperor=two, change=20, reason="gift", at=now)
        raise RuntimeError
    assert standing_of(two.dynasty).reputation == 5
    change_reputation(emperor=two, change=20, reason="gift", at=now)
    assert champion().dynasty == two.dynasty


def test_a_crown_that_is_where_it_belongs_stays(now) -> None:
    EmperorFactory(reputation=10)
    reseat(at=now)
    reseat(at=now)
    assert Championship.objects.count() == 1


def test_a_change_far_from_the_top_does_not_look_at_the_ranking(
    now, django_assert_max_num_queries
) -> None:
    EmperorFactory(reputation=1000)
    emperor = EmperorFactory(reputation=5)
    with django_assert_max_num_queries(20) as asked:
        change_reputation(emperor=emperor, change=5, reason="gift", at=now)
    assert not [each for each in asked.captured_queries if "ORDER BY" in each["sql"]
                and "is_ranked" in each["sql"] and "LIMIT 1" in each["sql"]]  # fmt: skip


# --- The ranking --------------------------------------------------------------------------


def test_the_ranking_goes_by_reputation_then_by_who_was_first(now, later) -> None:
    late = EmperorFactory(reputation=7, at=later(hours=1))
    early = EmperorFactory(reputation=7, at=now)
    great = EmperorFactory(reputation=9, at=now)
    EmperorFactory()
    EmperorFactory(dynasty=late.dynasty, name="Boris")
    ranks = ranking().ranks
    assert [rank.dynasty for rank in ranks] == [great.dynasty, early.dynasty, late.dynasty]
    assert [rank.place for rank in ranks] == [1, 2, 3]
    places = [place_of(standing_of(rank.dynasty)).number for rank in ranks]
    assert places == [1, 2, 3]


def test_pages_follow_each_other_without_gap_or_double(now) -> None:
    for points in (5, 5, 5, 3, 9, 1, 3):
        EmperorFactory(reputation=points, at=now)
    whole, seen, after = [rank.dynasty.pk for rank in ranking().ranks], [], None
    while True:
        page = ranking(after=after, limit=2)
        seen += [(rank.place, rank.dynasty.pk) for rank in page.ranks]
        after = page.further
        if after is None:
            break
    assert seen == list(enumerate(whole, 1))


def test_who_is_far_down_is_told_so_and_not_counted(monkeypatch) -> None:
    monkeypatch.setattr("emperors.selectors.MOST_COUNTED", 2)
    emperors = [EmperorFactory(reputation=points) for points in (9, 8, 7, 6)]
    places = [place_of(standing_of(each.dynasty)) for each in emperors]
    assert [(place.number, place.exact) for place in places] == [
        (1, True),
        (2, True),
        (2, False),
        (2, False),
    ]


def test_every_dynasty_that_opens_has_a_standing() -> None:
    house = DynastyFactory()
    assert Standing.objects.get(pk=house.pk).is_ranked
    assert not Standing.objects.get(pk=DynastyFactory(fallen=True).pk).is_ranked


def test_dynasties_older_than_standings_get_theirs_at_a_migration() -> None:
    from django.core.management import call_command

    standing, fallen = DynastyFactory(), DynastyFactory(fallen=True)
    Standing.objects.all().delete()
    call_command("migrate", verbosity=0)
    assert Standing.objects.get(pk=standing.pk).is_ranked
    assert not Standing.objects.get(pk=fallen.pk).is_ranked


@pytest.mark.only_on("postgresql")
def test_the_top_of_the_ranking_is_read_from_an_index_alone() -> None:
    EmperorFactory(reputation=5)
    rows = Standing.objects.ranked().values_list("dynasty_id", "reputation", "since")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
    assert "Index Only Scan using standing_rank" in rows[:100].explain()
