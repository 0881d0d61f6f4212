"""Every case of tests/rules/battle comes out as its file says, by engine, contract and oracle."""

import re
from pathlib import Path
from typing import Any

import pytest

from games.battle import contract, scenes
from games.battle.drawing import draw
from games.battle.events import Forfeited
from games.battle.game import BATTLE
from games.battle.orders import Move
from games.battle.state import State
from games.battle.words import TEXTS, tell
from games.kit.errors import Refusal
from games.kit.protocol import Resolution
from tests.games.battle import oracle
from tests.games.battle.case_text import BadCase
from tests.games.battle.cases import Case, Wish, as_contract, paths, read, read_text

FEWEST = 150
CASES = [read(path) for path in paths()]
RESOLVED = [case for case in CASES if case.after is not None]

all_cases = pytest.mark.parametrize("case", CASES, ids=lambda case: case.path.stem)
resolved_cases = pytest.mark.parametrize("case", RESOLVED, ids=lambda case: case.path.stem)


def resolve(case: Case) -> Resolution[State]:
    return BATTLE.resolve(case.state, case.orders)


def refusal(case: Case, wish: Wish) -> str | None:
    try:
        BATTLE.check(case.state, wish.seat, wish.read())
    except Refusal as refused:
        return refused.code
    return None


# --- What each case says ------------------------------------------------------------------------


@all_cases
def test_orders_are_refused_as_the_case_says_and_no_others(case: Case) -> None:
    assert [refusal(case, wish) for wish in case.wishes] == [wish.refused for wish in case.wishes]


@resolved_cases
def test_the_board_ends_up_as_the_case_says(case: Case) -> None:
    drawn = re.sub(">[a-h]<", "   ", scenes.text(resolve(case).state))  # targets may be left out
    assert drawn == case.after


@resolved_cases
def test_the_turn_is_told_as_the_case_says(case: Case) -> None:
    told = tell(resolve(case).events, case.state.options.rules)
    assert [sentence.english for sentence in told] == list(case.events)


@resolved_cases
def test_the_battle_ends_or_goes_on_as_the_case_says(case: Case) -> None:
    state = resolve(case).state
    assert state.verdict == case.verdict
    assert (BATTLE.due(state) == ()) == (case.verdict is not None)


# --- Two more opinions --------------------------------------------------------------------------


def is_plain(case: Case) -> bool:
    """The contract for tools knows nothing of seats that leave."""
    return not any(isinstance(event, Forfeited) for event in resolve(case).events)


PLAIN = [case for case in RESOLVED if is_plain(case)]


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case.path.stem)
def test_the_contract_and_the_oracle_agree_with_the_engine(case: Case) -> None:
    state = resolve(case).state
    pieces = [
        {**piece._asdict(), "xp": state.xp(piece), "at": list(piece.at)}
        for piece in sorted(state.pieces)
    ]
    answer = contract.resolve(case.contract())
    second = oracle.resolve(case.contract())
    assert second["pieces"] == pieces
    assert second["taken"] == answer["taken"]
    assert [{**piece, "at": list(piece["at"])} for piece in answer["pieces"]] == pieces


REFUSED_MOVES = [
    pytest.param(case, wish, id=f"{case.path.stem}, line {wish.line}")
    for case in CASES
    for wish in case.wishes
    if isinstance(wish.data, Move) and wish.refused not in (None, "over", "out")
]


@pytest.mark.parametrize(("case", "wish"), REFUSED_MOVES)
def test_the_contract_and_the_oracle_refuse_what_the_engine_refuses(case: Case, wish: Wish) -> None:
    bad = case.contract()
    bad["orders"] = [as_contract(wish.seat, wish.data)]
    with pytest.raises(contract.BadCase, match="the order of seat"):
        contract.resolve(bad)
    with pytest.raises(oracle.BadCase):
        oracle.resolve(bad)


# --- The collection as a whole ------------------------------------------------------------------


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= FEWEST


def test_numbers_have_neither_gaps_nor_doubles() -> None:
    assert [case.number for case in CASES] == list(range(1, len(CASES) + 1))


@all_cases
def test_a_file_is_named_for_its_case(case: Case) -> None:
    slug = re.sub(r"[^a-z0-9]+", "-", case.name.lower()).strip("-")
    assert case.path.name == f"{case.number:03d}-{slug}.txt"


def test_no_two_cases_have_one_name_or_one_story() -> None:
    for texts in ([case.name for case in CASES], [case.story for case in CASES]):
        assert len(set(texts)) == len(texts)


@all_cases
def test_a_story_is_one_to_four_sentences(case: Case) -> None:
    assert 1 <= len(re.findall(r"[.!?](?= |$)", case.story)) <= 4
    assert case.story.endswith(".")


