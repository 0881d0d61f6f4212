"""Where everything of a scene stands in a picture: what templates need to draw it as SVG.

The board in the browser (`static/js/board.js`) does the same sums; both know squares and
hexagons, and nothing of any game.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from tournaments import arena

UNIT = 64
# Of a hexagon that stands on its tip and is as wide as a square: its height, and the next row.
HEX_TALL = 74
HEX_ROW = 55
EDGE = 6
# Above and at the left, where the names of rows and columns stand.
MARGIN = 26
# As in static/css/tokens.css.
COLOURS: Mapping[str, str] = {
    "a": "#ad1f18",
    "b": "#2650c4",
    "c": "#efc53f",
    "d": "#16865c",
    "e": "#5c1a70",
    "f": "#8ccff3",
    "g": "#e07cae",
    "h": "#303238",
}
NOBODYS = "#8a8578"
GROUNDS = ("tile", "tile tile--other")


class Spot(NamedTuple):
    """A tile: its name, its middle, and its outline."""

    tile: str
    x: int
    y: int
    outline: str
    look: str


class Drawn(NamedTuple):
    """A piece or a mark, and where it stands."""

    id: str
    kind: str
    seat: str
    x: int
    y: int
    badge: str = ""

    @property
    def colour(self) -> str:
        """The colour of its seat, for a picture that can't see the page's own."""
        return COLOURS.get(self.seat, NOBODYS)


class Label(NamedTuple):
    """The letter of a column or the number of a row."""

    text: str
    x: int
    y: int


@dataclass(frozen=True)
class Drawing:
    """A scene with all its places worked out."""

    box: str
    width: int
    height: int
    spots: tuple[Spot, ...]
    marks: tuple[Drawn, ...]
    figures: tuple[Drawn, ...]
    labels: tuple[Label, ...]


def draw(scene: Mapping[str, Any]) -> Drawing:
    """Work out where everything stands."""
    is_hex = scene["grid"] == "hex"
    spots = tuple(_spot(cell, is_hex=is_hex) for cell in scene["cells"])
    places = {spot.tile: spot for spot in spots}
    left, top = min(spot.x for spot in spots), min(spot.y for spot in spots)
    right, bottom = max(spot.x for spot in spots), max(spot.y for spot in spots)
    room = HEX_TALL // 2
    left, top = left - room - MARGIN, top - room - MARGIN
    width, height = right + room + EDGE - left, bottom + room + EDGE - top
    return Drawing(
        box=f"{left} {top} {width} {height}",
        width=width,
        height=height,
        spots=spots,
        marks=_drawn(scene["marks"], places),
        figures=_drawn(scene["figures"], places),
        labels=() if is_hex else _labels(spots, left + 16, top + 24),
    )


def _spot(cell: Mapping[str, Any], *, is_hex: bool) -> Spot:
    x, y = cell["x"], cell["y"]
    if is_hex:
        middle = x * UNIT + y * UNIT // 2, y * HEX_ROW
        return Spot(cell["tile"], *middle, _hexagon(*middle), GROUNDS[(x - y) % 3 == 0])
    middle = x * UNIT, y * UNIT
    corner = f"M{middle[0] - UNIT // 2} {middle[1] - UNIT // 2}"
    outline = f"{corner}h{UNIT}v{UNIT}h-{UNIT}Z"
    return Spot(cell["tile"], *middle, outline, GROUNDS[(x + y) % 2])


def _hexagon(x: int, y: int) -> str:
    half, tip, side = UNIT // 2, HEX_TALL // 2, HEX_TALL // 4
    return (
        f"M{x} {y - tip}L{x + half} {y - side}V{y + side}"
        f"L{x} {y + tip}L{x - half} {y + side}V{y - side}Z"
    )


def _drawn(things: list[Mapping[str, Any]], places: Mapping[str, Spot]) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(
            each.get("id", ""),
            each["kind"],
            each["seat"] or "",
            places[each["tile"]].x,
            places[each["tile"]].y,
            each.get("badge", ""),
        )
        for each in things
        if each["tile"] in places
    )


def _labels(spots: tuple[Spot, ...], left: int, top: int) -> tuple[Label, ...]:
    """Letters above the columns and numbers beside the rows, where tiles are called so."""
    columns: dict[int, str] = {}
    rows: dict[int, str] = {}
    for spot in spots:
        parts = re.fullmatch(r"([A-Z]+)(\d+)", spot.tile)
        if parts:
            columns[spot.x], rows[spot.y] = parts[1], parts[2]
    return (
        *(Label(text, x, top) for x, text in columns.items()),
        *(Label(text, left, y + 5) for y, text in rows.items()),
    )


# --- Battlefields, before anybody fights on them --------------------------------------------


@lru_cache(maxsize=256)
def draw_field(text: str) -> Drawing:
    """A battlefield with everybody in place. Raises BadDrawing."""
    ground = arena.read_battlefield(text)
    start = arena.begin(
        game="battle", seats=ground.seats, options={"battlefield": text}, seed="drawing"
    )
    return draw(start.scene(None))
