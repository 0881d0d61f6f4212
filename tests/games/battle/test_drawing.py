"""Boards as text: what is drawn is read back, and what is drawn badly is refused where it is."""

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.battle.drawing import BadDrawing, draw, parse, read
from games.kit.grids import Tile

CROSS = """\
            +---+
            |(a)|
        +---+---+---+
        | a |###|(x)|
        +---+---+---+
            | a3|
            +---+"""

CROSS_CELLS = {(1, 0): "(a)", (0, 1): " a ", (2, 1): "(x)", (1, 2): " a3"}

PRINTABLE = st.characters(min_codepoint=32, max_codepoint=126)
CONTENTS = st.text(PRINTABLE, min_size=3, max_size=3).filter(lambda content: content != "###")
TILES = st.tuples(st.integers(0, 7), st.integers(0, 7))
CELLS = st.dictionaries(TILES, st.just("   ") | CONTENTS, min_size=1, max_size=40)
SCRIBBLES = st.text("+-| #a\n", max_size=60)


def drawing(text: str) -> str:
    return dedent(text).strip("\n")


def refusal(text: str, first_line: int = 1) -> BadDrawing:
    with pytest.raises(BadDrawing) as caught:
        read(text, first_line)
    return caught.value


# --- What is read -------------------------------------------------------------------------------


def test_cells_are_counted_from_the_leftmost_and_the_topmost() -> None:
    assert read(CROSS) == CROSS_CELLS


def test_tiles_come_row_by_row() -> None:
    assert list(read(CROSS)) == [(1, 0), (0, 1), (2, 1), (1, 2)]


def test_a_hole_is_no_tile_but_counts_as_drawn() -> None:
    text = drawing("""
        +---+---+
        |###|   |
        +---+---+
    """)
    assert read(text) == {(1, 0): "   "}


def test_a_place_that_its_neighbours_close_is_a_tile() -> None:
    assert read(CROSS.replace("###", "   "))[1, 1] == "   "


@given(CELLS)
def test_what_is_drawn_is_read_back(cells: dict[Tile, str]) -> None:
    assert read(draw(cells)) == cells


@given(CELLS, st.integers(0, 9), st.integers(0, 3), st.sampled_from(["\n", " \n", "\r\n"]))
def test_margins_do_not_matter(cells: dict[Tile, str], left: int, above: int, end: str) -> None:
    lines = [""] * above + [" " * left + line for line in draw(cells).split("\n")]
    assert read(end.join(lines) + end) == cells


@given(CELLS)
def test_a_complaint_about_a_tile_points_at_what_it_holds(cells: dict[Tile, str]) -> None:
    text = "\n  " + draw(cells).replace("\n", "\n  ")
    drawn = parse(text, first_line=5)
    for tile, content in cells.items():
        bad = drawn.bad(tile, "no")
        assert text.split("\n")[bad.line - 5][bad.column - 1 :].startswith(content)


# --- What is drawn ------------------------------------------------------------------------------


def test_a_hole_with_lines_all_around_is_drawn_as_one() -> None:
    around = {(1, 0): "   ", (0, 1): "   ", (2, 1): "   ", (1, 2): "   "}
    assert draw(around) == drawing("""
            +---+
            |   |
        +---+---+---+
        |   |###|   |
        +---+---+---+
            |   |
            +---+
    """)


def test_what_lies_away_from_the_origin_is_drawn_with_a_hole_to_count_from() -> None:
    assert draw({(2, 1): " a "}) == drawing("""
        +---+
        |###|
        +---+   +---+
                | a |
                +---+
    """)


@given(CELLS)
def test_no_line_ends_with_a_space(cells: dict[Tile, str]) -> None:
    assert all(line == line.rstrip(" ") for line in draw(cells).split("\n"))


@pytest.mark.parametrize(
    "cells",
    [{}, {(-1, 0): "   "}, {(0, 0): "###"}, {(0, 0): " a"}, {(0, 0): "a100"}, {(0, 0): "\ta "}],
)
def test_what_could_not_be_read_back_is_not_drawn(cells: dict[Tile, str]) -> None:
    with pytest.raises(ValueError, match="draw"):
        draw(cells)


# --- What is refused ----------------------------------------------------------------------------

