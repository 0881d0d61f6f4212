"""Reads the case files of tests/rules/battle; tests/rules/README.md tells players the format.

Whatever is wrong with a file is said with its name, line and column.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from games.battle import drawing
from games.battle.battlefields import Battlefield
from games.battle.board import Board
from games.battle.drawing import BadDrawing, Drawing
from games.battle.orders import HOLD, RESIGN, Move, Order, parse
from games.battle.pieces import CHEST, EMPEROR, NOT_STORED, PAWN, TREASURE, Item, Piece
from games.battle.rules import RULES, Goal, Options, read_rules
from games.battle.state import State, Verdict
from games.kit.codec import loads
from games.kit.errors import BadOptions
from games.kit.grids import Tile, name, tile_named
from tests.games.battle.case_goals import check_goal, read_goal
from tests.games.battle.case_text import BadCase, CaseText

FOLDER = Path(__file__).parents[2] / "rules" / "battle"

NEUTRAL = "-"
NEUTRAL_ID = "n"
ABSENT = "absent"

_LISTS = ("emperor_takes_pawn",)
_RULES = tuple(option.name for option in RULES)
_KEYS = (
    "name", "story", *_RULES, "pickup", "goals", "turn_limit", "turn", "seats", "names", "under",
    "targets", "opposites", "absences", "forfeited", "over", "before", "orders", "after",
    "events", "winners",
)  # fmt: skip
_NEEDED = ("name", "story", "before", "orders", "events")


class Wish(NamedTuple):
    """A line of `orders`. `refused` is the code of the expected refusal, if one is."""

    line: int
    seat: str
    data: Any
    refused: str | None

    def read(self) -> Order:
        """The order. Raises Unreadable."""
        return self.data if isinstance(self.data, Order) else parse(self.data)


@dataclass(frozen=True)
class Case:
    """One file: a position, what was ordered, and what must come of it."""

    path: Path
    name: str
    story: str
    state: State
    wishes: tuple[Wish, ...]
    absent: tuple[str, ...]
    after: str | None
    events: tuple[str, ...]
    verdict: Verdict | None

    @property
    def number(self) -> int:
        return int(self.path.name.partition("-")[0])

    @cached_property
    def orders(self) -> dict[str, Order]:
        """What stands when the turn closes, in order of receipt: the last allowed order of each
        seat. Seats that say nothing hold, unless the case calls them absent.
        """
        orders: dict[str, Order] = {}
        for wish in self.wishes:
            if wish.refused is None:
                orders.pop(wish.seat, None)  # a replaced order counts from its replacement
                orders[wish.seat] = wish.read()
        for seat in self.state.left():
            if seat not in self.absent:
                orders.setdefault(seat, HOLD)
        return orders

    def contract(self) -> dict[str, Any]:
        """The same turn as a case of the contract for tools."""
        moves = [
            as_contract(seat, order)
            for seat, order in self.orders.items()
            if isinstance(order, Move)
        ]
        board = self.state.field.board
        width, height = (1 + max(tile[axis] for tile in board.tiles) for axis in (0, 1))
        rules = self.state.options.rules
        return {
            "rules": {key: listed(getattr(rules, key)) for key in _RULES},
            "tiles": [
                "".join("." if (x, y) in board else "#" for x in range(width))
                for y in range(height)
            ],
            "pieces": [{**piece._asdict(), "at": list(piece.at)} for piece in self.state.pieces],
            "orders": moves,
        }


def as_contract(seat: str, move: Move) -> dict[str, Any]:
    return {"seat": seat, "piece": move.piece, "to": list(move.to)}


def listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def paths(folder: Path = FOLDER) -> list[Path]:
    """All case files, in the order of their numbers."""
    return sorted(folder.rglob("*.txt"), key=lambda path: path.name)


def read(path: Path) -> Case:
    """The case in a file. Raises BadCase."""
    return read_text(path, path.read_text(encoding="utf-8"))


def read_text(path: Path, text: str) -> Case:
    try:
        return _Reader(path, text).case()
    except BadDrawing as bad:
        raise BadCase(path, bad.line, f"column {bad.column}: {bad.why}") from None


# --- Reading ------------------------------------------------------------------------------------


class _Mark(NamedTuple):
    """A piece that is drawn on a board."""

    at: Tile
    kind: str
    whose: str
    xp: int


class _Marks(NamedTuple):
    """What is drawn on a board."""

    pieces: list[_Mark]
    items: list[tuple[Tile, str, str]]
    targets: dict[str, Tile]


_CONTENT = re.compile(
    r"\((?P<emperor>[a-h-])\)"
    r"| (?P<pawn>[a-h-])(?P<xp>[ 2-9])"
    r"|(?P<veteran>[a-h-])(?P<high_xp>[1-9][0-9])"
    r"|(?P<treasure>\(x\))"
    r"|\[(?P<chest>[a-h?])\]"
    r"|>(?P<target>[a-h])<"
)

_WISH = re.compile(r"(?P<seat>[a-z]): +(?P<what>.+?)(?: +refused: *(?P<code>[a-z-]+))?")
_MOVE = re.compile(r"(?P<piece>[A-Z]+[0-9]+|[a-z][0-9]+)-(?P<to>[A-Z]+[0-9]+)")
_WINNERS = re.compile(r"(?P<winners>nobody|[a-h](, [a-h])*) \((?P<reason>[a-z-]+)\)")

_WORDS: Mapping[str, Any] = {"holds": HOLD, "resigns": RESIGN, ABSENT: ABSENT}


class _Reader:
    """Reads one file, entry by entry."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = CaseText(path, text, _KEYS, _NEEDED)

    def case(self) -> Case:
        board = self._drawing("before")
        assert board is not None
        marks = self._marks(board)
        wishes = tuple(self._wishes())
        seats = self._seats(marks, wishes)
        state = self._state(board, marks, seats)
        standing = {piece.at: piece.id for piece in state.pieces}
        if "after" not in self.text and not all(wish.refused for wish in wishes):
            raise self.text.bad("orders", "after: is missing, and not all orders are refused")
        return Case(
            path=self.path,
            name=self.text.value("name"),
            story=" ".join([self.text.value("story"), *self.text.lines("story")]).strip(),
            state=state,
            wishes=tuple(_by_id(wish, standing) for wish in wishes if wish.data != ABSENT),
            absent=tuple(wish.seat for wish in wishes if wish.data == ABSENT),
            after=self._after(),
            events=tuple(self.text.lines("events")),
            verdict=self._verdict(),
        )

    # Boards

    def _drawing(self, key: str) -> Drawing | None:
        if key not in self.text:
            return None
        entry = self.text.entries[key]
        return drawing.parse("\n".join(entry.body), first_line=entry.line + 1)

    def _marks(self, board: Drawing) -> _Marks:
        marks = _Marks([], [], {})
        for tile, content in board.cells.items():
            if content != drawing.EMPTY:
                self._add_mark(marks, tile, content, board.bad)
        for tile, content in self.text.pairs("under", tile_named, str):
            self._add_mark(marks, tile, content, lambda _, why: self.text.bad("under", why))
        return marks

    def _add_mark(self, marks: _Marks, tile: Tile, content: str, complain: Callable) -> None:
        found = _CONTENT.fullmatch(content)
        if not found:
            raise complain(tile, f"{content!r} is nothing that can stand or lie on a tile")
        if found["emperor"]:
            marks.pieces.append(_Mark(tile, EMPEROR, found["emperor"], NOT_STORED))
        elif found["pawn"] or found["veteran"]:
            xp = int((found["xp"] or found["high_xp"]).strip() or 1)
            marks.pieces.append(_Mark(tile, PAWN, found["pawn"] or found["veteran"], xp))
        elif found["target"]:
            marks.targets[found["target"]] = tile
        else:
            marks.items.append((tile, CHEST if found["chest"] else TREASURE, found["chest"] or "?"))

    def _after(self) -> str | None:
        board = self._drawing("after")
        if board is None:
            return None
        self._marks(board)
        empty = {
            tile: drawing.EMPTY if content.startswith(">") else content
            for tile, content in board.cells.items()
        }
        return drawing.draw(empty)

    # The position

    def _seats(self, marks: _Marks, wishes: tuple[Wish, ...]) -> tuple[str, ...]:
        """All that are named or seen; those who are refused a seat have none."""
        seen = {mark.whose for mark in marks.pieces} | set(self.text.items("seats"))
        seen |= {wish.seat for wish in wishes if wish.refused != "no-such-seat"}
        return tuple(sorted(seen - {NEUTRAL}))

    def _pieces(self, marks: _Marks, seats: tuple[str, ...]) -> tuple[Piece, ...]:
        """Seat by seat the emperor, then the pawns row by row, as on a battlefield."""
        names = dict(self.text.pairs("names", tile_named, str))
        armies = (self._army(marks, seat, names) for seat in (*seats, NEUTRAL))
        pieces = [piece for army in armies for piece in army]
        self._check_ids(pieces)
        for tile in names.keys() - {piece.at for piece in pieces}:
            raise self.text.bad("names", f"nobody stands on {name(tile)}")
        return tuple(pieces)

    def _army(self, marks: _Marks, seat: str, names: Mapping[Tile, str]) -> Iterator[Piece]:
        own = [mark for mark in marks.pieces if mark.whose == seat]
        emperors = [mark for mark in own if mark.kind == EMPEROR]
        pawns = [mark for mark in own if mark.kind == PAWN]
        unnamed = [mark.at for mark in emperors if mark.at not in names]
        if len(unnamed) > 1:
            raise self.text.bad(
                "before",
                f"seat {seat} has {len(unnamed)} emperors: name those that were another's, "
                f"as in names: {name(unnamed[1])} b0",
            )
        letter, owner = (NEUTRAL_ID, None) if seat == NEUTRAL else (seat, seat)
        ids = {mark.at: f"{letter}{number}" for number, mark in enumerate(pawns, start=1)}
        ids |= dict.fromkeys(unnamed, f"{letter}0") | names
        for mark in (*emperors, *pawns):
            yield Piece(ids[mark.at], owner, mark.kind, mark.xp, mark.at)

    def _check_ids(self, pieces: list[Piece]) -> None:
        ids = [piece.id for piece in pieces]
        for one in ids:
            if ids.count(one) > 1:
                raise self.text.bad("before", f"two pieces are called {one}: change one by names:")

    def _state(self, board: Drawing, marks: _Marks, seats: tuple[str, ...]) -> State:
        pieces = self._pieces(marks, seats)
        counted = dict(self.text.pairs("absences", str, int))
        won = tuple(self.text.items("over"))
        return State(
            options=self._options(self._field(board, marks, seats, pieces)),
            seats=seats,
            pieces=pieces,
            items=tuple(_numbered(marks.items)),
            turn=self.text.number("turn", 1) - 1,
            absences=tuple(counted.get(seat, 0) for seat in seats) if counted else (),
            forfeited=tuple(self.text.items("forfeited")),
            verdict=Verdict(won, "last-emperor") if won else None,
        )

    def _field(
        self, board: Drawing, marks: _Marks, seats: tuple[str, ...], pieces: tuple[Piece, ...]
    ) -> Battlefield:
        """Where this battle might have begun: as it stands now, every seat with its emperor."""
        tiles = Board(board.cells)
        began = [Piece(f"{seat}0", seat, EMPEROR, NOT_STORED, tiles.tiles[0]) for seat in seats]
        return Battlefield(
            name="",
            idea="",
            text="",
            board=tiles,
            seats=seats,
            pieces=(*began, *(piece for piece in pieces if piece.kind == PAWN)),
            items=tuple(_numbered(marks.items)),
            targets=MappingProxyType(
                marks.targets | dict(self.text.pairs("targets", str, tile_named))
            ),
            opposites=MappingProxyType(dict(self._opposites())),
        )

    def _opposites(self) -> Iterator[tuple[str, str]]:
        for pair in self.text.items("opposites"):
            one, dash, other = pair.partition("-")
            if not (one and dash and other):
                raise self.text.bad("opposites", f"{pair!r} is no pair such as a-c")
            yield from ((one, other), (other, one))

    def _options(self, field: Battlefield) -> Options:
        given = {
            key: self.text.items(key) if key in _LISTS else self.text.value(key)
            for key in _RULES
            if key in self.text
        }
        try:
            rules = read_rules(given)
        except BadOptions as bad:
            raise self.text.bad(bad.option, str(bad)) from None
        pickup = self.text.value("pickup", "any")
        if pickup not in ("any", "emperor"):
            raise self.text.bad("pickup", f"{pickup!r} is neither any nor emperor")
        limit = self.text.number("turn_limit", 200)
        goals = tuple(self._goal(text, field, limit) for text in self.text.items("goals"))
        return Options({}, field, rules, pickup, goals, limit)

    def _goal(self, text: str, field: Battlefield, limit: int) -> Goal:
        try:
            goal = read_goal(text)
            check_goal(goal, field, limit)
        except ValueError as bad:
            raise self.text.bad("goals", str(bad)) from None
        return goal

    # Orders and outcome

    def _wishes(self) -> Iterator[Wish]:
        for line, text in self.text.rows("orders"):
            found = _WISH.fullmatch(text)
            if not found:
                raise BadCase(self.path, line, f"{text!r} is no order such as a: C5-C2")
            yield Wish(line, found["seat"], self._data(line, found["what"]), found["code"])

    def _data(self, line: int, what: str) -> Any:
        if what in _WORDS:
            return _WORDS[what]
        found = _MOVE.fullmatch(what)
        try:
            return Move(found["piece"], tile_named(found["to"])) if found else loads(what)
        except ValueError:
            raise BadCase(
                self.path, line, f"{what!r} is no order: write C5-C2, holds, resigns or absent"
            ) from None

    def _verdict(self) -> Verdict | None:
        if "winners" not in self.text:
            return None
        found = _WINNERS.fullmatch(self.text.value("winners"))
        if not found:
            raise self.text.bad("winners", "write winners: a, b (reason), or nobody (reason)")
        none = found["winners"] == "nobody"
        return Verdict(() if none else tuple(found["winners"].split(", ")), found["reason"])


def _by_id(wish: Wish, standing: Mapping[Tile, str]) -> Wish:
    """An order by tiles as one by the piece that stands there; nobody there has a piece's name."""
    if isinstance(wish.data, Move) and wish.data.piece[0].isupper():
        piece = standing.get(tile_named(wish.data.piece), wish.data.piece)
        return wish._replace(data=Move(piece, wish.data.to))
    return wish


def _numbered(items: list[tuple[Tile, str, str]]) -> Iterator[Item]:
    anybodys = 0
    for at, kind, whose in sorted(items, key=lambda item: (item[0][1], item[0][0])):
        if kind == TREASURE:
            yield Item(TREASURE, TREASURE, None, at)
        elif whose == "?":
            anybodys += 1
            yield Item(f"{CHEST}-{anybodys}", CHEST, None, at)
        else:
            yield Item(f"{CHEST}-{whose}", CHEST, whose, at)
