"""A drawing as those who draw it see it: the board, what it has, or where it is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import arena

TILE = 40
LINES_AROUND = 2
LONGEST = 20_000


@dataclass(frozen=True)
class Shape:
    """Something on the board, at the middle of its tile."""

    kind: str
    seat: str
    x: int
    y: int

    @property
    def letter(self) -> str:
        """What is written on it, for those who don't tell by colour."""
        return self.seat or {"treasure": "x"}.get(self.kind, "?")


@dataclass(frozen=True)
class Board:
    """What the picture consists of."""

    width: int
    height: int
    tiles: tuple[tuple[int, int, bool], ...]
    """Left, top, and whether it is of the darker kind."""
    shapes: tuple[Shape, ...]

    @property
    def tile(self) -> int:
        return TILE


@dataclass(frozen=True)
class Line:
    """A line of the drawing near a mistake; `caret` stands below the wrong column."""

    number: int
    text: str
    caret: str = ""


@dataclass(frozen=True)
class Mistake:
    """What is wrong, and where."""

    line: int
    column: int
    why: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Preview:
    """One of the two: a field that can be read, or a mistake."""

    name: str = ""
    idea: str = ""
    board: Board | None = None
    facts: tuple[tuple[str, str], ...] = ()
    mistake: Mistake | None = None


def preview(text: str) -> Preview:
    """What the drawing shows, or what is wrong with it."""
    text = text.replace("\r\n", "\n")
    if len(text) > LONGEST:
        return Preview(mistake=_mistake("", 1, 1, _("The drawing is too long.")))
    try:
        drawn = arena.read_battlefield(text)
    except arena.BadDrawing as bad:
        return Preview(mistake=_mistake(text, bad.line, bad.column, bad.why))
    return Preview(drawn.name, drawn.idea, _board(drawn), tuple(_facts(drawn)))


def _mistake(text: str, line: int, column: int, why: str) -> Mistake:
    lines = text.split("\n")
    first = max(1, line - LINES_AROUND)
    around = enumerate(lines[first - 1 : line + LINES_AROUND], start=first)
    shown = tuple(
        Line(number, content, " " * (column - 1) + "^" if number == line else "")
        for number, content in around
    )
    return Mistake(line, column, why[:1].upper() + why[1:], shown)


# --- The board --------------------------------------------------------------------------


def _board(drawn: arena.Battlefield) -> Board:
    tiles = tuple(drawn.board.tiles)
    return Board(
        width=TILE * (1 + max(x for x, _y in tiles)),
        height=TILE * (1 + max(y for _x, y in tiles)),
        tiles=tuple((TILE * x, TILE * y, (x + y) % 2 == 1) for x, y in tiles),
        shapes=tuple(_shapes(drawn)),
    )


def _shapes(drawn: arena.Battlefield) -> Iterator[Shape]:
    """Targets lie below items, and items below pieces."""
    for seat, at in drawn.targets.items():
        yield _shape("target", seat, at)
    for item in drawn.items:
        yield _shape(item.kind, item.seat, item.at)
    for piece in drawn.pieces:
        yield _shape(piece.kind, piece.seat, piece.at)


def _shape(kind: str, seat: str | None, at: tuple[int, int]) -> Shape:
    x, y = at
    return Shape(kind, seat or "", TILE * x + TILE // 2, TILE * y + TILE // 2)


# --- What it has ------------------------------------------------------------------------


def _facts(drawn: arena.Battlefield) -> Iterator[tuple[str, str]]:
    """What matters to whoever announces a tournament on it."""
    tiles, pawns = len(tuple(drawn.board.tiles)), len(drawn.pieces) - len(drawn.seats)
    yield _("Seats"), f"{len(drawn.seats)} ({', '.join(drawn.seats)})"
    yield _("Tiles"), str(tiles)
    yield _("Pawns"), str(pawns)
    yield _("Fair by its shape"), _fairness(drawn)
    yield _("Targets"), _whose(tuple(drawn.targets), drawn.seats)
    yield _("Opposites"), ", ".join(_pairs(drawn)) or _("none")
    yield _("Chests"), _chests(drawn)
    yield _("Treasure"), _("yes") if drawn.has_treasure else _("none")


def _fairness(drawn: arena.Battlefield) -> str:
    if arena.is_fair(drawn):
        return _("yes: every seat can be laid upon every other")
    return _("no: its shape does not treat all seats alike")


def _whose(having: tuple[str, ...], seats: tuple[str, ...]) -> str:
    if not having:
        return _("none")
    if set(having) == set(seats):
        return _("for every seat")
    return _("only for %(seats)s") % {"seats": ", ".join(sorted(having))}


def _pairs(drawn: arena.Battlefield) -> list[str]:
    return sorted({"-".join(sorted(pair)) for pair in drawn.opposites.items()})


def _chests(drawn: arena.Battlefield) -> str:
    chests = [item.seat for item in drawn.items if item.kind == "chest"]
    owned = tuple(seat for seat in chests if seat)
    loose = len(chests) - len(owned)
    told = [_whose(owned, drawn.seats)] if owned or not loose else []
    if loose:
        told.append(ngettext("%d of nobody's", "%d of nobody's", loose) % loose)
    return ", ".join(told)
