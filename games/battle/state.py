"""A battle between two turns: frozen, whole, and the same bytes wherever it is written."""

from dataclasses import dataclass
from typing import NamedTuple

from games.battle.battlefields import Battlefield
from games.battle.pieces import EMPEROR, PAWN, Item, Piece
from games.battle.rules import Options
from games.kit.protocol import Seat


class Loss(NamedTuple):
    """An emperor who was taken: in which turn, from which seat, by which seat and piece."""

    turn: int
    emperor: str
    loser: Seat | None
    taker: Seat
    by: str


class Find(NamedTuple):
    """An item that was picked up: in which turn, by which seat and piece."""

    turn: int
    item: str
    seat: Seat
    by: str


class Verdict(NamedTuple):
    """How it ended. No winner is a draw; `reason` is a goal, `turn-limit` or `nobody-left`."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class State:
    """Everything there is to know of a battle. Orders are not in it, so it holds no secret.

    The order of `pieces` matters to one rule (the toll); it never changes during a battle.
    """

    options: Options
    seats: tuple[Seat, ...]
    pieces: tuple[Piece, ...]
    items: tuple[Item, ...] = ()
    turn: int = 0
    """How many turns have been played; the first is turn 1."""
    absences: tuple[int, ...] = ()
    """Deadlines missed in a row, seat by seat; empty while nobody has missed one."""
    forfeited: tuple[Seat, ...] = ()
    losses: tuple[Loss, ...] = ()
    finds: tuple[Find, ...] = ()
    verdict: Verdict | None = None

    @property
    def field(self) -> Battlefield:
        return self.options.battlefield

    def xp(self, piece: Piece) -> int:
        """How far a piece reaches: its own xp, or the highest of its seat's pawns."""
        return piece.xp if piece.kind == PAWN else self.highest_xp(piece.seat)

    def highest_xp(self, seat: Seat | None) -> int:
        """The highest xp among a seat's pawns, 1 if it has none."""
        return highest_xp(self.pieces, seat)

    def left(self) -> tuple[Seat, ...]:
        """The seats that still have a piece to order and have not given up."""
        holders = {piece.seat for piece in self.pieces}
        return tuple(seat for seat in self.seats if seat in holders and seat not in self.forfeited)

    def is_contested(self) -> bool:
        """Whether any seat is left: `left` without counting them, for every turn asks."""
        return any(
            piece.seat is not None and piece.seat not in self.forfeited for piece in self.pieces
        )

    def own_emperor(self, seat: Seat) -> Piece | None:
        """The emperor who began in this seat, if he stands and still obeys it."""
        own = self.field.emperors.get(seat)
        return next(
            (p for p in self.pieces if p.id == own and p.seat == seat and p.kind == EMPEROR), None
        )

    def with_emperor(self) -> tuple[Seat, ...]:
        """The seats that control an emperor, their own or another's."""
        holders = {piece.seat for piece in self.pieces if piece.kind == EMPEROR}
        return tuple(seat for seat in self.seats if seat in holders)


def highest_xp(pieces: tuple[Piece, ...], seat: Seat | None) -> int:
    """The highest xp among a seat's pawns, 1 if it has none."""
    return max(
        (piece.xp for piece in pieces if piece.seat == seat and piece.kind == PAWN), default=1
    )
