"""Tournaments under contention: one place at a time, every turn once, no order lost or late."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from dynasties.accounts.services import ask_departure, complete_departure
from dynasties.clock import database_now
from dynasties.treasury.selectors import kind
from emperors.models import Emperor
from emperors.services import let_die
from tests.concurrency.rivals import all_at_once
from tests.concurrency.soundness import check_world, kinds_of
from tests.factories import GuestFactory
from tests.scale import figure
from tests.tournaments.hours import (
    HOLD,
    ahead,
    begun,
    let_start,
    let_time_pass,
    seats_of,
    silent_since,
)
from tests.tournaments.lists import announced, enrich, fighter, seat
from tournaments import errors
from tournaments.announcements.models import Seat, Tournament
from tournaments.bots.services import think
from tournaments.seating.players import Player
from tournaments.seating.services import enter, leave, play_now, start_due, start_or_cancel
from tournaments.turns import services
from tournaments.turns.closing import close_turns
from tournaments.turns.deadlines import close_if_overdue, close_overdue
from tournaments.turns.locks import lock_running
from tournaments.turns.models import Order, Outage, Turn
from tournaments.turns.services import Accepted, Wish, keep_orders, submit_order, submit_orders
from tournaments.turns.watch import keep_watch
from tournaments.turns.watchman import Watchman

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]

PLACES = figure(50, soak=5_000)
ROUNDS = figure(3, soak=500)
State = Tournament.State


def fresh(emperor: Emperor) -> Emperor:
    return Emperor.objects.get(pk=emperor.pk)


def house(emperor: Emperor) -> Player:
    return Player(dynasty=emperor.dynasty)


def told_refusals(ends: list[Any]) -> set[type]:
    """The kinds of errors among the ends: a race may refuse, and nothing else."""
    return {type(end) for end in ends if isinstance(end, Exception)}


# --- Entering ---------------------------------------------------------------------


def test_an_emperor_who_enters_two_tournaments_at_once_is_in_one_of_them() -> None:
    emperor = fighter()
    fields = [announced("honour", "crossroads") for _ in range(2)]
    for _round in range(PLACES):
        ends = all_at_once([partial(seat, each, fresh(emperor)) for each in fields])
        assert kinds_of(ends) == {Seat: 1, errors.Away: 1}
        taken = next(end for end in ends if isinstance(end, Seat))
        assert fresh(emperor).place == taken.tournament.place
        assert Seat.objects.count() == 1
        leave(tournament=taken.tournament, player=house(emperor))
    check_world()


def test_the_last_seat_is_taken_by_one_of_eight_and_the_battle_begins_once() -> None:
    for _round in range(ROUNDS):
        tournament = announced("honour", "duel", fee=100, fee_kind=kind("copper"))
        seat(tournament, fighter(rich=True))
        rivals = [fighter(rich=True) for _ in range(8)]
        ends = all_at_once([partial(seat, tournament, rival) for rival in rivals])
        assert sum(isinstance(end, Seat) for end in ends) == 1
        assert told_refusals(ends) <= {errors.NotOpen, errors.Full}
        tournament.refresh_from_db()
        assert (tournament.state, tournament.seats.count()) == (State.RUNNING, 2)
        assert Emperor.objects.filter(place=tournament.place).count() == 2
    check_world()


def test_the_same_entry_five_times_at_once_is_one_seat_and_paid_once() -> None:
    for _round in range(ROUNDS):
        tournament = announced(
            "honour", "five-vaults", fee=100, fee_kind=kind("copper"), chests=True
        )
        emperor = fighter()
        enrich(emperor.dynasty, 400)
        ends = all_at_once([partial(seat, tournament, fresh(emperor), chest=300)] * 5)
        assert len({end.pk for end in ends}) == 1
        all_at_once([partial(leave, tournament=tournament, player=house(emperor))] * 5)
        assert not tournament.seats.exists()
    check_world()


def test_a_guest_who_enters_two_tournaments_at_once_is_in_one_of_them() -> None:
    for _round in range(ROUNDS):
        player = Player(guest=GuestFactory())
        fields = [announced("training", "crossroads") for _ in range(2)]
        ends = all_at_once([partial(enter, tournament=each, player=player) for each in fields])
        assert kinds_of(ends) == {Seat: 1, errors.Away: 1}


def test_those_who_play_now_at_once_meet_each_other() -> None:
    players = [Player(guest=GuestFactory()) for _ in range(8)]
    ends = all_at_once([partial(play_now, player=player) for player in players])
    assert sorted(Counter(end.tournament_id for end in ends).values()) == [4, 4]
    assert Tournament.objects.filter(state=State.RUNNING).count() == 2


def test_the_same_guest_five_times_at_once_plays_once() -> None:
    player = Player(guest=GuestFactory())
    ends = all_at_once([partial(play_now, player=player)] * 5)
    assert len({end.pk for end in ends}) == 1
    assert Seat.objects.count() == 1


def test_who_leaves_as_it_starts_has_left_or_fights_and_nothing_between() -> None:
    seen = set()
    for _round in range(ROUNDS * 2):
        tournament = announced(
            "honour", "crossroads", starts_at=ahead(hours=1), fee=100, fee_kind=kind("copper")
        )
        people = [fighter(rich=True) for _ in range(3)]
        for emperor in people:
            seat(tournament, emperor)
        let_start(tournament)
        ends = all_at_once(
            [
                partial(leave, tournament=tournament, player=house(people[0])),
                partial(start_or_cancel, number=tournament.pk),
                start_due,
            ]
        )
        assert told_refusals(ends) <= {errors.BegunAlready}
        tournament.refresh_from_db()
        assert tournament.state == State.RUNNING
        left = ends[0] is None
        seen.add(left)
        assert tournament.seats.count() == 3 - left
        assert (fresh(people[0]).life == Emperor.Life.AT_REST) == left
    check_world()


def test_who_enters_while_his_ruler_leaves_the_site_waits_for_no_circle() -> None:
    """A seat that is written before its emperor is held waits in a circle with a departure."""
    for _round in range(ROUNDS):
        tournament, emperor = announced("death", "crossroads"), fighter()
        ruler = emperor.dynasty.ruler
        ask = partial(_depart, ruler)
        ends = all_at_once(
            [partial(seat, tournament, emperor), ask, partial(let_die, emperor=fresh(emperor))]
        )
        assert not {"OperationalError", "IntegrityError"} & {type(end).__name__ for end in ends}
    check_world()


def _depart(ruler: Any) -> bool:
    ask_departure(user=ruler)
    return complete_departure(user=ruler)


# --- Orders and turns ---------------------------------------------------------------------


def test_the_last_orders_at_once_close_the_turn_once_with_all_of_them() -> None:
    tournament = begun("honour", "crossroads")
    rows = seats_of(tournament)
    for turn in range(ROUNDS * 2):
        ends = all_at_once(
            [partial(submit_order, seat=row.pk, turn=turn, content=HOLD) for row in rows]
        )
        assert kinds_of(ends) == {Accepted: 4}
        tournament.refresh_from_db()
        assert tournament.turn == turn + 1
        assert {name for name, _order in tournament.turns.last().orders} == {*"abcd"}
    assert Turn.objects.count() == ROUNDS * 2


def test_the_same_order_five_times_at_once_is_one_order() -> None:
    tournament = begun("honour", "crossroads")
    first = seats_of(tournament)[0]
    ends = all_at_once([partial(submit_order, seat=first.pk, turn=0, content=HOLD)] * 5)
    assert kinds_of(ends) == {Accepted: 5}
    assert Order.objects.count() == 1


def test_eight_closers_at_once_close_each_turn_once() -> None:
    tournaments = [begun("honour", "duel") for _ in range(3)]
    numbers = [each.pk for each in tournaments]
    for turn in range(3):
        for tournament in tournaments:
            let_time_pass(tournament)
        closers = [
            close_overdue,
            close_overdue,
            partial(close_turns, numbers),
            partial(close_turns, numbers[::-1]),
            *(partial(close_if_overdue, each) for each in tournaments),
            partial(close_turns, numbers[:1]),
        ]
        ends = all_at_once(closers)
        assert sum(ends) == 3
        assert Turn.objects.count() == min(3 * (turn + 1), 6)
    # All were absent three times: the third deadline ends them, each once.
    assert set(Tournament.objects.values_list("state", flat=True)) == {State.ABANDONED}
    assert not Emperor.objects.exclude(place="").exists()
    assert set(Emperor.objects.values_list("battles", flat=True)) <= {1, 2}
    check_world()


def test_an_order_given_while_the_turn_is_closed_is_in_it_or_refused() -> None:
    tournament = begun("honour", "crossroads")
    rows = seats_of(tournament)
    kept = 0
    for _round in range(ROUNDS * 3):
        tournament.refresh_from_db()
        turn = tournament.turn
        soon = database_now() + timedelta(milliseconds=12)
        Tournament.objects.filter(pk=tournament.pk).update(deadline=soon)
        orders = [
            partial(_order_late, 0.003 * place, row.pk, turn) for place, row in enumerate(rows)
        ]
        *ends, _done, _again = all_at_once([*orders, _close_until_done, _close_until_done])
        assert told_refusals(ends) <= {errors.TooLate, errors.WrongTurn}
        accepted = {row.name for row, end in zip(rows, ends, strict=True) if end is True}
        kept += len(accepted)
        closed = tournament.turns.get(number=turn)
        assert {name for name, _order in closed.orders} == accepted
        # Everybody is present in the next turn, or the game would end for want of players.
        submit_orders([Wish(row.pk, turn + 1, HOLD) for row in rows])
    assert kept


def _order_late(pause: float, row: int, turn: int) -> bool:
    time.sleep(pause)
    return isinstance(submit_order(seat=row, turn=turn, content=HOLD), Accepted)


def _close_until_done() -> None:
    running = Tournament.objects.filter(state=State.RUNNING)
    turn = running.values_list("turn", flat=True).first()
    for _attempt in range(400):
        if close_overdue() or running.values_list("turn", flat=True).first() != turn:
            return
        time.sleep(0.002)


def test_orders_fired_at_the_deadline_with_every_closer_dead_are_judged_by_the_clock() -> None:
    tournament = begun("honour", "crossroads")
    rows = seats_of(tournament)[:3]
    deadline = database_now() + timedelta(milliseconds=300)
    Tournament.objects.update(deadline=deadline)
    answers: list[tuple[str, Any]] = []
    while not any(isinstance(answer, errors.TooLate) for _name, answer in answers):
        ends = all_at_once([partial(keep_orders, [Wish(row.pk, 0, HOLD)]) for row in rows])
        answers += [(row.name, answer) for row, (answer,) in zip(rows, ends, strict=True)]
    assert {type(answer) for _name, answer in answers} <= {Accepted, errors.TooLate}
    assert all(order.received_at < deadline for order in Order.objects.all())
    assert not Turn.objects.exists()
    assert close_overdue() == 1
    acknowledged = {name for name, answer in answers if isinstance(answer, Accepted)}
    assert {name for name, _order in Turn.objects.get().orders} == acknowledged


class _HastyBatch(services._Batch):
    """The wrong way: the clock is read before the lock, and waiting for it takes no time."""

    @classmethod
    def of(cls, wishes: Sequence[Wish]) -> services._Batch:
        now = database_now()
        return replace(super().of(wishes), now=now)


@pytest.mark.parametrize(
    ("batch", "expected"), [(services._Batch, errors.TooLate), (_HastyBatch, Accepted)]
)
def test_who_waits_for_the_lock_until_the_deadline_has_passed_is_late(
    batch: type[services._Batch], expected: type, monkeypatch
) -> None:
    monkeypatch.setattr(services, "_Batch", batch)
    tournament = begun("honour", "crossroads")
    wish = Wish(seats_of(tournament)[0].pk, 0, HOLD)
    deadline = database_now() + timedelta(milliseconds=500)
    Tournament.objects.update(deadline=deadline)
    with ThreadPoolExecutor(1) as others:
        with transaction.atomic():
            lock_running([tournament.pk])
            answers = others.submit(_then_close_connection, partial(keep_orders, [wish]))
            _until(_somebody_waits)
            _until(lambda: database_now() > deadline)
        (answer,) = answers.result()
    assert type(answer) is expected


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        # Within a transaction the first look at others is kept, unless it is dropped.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


def _then_close_connection(deed: Callable[[], Any]) -> Any:
    try:
        return deed()
    finally:
        connection.close()


def test_batches_in_opposite_orders_wait_in_no_circle() -> None:
    tournaments = [begun("honour", "crossroads") for _ in range(4)]
    wishes = [Wish(row.pk, 0, HOLD) for each in tournaments for row in seats_of(each)[:3]]
    for _round in range(ROUNDS):
        ends = all_at_once(
            [partial(submit_orders, wishes), partial(submit_orders, wishes[::-1])] * 3
        )
        assert kinds_of(ends) == {list: 6}
    assert Order.objects.count() == 12


def test_bots_that_are_asked_by_many_order_once() -> None:
    tournament = announced("training", "crossroads", bots="page", starts_at=ahead(hours=1))
    enter(tournament=tournament, player=Player(guest=GuestFactory()))
    let_start(tournament)
    start_due()
    ends = all_at_once([partial(think, number=tournament.pk, turn=0)] * 4)
    assert sum(ends) == 3
    assert Order.objects.filter(by_bot=True).count() == 3


# --- Outages and the watchman ---------------------------------------------------------------------


def test_web_processes_that_wake_at_once_move_deadlines_once_in_each_outage() -> None:
    tournament = begun()
    for _outage in range(figure(5, soak=30)):
        silent_since(seconds=30)
        let_time_pass(tournament, seconds=10)
        missed = tournament.deadline
        ends = all_at_once([*[keep_watch] * 4, *[close_overdue] * 4])
        (outage,) = [end for end in ends if isinstance(end, Outage)]
        assert told_refusals(ends) == set()
        tournament.refresh_from_db()
        assert tournament.deadline == missed + (outage.ended_at - outage.began_at)
        assert tournament.turn == 0
    assert Outage.objects.count() == figure(5, soak=30)


def test_a_watchman_alone_keeps_watch_closes_and_starts(monkeypatch) -> None:
    monkeypatch.setattr("tournaments.turns.watchman.ROUND_SECONDS", 0.05)
    overdue = begun()
    waiting = announced("honour", "crossroads", starts_at=ahead(hours=1))
    for _each in range(2):
        seat(waiting, fighter())
    let_start(waiting)
    let_time_pass(overdue)
    watchman = Watchman()
    watchman.start()
    try:
        _until(lambda: Turn.objects.exists() and not _is_before(waiting))
    finally:
        watchman.stop()
    overdue.refresh_from_db()
    assert overdue.turn == 1
    assert overdue.deadline > database_now()


def test_with_every_worker_dead_deadlines_are_kept_within_ten_seconds() -> None:
    tournaments = [begun() for _ in range(figure(8, soak=500))]
    for place, tournament in enumerate(tournaments):
        tournament.deadline = database_now() + timedelta(seconds=2 * place / len(tournaments))
        tournament.save(update_fields=["deadline"])
    watchman = Watchman()
    watchman.start()
    try:
        _until(lambda: Turn.objects.count() == len(tournaments))
    finally:
        watchman.stop()
    closed = dict(Turn.objects.values_list("tournament", "closed_at"))
    assert max(closed[each.pk] - each.deadline for each in tournaments) < timedelta(seconds=10)


def test_a_watchman_survives_an_outage_of_the_database(monkeypatch) -> None:
    monkeypatch.setattr("tournaments.turns.watchman.ROUND_SECONDS", 0.02)
    overdue = begun()
    let_time_pass(overdue)
    whole, failures = close_turns, iter(range(3))

    def fail_at_first(numbers: Any) -> int:
        if next(failures, None) is not None:
            raise ConnectionError
        return whole(numbers)

    monkeypatch.setattr("tournaments.turns.deadlines.close_turns", fail_at_first)
    watchman = Watchman()
    watchman.start()
    try:
        _until(Turn.objects.exists)
    finally:
        watchman.stop()


def _is_before(tournament: Tournament) -> bool:
    tournament.refresh_from_db()
    return tournament.state in Tournament.BEFORE


def _until(holds: Any) -> None:
    for _attempt in range(1000):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come to pass")
