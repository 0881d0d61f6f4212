"""What officials see of tournaments, and how they step in."""

import random
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from dynasties.treasury.selectors import kind, wealth_of
from emperors.models import Emperor
from tests.factories import DynastyFactory
from tests.tournaments.chancery.officials import (
    QUICK,
    announcement,
    deed,
    listed,
    page,
    words,
)
from tests.tournaments.lists import announced, fight, fighter, filled, order_all, seat
from tournaments.announcements.models import Tournament
from tournaments.chancery.sight import order_in_words
from tournaments.turns.models import Outage

pytestmark = pytest.mark.django_db


# --- Looking at tournaments ---


def test_tournaments_are_found_by_code_name_and_dynasty(chancellor) -> None:
    one = announced("honour", "duel", name="Spring games")
    announced("conquer", "duel")
    seat(one, Emperor.objects.get(pk=fighter().pk))
    house = one.seats.get().dynasty
    for query in (one.code, "Spring", house.name):
        found = chancellor.get(listed(Tournament), {"q": query}).context["cl"].queryset
        assert list(found) == [one], query


@pytest.mark.parametrize(
    ("asked", "count"),
    [({"state": "open"}, 2), ({"type": "conquer"}, 1), ({"pace": "slow"}, 0), ({"by": "crown"}, 1)],
)
def test_tournaments_are_filtered(chancellor, asked, count) -> None:
    announced("honour", "duel")
    announced("conquer", "duel", host=DynastyFactory())
    names = {f"{name}__exact" if name != "by" else name: value for name, value in asked.items()}
    assert chancellor.get(listed(Tournament), names).context["cl"].result_count == count


@pytest.mark.parametrize(
    "asked",
    [
        "seed__startswith",
        "position__contains",
        "seats__chest__gte",
        "orders__content__contains",
        "request_key__startswith",
        "times_left__contains",
    ],
)
def test_the_list_answers_no_questions_about_secrets(chancellor, asked) -> None:
    announced("honour", "duel")
    assert chancellor.get(listed(Tournament), {asked: "a"}).status_code == 400


def test_the_list_asks_no_more_for_many_rows(chancellor, django_assert_max_num_queries) -> None:
    for _each in range(12):
        announced("honour", "duel", host=DynastyFactory())
    with django_assert_max_num_queries(14):
        chancellor.get(listed(Tournament))


def test_a_finished_tournament_shows_its_turns_seats_and_seed(chancellor) -> None:
    tournament = announced("honour", "duel", **QUICK)
    filled(tournament)
    over = fight(tournament, random.Random(3))
    assert over is not None
    told = words(chancellor.get(page(over)))
    assert over.seed in told
    assert "Closed turns" in told
    for row in over.seats.all():
        assert row.who in told
    last = over.turns.last()
    assert last is not None
    assert f'<th scope="row">{last.number}</th>' in told


def test_turns_are_shown_page_by_page(chancellor, monkeypatch) -> None:
    monkeypatch.setattr("tournaments.chancery.sight.TURNS_A_PAGE", 2)
    tournament = announced("honour", "duel", **QUICK)
    filled(tournament)
    for turn in range(3):
        order_all(tournament, random.Random(turn))
        tournament.refresh_from_db()
    first = chancellor.get(page(tournament))
    assert [turn.number for turn in first.context["turns"]] == [2, 1]
    rest = chancellor.get(page(tournament), {"before": first.context["older"]})
    assert [turn.number for turn in rest.context["turns"]] == [0]
    assert rest.context["older"] is None
    assert chancellor.get(page(tournament), {"before": "x"}).status_code == 200


def test_what_is_announced_never_changes_and_nothing_is_deleted(chancellor) -> None:
    tournament = announced("honour", "duel")
    assert chancellor.post(page(tournament), announcement(stake="99")).status_code == 403
    gone = reverse("admin:tournaments_tournament_delete", args=[tournament.pk])
    assert chancellor.post(gone, {"post": "yes"}).status_code == 403
    tournament.refresh_from_db()
    assert tournament.stake == 5


def test_a_record_is_verified_once_it_is_over(chancellor, onlooker) -> None:
    tournament = announced("honour", "duel", **QUICK)
    filled(tournament)
    url = reverse("admin:tournaments_tournament_verify", args=[tournament.pk])
    assert "not over" in words(chancellor.get(url, follow=True))
    over = fight(tournament, random.Random(3))
    assert over is not None
    assert "very position" in words(onlooker.get(url, follow=True))
    Tournament.objects.filter(pk=over.pk).update(position="{}")
    assert "another position" in words(chancellor.get(url, follow=True))


def test_outages_are_there_to_be_looked_at(chancellor) -> None:
    tournament = announced("honour", "duel")
    outage = Outage.objects.create(
        began_at=tournament.announced_at, ended_at=tournament.announced_at, moved=4
    )
    assert chancellor.get(listed(Outage)).status_code == 200
    assert chancellor.get(page(outage)).status_code == 200
    assert chancellor.post(page(outage), {"moved": 1}).status_code == 403


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ({"piece": "a1", "to": [2, 0]}, "a1 C1"),
        ({"hold": True}, "hold"),
        ({"give": ["clay", "wool", 3], "final": False}, "clay, wool, 3 False"),
        ("pass", "pass"),
    ],
)
def test_a_closed_order_is_told_as_the_board_names_its_tiles(order: Any, told: str) -> None:
    assert order_in_words(order) == told


