"""Closing turns: one idempotent way for everybody who finds that one can be closed.

Tournaments are locked first, by number; the clock is read once all of them are held. What an
engine does wrong stays with its tournament: all others go on.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog
from django.db import transaction

from dynasties.clock import database_now
from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.announcements.news import tell_changes
from tournaments.consequences.services import conclude
from tournaments.turns.adjournment import count_fault
from tournaments.turns.clocks import set_clock
from tournaments.turns.endings import AGREED, Ending, all_want_a_draw, judge
from tournaments.turns.locks import lock_running
from tournaments.turns.mishaps import DATABASE_AWAY, describe
from tournaments.turns.models import Order, Turn
from tournaments.turns.positions import position_of, remember
from tournaments.turns.rows import update_rows
from tournaments.turns.signals import turn_opened
from tournaments.turns.watch import site_is_awake

log = structlog.get_logger(__name__)

# Most of what one transaction carries: nobody should wait for a crowd.
LARGEST_BATCH = 200


def close_turns(numbers: Iterable[int]) -> int:
    """Close the open turns that are complete or overdue, of any number of tournaments.

    Whoever calls it and however often, each turn is closed once. Returns how many were. One
    that ends its tournament is closed in a transaction of its own, with all consequences; so
    is one whose engine breaks, which holds up nobody else. What fails is logged, and tried
    again by the sweep.
    """
    wanted = sorted(set(numbers))
    batches = (wanted[at : at + LARGEST_BATCH] for at in range(0, len(wanted), LARGEST_BATCH))
    return sum(map(_close_batch, batches))


def _close_batch(numbers: Sequence[int]) -> int:
    try:
        together, apart = _close_together(numbers)
    except DATABASE_AWAY as away:
        log.warning("closing_put_off", tournaments=len(numbers), **describe(away))
        return 0
    except Exception as broken:  # one of them is to blame: alone it harms nobody
        log.error("closing_together_failed", **describe(broken))
        together, apart = 0, list(numbers)
    return together + sum(map(_close_alone, apart))


@transaction.atomic
def _close_together(numbers: Sequence[int]) -> tuple[int, list[int]]:
    """Close what merely goes on; return how many, and those that need more than that."""
    desks = _open_desks(numbers)
    for desk in desks:
        desk.resolve()
    going_on = [desk for desk in desks if desk.goes_on]
    _write_turns(going_on)
    return len(going_on), [desk.tournament.pk for desk in desks if desk.needs_care]


def _close_alone(number: int) -> int:
    try:
        with transaction.atomic():
            return _close_one(number)
    except DATABASE_AWAY as away:
        log.warning("closing_put_off", tournament=number, **describe(away))
    except Exception as broken:  # whatever it is, after some tries somebody has to look into it
        log.error("closing_failed", tournament=number, **describe(broken))
        _count_fault_or_log(number)
    return 0


def _count_fault_or_log(number: int) -> None:
    try:
        count_fault(number=number)
    except Exception as broken:
        log.error("fault_not_counted", tournament=number, **describe(broken))


def _close_one(number: int) -> int:
    desks = _open_desks([number])
    if not desks:
        return 0
    (desk,) = desks
    desk.resolve()
    if desk.fault is not None:
        raise desk.fault
    if not desk.is_due:
        return 0
    if desk.goes_on:
        _write_turns([desk])
    else:
        _write_end(desk)
    return 1


# --- One tournament ----------------------------------------------------------------------


@dataclass
class _Desk:
    """One tournament whose turn may be closed, with its seats and orders."""

    tournament: Tournament
    seats: list[Seat]
    given: list[Order]
    now: datetime
    awake: bool
    orders: dict[str, arena.Order] = field(default_factory=dict)
    changed: list[Seat] = field(default_factory=list)
    is_due: bool = False
    closing: arena.Closing | None = None
    written: str = ""
    clock: arena.Clock | None = None
    ending: Ending | None = None
    fault: Exception | None = None

    @property
    def goes_on(self) -> bool:
        return self.fault is None and self.closing is not None and self.ending is None

    @property
    def needs_care(self) -> bool:
        return self.ending is not None or self.fault is not None

    def resolve(self) -> None:
        """Find out what the turn leads to, if it can be closed now. Nothing is written here."""
        try:
            self._resolve(position_of(self.tournament))
        except Exception as fault:  # no database in here: it is the engine, or what was kept
            self.fault = fault

    def _resolve(self, position: arena.Position) -> None:
        self._read_orders(position)
        overdue = self.tournament.deadline is not None and self.now >= self.tournament.deadline
        if all_want_a_draw(self.tournament, self.seats, position):
            self.is_due, self.ending = True, Ending.draw(AGREED)
            return
        self.is_due = position.is_complete(self.orders) or (overdue and self.awake)
        if not self.is_due:
            return
        self._welcome_back()
        # Whoever is interrupted is asked again: he is not absent.
        interrupted = any(order.interrupts for order in self.orders.values())
        self._judge(position, [] if interrupted or not overdue else self._absent(position))

    def _read_orders(self, position: arena.Position) -> None:
        names = {seat.pk: seat.name for seat in self.seats}
        self.given = [order for order in self.given if order.turn == self.tournament.turn]
        for order in self.given:
            self.orders[names[order.seat_id]] = position.game.parse(order.content)

    def _welcome_back(self) -> None:
        """Whoever orders is present again; who had lost his seat to a bot has it back."""
        own = {order.seat_id for order in self.given if not order.by_bot}
        for seat in self.seats:
            if seat.pk in own and (seat.absences or seat.bot):
                seat.absences, seat.bot = 0, ""
                self.changed.append(seat)

    def _hold_for_bots(self, position: arena.Position) -> None:
        """A bot that was not asked in time holds: there is nobody who could be absent."""
        for seat in self.seats:
            if seat.bot and seat.name in position.due():
                self.orders.setdefault(seat.name, position.default(seat.name))

    def _absent(self, position: arena.Position) -> list[Seat]:
        self._hold_for_bots(position)
        due = position.due()
        return [seat for seat in self.seats if seat.name in due and seat.name not in self.orders]

    def _judge(self, position: arena.Position, absent: list[Seat]) -> None:
        if absent:
            names = position.living([seat.name for seat in self.seats])
            living = [seat for seat in self.seats if seat.name in names]
            self.ending = judge(self.tournament, living, position.due(), absent)
        if self.ending is None:
            self._play_on(position, absent)

    def _play_on(self, position: arena.Position, absent: list[Seat]) -> None:
        for seat in absent:
            seat.absences += 1
            self.changed.append(seat)
        if absent:  # a bot that takes a seat over now holds in the turn in which it sits down
            self._hold_for_bots(position)
        closing = position.close(self.orders)
        self.written, self.clock = closing.after.written(), closing.after.clock()
        outcome = closing.after.outcome()
        self.closing = closing
        if outcome is not None:
            self.ending = Ending.of(outcome)

    @property
    def after(self) -> arena.Position:
        if self.closing is None:
            raise RuntimeError("Only what was resolved has a position after it.")
        return self.closing.after


def _open_desks(numbers: Sequence[int]) -> list[_Desk]:
    tournaments = lock_running(numbers)
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(tournament__in=tournaments).order_by("place"):
        seats[seat.tournament_id].append(seat)
    given: dict[int, list[Order]] = defaultdict(list)
    for order in Order.objects.filter(tournament__in=tournaments).order_by("receipt"):
        given[order.tournament_id].append(order)
    awake, now = site_is_awake(), database_now()
    return [
        _Desk(each, seats[number], given[number], now, awake)
        for number, each in tournaments.items()
    ]


# --- Writing -------------------------------------------------------------------------------

TURN_FIELDS = (
    "turn", "position", "clock", "deadline", "remind_at", "times_left", "version", "faults",
)  # fmt: skip


def _write_turns(desks: Sequence[_Desk]) -> None:
    """Write the turns of tournaments that go on."""
    if not desks:
        return
    for desk in desks:
        _advance(desk)
        if desk.clock is not None:
            set_clock(desk.tournament, desk.clock, desk.now)
    _write_records(desks)
    update_rows([desk.tournament for desk in desks], TURN_FIELDS)
    changed = [seat for desk in desks for seat in desk.changed]
    if changed:
        Seat.objects.bulk_update(changed, ["absences", "bot"])
    _announce_turns(desks)


def _advance(desk: _Desk) -> None:
    tournament = desk.tournament
    tournament.turn, tournament.position = desk.after.turn, desk.written
    tournament.version += 1
    tournament.faults = 0


def _write_records(desks: Sequence[_Desk]) -> None:
    """Keep the orders as history, and clear the table for the next turn."""
    Turn.objects.bulk_create(
        Turn(
            tournament=desk.tournament,
            number=desk.after.turn - 1,
            version=desk.tournament.version,
            orders=[[seat, order.to_json()] for seat, order in desk.orders.items()],
            closed_at=desk.now,
        )
        for desk in desks
    )
    _forget_orders(desks)


def _forget_orders(desks: Sequence[_Desk]) -> None:
    Order.objects.filter(tournament__in=[desk.tournament.pk for desk in desks]).delete()


def _announce_turns(desks: Sequence[_Desk]) -> None:
    transaction.on_commit(lambda: _remember(desks), robust=True)
    tell_changes(desk.tournament for desk in desks)
    for desk in desks:
        turn_opened.send(sender=Tournament, tournament=desk.tournament, seats=desk.seats)


def _remember(desks: Sequence[_Desk]) -> None:
    for desk in desks:
        remember(desk.tournament.pk, desk.after)


def _write_end(desk: _Desk) -> None:
    """Write the last turn, if there was one more, and all consequences."""
    if desk.ending is None:
        raise RuntimeError("Only what has ended can be concluded.")
    if desk.closing is not None:
        _advance(desk)
        _write_records([desk])
    else:  # orders of a turn that was never resolved stay secret for ever
        desk.tournament.version += 1
        _forget_orders([desk])
    conclude(tournament=desk.tournament, seats=desk.seats, ending=desk.ending, at=desk.now)
