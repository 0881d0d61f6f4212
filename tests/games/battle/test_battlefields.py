"""Battlefields: what a text may say, what comes with the game, and that no seat is favoured."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from textwrap import dedent

import pytest

from games.battle.battlefields import Battlefield, UnknownBattlefield, keys, load, read
from games.battle.battlefields.fairness import is_fair, symmetry
from games.battle.drawing import BadDrawing, draw
from games.battle.drawing import read as read_drawing
from games.battle.pieces import CHEST, EMPEROR, NOT_STORED, PAWN, TREASURE, Item, Piece
from games.kit.grids import SQUARE_SYMMETRIES, Tile
from games.kit.protocol import Seat

HEAD = "name: A Yard\nidea: Some words.\n"

YARD = """
+---+---+---+---+
|(a)| a |   |[?]|
+---+---+---+---+
| a |[b]|(x)|>a<|
+---+---+---+---+
|[?]|   | b |(b)|
+---+---+---+---+
"""

SHIPPED = (
    "crooked-valley",
    "crossed-swords",
    "crossroads",
    "dark-wood",
    "duel",
    "five-vaults",
    "four-coffers",
    "four-islands",
    "frozen-lake",
    "great-court",
    "great-plain",
    "hourglass",
    "old-town",
    "serpent-road",
    "seven-wells",
    "six-courts",
    "tea-garden",
    "three-bridges",
    "three-markets",
    "walled-shrine",
    "windmill",
)

UNEVEN = ("crooked-valley",)
"""Drawn irregular on purpose, by the author of the game."""


def field(drawing: str = YARD, opposites: str = "") -> Battlefield:
    return read(HEAD + opposites + drawing)


def row(*contents: str) -> str:
    """A field of one row; the drawing begins on line 4."""
    return "\n" + draw({(x, 0): content for x, content in enumerate(contents)})


# --- What a text says ---------------------------------------------------------------------------


def test_the_head_gives_name_and_idea() -> None:
    yard = field()
    assert (yard.name, yard.idea) == ("A Yard", "Some words.")
    assert yard.text == HEAD + YARD


def test_pieces_are_numbered_row_by_row_after_their_emperor() -> None:
    assert field().pieces == (
        Piece("a0", "a", EMPEROR, NOT_STORED, (0, 0)),
        Piece("a1", "a", PAWN, 1, (1, 0)),
        Piece("a2", "a", PAWN, 1, (0, 1)),
        Piece("b0", "b", EMPEROR, NOT_STORED, (3, 2)),
        Piece("b1", "b", PAWN, 1, (2, 2)),
    )
    assert field().emperors == {"a": "a0", "b": "b0"}


def test_items_lie_as_drawn_and_common_chests_are_numbered() -> None:
    assert field().items == (
        Item("chest-1", CHEST, None, (3, 0)),
        Item("chest-b", CHEST, "b", (1, 1)),
        Item("treasure", TREASURE, None, (2, 1)),
        Item("chest-2", CHEST, None, (0, 2)),
    )
    assert field().has_treasure
    assert not field(row("(a)", " a ", " b ", "(b)")).has_treasure


def test_every_tile_that_is_no_hole_is_on_the_board() -> None:
    assert len(field().board) == 12
    assert len(field(YARD.replace(">a<", "###")).board) == 11


def test_without_opposites_only_own_targets_count() -> None:
    assert field().opposites == {}
    assert field().targets == {"a": (3, 1)}


def test_a_seat_without_a_target_aims_at_its_opposite() -> None:
    yard = field(opposites="opposites: b-a\n")
    assert yard.opposites == {"a": "b", "b": "a"}
    assert yard.targets == {"a": (3, 1), "b": (0, 0)}


def test_the_same_text_is_read_once() -> None:
    assert field() is field()


def test_a_text_from_a_form_is_read_alike() -> None:
    sent = (HEAD + YARD).replace("\n", "\r\n")
    assert (read(sent).name, read(sent).idea) == ("A Yard", "Some words.")
    assert read(sent).pieces == field().pieces


# --- What is refused ----------------------------------------------------------------------------

ROW = row("(a)", " a ", " b ", "(b)")
LONG = row("(a)", " a ", *["   "] * 23, " b ", "(b)")
APART = "\n" + draw({(0, 0): "(a)", (1, 0): " a ", (3, 0): " b ", (4, 0): "(b)"})

BAD = {
    "no head": (ROW.lstrip("\n"), 1, 1, "no line of the head"),
    "nothing at all": ("", 1, 1, "the name is missing"),
    "no name": ("idea: Some.\n" + ROW, 1, 1, "the name is missing"),
    "no idea": ("name: Some\n" + ROW, 1, 1, "the idea is missing"),
    "an empty name": ("name:  \nidea: Some.\n" + ROW, 1, 6, "the name must be a text"),
    "an unreadable name": ("name: a\0b\nidea: Some.\n" + ROW, 1, 6, "the name must be a text"),
    "a key of its own": (HEAD + "size: 3\n" + ROW, 3, 1, "'size' is unknown here; there are name"),
    "a key twice": (HEAD + "name: B\n" + ROW, 3, 1, "the name is given twice"),
    "words without a key": (HEAD + "Be careful.\n" + ROW, 3, 1, "write key: value"),
    "no empty line": (HEAD + ROW.lstrip("\n"), 3, 1, "leave a line empty before the drawing"),
    "no drawing": (HEAD + "\n", 3, 1, "nothing is drawn"),
    "a cell is open": (HEAD + "\n+---+\n|(a)|", 5, 2, "open at the bottom"),
    "opposites without a dash": (HEAD + "opposites: ab\n" + ROW, 3, 12, "in pairs: a-c, b-d"),
    "opposites with a gap": (HEAD + "opposites: a-b,\n" + ROW, 3, 16, "in pairs: a-c, b-d"),
    "an unknown opposite": (HEAD + "opposites: a-c\n" + ROW, 3, 12, "there is no seat 'c'"),
    "many opposites": (HEAD + "opposites: a-b, a-b\n" + ROW, 3, 17, "seat a has two opposites"),
    "its own opposite": (HEAD + "opposites:  b-b\n" + ROW, 3, 13, "seat b can't be its own"),
    "unknown content": (HEAD + row("(a)", " a ", "(i)"), 5, 10, "'(i)' is unknown here"),
    "a trained pawn": (HEAD + row("(a)", " a3"), 5, 6, "' a3' is unknown here"),
    "a neutral piece": (HEAD + row("(a)", " a ", "(-)"), 5, 10, "'(-)' is unknown here"),
    "a crooked pawn": (HEAD + row("(a)", "a  "), 5, 6, "'a  ' is unknown here"),
    "two emperors": (HEAD + row("(a)", " a ", "(a)"), 5, 10, "the second emperor of seat a"),
    "two treasures": (HEAD + row("(x)", "(x)", "(a)"), 5, 6, "the second treasure: there can"),
    "two chests": (HEAD + row("[a]", "(a)", "[a]"), 5, 10, "the second chest of seat a"),
    "two targets": (HEAD + row(">a<", "(a)", ">a<"), 5, 10, "the second target of seat a"),
    "no emperor": (HEAD + row("(a)", " a ", " b "), 5, 10, "seat b has no emperor"),
    "no pawn": (HEAD + row("(a)", " a ", "(b)"), 5, 10, "seat b has no pawn"),
    "a target of nobody": (HEAD + row("(a)", " a ", ">b<"), 5, 10, "seat b has no emperor"),
    "a chest of nobody": (HEAD + row("(a)", " a ", "[c]"), 5, 10, "seat c has no emperor"),
    "a gap": (HEAD + row("(a)", " a ", "(c)", " c "), 5, 10, "seat c comes after a gap"),
    "one seat": (HEAD + row("(a)", " a "), 5, 2, "at least the seats a and b"),
    "nobody": (HEAD + row("   ", "(x)"), 5, 2, "at least the seats a and b"),
    "too wide": (HEAD + LONG, 5, 106, "larger than 26 columns and 26 rows"),
    "not connected": (HEAD + APART, 5, 14, "no way leads here"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_text_is_refused_where_it_is_bad(case: str) -> None:
    text, line, column, why = BAD[case]
    with pytest.raises(BadDrawing) as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert why in caught.value.why


def test_more_than_26_rows_are_refused_at_the_first_too_many() -> None:
    contents = ["(a)", " a ", *["   "] * 23, " b ", "(b)"]
    with pytest.raises(BadDrawing, match="26 rows") as caught:
        field("\n" + draw({(0, y): content for y, content in enumerate(contents)}))
    assert (caught.value.line, caught.value.column) == (4 + 2 * 26 + 1, 2)


# --- What comes with the game -------------------------------------------------------------------


def test_these_battlefields_come_with_the_game() -> None:
    assert keys() == SHIPPED


def test_there_is_a_battlefield_for_every_number_of_seats() -> None:
    assert {len(load(key).seats) for key in keys()} == set(range(2, 9))


def test_names_and_ideas_are_all_different() -> None:
    fields = [load(key) for key in keys()]
    for said in ([one.name for one in fields], [one.idea for one in fields]):
        assert len(set(said)) == len(said)


@pytest.mark.parametrize("key", SHIPPED)
def test_a_shipped_battlefield_can_be_played_by_people(key: str) -> None:
    shipped = load(key)
    assert 5 <= len(shipped.pieces) <= 80
    assert len(shipped.pieces) < len(shipped.board) <= 200
    assert shipped.idea.endswith(".")
    assert len({sum(piece.seat == seat for piece in shipped.pieces) for seat in shipped.seats}) == 1


@pytest.mark.parametrize("key", SHIPPED)
def test_a_shipped_battlefield_is_drawn_as_the_game_would_draw_it(key: str) -> None:
    head, _, drawing = load(key).text.partition("\n\n")
    assert dedent(drawing) == draw(read_drawing(drawing)) + "\n"
    assert all(line == line.rstrip() for line in head.split("\n"))


@pytest.mark.parametrize("key", SHIPPED)
def test_no_target_is_where_its_own_emperor_begins(key: str) -> None:
    shipped = load(key)
    homes = {piece.seat: piece.at for piece in shipped.pieces if piece.kind == EMPEROR}
    assert all(homes[seat] != tile for seat, tile in shipped.targets.items())


@pytest.mark.parametrize("key", ["nowhere", "", "../board", "Duel", "duel.txt", "__init__"])
def test_an_unknown_key_is_refused_with_those_that_there_are(key: str) -> None:
    with pytest.raises(UnknownBattlefield) as caught:
        load(key)
    assert str(caught.value).startswith(f"there is no battlefield {key!r}; there are crooked-")


def test_eight_emperors_stand_outside_the_square_of_the_four_coffers() -> None:
    coffers = load("four-coffers")
    inner = {(x, y) for x in range(1, 13) for y in range(1, 13)}
    gates = {(x, y) for x in (4, 9) for y in (0, 13)} | {(x, y) for x in (0, 13) for y in (4, 9)}
    emperors = [piece for piece in coffers.pieces if piece.kind == EMPEROR]
    assert set(coffers.board.tiles) == inner | gates
    assert {piece.at for piece in emperors} == gates
    assert coffers.seats == tuple("abcdefgh")
    assert len(coffers.pieces) == 8 * (1 + 4)
    assert [(item.id, item.seat, item.at) for item in coffers.items] == [
        ("chest-1", None, (6, 6)),
        ("chest-2", None, (7, 6)),
        ("chest-3", None, (6, 7)),
        ("chest-4", None, (7, 7)),
    ]
    assert len(turns(coffers)) == 8


def test_the_valley_is_drawn_as_its_author_drew_it() -> None:
    valley = load("crooked-valley")
    homes = {piece.seat: piece.at for piece in valley.pieces if piece.kind == EMPEROR}
    assert homes == {"a": (3, 0), "b": (10, 6), "c": (2, 6)}
    assert valley.items == (Item("treasure", TREASURE, None, (6, 3)),)
    assert len(valley.board) == 54


# --- Fairness -----------------------------------------------------------------------------------


def turns(field: Battlefield) -> list[Mapping[Seat, Seat]]:
    """Where the seats go in each of the ways to turn and mirror the field onto itself."""
    found = [seats_moved(field, turned(field, turn)) for turn in SQUARE_SYMMETRIES.values()]
    return [moved for moved in found if moved is not None]


def turned(field: Battlefield, turn: Callable[[Tile], Tile]) -> dict[Tile, Tile]:
    tiles = {tile: turn(tile) for tile in field.board.tiles}
    left, top = (min(tile[axis] for tile in tiles.values()) for axis in (0, 1))
    return {tile: (x - left, y - top) for tile, (x, y) in tiles.items()}


def seats_moved(field: Battlefield, moved: Mapping[Tile, Tile]) -> Mapping[Seat, Seat] | None:
    """Which seat falls on which, or None if this is no symmetry of all that is drawn."""
    standing = {piece.at: piece for piece in field.pieces}
    emperors = [piece for piece in field.pieces if piece.kind == EMPEROR]
    fallen = {str(one.seat): standing.get(moved[one.at]) for one in emperors}
    seats = {seat: str(other.seat) for seat, other in fallen.items() if other}

    def move(tile: Tile, kind: str, seat: Seat | None) -> tuple[Tile, str, Seat | None]:
        return moved[tile], kind, seats.get(seat) if seat else None

    things = {(thing.at, thing.kind, thing.seat) for thing in (*field.pieces, *field.items)}
    things |= {(tile, "target", seat) for seat, tile in field.targets.items()}
    is_one = (
        set(moved.values()) == set(field.board.tiles)
        and {move(*thing) for thing in things} == things
        and all(seats[field.opposites[a]] == field.opposites[seats[a]] for a in field.opposites)
    )
    return seats if is_one else None


@pytest.mark.parametrize("key", [key for key in SHIPPED if len(load(key).seats) in (2, 4, 8)])
def test_two_four_or_eight_seats_are_alike_to_the_eye(key: str) -> None:
    shipped = load(key)
    assert {moved["a"] for moved in turns(shipped)} == set(shipped.seats)


@pytest.mark.parametrize("key", [key for key in SHIPPED if key not in UNEVEN])
def test_no_seat_is_favoured_by_the_lines_of_the_field(key: str) -> None:
    assert is_fair(load(key))


@pytest.mark.parametrize("key", [key for key in SHIPPED if key not in UNEVEN])
def test_a_symmetry_maps_lines_onto_lines_and_seats_onto_seats(key: str) -> None:
    shipped = load(key)
    for one, other in pairwise(shipped.seats):
        moved = symmetry(shipped, one, other)
        assert moved is not None
        for tile in shipped.board.tiles:
            images = sorted(tuple(moved[far] for far in ray) for ray in shipped.board.rays[tile])
            assert images == sorted(shipped.board.rays[moved[tile]])
        seats = seats_moved(shipped, moved)
        assert seats is not None
        assert seats[one] == other


FAIR = """
+---+---+---+---+
|(a)| a |   |   |
+---+---+---+---+
|   |   | b |(b)|
+---+---+---+---+
"""

UNFAIR = {
    "a pawn more": FAIR.replace("|   | b |", "| b | b |"),
    "a pawn elsewhere": FAIR.replace("|   | b |", "| b |   |"),
    "an emperor elsewhere": FAIR.replace(" b |(b)", "(b)| b "),
    "a tile less": FAIR.replace("|   |   | b", "|   |###| b"),
    "a treasure that is nearer": FAIR.replace("|   |   | b", "|   |(x)| b"),
    "a chest for one": FAIR.replace("|   |   | b", "|   |[a]| b"),
    "a target for one": FAIR.replace("|   |   | b", "|   |>a<| b"),
}


def test_a_field_turned_by_half_is_fair() -> None:
    assert is_fair(field(FAIR))
    assert is_fair(field(FAIR.replace("| a |   |", "| a |[b]|").replace("|   | b", "|[a]| b")))


@pytest.mark.parametrize("case", UNFAIR)
def test_a_field_that_favours_a_seat_is_not_fair(case: str) -> None:
    assert not is_fair(field(UNFAIR[case]))


def test_opposites_count_for_fairness() -> None:
    crossroads = load("crossroads").text
    assert is_fair(read(crossroads.replace("a-c, b-d", "a-b, c-d")))
    assert not is_fair(read(crossroads.replace("a-c, b-d", "a-c")))


def test_the_valley_favours_somebody() -> None:
    assert not is_fair(load("crooked-valley"))


def test_which_way_a_road_bends_is_no_advantage() -> None:
    road = field("""
        +---+---+---+---+
        |(a)| a |   |   |
        +---+---+---+---+
                    |   |
            +---+---+---+
            |   |   |   |
            +---+---+---+
            |   |
            +---+
            | b |
            +---+
            |(b)|
            +---+
    """)
    assert len(turns(road)) == 1
    assert is_fair(road)
