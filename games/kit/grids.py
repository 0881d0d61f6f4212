"""Boards of squares and of hexagons: tiles, their neighbours, their names and their pictures.

A tile is always a pair of whole numbers `(x, y)`. On squares x goes to the right and y down.
On hexagons both are axial: the six neighbours of a tile are one step of `HEX_STEPS` away.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

Tile: TypeAlias = tuple[int, int]
Step: TypeAlias = tuple[int, int]

SQUARE_STEPS: tuple[Step, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Up, right, down, left."""

HEX_STEPS: tuple[Step, ...] = ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0))


class Rays(dict[Tile, tuple[tuple[Tile, ...], ...]]):
    """For each tile and each direction the tiles that lie that way, nearest first.

    A ray ends before the first place that is no tile. Each is worked out when it is first asked
    for: of a large board a turn needs little.
    """

    def __init__(self, tiles: Iterable[Tile], steps: tuple[Step, ...]) -> None:
        super().__init__()
        # One object a tile, wherever it is met: dictionaries find it faster.
        self.tiles = {tile: tile for tile in tiles}
        self._steps = steps

    def __missing__(self, tile: Tile) -> tuple[tuple[Tile, ...], ...]:
        if tile not in self.tiles:
            raise KeyError(tile)
        found = self[tile] = tuple(self._ray(tile, step) for step in self._steps)
        return found

    def _ray(self, start: Tile, step: Step) -> tuple[Tile, ...]:
        found = []
        x, y = start
        while (tile := self.tiles.get((x + step[0], y + step[1]))) is not None:
            found.append(tile)
            x, y = tile
        return tuple(found)


def name(tile: Tile) -> str:
    """The tile as people say it: a letter for x, then y counted from 1. `(2, 0)` is C1.

    Raises ValueError left of or above the origin: such tiles need names of the game's own.
    """
    x, y = tile
    if x < 0 or y < 0:
        raise ValueError(f"{tile} has no name")
    letters = ""
    x += 1
    while x:
        x, letter = divmod(x - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{y + 1}"


def tile_named(text: str) -> Tile:
    """The tile that `name` calls so. Raises ValueError for what is no name of a tile."""
    found = re.fullmatch("([A-Z]+)([1-9][0-9]*)", text)
    if not found:
        raise ValueError(f"{text!r} is no tile: write a letter and a number, such as C3")
    x = 0
    letters, number = found.groups()
    for letter in letters:
        x = x * 26 + ord(letter) - ord("A") + 1
    return (x - 1, int(number) - 1)


def hex_distance(one: Tile, other: Tile) -> int:
    """How many steps lie between two hexagons."""
    dx, dy = one[0] - other[0], one[1] - other[1]
    return max(abs(dx), abs(dy), abs(dx + dy))


Symmetry: TypeAlias = Callable[[Tile], Tile]

SQUARE_SYMMETRIES: Mapping[str, Symmetry] = MappingProxyType(
    {
        "as it is": lambda tile: tile,
        "turned once": lambda tile: (-tile[1], tile[0]),
        "turned twice": lambda tile: (-tile[0], -tile[1]),
        "turned three times": lambda tile: (tile[1], -tile[0]),
        "mirrored left to right": lambda tile: (-tile[0], tile[1]),
        "mirrored top to bottom": lambda tile: (tile[0], -tile[1]),
        "mirrored along one diagonal": lambda tile: (tile[1], tile[0]),
        "mirrored along the other": lambda tile: (-tile[1], -tile[0]),
    }
)
"""The eight ways in which a board of squares can be laid on itself, around the origin."""