def test_every_sentence_of_battle_is_told_in_some_case() -> None:
    told = {
        sentence.text
        for case in RESOLVED
        for sentence in tell(resolve(case).events, case.state.options.rules)
    }
    assert {code for code, text in TEXTS.items() if text not in told} == set()


def test_every_code_of_a_refusal_is_in_some_case() -> None:
    codes = {wish.refused for case in CASES for wish in case.wishes} - {None}
    assert codes == {
        "not-an-order", "over", "no-such-seat", "out", "no-such-piece", "not-yours", "off-board",
        "same-tile", "not-straight", "hole", "too-far", "blocked", "own-piece",
    }  # fmt: skip


@resolved_cases
def test_a_drawing_is_written_as_battle_would_write_it(case: Case) -> None:
    """So that cases look alike, and a changed one shows nothing but its change."""
    text = case.path.read_text(encoding="utf-8")
    after = text.partition("\nafter:\n")[2].partition("\n\n")[0]
    assert "\n".join(line[4:] for line in after.split("\n")) == case.after


# --- Reading a case -----------------------------------------------------------------------------

GOOD = """name: A free move
story: a moves.

before:
    +---+---+
    | a |   |
    +---+---+

orders:
    a: A1-B1

after:
    +---+---+
    |   | a2|
    +---+---+

events:
    a1 moved from A1 to B1.
"""
FILE = Path("001-a-free-move.txt")


def read_changed(old: str, new: str) -> Any:
    assert old in GOOD
    return read_text(FILE, GOOD.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("name: A free move\n", "", 1, "name: is missing"),
        ("story: a", "tale: a", 2, "'tale' is no key"),
        ("story: a moves.", "name: again", 2, "name: is there twice"),
        ("story: a moves.\n", "story: a moves.\nconflict: boo\n", 3, "'boo' is not one of"),
        ("story: a moves.\n", "story: a moves.\ngoals: survive 20\n", 3, "is no goal"),
        ("story: a moves.\n", "story: a moves.\nturn: soon\n", 3, "'soon' is no number"),
        ("story: a moves.\n", "story: a moves.\npickup: all\n", 3, "neither any nor emperor"),
        ("story: a moves.\n", "story: a moves.\nunder: 3C (x)\n", 3, "is no tile"),
        ("story: a moves.\n", "story: a moves.\nunder: B1 gold\n", 3, "'gold' is nothing"),
        ("story: a moves.\n", "story: a moves.\ngoals: survive 20 x\n", 3, "is no goal"),
        ("story: a moves.\n", "story: a moves.\nopposites: ab\n", 3, "is no pair such as"),
        ("story: a moves.\n", "story: a moves.\nnames: B1 c0\n", 3, "nobody stands on B1"),
        ("story: a moves.\n", "story: a moves.\nwinners: me\n", 3, "write winners:"),
        ("| a |   |", "| a | z |", 6, "column 10: ' z ' is nothing"),
        ("| a |   |", "|(a)|(a)|", 4, "has 2 emperors"),
        ("| a |   |", "| a |   ", 6, "column"),
        ("a: A1-B1", "a goes to B1", 10, "is no order such as"),
        ("a: A1-B1", "a: to B1", 10, "is no order: write"),
        ("after:", "events:", 17, "events: is there twice"),
    ],
)  # fmt: skip
def test_a_bad_case_says_where_it_is_wrong(old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(BadCase, match=re.escape(words)) as bad:
        read_changed(old, new)
    assert bad.value.line == line
    assert str(bad.value).startswith(f"{FILE.name}, line {line}: ")


def test_a_case_without_after_must_refuse_all_its_orders() -> None:
    start, _, rest = GOOD.partition("after:")
    with pytest.raises(BadCase, match="after: is missing"):
        read_text(FILE, start + "events:" + rest.partition("events:")[2])


def test_pieces_are_named_row_by_row_seat_by_seat() -> None:
    case = read_changed("    | a |   |", "    | b2|(a)|\n    +---+---+\n    | - | a |")
    assert [piece.id for piece in case.state.pieces] == ["a0", "a1", "b1", "n1"]


def test_a_seat_that_says_nothing_holds_and_is_not_absent() -> None:
    case = read_changed("| a |   |", "| a | b |")
    assert list(case.orders) == ["a", "b"]


def test_a_drawing_of_what_comes_after_may_show_targets_as_empty_tiles() -> None:
    case = read_changed("|   | a2|", "|>a<| a2|")
    assert case.after == draw({(0, 0): "   ", (1, 0): " a2"})
