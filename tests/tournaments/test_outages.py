"""An outage is nobody's defeat: while the site is silent nothing is lost by being late."""

from datetime import timedelta

import pytest

from dynasties.clock import database_now
from tests.scale import figure
from tests.tournaments.hours import HOLD, ago, begun, let_time_pass, seats_of, silent_since
from tournaments.announcements.models import Tournament
from tournaments.turns import closing, deadlines
from tournaments.turns.deadlines import close_if_overdue, close_overdue
from tournaments.turns.models import Outage, Turn, Watch
from tournaments.turns.services import submit_order
from tournaments.turns.watch import SILENCE, keep_watch, site_is_awake

pytestmark = pytest.mark.django_db

OUTAGES = figure(5, soak=30)


def test_the_silence_that_counts_is_shorter_than_the_shortest_turn() -> None:
    assert timedelta(seconds=10) > SILENCE


def test_while_the_site_is_silent_no_turn_is_closed_for_being_late() -> None:
    tournament = begun()
    let_time_pass(tournament)
    silent_since(seconds=20)
    assert not site_is_awake()
    assert close_overdue() == 0
    assert not close_if_overdue(tournament)
    assert not Turn.objects.exists()


def test_a_closer_that_does_not_ask_whether_the_site_is_awake_would_be_noticed(monkeypatch) -> None:
    """The wrong variant, which the test above must catch."""
    for room in (closing, deadlines):
        monkeypatch.setattr(room, "site_is_awake", lambda: True)
    with pytest.raises(AssertionError):
        test_while_the_site_is_silent_no_turn_is_closed_for_being_late()


def test_a_turn_that_everybody_has_ordered_in_is_closed_all_the_same() -> None:
    tournament = begun()
    silent_since(seconds=20)
    for seat in seats_of(tournament):
        submit_order(seat=seat.pk, turn=0, content=HOLD)
    assert Turn.objects.count() == 1


def test_deadlines_in_each_outage_move_by_its_length_once() -> None:
    tournament = begun()
    for number in range(1, OUTAGES + 1):
        began = silent_since(seconds=30 + number)
        let_time_pass(tournament, seconds=10)
        missed, version = tournament.deadline, tournament.version
        outage = keep_watch()
        assert outage is not None
        assert (outage.began_at, outage.moved) == (began, 1)
        for _web_process in range(3):
            assert keep_watch() is None
        tournament.refresh_from_db()
        assert tournament.deadline == missed + (outage.ended_at - outage.began_at)
        assert tournament.version == version + 1
        assert close_overdue() == 0
    assert Outage.objects.count() == OUTAGES
    assert (tournament.turn, Turn.objects.count()) == (0, 0)
    let_time_pass(tournament)
    assert close_overdue() == 1


def test_only_deadlines_that_fell_into_it_move() -> None:
    before, into, later = begun(), begun(), begun()
    silent_since(seconds=30)
    let_time_pass(before, seconds=40)
    let_time_pass(into, seconds=10)
    kept = later.deadline
    assert keep_watch() is not None
    assert close_overdue() == 1
    for tournament in (before, into, later):
        tournament.refresh_from_db()
    assert (before.turn, into.turn) == (1, 0)
    assert into.deadline > database_now()
    assert later.deadline == kept


def test_a_reminder_moves_with_its_deadline_and_does_not_go_again() -> None:
    told, untold = (begun(pace="slow", turn_seconds=3600) for _ in range(2))
    for tournament in (told, untold):
        let_time_pass(tournament, minutes=10)
    Tournament.objects.filter(pk=told.pk).update(remind_at=None)
    Tournament.objects.filter(pk=untold.pk).update(remind_at=ago(minutes=22))
    silent_since(minutes=30)
    keep_watch()
    for tournament in (told, untold):
        tournament.refresh_from_db()
    assert told.remind_at is None
    assert untold.remind_at > database_now()


def test_a_site_that_starts_for_the_first_time_has_had_no_outage() -> None:
    assert site_is_awake()
    assert keep_watch() is None
    assert keep_watch() is None
    assert Watch.objects.count() == 1
    assert not Outage.objects.exists()


def test_a_short_silence_is_no_outage() -> None:
    tournament = begun()
    silent_since(seconds=SILENCE.total_seconds() - 2)
    let_time_pass(tournament)
    assert keep_watch() is None
    assert close_overdue() == 1
