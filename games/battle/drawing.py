"""Boards as text, for battlefields, cases and scenes alike: one form to write and to read.

    +---+---+
    |(a)| a |
    +---+---+---+
        |###|(x)|
        +---+---+

A cell is three characters wide, and what they mean is the reader's affair. Only a hole is known
here: `###` is no tile, and says so where lines all around would make one. Columns are counted
from the leftmost cell drawn and rows from the topmost, holes included.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.grids import SQUARE_STEPS, Tile

EMPTY = "   "
HOLE = "###"
LINE = "---"

STRIDE = len(LINE) + 1
"""From one crossing to the next, in characters."""


class BadDrawing(ValueError):
    """A text that can't be read, and where: `line` and `column` count from 1."""

    def __init__(self, line: int, column: int, why: str) -> None:
        super().__init__(f"line {line}, column {column}: {why}")
        self.line = line
        self.column = column
        self.why = why


class Drawing(NamedTuple):
    """What was drawn, and where in the text its upper left crossing stands."""

    cells: dict[Tile, str]
    line: int
    column: int

    def bad(self, tile: Tile, why: str) -> BadDrawing:
        """A complaint about what is drawn in a tile."""
        x, y = tile
        return BadDrawing(self.line + 2 * y + 1, self.column + STRIDE * x + 1, why)


def read(text: str, first_line: int = 1) -> dict[Tile, str]:
    """What each tile holds, three characters each, row by row. Raises BadDrawing.

    `first_line` is the number of the text's first line, where it is part of a longer one.
    """
    return parse(text, first_line).cells


def parse(text: str, first_line: int = 1) -> Drawing:
    """As `read`, with the places, so that a reader can complain about what the tiles hold."""
    lines = [line.rstrip(" \r") for line in text.split("\n")]
    top = next((number for number, line in enumerate(lines) if line), None)
    if top is None:
        raise BadDrawing(first_line, 1, "nothing is drawn: draw at least one cell")
    strokes = _Strokes(first_line + top, _indent(lines[top]) % STRIDE)
    for row, line in enumerate(lines[top:]):
        strokes.add(row, line)
    return strokes.drawing()


def draw(cells: Mapping[Tile, str]) -> str:
    """The text that `read` reads as these cells, without spaces at the end of a line.

    Raises ValueError for what can't be drawn: no cells, tiles left of or above the origin,
    contents that are not three characters.
    """
    if not cells:
        raise ValueError("there is nothing to draw")
    for tile, content in cells.items():
        if min(tile) < 0 or not _is_content(content):
            raise ValueError(f"{content!r} can't be drawn at {tile}")
    shown = {**dict.fromkeys(_holes(cells), HOLE), **cells}
    width = max(x for x, _ in shown) + 1
    height = max(y for _, y in shown) + 1
    lines = [_border(shown, width, 0)]
    for y in range(height):
        lines += [_row(shown, width, y), _border(shown, width, y + 1)]
    return "\n".join(lines)


# --- Reading ------------------------------------------------------------------------------------

_SIDES: tuple[tuple[str, str, Tile], ...] = (
    ("at the top", "across", (0, 0)),
    ("on the right", "down", (1, 0)),
    ("at the bottom", "across", (0, 1)),
    ("on the left", "down", (0, 0)),
)
"""What closes a cell: in words, and which line it is, from the cell's upper left crossing."""

_CORNERS: tuple[Tile, ...] = ((0, 0), (1, 0), (0, 1), (1, 1))


