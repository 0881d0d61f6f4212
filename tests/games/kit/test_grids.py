"""Tiles, their names, neighbours and pictures."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit.grids import (
    HEX_STEPS,
    SQUARE_STEPS,
    SQUARE_SYMMETRIES,
    Rays,
    hex_distance,
    name,
    tile_named,
)

TILES = st.tuples(st.integers(0, 2_000), st.integers(0, 2_000))
ANYWHERE = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


@pytest.mark.parametrize(
    ("tile", "text"),
    [
        ((0, 0), "A1"), ((2, 0), "C1"), ((25, 9), "Z10"), ((26, 0), "AA1"), ((27, 1), "AB2"),
        ((701, 0), "ZZ1"), ((702, 0), "AAA1"),
    ],
)  # fmt: skip
def test_a_tile_has_the_name_that_people_say(tile: tuple[int, int], text: str) -> None:
    assert name(tile) == text
    assert tile_named(text) == tile


@pytest.mark.parametrize("tile", [(-1, 0), (0, -1), (-1, -1), (-27, 3), (3, -(10**9))])
def test_a_tile_left_of_or_above_the_origin_has_no_name(tile: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="has no name"):
        name(tile)


@given(TILES)
def test_a_name_leads_back_to_its_tile(tile: tuple[int, int]) -> None:
    assert tile_named(name(tile)) == tile


@pytest.mark.parametrize(
    "text", ["", "A", "1", "a1", "A-1", "A 1", "1A", "A1B", "Ä1", "A1.5", "A٣"]
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no tile"):
        tile_named(text)


@pytest.mark.parametrize("text", ["A0", "A01", "A00"])
def test_a_tile_has_one_name_only(text: str) -> None:
    with pytest.raises(ValueError, match="is no tile"):
        tile_named(text)


def test_rays_end_where_the_board_breaks() -> None:
    board = [(0, 0), (1, 0), (3, 0), (1, 1), (1, 2)]
    up, right, down, left = Rays(board, SQUARE_STEPS)[1, 0]
    assert (up, right, left) == ((), (), ((0, 0),))
    assert down == ((1, 1), (1, 2))


def test_rays_run_along_hexagons_too() -> None:
    board = [(x, y) for x in range(5) for y in range(5) if hex_distance((x, y), (2, 2)) <= 2]
    found = Rays(board, HEX_STEPS)[2, 2]
    assert all(len(ray) == 2 for ray in found)
    assert [ray[0] for ray in found] == [(2 + dx, 2 + dy) for dx, dy in HEX_STEPS]


def test_rays_do_not_depend_on_the_order_of_the_tiles() -> None:
    board = [(x, y) for x in range(3) for y in range(3)]
    one, other = Rays(board, SQUARE_STEPS), Rays(board[::-1], SQUARE_STEPS)
    assert [one[tile] for tile in board] == [other[tile] for tile in board]


def test_what_is_no_tile_has_no_rays() -> None:
    with pytest.raises(KeyError):
        Rays([(0, 0)], SQUARE_STEPS)[0, 1]


def test_a_hexagon_has_six_neighbours_one_step_away() -> None:
    assert len(set(HEX_STEPS)) == 6
    around = {t for t in itertools.product((-1, 0, 1), repeat=2) if hex_distance(t, (0, 0)) == 1}
    assert set(HEX_STEPS) == around


@given(ANYWHERE, ANYWHERE, ANYWHERE)
def test_the_distance_of_hexagons_is_one(
    a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]
) -> None:
    assert hex_distance(a, b) == hex_distance(b, a)
    assert (hex_distance(a, b) == 0) == (a == b)
    assert hex_distance(a, c) <= hex_distance(a, b) + hex_distance(b, c)


def test_the_distance_of_hexagons_is_the_number_of_steps() -> None:
    reached, edge = {(0, 0): 0}, [(0, 0)]
    for number in range(1, 5):
        edge = [(x + dx, y + dy) for x, y in edge for dx, dy in HEX_STEPS]
        edge = [tile for tile in dict.fromkeys(edge) if tile not in reached]
        reached |= dict.fromkeys(edge, number)
    assert all(hex_distance(tile, (0, 0)) == steps for tile, steps in reached.items())


def test_there_are_eight_pictures_of_a_square_board_and_all_keep_its_lines() -> None:
    board = list(itertools.product(range(-2, 3), repeat=2))
    pictures = {tuple(turn(tile) for tile in board) for turn in SQUARE_SYMMETRIES.values()}
    assert len(pictures) == 8
    for picture in pictures:
        assert sorted(picture) == board
        where = dict(zip(board, picture, strict=True))
        for (x, y), (dx, dy) in itertools.product(board, SQUARE_STEPS):
            if (x + dx, y + dy) in where:
                (ax, ay), (bx, by) = where[x, y], where[x + dx, y + dy]
                assert (bx - ax, by - ay) in SQUARE_STEPS


def test_turning_is_named_as_it_is_seen() -> None:
    """x to the right and y down: a turn to the right takes up to the right."""
    assert SQUARE_SYMMETRIES["turned once"]((0, -1)) == (1, 0)
    assert SQUARE_SYMMETRIES["turned twice"]((0, -1)) == (0, 1)
    assert SQUARE_SYMMETRIES["turned three times"]((0, -1)) == (-1, 0)
    assert SQUARE_SYMMETRIES["mirrored left to right"]((1, -1)) == (-1, -1)
    assert SQUARE_SYMMETRIES["mirrored top to bottom"]((1, -1)) == (1, 1)