BAD = {
    "nothing": ("", 1, 1, "nothing is drawn"),
    "nothing but spaces": ("\n   \n", 1, 1, "nothing is drawn"),
    "nothing but holes": ("+---+\n|###|\n+---+", 1, 1, "nothing but holes"),
    "open at the top": ("    +---+\n| a |   |\n+---+---+", 2, 2, "open at the top"),
    "open on the right": ("+---+\n| a\n+---+", 2, 2, "open on the right"),
    "open at the bottom": ("+---+\n| a |", 2, 2, "a cell is drawn open at the bottom"),
    "open on the left": ("+---+\n  a |\n+---+", 2, 2, "open on the left"),
    "open on two sides": ("+---+\n| a", 2, 2, "open on the right and at the bottom"),
    "empty and open": ("+---+---+\n|   |\n+---+---+", 2, 6, "open on the right"),
    "a wall is missing": ("+---+---+\n|       |\n+---+---+", 2, 2, "open on the right"),
    "a border is missing": ("+---+\n| a |\n\n| b |\n+---+", 2, 2, "open at the bottom"),
    "a border is left out": ("+---+\n| a |\n| b |\n+---+", 3, 1, "a border such as +---+ belongs"),
    "a row is left out": ("+---+\n+---+", 2, 1, "a row of cells such as |   | belongs"),
    "cells come first": ("| a |\n+---+", 1, 1, "a border such as +---+ belongs"),
    "a border too short": ("+--+\n| a|\n+--+", 1, 4, "a border is --- between"),
    "a border too long": ("+----+\n|  a |\n+----+", 1, 5, "'-' is out of step"),
    "a cell too narrow": ("+---+\n|a |\n+---+", 2, 2, "open on the right: cells are three"),
    "a cell too wide": ("+---+\n| ab |\n+---+", 2, 2, "open on the right: cells are three"),
    "out of step to the right": ("+---+\n|   |\n +---+", 3, 2, "a border is --- between"),
    "out of step to the left": ("  +---+\n |   |\n  +---+", 2, 2, "'|' is out of step with line 1"),
    "a crossing is missing": ("+---+\n|   |\n+---", 3, 5, "the + at a corner"),
    "a crossing too many": ("+---+   +\n|   |\n+---+", 1, 9, "this + is no corner"),
    "a line too many": ("+---+\n|   |\n+---+---", 2, 6, "open at the top and on the right"),
    "a wall too many": ("+---+\n|   |   |\n+---+", 2, 6, "open at the top and at the bottom"),
    "a line far away": ("+---+\n|   |\n+---+   +---", 3, 10, "this line is outside all cells"),
    "words beside it": ("+---+ a\n|   |\n+---+", 1, 7, "a border is --- between"),
    "words far away": ("+---+\n|   |     a\n+---+", 2, 10, "this stands outside all cells"),
    "words where a wall can be": ("+---+\n|   |   a\n+---+", 2, 9, "'a' is out of step"),
    "words on a border": ("+---+\n|   |\n+-a-+", 3, 3, "a border is --- between"),
    "words on a crossing": ("+---a\n|   |\n+---+", 1, 5, "'a' is out of step"),
    "a tab": ("+---+\n|\ta|\n+---+", 2, 2, "a tab"),
    "a letter of another width": ("+---+\n| あ|\n+---+", 2, 3, "'あ' can't be part"),
    "lines of a box": ("┌───┐", 1, 1, "'┌' can't be part"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_drawing_is_refused_where_it_is_bad(case: str) -> None:
    text, line, column, why = BAD[case]
    bad = refusal(text)
    assert (bad.line, bad.column) == (line, column), str(bad)
    assert why in bad.why
    assert str(bad) == f"line {line}, column {column}: {bad.why}"


def test_lines_can_be_counted_from_the_whole_text() -> None:
    assert refusal("\n+---+\n| a |", first_line=4).line == 6


@given(CELLS, st.data())
def test_no_stroke_can_be_left_out(cells: dict[Tile, str], data: st.DataObject) -> None:
    lines = draw(cells).split("\n")
    row = data.draw(st.integers(0, len(lines) - 1).filter(lambda row: lines[row]))
    strokes = [
        column
        for column, character in enumerate(lines[row])
        if character != " " and (row % 2 == 0 or column % 4 == 0)
    ]
    column = data.draw(st.sampled_from(strokes))
    lines[row] = lines[row][:column] + " " + lines[row][column + 1 :]
    refusal("\n".join(lines))


@given(SCRIBBLES)
def test_scribbles_are_read_or_refused_within_the_text(text: str) -> None:
    try:
        cells = read(text)
    except BadDrawing as bad:
        place = (bad.line, bad.column)
    else:
        place = (1, 1)
        assert read(draw(cells)) == cells
    assert 1 <= place[0] <= text.count("\n") + 1
    assert place[1] >= 1
