"""Where somebody has to go for a goal to be met, and how far it is.

Goals that are not listed here are met by taking and by not being taken alone.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from games.battle.board import Board
from games.battle.pieces import EMPEROR, TREASURE, Piece
from games.battle.state import State
from games.kit.grids import Tile
from games.kit.protocol import Seat


class Errand(NamedTuple):
    """A seat that wants a piece of its own on a tile: any piece, or an emperor."""

    seat: Seat
    to: Tile
    emperors_only: bool

    def is_for(self, piece: Piece) -> bool:
        return piece.seat == self.seat and (piece.kind == EMPEROR or not self.emperors_only)


@lru_cache(maxsize=4096)
def distances(board: Board, start: Tile) -> Mapping[Tile, int]:
    """How many steps it is from a tile to every other."""
    found = {start: 0}
    ahead = [start]
    for tile in ahead:  # it grows while we go
        for line in board.rays[tile]:
            if line and line[0] not in found:
                found[line[0]] = found[tile] + 1
                ahead.append(line[0])
    return found


def errands(state: State) -> Iterator[Errand]:
    """The errands of all seats, for all goals that were announced."""
    for goal in state.options.goals:
        if goal.kind in _ERRANDS:
            yield from _ERRANDS[goal.kind](state)


def _to_target(state: State) -> Iterator[Errand]:
    return (Errand(seat, state.field.targets[seat], True) for seat in state.seats)


def _to_treasure(state: State) -> Iterator[Errand]:
    tiles = [item.at for item in state.items if item.kind == TREASURE]
    by_emperor = state.options.pickup == "emperor"
    return (Errand(seat, tile, by_emperor) for tile in tiles for seat in state.seats)


def _to_opposite(state: State) -> Iterator[Errand]:
    for piece in state.pieces:
        hunter = state.field.opposites.get(piece.seat or "")
        if piece.kind == EMPEROR and hunter in state.seats:
            yield Errand(hunter, piece.at, True)


_ERRANDS: Mapping[str, Callable[[State], Iterator[Errand]]] = MappingProxyType(
    {
        "opposite-square": _to_target,
        "treasure": _to_treasure,
        "emperor-strike": _to_opposite,
    }
)
