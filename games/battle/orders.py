"""What a seat may want: to move one piece, to hold, to give up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from games.battle.board import Board
from games.battle.pieces import EMPEROR, Piece
from games.battle.state import State
from games.kit.codec import Json, JsonObject, is_whole
from games.kit.errors import Forbidden, Unreadable
from games.kit.grids import Tile, name
from games.kit.protocol import Seat


class Move(NamedTuple):
    """Send one piece to one tile."""

    piece: str
    to: Tile

    @property
    def interrupts(self) -> bool:
        return False

    def to_json(self) -> JsonObject:
        return {"piece": self.piece, "to": self.to}


@dataclass(frozen=True, slots=True)
class Hold:
    """Stay where you are: present, but moving nothing."""

    interrupts = False

    def to_json(self) -> JsonObject:
        return {"hold": True}


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up: forfeit when this turn is resolved, as after three absences."""

    interrupts = False

    def to_json(self) -> JsonObject:
        return {"resign": True}


Order: TypeAlias = Move | Hold | Resign

HOLD = Hold()
RESIGN = Resign()


def parse(data: Json) -> Order:
    """Read an order. Raises Unreadable."""
    match data:
        case {"piece": str(piece), "to": [int(x), int(y)], **rest} if not rest:
            if is_whole(x) and is_whole(y):
                return Move(piece, (x, y))
        case {"hold": True, **rest} if not rest:
            return HOLD
        case {"resign": True, **rest} if not rest:
            return RESIGN
    raise Unreadable(
        "not-an-order",
        'An order is {"piece": "a1", "to": [x, y]}, {"hold": true} or {"resign": true}.',
    )


def check(state: State, seat: Seat, order: Order) -> None:
    """Raises Forbidden unless the seat may give this order now."""
    if state.verdict is not None:
        raise Forbidden("over", "This battle is over.")
    if seat not in state.seats:
        raise Forbidden("no-such-seat", f"Nobody sits at {seat} in this battle.")
    if seat not in state.left():
        raise Forbidden("out", "You are out of this battle.")
    if isinstance(order, Move):
        check_move(state, seat, order)


def check_move(state: State, seat: Seat, move: Move) -> None:
    """Raises Forbidden, with the reason, unless the seat may make this move."""
    piece = next((piece for piece in state.pieces if piece.id == move.piece), None)
    if piece is None:
        raise Forbidden("no-such-piece", f"There is no piece {move.piece} on the board.")
    if piece.seat != seat:
        raise Forbidden("not-yours", f"{piece.id} does not obey you.")
    path = _straight_path(state.field.board, piece, move.to)
    if len(path) > (reach := state.xp(piece)):
        raise Forbidden(
            "too-far", f"{piece.id} reaches {reach} far, and {name(move.to)} is {len(path)} away."
        )
    _check_way(state, piece, path)


def _straight_path(board: Board, piece: Piece, to: Tile) -> tuple[Tile, ...]:
    if to not in board:
        raise Forbidden("off-board", f"[{to[0]}, {to[1]}] is no tile of this battlefield.")
    if to == piece.at:
        raise Forbidden("same-tile", f"{piece.id} stands on {name(to)} already; hold instead.")
    if to[0] != piece.at[0] and to[1] != piece.at[1]:
        raise Forbidden(
            "not-straight", f"{name(to)} is not in the row or column of {name(piece.at)}."
        )
    path = board.path(piece.at, to)
    if not path:
        raise Forbidden("hole", f"The board breaks between {name(piece.at)} and {name(to)}.")
    return path


def _check_way(state: State, piece: Piece, path: tuple[Tile, ...]) -> None:
    standing = {other.at: other for other in state.pieces}
    if state.options.rules.passage == "blocked":
        for tile in path[:-1]:
            if tile in standing:
                blocker = standing[tile].id
                raise Forbidden("blocked", f"{blocker} stands in the way on {name(tile)}.")
    target = standing.get(path[-1])
    if target is not None and target.seat == piece.seat:
        raise Forbidden("own-piece", f"Your own {target.id} stands on {name(path[-1])}.")


def moves(state: State, seat: Seat) -> list[Move]:
    """Every move that the seat may order, piece by piece, nearest tiles first."""
    standing = {piece.at: piece.seat for piece in state.pieces}
    rays = state.field.board.rays
    leaps = state.options.rules.passage == "open"
    emperors_reach = state.highest_xp(seat)
    found = []
    for piece in state.pieces:
        if piece.seat == seat:
            reach = emperors_reach if piece.kind == EMPEROR else piece.xp
            for ray in rays[piece.at]:
                for tile in _reached(ray[:reach], seat, standing, leaps):
                    found.append(Move(piece.id, tile))
    return found


def _reached(
    way: tuple[Tile, ...], seat: Seat, standing: Mapping[Tile, Seat | None], leaps: bool
) -> Iterator[Tile]:
    """The tiles of a way where a move may end."""
    for tile in way:
        if tile not in standing:
            yield tile
            continue
        if standing[tile] != seat:
            yield tile
        if not leaps:
            return
