"""A battlefield, and how it is read from its text."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from games.battle.board import Board
from games.battle.drawing import EMPTY, BadDrawing, Drawing, parse
from games.battle.pieces import CHEST, EMPEROR, NOT_STORED, PAWN, TREASURE, Item, Piece
from games.kit.grids import SQUARE_STEPS, Tile
from games.kit.protocol import Seat

SEATS = "abcdefgh"
FEWEST_SEATS = 2
WIDEST = 26
"""The most columns, and the most rows: a tile's name has one letter."""

TARGET = "target"
ANYBODY = "?"


@dataclass(frozen=True, eq=False)
class Battlefield:
    """Where a battle begins. Never changes; two readings of one text are one and the same."""

    name: str
    idea: str
    text: str
    board: Board
    seats: tuple[Seat, ...]
    pieces: tuple[Piece, ...]
    items: tuple[Item, ...]
    targets: Mapping[Seat, Tile]
    """Where a seat's emperor has to go: its own target, or else where its opposite began."""
    opposites: Mapping[Seat, Seat]

    @cached_property
    def emperors(self) -> Mapping[Seat, str]:
        """The id of the emperor with whom each seat begins."""
        return {
            piece.seat: piece.id
            for piece in self.pieces
            if piece.kind == EMPEROR and piece.seat is not None
        }

    @property
    def has_treasure(self) -> bool:
        return any(item.kind == TREASURE for item in self.items)


@lru_cache(maxsize=256)
def read(text: str) -> Battlefield:
    """The battlefield that the text describes. Raises BadDrawing, which says where it is wrong."""
    head = _read_head(text)
    drawing = _read_drawing(text, head)
    marks = _read_marks(drawing)
    seats = _check_seats(drawing, marks)
    opposites = _read_opposites(head.get("opposites"), seats)
    return Battlefield(
        name=head["name"].value,
        idea=head["idea"].value,
        text=text,
        board=Board(drawing.cells),
        seats=seats,
        pieces=_pieces(marks, seats),
        items=_items(marks),
        targets=_targets(marks, seats, opposites),
        opposites=opposites,
    )


# --- The head -----------------------------------------------------------------------------------

_NEEDED = ("name", "idea")
_KEYS = (*_NEEDED, "opposites")


class _Entry(NamedTuple):
    """A line of the head, and where its value stands."""

    value: str
    line: int
    column: int

    def bad(self, offset: int, why: str) -> BadDrawing:
        return BadDrawing(self.line, self.column + offset, why)


_Head = dict[str, _Entry]


def _read_head(text: str) -> _Head:
    head: _Head = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            break
        _add_entry(head, number, line.rstrip())
    for key in _NEEDED:
        if key not in head:
            raise BadDrawing(
                1, 1, f"the {key} is missing: begin with a line such as {key}: something"
            )
    return head


def _add_entry(head: _Head, number: int, line: str) -> None:
    key, colon, rest = line.partition(":")
    value = rest.strip()
    if not colon:
        raise BadDrawing(
            number, 1, "this is no line of the head: write key: value, and leave a line empty "
            "before the drawing"
        )  # fmt: skip
    if key not in _KEYS:
        raise BadDrawing(number, 1, f"{key!r} is unknown here; there are {', '.join(_KEYS)}")
    if key in head:
        raise BadDrawing(number, 1, f"the {key} is given twice")
    if not value or not value.isprintable():
        raise BadDrawing(number, len(key) + 2, f"the {key} must be a text that can be read")
    head[key] = _Entry(value, number, line.index(value, len(key)) + 1)


def _read_opposites(entry: _Entry | None, seats: Collection[Seat]) -> Mapping[Seat, Seat]:
    """Who faces whom, both ways."""
    found: dict[Seat, Seat] = {}
    if entry is not None:
        offset = 0
        for part in entry.value.split(","):
            indent = len(part) - len(part.lstrip())
            try:
                found |= _read_pair(part.strip(), seats, found)
            except ValueError as bad:
                raise entry.bad(offset + indent, str(bad)) from None
            offset += len(part) + 1
    return MappingProxyType(found)


def _read_pair(text: str, seats: Collection[Seat], taken: Collection[Seat]) -> Mapping[Seat, Seat]:
    one, dash, other = text.partition("-")
    if not (one and dash and other):
        raise ValueError("write opposites in pairs: a-c, b-d")
    for seat in (one, other):
        if seat not in seats:
            raise ValueError(f"there is no seat {seat!r} on this field")
        if seat in taken:
            raise ValueError(f"seat {seat} has two opposites")
    if one == other:
        raise ValueError(f"seat {one} can't be its own opposite")
    return {one: other, other: one}


# --- The drawing --------------------------------------------------------------------------------


def _read_drawing(text: str, head: _Head) -> Drawing:
    lines = text.split("\n")
    drawing = parse("\n".join(lines[len(head) :]), first_line=len(head) + 1)
    for tile in drawing.cells:
        if max(tile) >= WIDEST:
            raise drawing.bad(tile, f"the field is larger than {WIDEST} columns and {WIDEST} rows")
    first = next(iter(drawing.cells))
    apart = drawing.cells.keys() - _connected(first, drawing.cells)
    if apart:
        raise drawing.bad(_first(apart), "no way leads here from the rest of the field")
    return drawing


def _connected(start: Tile, tiles: Collection[Tile]) -> set[Tile]:
    """All tiles that can be walked to."""
    found = {start}
    ahead = [start]
    while ahead:
        x, y = ahead.pop()
        beside = {(x + dx, y + dy) for dx, dy in SQUARE_STEPS if (x + dx, y + dy) in tiles} - found
        found |= beside
        ahead.extend(beside)
    return found


