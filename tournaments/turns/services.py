"""Orders: the path of an order, for any number of them at once.

Orders come in batches: whatever has arrived while the last batch was written goes into the
next, in one transaction. A batch of one is the rule on a quiet site; on a busy one a commit
is shared by many. Each order is judged by itself, and one that is refused harms no other.

Tournaments are locked first, by number; the clock is read once all of them are held.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, TypeAlias

import structlog
from django.db import transaction

from dynasties.clock import database_now
from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.errors import (
    BadOrder,
    NotRunning,
    NotSeated,
    OutOfIt,
    Refused,
    TooLate,
    WrongTurn,
)
from tournaments.turns.closing import LARGEST_BATCH, close_turns
from tournaments.turns.draws import offer_draw
from tournaments.turns.locks import lock_running
from tournaments.turns.mishaps import describe
from tournaments.turns.models import Order
from tournaments.turns.news import tell_ready
from tournaments.turns.positions import position_of

__all__ = [
    "LARGEST_BATCH",
    "Accepted",
    "Answer",
    "Wish",
    "close_turns",
    "keep_orders",
    "lock_running",
    "offer_draw",
    "submit_order",
    "submit_orders",
    "withdraw_order",
]

log = structlog.get_logger(__name__)


class Wish(NamedTuple):
    """What a seat (by its number in the database) wants in a turn; None withdraws its order.

    A bot's wish holds only where nobody has ordered yet, in a seat that is a bot's.
    """

    seat: int
    turn: int
    content: arena.Json
    by_bot: bool = False


class Accepted(NamedTuple):
    """An order that is kept: it can't be lost any more."""

    tournament: int
    turn: int
    complete: bool
    """Whether nobody is waited for: the turn can be closed."""


Answer: TypeAlias = "Accepted | Refused"


def submit_order(*, seat: int, turn: int, content: arena.Json) -> Accepted:
    """Keep what a seat orders, sealed; the turn is closed at once if nobody else is due.

    An order replaces an earlier one of the same turn, and counts from now. Raises Refused.
    """
    (answer,) = submit_orders([Wish(seat, turn, content)])
    return _accepted(answer)


def withdraw_order(*, seat: int, turn: int) -> Accepted:
    """Take the order of the open turn back; nothing happens if there is none. Raises Refused."""
    (answer,) = submit_orders([Wish(seat, turn, None)])
    return _accepted(answer)


def submit_orders(wishes: Sequence[Wish]) -> list[Answer]:
    """Keep many orders in one transaction, then close the turns that they completed.

    The answers stand in the order of the wishes. Of several wishes of one seat the last that
    is accepted holds. A turn that can't be closed takes no acknowledgement back: the sweep
    closes it.
    """
    answers = keep_orders(wishes)
    close_turns(
        {each.tournament for each in answers if isinstance(each, Accepted) and each.complete}
    )
    return answers


@transaction.atomic
def keep_orders(wishes: Sequence[Wish]) -> list[Answer]:
    """The first half of `submit_orders`: what is acknowledged after it can't be lost."""
    batch = _Batch.of(wishes)
    answers = [batch.take(wish) for wish in wishes]
    batch.write()
    return [batch.completed(answer) for answer in answers]


def _accepted(answer: Answer) -> Accepted:
    if isinstance(answer, Refused):
        raise answer
    return answer


