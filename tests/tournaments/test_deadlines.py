"""Deadlines: any caller alone closes a turn, once; absence, faults and reminders follow."""

import json
from datetime import timedelta

import pytest
from django.core import mail
from django.test import override_settings

from dynasties.accounts.models import Guest, User
from dynasties.clock import database_now
from emperors.models import Emperor
from tests.factories import AdminFactory, StaffFactory, UserFactory
from tests.tournaments.hours import HOLD, ago, begun, let_time_pass, seats_of
from tests.tournaments.lists import announced, filled
from tournaments import arena, tasks
from tournaments.announcements.models import Tournament
from tournaments.turns import closing
from tournaments.turns.adjournment import adjourn, resume
from tournaments.turns.clocks import set_clock
from tournaments.turns.deadlines import close_complete, close_if_overdue, close_overdue
from tournaments.turns.letters import remind_due
from tournaments.turns.models import Order, Turn
from tournaments.turns.services import Wish, close_turns, keep_orders, submit_order
from tournaments.turns.watchman import ROUNDS, do_all

pytestmark = pytest.mark.django_db
State = Tournament.State
HOUR = 3600

CALLERS = {
    "the sweep of a worker": lambda _tournament: tasks.close_turns_overdue(),
    "the watchman": lambda _tournament: [deed() for deed in ROUNDS],
    "a visitor": close_if_overdue,
}


@pytest.fixture
def letters(settings) -> list[mail.EmailMessage]:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    return mail.outbox


# --- Who closes -------------------------------------------------------------------------------


@pytest.mark.parametrize("caller", CALLERS)
def test_each_caller_alone_closes_an_overdue_turn_once(caller: str) -> None:
    tournament = begun()
    CALLERS[caller](tournament)
    assert not Turn.objects.exists()
    let_time_pass(tournament)
    for _time in range(2):
        CALLERS[caller](tournament)
    fresh = Tournament.objects.get()
    assert (fresh.turn, Turn.objects.count()) == (1, 1)
    assert fresh.deadline > database_now()
    assert list(fresh.seats.values_list("absences", flat=True)) == [1, 1]


def test_a_turn_that_was_complete_when_its_closer_died_is_closed_by_a_sweep() -> None:
    tournament = begun()
    keep_orders([Wish(seat.pk, 0, HOLD) for seat in seats_of(tournament)])
    assert close_complete() == 0  # whoever gave the last order may be about to close it
    Order.objects.update(received_at=ago(seconds=5))
    assert close_complete() == 1
    assert close_complete() == 0
    tournament.refresh_from_db()
    assert tournament.turn == 1


def test_one_that_was_complete_long_ago_is_found_when_the_site_starts() -> None:
    tournament = begun()
    keep_orders([Wish(seat.pk, 0, HOLD) for seat in seats_of(tournament)])
    Order.objects.update(received_at=ago(days=3))
    assert close_complete() == 0
    assert close_complete(since=None) == 1


def test_a_turn_that_waits_for_somebody_stays_open() -> None:
    tournament = begun()
    submit_order(seat=seats_of(tournament)[0].pk, turn=0, content=HOLD)
    Order.objects.update(received_at=ago(seconds=5))
    assert close_complete() == 0
    assert close_turns([tournament.pk, tournament.pk, 10**12]) == 0
    assert not Turn.objects.exists()


def test_a_round_that_fails_does_not_keep_the_next_deed_from_being_done(monkeypatch) -> None:
    monkeypatch.setattr("tournaments.turns.watchman.connections.close_all", lambda: None)
    done: list[int] = []

    def fail() -> None:
        raise ConnectionError

    do_all([fail, lambda: done.append(1)])
    assert done == [1]


# --- Absence ----------------------------------------------------------------------------------


def miss(tournament: Tournament, *present: str) -> None:
    """Let a deadline pass at which only these seats have ordered."""
    tournament.refresh_from_db()
    for seat in seats_of(tournament):
        if seat.name in present:
            submit_order(seat=seat.pk, turn=tournament.turn, content=HOLD)
    let_time_pass(tournament)
    assert close_overdue() == 1


def test_whoever_misses_three_deadlines_in_a_row_forfeits(audit) -> None:
    tournament = begun("honour", "duel")
    present, _absent = tournament.seat_names
    for _turn in range(3):
        miss(tournament, present)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.winners) == (State.FINISHED, [present])
    audit()


def test_an_order_between_two_absences_makes_present_again() -> None:
    tournament = begun()
    first, second = tournament.seat_names
    for present in (first, first, second, first, first):
        miss(tournament, present)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    absences = dict(tournament.seats.values_list("name", "absences"))
    assert absences == {first: 0, second: 2}