def _first(tiles: Iterable[Tile]) -> Tile:
    """The first of some tiles, row by row."""
    return min(tiles, key=lambda tile: (tile[1], tile[0]))


class _Mark(NamedTuple):
    """Something drawn in a tile. `whose` is a seat, or `ANYBODY`."""

    kind: str
    whose: str
    at: Tile


_CONTENTS: Mapping[str, re.Pattern[str]] = {
    EMPEROR: re.compile(rf"\(([{SEATS}])\)"),
    PAWN: re.compile(rf" ([{SEATS}]) "),
    TREASURE: re.compile(r"\((x)\)"),
    CHEST: re.compile(rf"\[([{SEATS}{ANYBODY}])\]"),
    TARGET: re.compile(rf">([{SEATS}])<"),
}


def _read_marks(drawing: Drawing) -> tuple[_Mark, ...]:
    """What the tiles hold, row by row."""
    return tuple(
        _read_mark(drawing, tile, content)
        for tile, content in drawing.cells.items()
        if content != EMPTY
    )


def _read_mark(drawing: Drawing, tile: Tile, content: str) -> _Mark:
    for kind, pattern in _CONTENTS.items():
        match = pattern.fullmatch(content)
        if match:
            return _Mark(kind, match[1], tile)
    raise drawing.bad(
        tile,
        f"{content!r} is unknown here; there are (a) emperor, ' a ' pawn, >a< target and [a] chest "
        "of a seat from a to h, [?] chest of nobody's, (x) treasure and ### hole",
    )


def _check_seats(drawing: Drawing, marks: tuple[_Mark, ...]) -> tuple[Seat, ...]:
    """The seats, all of them as they should be."""
    _refuse_doubles(drawing, marks)
    emperors = {mark.whose: mark for mark in marks if mark.kind == EMPEROR}
    pawns = {mark.whose for mark in marks if mark.kind == PAWN}
    seats = tuple(SEATS[: max(FEWEST_SEATS, len(emperors))])
    _refuse(drawing, marks, lambda mark: mark.whose in SEATS and mark.whose not in emperors,
            "seat {} has no emperor")  # fmt: skip
    _refuse(drawing, marks, lambda mark: mark.whose in SEATS and mark.whose not in seats,
            "seat {} comes after a gap: letter the seats from a on, without one")  # fmt: skip
    _refuse(drawing, marks, lambda mark: mark.kind == EMPEROR and mark.whose not in pawns,
            "seat {} has no pawn")  # fmt: skip
    if len(emperors) < FEWEST_SEATS:
        raise drawing.bad(_first(drawing.cells), "a battle needs at least the seats a and b")
    return seats


def _refuse(
    drawing: Drawing, marks: tuple[_Mark, ...], is_wrong: Callable[[_Mark], bool], why: str
) -> None:
    for mark in marks:
        if is_wrong(mark):
            raise drawing.bad(mark.at, why.format(mark.whose))


def _refuse_doubles(drawing: Drawing, marks: tuple[_Mark, ...]) -> None:
    seen: set[tuple[str, str]] = set()
    for mark in marks:
        if (mark.kind, mark.whose) in seen:
            whose = f" of seat {mark.whose}" if mark.whose in SEATS else ""
            raise drawing.bad(mark.at, f"this is the second {mark.kind}{whose}: there can be one")
        if mark.kind != PAWN and mark.whose != ANYBODY:
            seen.add((mark.kind, mark.whose))


# --- What is on it ------------------------------------------------------------------------------


def _pieces(marks: tuple[_Mark, ...], seats: tuple[Seat, ...]) -> tuple[Piece, ...]:
    """Seat by seat the emperor, then the pawns as they stand, row by row."""
    return tuple(piece for seat in seats for piece in _army(marks, seat))


def _army(marks: tuple[_Mark, ...], seat: Seat) -> Iterable[Piece]:
    own = [mark for mark in marks if mark.whose == seat]
    for mark in own:
        if mark.kind == EMPEROR:
            yield Piece(f"{seat}0", seat, EMPEROR, NOT_STORED, mark.at)
    pawns = (mark for mark in own if mark.kind == PAWN)
    for number, mark in enumerate(pawns, start=1):
        yield Piece(f"{seat}{number}", seat, PAWN, 1, mark.at)


def _items(marks: tuple[_Mark, ...]) -> tuple[Item, ...]:
    """Treasure and chests as they lie, row by row; chests of nobody's are numbered."""
    items: list[Item] = []
    for mark in marks:
        if mark.kind == TREASURE:
            items.append(Item(TREASURE, TREASURE, None, mark.at))
        elif mark.kind == CHEST and mark.whose == ANYBODY:
            number = 1 + sum(item.kind == CHEST and item.seat is None for item in items)
            items.append(Item(f"{CHEST}-{number}", CHEST, None, mark.at))
        elif mark.kind == CHEST:
            items.append(Item(f"{CHEST}-{mark.whose}", CHEST, mark.whose, mark.at))
    return tuple(items)


def _targets(
    marks: tuple[_Mark, ...], seats: tuple[Seat, ...], opposites: Mapping[Seat, Seat]
) -> Mapping[Seat, Tile]:
    own = {mark.whose: mark.at for mark in marks if mark.kind == TARGET}
    homes = {mark.whose: mark.at for mark in marks if mark.kind == EMPEROR}
    facing = {seat: homes[opposite] for seat, opposite in opposites.items()}
    both = facing | own
    return MappingProxyType({seat: both[seat] for seat in seats if seat in both})