# --- Stepping in ---


def test_a_tournament_is_cancelled_with_a_reason_and_everything_goes_back(
    chancellor, audit
) -> None:
    tournament = announced("conquer", "duel", fee=50, fee_kind=kind("copper"))
    seats = filled(tournament)
    assert "can&#x27;t be undone" in words(chancellor.get(deed(tournament, "cancel")))
    answer = chancellor.post(deed(tournament, "cancel"), {"reason": "a quarrel"})
    assert answer["Location"] == page(tournament)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.CANCELLED
    for row in seats:
        assert wealth_of(row.dynasty)[kind("copper")] == 101_000
        assert Emperor.objects.get(pk=row.emperor_id).life == Emperor.Life.AT_REST
    noted = LogEntry.objects.get(object_id=str(tournament.pk))
    assert noted.change_message == "Cancel the tournament: a quarrel"
    audit()


def test_cancelling_twice_changes_nothing_the_second_time(chancellor) -> None:
    tournament = announced("honour", "duel")
    for _again in range(2):
        chancellor.post(deed(tournament, "cancel"), {"reason": "rain"})
    assert LogEntry.objects.filter(object_id=str(tournament.pk)).count() == 1


def test_a_tournament_is_adjourned_and_goes_on(chancellor) -> None:
    tournament = announced("honour", "duel", **QUICK)
    filled(tournament)
    chancellor.post(deed(tournament, "adjourn"), {"reason": "a fault"})
    tournament.refresh_from_db()
    assert (tournament.state, tournament.deadline) == (Tournament.State.ADJOURNED, None)
    chancellor.post(deed(tournament, "resume"), {"reason": "mended"})
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    noted = LogEntry.objects.filter(object_id=str(tournament.pk)).order_by("pk")
    assert [entry.change_message for entry in noted] == [
        "Adjourn the tournament: a fault",
        "Resume the tournament: mended",
    ]


@pytest.mark.parametrize("key", ["cancel", "adjourn", "resume"])
def test_without_a_reason_nothing_is_done(chancellor, key) -> None:
    tournament = announced("honour", "duel", **QUICK)
    filled(tournament)
    for reason in ("", "   ", "x" * 300):
        assert chancellor.post(deed(tournament, key), {"reason": reason}).status_code == 200
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING


@pytest.mark.parametrize("key", ["cancel", "adjourn", "resume"])
def test_an_onlooker_can_not_step_in(onlooker, key) -> None:
    tournament = announced("honour", "duel", **QUICK)
    filled(tournament)
    assert deed(tournament, key) not in words(onlooker.get(page(tournament)))
    assert onlooker.get(deed(tournament, key)).status_code == 403
    assert onlooker.post(deed(tournament, key), {"reason": "x"}).status_code == 403
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING


def test_a_page_offers_what_can_be_done_now_and_no_more(chancellor) -> None:
    tournament = announced("honour", "duel", **QUICK)

    def offered() -> set[str]:
        told = words(chancellor.get(page(tournament)))
        return {key for key in ("cancel", "adjourn", "resume") if deed(tournament, key) in told}

    assert offered() == {"cancel"}
    filled(tournament)
    assert offered() == {"cancel", "adjourn"}
    chancellor.post(deed(tournament, "adjourn"), {"reason": "x"})
    assert offered() == {"cancel", "resume"}
    chancellor.post(deed(tournament, "cancel"), {"reason": "x"})
    assert offered() == set()


def test_an_unknown_deed_is_not_found(chancellor) -> None:
    tournament = announced("honour", "duel")
    assert chancellor.post(deed(tournament, "win"), {"reason": "x"}).status_code == 404


def test_training_that_is_cancelled_leaves_only_that_somebody_did_it(chancellor) -> None:
    tournament = announced("training", "duel", name="Secret lesson")
    answer = chancellor.post(deed(tournament, "cancel"), {"reason": "rude"}, follow=True)
    assert answer.status_code == 200
    assert not Tournament.objects.exists()
    noted = LogEntry.objects.get()
    assert (noted.object_id, noted.object_repr) == (None, "training")
    assert chancellor.get(reverse("admin:index")).status_code == 200


def test_what_everybody_had_ordered_is_resolved_when_it_goes_on(chancellor, monkeypatch) -> None:
    tournament = announced("honour", "duel", **QUICK)
    filled(tournament)
    with monkeypatch.context() as patched:  # as if whoever gave the last order had died
        patched.setattr("tournaments.turns.services.close_turns", lambda _numbers: 0)
        order_all(tournament, random.Random(1))
    chancellor.post(deed(tournament, "adjourn"), {"reason": "a fault"})
    chancellor.post(deed(tournament, "resume"), {"reason": "mended"})
    tournament.refresh_from_db()
    assert tournament.turn == 1
