"""How to draw a view, for every game alike: one board component shows them all.

A scene speaks in codes (`emperor`, `treasure`), which the site has pictures and words for.
"""

from dataclasses import dataclass

from games.kit.codec import JsonObject


@dataclass(frozen=True, slots=True)
class Cell:
    """A tile of the board. `ground` says what it is made of; plain where nothing is said."""

    tile: str
    x: int
    y: int
    ground: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece. Its id lasts as long as it does, so that a board can move it from here to there."""

    id: str
    kind: str
    seat: str | None
    tile: str = ""
    badge: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to be seen on a tile that is no piece: a treasure, a target, a fortress.

    With `to` it lies between two tiles: a road, a bridge.
    """

    kind: str
    tile: str
    seat: str | None = None
    to: str = ""


@dataclass(frozen=True, slots=True)
class Tray:
    """Pieces and counts beside the board: a reserve, what was captured, a store."""

    title: str
    seat: str | None = None
    figures: tuple[Figure, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture; `text` is the same board for those who read or listen."""

    grid: str
    """`square`: x to the right, y down. `hex`: y down, and each row half a cell to the right."""
    cells: tuple[Cell, ...]
    figures: tuple[Figure, ...]
    marks: tuple[Mark, ...]
    trays: tuple[Tray, ...]
    text: str

    def to_json(self) -> JsonObject:
        """The scene as the site sends it."""
        return {
            "grid": self.grid,
            "cells": [
                {"tile": cell.tile, "x": cell.x, "y": cell.y, "ground": cell.ground}
                for cell in self.cells
            ],
            "figures": [_figure(figure) for figure in self.figures],
            "marks": [
                {"kind": mark.kind, "tile": mark.tile, "seat": mark.seat, "to": mark.to}
                for mark in self.marks
            ],
            "trays": [
                {
                    "title": tray.title,
                    "seat": tray.seat,
                    "figures": [_figure(figure) for figure in tray.figures],
                    "counts": [[kind, number] for kind, number in tray.counts],
                }
                for tray in self.trays
            ],
            "text": self.text,
        }


def _figure(figure: Figure) -> JsonObject:
    return {
        "id": figure.id,
        "kind": figure.kind,
        "seat": figure.seat,
        "tile": figure.tile,
        "badge": figure.badge,
    }