def test_when_all_are_absent_it_is_abandoned_as_a_draw(audit) -> None:
    tournament = begun("death")
    for _turn in range(2):
        miss(tournament)
        tournament.refresh_from_db()
        assert tournament.state == State.RUNNING
    miss(tournament)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.ending) == (State.ABANDONED, "all-absent")
    assert tournament.winners == []
    assert set(Emperor.objects.values_list("life", flat=True)) == {"at-rest"}
    audit()


def test_who_was_away_a_turn_less_does_not_win_by_it() -> None:
    tournament = begun("honour")
    miss(tournament, tournament.seat_names[0])
    for _turn in range(2):
        miss(tournament)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.winners) == (State.ABANDONED, [])


# --- Faults -----------------------------------------------------------------------------------

WHERE_ENGINES_BREAK = ("close", "written", "clock", "outcome", "due", "is_complete")


@pytest.mark.parametrize("part", WHERE_ENGINES_BREAK)
def test_a_broken_engine_is_set_aside_after_three_tries_and_holds_up_nobody(
    part: str, monkeypatch, letters, audit
) -> None:
    AdminFactory(email="crown@example.org")
    AdminFactory(email="banned@example.org", is_active=False)
    StaffFactory()
    before, broken, after = begun(), begun(fee=0), begun()
    whole = getattr(arena.Position, part)

    def break_down(position: arena.Position, *args: object) -> object:
        if position.seed == broken.seed:
            raise KeyError("a secret order")
        return whole(position, *args)

    monkeypatch.setattr(arena.Position, part, break_down)
    for tournament in (before, broken, after):
        let_time_pass(tournament)
    assert close_overdue() == 2
    broken.refresh_from_db()
    assert (broken.state, broken.faults) == (State.RUNNING, 1)
    for _try in range(3):
        close_overdue()
    broken.refresh_from_db()
    assert (broken.state, broken.turn, broken.deadline) == (State.ADJOURNED, 0, None)
    assert Emperor.objects.filter(place=broken.place).count() == 2
    for tournament in (before, after):
        tournament.refresh_from_db()
        assert (tournament.state, tournament.turn) == (State.RUNNING, 1)
    (letter,) = letters
    assert letter.to == ["crown@example.org"]
    assert broken.title in letter.body
    assert broken.code in letter.body
    assert "a secret order" not in letter.body
    audit()


def test_a_fault_says_where_but_not_what(monkeypatch, caplog) -> None:
    tournament = begun()

    def break_down(_position: arena.Position, _orders: object) -> None:
        raise KeyError("a secret order")

    monkeypatch.setattr(arena.Position, "close", break_down)
    said: list[object] = []
    monkeypatch.setattr(closing.log, "error", lambda *words, **facts: said.append((words, facts)))
    let_time_pass(tournament)
    close_overdue()
    assert "test_deadlines.py" in str(said)
    assert "KeyError" in str(said)
    assert "a secret order" not in str(said) + caplog.text


def test_consequences_that_fail_set_the_tournament_aside_too(monkeypatch, letters) -> None:
    tournament = begun()

    def fail(**_end: object) -> None:
        raise ValueError

    monkeypatch.setattr(closing, "conclude", fail)
    for _time in range(2):
        miss(tournament)
    let_time_pass(tournament)
    for _try in range(3):
        assert close_overdue() == 0
    tournament.refresh_from_db()
    assert (tournament.state, tournament.turn) == (State.ADJOURNED, 2)