@dataclass
class _Batch:
    """The rows that a batch of wishes concerns, locked, and what will become of them."""

    seats: dict[int, Seat]
    tournaments: dict[int, Tournament]
    given: dict[int, dict[str, int]]
    """The receipts of the orders given so far: seat by seat, tournament by tournament."""
    now: datetime
    kept: dict[int, Order] = field(default_factory=dict)
    withdrawn: set[int] = field(default_factory=set)
    counted: dict[int, int] = field(default_factory=dict)
    """How many orders each tournament had before."""

    @classmethod
    def of(cls, wishes: Sequence[Wish]) -> "_Batch":
        # Read before the lock: what may change of a seat meanwhile changes with the turn.
        seats = Seat.objects.in_bulk({wish.seat for wish in wishes})
        tournaments = lock_running(seat.tournament_id for seat in seats.values())
        given: dict[int, dict[str, int]] = defaultdict(dict)
        orders = Order.objects.filter(tournament__in=tournaments)
        for number, name, receipt in orders.values_list("tournament", "seat__name", "receipt"):
            given[number][name] = receipt
        counted = {number: len(given[number]) for number in tournaments}
        return cls(seats, tournaments, given, database_now(), counted=counted)

    def take(self, wish: Wish) -> Answer:
        try:
            return self._judge(wish)
        except Refused as refused:
            return refused
        except Exception as broken:  # an engine's fault, and nobody else's in this batch
            log.error("order_not_judged", seat=wish.seat, **describe(broken))
            return Refused()

    def _judge(self, wish: Wish) -> Accepted:
        seat = self.seats.get(wish.seat)
        if seat is None:
            raise NotSeated
        tournament = self._open_turn(seat, wish.turn)
        if wish.by_bot and (not seat.bot or seat.name in self.given[tournament.pk]):
            raise OutOfIt
        if wish.content is None:
            self._withdraw(seat)
        else:
            order = _read(position_of(tournament), seat.name, wish.content)
            self._keep(seat, tournament, order, by_bot=wish.by_bot)
        return Accepted(tournament.pk, tournament.turn, complete=False)

    def _open_turn(self, seat: Seat, turn: int) -> Tournament:
        """The tournament of a seat, if it takes orders for this turn now."""
        tournament = self.tournaments.get(seat.tournament_id)
        if tournament is None or tournament.deadline is None:
            raise NotRunning
        if type(turn) is not int or turn != tournament.turn:
            raise WrongTurn
        if self.now >= tournament.deadline:
            raise TooLate
        return tournament

    def _keep(
        self, seat: Seat, tournament: Tournament, order: arena.Order, *, by_bot: bool
    ) -> None:
        receipts = self.given[tournament.pk]
        receipts[seat.name] = 1 + max(receipts.values(), default=0)
        self.withdrawn.discard(seat.pk)
        self.kept[seat.pk] = Order(
            tournament=tournament,
            seat=seat,
            turn=tournament.turn,
            receipt=receipts[seat.name],
            content=order.to_json(),
            received_at=self.now,
            by_bot=by_bot,
        )

    def _withdraw(self, seat: Seat) -> None:
        self.given[seat.tournament_id].pop(seat.name, None)
        self.kept.pop(seat.pk, None)
        self.withdrawn.add(seat.pk)

    def write(self) -> None:
        if self.withdrawn:
            Order.objects.filter(seat__in=self.withdrawn).delete()
        if self.kept:
            Order.objects.bulk_create(
                self.kept.values(),
                update_conflicts=True,
                unique_fields=["seat"],
                update_fields=["turn", "receipt", "content", "received_at", "by_bot"],
            )
        self._tell_counts()

    def _tell_counts(self) -> None:
        """Only of a count that has changed: who thinks again is nobody's business."""
        tell_ready(
            (tournament, len(self.given[number]))
            for number, tournament in self.tournaments.items()
            if tournament.shows_ready and len(self.given[number]) != self.counted[number]
        )

    def completed(self, answer: Answer) -> Answer:
        """The answer, with the knowledge of the whole batch."""
        if isinstance(answer, Refused):
            return answer
        position = position_of(self.tournaments[answer.tournament])
        given = self.given[answer.tournament]
        everybody = all(name in given for name in position.due())
        return answer._replace(complete=everybody or self._interrupted(answer.tournament, position))

    def _interrupted(self, number: int, position: arena.Position) -> bool:
        mine = (order for order in self.kept.values() if order.tournament_id == number)
        return any(position.game.parse(order.content).interrupts for order in mine)


def _read(position: arena.Position, seat: str, content: arena.Json) -> arena.Order:
    try:
        order = position.read(seat, content)
    except arena.Refusal as refusal:
        raise BadOrder(refusal.code, refusal.sentence) from None
    if seat not in position.due() and not order.interrupts:
        raise OutOfIt
    return order