@dataclass
class _Strokes:
    """The characters of a drawing, sorted by what they can be; then the cells that they make.

    All are counted in cells, from the first column in which a crossing can stand. A line across
    has the number of the cell below it, a line down that of the cell to its right.
    """

    line: int
    phase: int
    across: set[Tile] = field(default_factory=set)
    down: set[Tile] = field(default_factory=set)
    crossings: set[Tile] = field(default_factory=set)
    contents: dict[Tile, str] = field(default_factory=dict)

    def add(self, row: int, line: str) -> None:
        """Take in a line of text. Raises BadDrawing if its characters can't be sorted."""
        for column, character in enumerate(line):
            if not " " <= character <= "~":
                raise self._bad(row, column, _foreign(character))
        self._check_turn(row, line)
        margin = line[: self.phase]
        if margin.strip():
            raise self._bad(row, _indent(line), self._out_of_step(margin.strip()[0]))
        add = self._add_row if row % 2 else self._add_border
        for x, column in enumerate(range(self.phase, len(line), STRIDE)):
            add(row, column, (x, row // 2), line[column : column + STRIDE].ljust(STRIDE))

    def drawing(self) -> Drawing:
        """The cells. Raises BadDrawing at the first thing that is wrong."""
        closed = {cell for cell in self.across if len(self._open_sides(cell)) == 0}
        # Crossings last: those of an open cell are no mistake of their own.
        _raise_first(self._loose_ends(closed))
        _raise_first(self._wrong_crossings(closed))
        left = min(x for x, _ in closed)
        tiles = sorted(
            (cell for cell in closed if self.contents.get(cell) != HOLE), key=_reading_order
        )
        if not tiles:
            raise BadDrawing(self.line, 1, "nothing but holes is drawn: draw at least one tile")
        cells = {(x - left, y): self.contents.get((x, y), EMPTY) for x, y in tiles}
        return Drawing(cells, self.line, self.phase + STRIDE * left + 1)

    def _bad(self, row: int, column: int, why: str) -> BadDrawing:
        return BadDrawing(self.line + row, column + 1, why)

    def _check_turn(self, row: int, line: str) -> None:
        begin = line.lstrip()[:1]
        if row % 2 == 0 and begin == "|":
            raise self._bad(row, _indent(line), "a border such as +---+ belongs above these cells")
        if row % 2 == 1 and begin == "+":
            raise self._bad(row, _indent(line), "a row of cells such as |   | belongs above this")

    def _out_of_step(self, character: str) -> str:
        return (
            f"{character!r} is out of step with line {self.line}: "
            f"from one crossing or wall to the next it is {STRIDE} columns"
        )

    def _add_border(self, row: int, column: int, at: Tile, text: str) -> None:
        crossing, line = text[0], text[1:]
        if crossing not in "+ ":
            raise self._bad(row, column, self._out_of_step(crossing))
        if line not in (LINE, EMPTY):
            wrong = next(
                i for i, found in enumerate(line) if found != ("-" if "-" in line else " ")
            )
            raise self._bad(row, column + 1 + wrong, f"a border is {LINE} between two crossings")
        if crossing == "+":
            self.crossings.add(at)
        if line == LINE:
            self.across.add(at)

    def _add_row(self, row: int, column: int, at: Tile, text: str) -> None:
        wall, content = text[0], text[1:]
        if wall not in "| ":
            raise self._bad(row, column, self._out_of_step(wall))
        if wall == "|":
            self.down.add(at)
        if content != EMPTY:
            self.contents[at] = content

    def _open_sides(self, cell: Tile) -> list[str]:
        lines = {"across": self.across, "down": self.down}
        return [words for words, kind, step in _SIDES if _plus(cell, step) not in lines[kind]]

    def _loose_ends(self, closed: set[Tile]) -> Iterator[BadDrawing]:
        for x, y in self.across:
            yield from self._loose((x, y), (x, y - 1), closed, self._place(x, 2 * y, 1))
        for x, y in self.down:
            yield from self._loose((x, y), (x - 1, y), closed, self._place(x, 2 * y + 1, 0))
        for x, y in self.contents.keys() - closed:
            yield self._open((x, y), "this stands", self._place(x, 2 * y + 1, 1))

    def _wrong_crossings(self, closed: set[Tile]) -> Iterator[BadDrawing]:
        corners = {_plus(cell, step) for cell in closed for step in _CORNERS}
        for x, y in corners - self.crossings:
            yield BadDrawing(*self._place(x, 2 * y, 0), "the + at a corner of a cell is missing")
        for x, y in self.crossings - corners:
            yield BadDrawing(
                *self._place(x, 2 * y, 0), "this + is no corner of any cell: take it away"
            )

    def _loose(
        self, one: Tile, other: Tile, closed: set[Tile], place: tuple[int, int]
    ) -> Iterator[BadDrawing]:
        """A complaint about the line between two cells if neither of them is closed."""
        if closed.isdisjoint((one, other)):
            cell = min(one, other, key=lambda cell: len(self._open_sides(cell)))
            yield self._open(cell, "this line is", place)

    def _open(self, cell: Tile, what: str, place: tuple[int, int]) -> BadDrawing:
        """A complaint about a cell that is hardly one, or else about what is found there."""
        sides = self._open_sides(cell)
        if len(sides) >= len(_SIDES) - 1:
            why = f"{what} outside all cells: draw all four sides of a cell, or take it away"
            return BadDrawing(*place, why)
        x, y = cell
        why = f"a cell is drawn open {' and '.join(sides)}"
        hint = "cells are three characters wide, with lines all around"
        return BadDrawing(*self._place(x, 2 * y + 1, 1), f"{why}: {hint}")

    def _place(self, x: int, row: int, extra: int) -> tuple[int, int]:
        """Line and column of a character, counted from 1."""
        return (self.line + row, self.phase + STRIDE * x + extra + 1)


def _raise_first(complaints: Iterable[BadDrawing]) -> None:
    first = min(complaints, key=lambda bad: (bad.line, bad.column), default=None)
    if first is not None:
        raise first


def _plus(tile: Tile, step: Tile) -> Tile:
    return (tile[0] + step[0], tile[1] + step[1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _reading_order(tile: Tile) -> Tile:
    return (tile[1], tile[0])


def _foreign(character: str) -> str:
    if character == "\t":
        return "a tab, which is not equally wide everywhere: use spaces"
    return f"{character!r} can't be part of a drawing: use plain letters, digits and signs"


# --- Writing ------------------------------------------------------------------------------------


def _is_content(content: str) -> bool:
    printable = all(" " <= character <= "~" for character in content)
    return len(content) == len(EMPTY) and printable and content != HOLE


def _holes(cells: Mapping[Tile, str]) -> set[Tile]:
    """The holes to be drawn: those with lines all around, and one to count from if need be."""
    beside = {_plus(tile, step) for tile in cells for step in SQUARE_STEPS} - cells.keys()
    holes = {tile for tile in beside if all(_plus(tile, step) in cells for step in SQUARE_STEPS)}
    is_at_origin = not (min(x for x, _ in cells) or min(y for _, y in cells))
    return holes if is_at_origin else holes | {(0, 0)}


def _border(shown: Mapping[Tile, str], width: int, y: int) -> str:
    tiles = shown.keys()
    return "".join(
        (" " if tiles.isdisjoint(((x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1))) else "+")
        + (EMPTY if tiles.isdisjoint(((x, y), (x, y - 1))) else LINE)
        for x in range(width + 1)
    ).rstrip()


def _row(shown: Mapping[Tile, str], width: int, y: int) -> str:
    tiles = shown.keys()
    return "".join(
        (" " if tiles.isdisjoint(((x, y), (x - 1, y))) else "|") + shown.get((x, y), EMPTY)
        for x in range(width + 1)
    ).rstrip()