def test_what_was_adjourned_goes_on_with_a_whole_turn_and_its_orders(letters) -> None:
    tournament = begun()
    first, second = seats_of(tournament)
    submit_order(seat=first.pk, turn=0, content=HOLD)
    assert adjourn(number=tournament.pk)
    assert not adjourn(number=tournament.pk)
    assert close_turns([tournament.pk]) == 0
    assert resume(number=tournament.pk)
    assert not resume(number=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert tournament.deadline > database_now() + timedelta(seconds=tournament.turn_seconds - 5)
    submit_order(seat=second.pk, turn=0, content=HOLD)
    tournament.refresh_from_db()
    assert tournament.turn == 1


def test_nothing_that_is_gone_is_adjourned_or_resumed() -> None:
    assert not adjourn(number=10**12)
    assert not resume(number=10**12)


# --- Clocks -----------------------------------------------------------------------------------


def test_a_clock_that_comes_back_goes_on_with_what_it_had_left() -> None:
    tournament = begun("honour", pace="slow", turn_seconds=2 * HOUR)
    start = database_now()

    def at(minutes: int, key: str) -> float:
        now = start + timedelta(minutes=minutes)
        set_clock(tournament, arena.Clock(key), now)
        assert tournament.deadline is not None
        return round((tournament.deadline - now).total_seconds() / 60)

    assert at(0, "thinking white") == 120
    assert at(30, "thinking white") == 90
    assert at(50, "thinking black") == 120
    assert at(60, "thinking white") == 70
    assert at(70, "thinking black") == 110
    assert at(75, "turn 7") == 120
    assert at(80, "turn 8") == 120
    assert set(tournament.times_left) == {"thinking white", "thinking black"}
    assert json.loads(json.dumps(tournament.times_left)) == tournament.times_left


# --- Reminders --------------------------------------------------------------------------------


def slow(**terms: object) -> Tournament:
    tournament = announced("honour", "duel", pace="slow", turn_seconds=10 * HOUR, **terms)
    filled(tournament)
    return tournament


def time_for_reminders() -> None:
    Tournament.objects.update(remind_at=ago(seconds=1))


def ruler(seat: object) -> User:
    return seat.dynasty.ruler


def test_a_reminder_is_due_when_four_fifths_of_the_time_are_used() -> None:
    tournament = slow()
    assert tournament.remind_at == tournament.deadline - timedelta(hours=2)
    assert begun().remind_at is None


@override_settings(SITE_ORIGIN="https://emperors.example")
def test_whoever_has_not_ordered_is_reminded_once_a_turn(letters) -> None:
    tournament = slow()
    first, second = seats_of(tournament)
    submit_order(seat=first.pk, turn=0, content=HOLD)
    assert remind_due() == 0
    time_for_reminders()
    assert remind_due() == 1
    assert remind_due() == 0
    tasks.remind()
    (letter,) = letters
    assert letter.to == [ruler(second).email]
    assert f"{tournament.deadline:%Y-%m-%d %H:%M} UTC" in letter.body
    assert f"https://emperors.example/tournaments/{tournament.code}/" in letter.body
    assert ruler(first).dynasty.name not in letter.body


def test_the_letter_is_the_same_whether_others_have_ordered_or_not(letters) -> None:
    tournament = slow()
    first, second = seats_of(tournament)
    time_for_reminders()
    assert remind_due() == 2
    to_second = next(letter for letter in letters if letter.to == [ruler(second).email])
    submit_order(seat=first.pk, turn=0, content=HOLD)
    time_for_reminders()
    assert remind_due() == 1
    assert (letters[-1].subject, letters[-1].body) == (to_second.subject, to_second.body)


def test_every_turn_has_a_reminder_of_its_own(letters) -> None:
    tournament = slow()
    for turn in range(2):
        time_for_reminders()
        assert remind_due() == 2
        for seat in seats_of(tournament):
            submit_order(seat=seat.pk, turn=turn, content=HOLD)
    assert len(letters) == 4


def test_nobody_is_reminded_of_a_turn_that_is_over_or_set_aside(letters) -> None:
    tournament = slow()
    time_for_reminders()
    let_time_pass(tournament)
    assert remind_due() == 0
    other = slow()
    time_for_reminders()
    adjourn(number=other.pk)
    assert remind_due() == 0
    assert letters == []


def test_a_position_that_can_t_be_read_keeps_nobody_else_from_being_reminded(
    letters, monkeypatch
) -> None:
    broken, _sound = slow(), slow()
    due = arena.Position.due

    def break_down(position: arena.Position) -> tuple[str, ...]:
        if position.seed == broken.seed:
            raise KeyError
        return due(position)

    monkeypatch.setattr(arena.Position, "due", break_down)
    time_for_reminders()
    assert remind_due() == 2


def test_bots_the_banned_and_guests_without_an_address_get_no_letter(letters) -> None:
    tournament = slow()
    first, second = seats_of(tournament)
    User.objects.filter(dynasty=first.dynasty).update(is_active=False)
    tournament.seats.filter(pk=second.pk).update(bot="page")
    time_for_reminders()
    assert remind_due() == 0


def test_a_guest_who_registered_is_reminded(letters) -> None:
    tournament = slow()
    user, guest = UserFactory(), Guest.objects.create(lodging="jade-garden")
    Guest.objects.filter(pk=guest.pk).update(became=user)
    first = seats_of(tournament)[0]
    tournament.seats.filter(pk=first.pk).update(emperor=None, dynasty=None, guest=guest)
    time_for_reminders()
    assert remind_due() == 2
    assert [user.email] in [letter.to for letter in letters]
