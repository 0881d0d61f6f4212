"""Whether a battlefield favours a seat, as far as its shape can tell.

The rules know straight lines of tiles and nothing else: not where north is, nor whether a road
turns left or right. So whatever maps lines onto lines is a symmetry of the game, even where the
drawing looks crooked. If such symmetries carry every seat to every other, no seat is better than
another; that can be had for three, five or seven seats as well as for four.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from games.battle.battlefields.field import TARGET, Battlefield
from games.battle.board import DOWN, LEFT, RIGHT, UP
from games.battle.pieces import EMPEROR, Item, Piece
from games.kit.grids import Tile
from games.kit.protocol import Seat

_Colours: TypeAlias = Mapping[Tile, int]
_Ties: TypeAlias = Mapping[Tile, list[tuple[str, Tile]]]

_NOWHERE = -1
"""The colour of what lies beyond the end of a line."""


def is_fair(field: Battlefield) -> bool:
    """Whether symmetries of the field carry its first seat to each of the others."""
    first, *others = field.seats
    return all(symmetry(field, first, other) is not None for other in others)


def symmetry(field: Battlefield, one: Seat, other: Seat) -> Mapping[Tile, Tile] | None:
    """Where each tile goes if the field is laid on itself so that `one` comes to lie on `other`.

    Lines fall on lines, seats on seats with all that is theirs, items on items, targets on
    targets, opposites on opposites. None if there is no way to do so.
    """
    homes = _homes(field)
    plain = dict.fromkeys(field.board.tiles, 0)
    search = _Search(field, _ties(field, homes))
    return search.match({**plain, homes[one]: 1}, {**plain, homes[other]: 1})


def _homes(field: Battlefield) -> dict[Seat, Tile]:
    return {piece.seat: piece.at for piece in field.pieces if piece.seat and piece.kind == EMPEROR}


def _ties(field: Battlefield, homes: Mapping[Seat, Tile]) -> _Ties:
    """For each tile what is on it, tied to the home of the seat that it belongs to."""
    ties = defaultdict(list)
    things: tuple[Piece | Item, ...] = (*field.pieces, *field.items)
    for thing in things:
        home = thing.at if thing.seat is None else homes[thing.seat]
        ties[thing.at].append((f"{thing.kind} of {'a seat' if thing.seat else 'nobody'}", home))
    for seat, tile in field.targets.items():
        ties[tile].append((TARGET, homes[seat]))
    for seat, opposite in field.opposites.items():
        ties[homes[seat]].append(("opposite", homes[opposite]))
    return ties


@dataclass(frozen=True)
class _Search:
    """Looks for a symmetry by colours: tiles of unlike colours can't be laid on each other.

    Two copies of the field are coloured at once, from what is known to fall on what. A tile
    that sees other colours around it than its likes do gets a colour of its own, and so on.
    """

    field: Battlefield
    ties: _Ties

    def match(self, ones: _Colours, others: _Colours) -> Mapping[Tile, Tile] | None:
        """A symmetry that keeps the colours, if there is any."""
        ones, others = self._refine(ones, others)
        sizes = Counter(ones.values())
        if sizes != Counter(others.values()):
            return None
        undecided = next((tile for tile, colour in ones.items() if sizes[colour] > 1), None)
        if undecided is None:
            found = {colour: tile for tile, colour in others.items()}
            return {tile: found[colour] for tile, colour in ones.items()}
        return self._try_each(undecided, ones, others)

    def _try_each(self, tile: Tile, ones: _Colours, others: _Colours) -> Mapping[Tile, Tile] | None:
        new = len(ones)
        likes = [like for like, colour in others.items() if colour == ones[tile]]
        tries = (self.match({**ones, tile: new}, {**others, like: new}) for like in likes)
        return next((match for match in tries if match is not None), None)

    def _refine(self, ones: _Colours, others: _Colours) -> tuple[_Colours, _Colours]:
        """Tell apart all tiles that can be told apart by what they see."""
        count = 0
        while True:
            numbers: dict[object, int] = {}
            ones, others = (
                {tile: numbers.setdefault(self._sight(tile, of), len(numbers)) for tile in of}
                for of in (ones, others)
            )
            if len(numbers) == count:
                return ones, others
            count = len(numbers)

    def _sight(self, tile: Tile, colours: _Colours) -> object:
        """What a tile sees: no line before another, and no end of a line before the other."""
        rays = self.field.board.rays[tile]
        near = [colours[ray[0]] if ray else _NOWHERE for ray in rays]
        down, right = sorted((near[UP], near[DOWN])), sorted((near[LEFT], near[RIGHT]))
        lines = sorted((tuple(down), tuple(right)))
        ties = sorted((label, colours[home]) for label, home in self.ties.get(tile, ()))
        return (colours[tile], tuple(lines), tuple(ties))
