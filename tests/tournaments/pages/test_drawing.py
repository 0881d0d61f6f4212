"""Boards as pictures: everything stands within the frame, on squares and on hexagons."""

import pytest

from config.environment import BASE_DIR
from tournaments import arena
from tournaments.pages.drawing import COLOURS, Drawing, draw, draw_field

HEXES = {
    "grid": "hex",
    "cells": [{"tile": f"{x},{y}", "x": x, "y": y} for x in range(-2, 3) for y in range(-2, 3)],
    "figures": [{"id": "k", "kind": "king", "seat": None, "tile": "0,0", "badge": ""}],
    "marks": [{"kind": "fortress", "tile": "1,-2", "seat": "b", "to": ""}],
    "trays": [],
}


def is_framed(drawing: Drawing) -> bool:
    left, top, width, height = map(int, drawing.box.split())
    return all(
        left + 32 <= each.x <= left + width - 32 and top + 32 <= each.y <= top + height - 32
        for each in (*drawing.spots, *drawing.marks, *drawing.figures)
    )


@pytest.mark.parametrize("field", sorted(arena.shipped_battlefields()))
def test_a_battlefield_fits_into_its_frame(field: str) -> None:
    ground = arena.shipped_battlefields()[field]
    drawing = draw_field(ground.text)
    assert is_framed(drawing)
    assert len(drawing.figures) == len(ground.pieces)
    assert len({(spot.x, spot.y) for spot in drawing.spots}) == len(drawing.spots)
    assert {label.text for label in drawing.labels} >= {"1"}


def test_hexagons_are_drawn_in_rows_that_shift_by_half() -> None:
    drawing = draw(HEXES)
    assert is_framed(drawing)
    places = {spot.tile: spot for spot in drawing.spots}
    assert places["0,1"].x - places["0,0"].x == 32
    assert places["1,0"].x - places["0,0"].x == 64
    assert not drawing.labels


def test_pictures_have_the_colours_of_the_site() -> None:
    tokens = (BASE_DIR / "static/css/tokens.css").read_text("utf-8")
    for seat, colour in COLOURS.items():
        assert f"--seat-{seat}: {colour};" in tokens
