"""The contract for tools, as other programs meet it: a process that reads and writes lines."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.battle.contract import answer
from tests.games.battle.positions import random_case

EXAMPLE = """{"rules": {"conflict": "bounce", "passage": "blocked", "emperor_takes_pawn": ["push"], "pawn_takes_emperor": "remove", "emperor_takes_emperor": "convert"}, "tiles": [".....", "..#.."], "pieces": [{"id": "a0", "seat": "a", "kind": "emperor", "xp": 1, "at": [0, 0]}], "orders": [{"seat": "a", "piece": "a0", "to": [1, 0]}]}"""  # noqa: E501

GOOD: dict[str, Any] = {
    "rules": {"conflict": "bounce", "emperor_takes_pawn": ["push"]},
    "tiles": ["....", ".#..", "...."],
    "pieces": [
        {"id": "a0", "seat": "a", "kind": "emperor", "xp": 9, "at": [0, 0]},
        {"id": "a1", "seat": "a", "kind": "pawn", "xp": 2, "at": [0, 2]},
        {"id": "b0", "seat": "b", "kind": "emperor", "at": [3, 0]},
        {"id": "b1", "seat": "b", "kind": "pawn", "xp": 1, "at": [3, 2]},
        {"id": "n1", "seat": None, "kind": "pawn", "xp": 3, "at": [2, 2]},
    ],
    "orders": [
        {"seat": "b", "piece": "b1", "to": [2, 2]},
        {"seat": "a", "piece": "a0", "to": [2, 0]},
    ],
}


def ask(*lines: str | bytes) -> list[dict[str, Any]]:
    """What the process answers to these lines, one answer a line."""
    data = b"".join((x if isinstance(x, bytes) else x.encode()) + b"\n" for x in lines)
    done = subprocess.run(
        [sys.executable, "-m", "games.battle"], input=data, capture_output=True, check=True
    )
    assert done.stderr == b""
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines)
    return answers


def changed(**parts: Any) -> str:
    return json.dumps({**GOOD, **parts})


def with_piece(**parts: Any) -> str:
    """The good case with its second piece changed."""
    pieces = copy.deepcopy(GOOD["pieces"])
    pieces[1].update(parts)
    return changed(pieces=pieces)


def with_order(**parts: Any) -> str:
    """The good case with its second order changed."""
    orders = copy.deepcopy(GOOD["orders"])
    orders[1].update(parts)
    return changed(orders=orders)


def without(part: str, key: str) -> str:
    items = copy.deepcopy(GOOD[part])
    del items[1][key]
    return changed(**{part: items})


# --- Good lines ---------------------------------------------------------------------------------


def test_the_example_of_the_rules_of_record_comes_out_as_written() -> None:
    (outcome,) = ask(EXAMPLE)
    assert outcome["pieces"] == [
        {"id": "a0", "seat": "a", "kind": "emperor", "xp": 1, "at": [1, 0]}
    ]
    assert outcome["taken"] == []
    assert [event["what"] for event in outcome["events"]] == ["charge", "land"]


def test_a_neutral_piece_is_taken_and_an_emperors_xp_is_that_of_his_pawns() -> None:
    (outcome,) = ask(json.dumps(GOOD))
    assert outcome["taken"] == [{"by": "b1", "piece": "n1", "from": None, "to": "b"}]
    assert {piece["id"]: piece["xp"] for piece in outcome["pieces"]} == {
        "a0": 2, "a1": 2, "b0": 1, "b1": 1, "n1": 1,
    }  # fmt: skip


def test_a_neutral_piece_that_nobody_takes_stays_neutral() -> None:
    (outcome,) = ask(changed(orders=[]))
    assert [p["seat"] for p in outcome["pieces"] if p["id"] == "n1"] == [None]


def test_pieces_are_sorted_by_id_and_takes_by_taker() -> None:
    dice = Random("sorted")
    cases = [random_case(dice) for _ in range(200)]
    for case in cases:
        dice.shuffle(case["pieces"])
    outcomes = ask(*map(json.dumps, cases))
    for outcome in outcomes:
        ids = [piece["id"] for piece in outcome["pieces"]]
        assert ids == sorted(ids)
        takes = [(take["by"], take["piece"]) for take in outcome["taken"]]
        assert takes == sorted(takes)
    assert max(len(outcome["taken"]) for outcome in outcomes) > 1


def test_every_rule_and_the_orders_may_be_left_out() -> None:
    bare = {key: value for key, value in GOOD.items() if key in ("tiles", "pieces")}
    explicit = changed(
        rules={
            "conflict": "rollback",
            "passage": "blocked",
            "emperor_takes_pawn": [],
            "pawn_takes_emperor": "convert",
            "emperor_takes_emperor": "convert",
            "orphans": "fight-on",
        },
        orders=[],
    )
    one, other = ask(json.dumps(bare), explicit)
    assert one == other


def test_keys_of_other_programs_are_left_alone() -> None:
    one, other = ask(json.dumps(GOOD), changed(comment="mine", id=7))
    assert one == other


@pytest.mark.parametrize("xp", [None, 0, -1, "many", [], 1.5])
def test_an_emperors_xp_in_the_input_is_ignored(xp: Any) -> None:
    pieces = copy.deepcopy(GOOD["pieces"])
    pieces[0]["xp"] = xp
    assert json.loads(answer(changed(pieces=pieces))) == json.loads(answer(json.dumps(GOOD)))


def test_an_answer_comes_before_the_next_question_is_asked() -> None:
    command = [sys.executable, "-m", "games.battle"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in (EXAMPLE, "nonsense", EXAMPLE):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            found = json.loads(process.stdout.readline())
            assert ("error" in found) == (line == "nonsense")
        process.stdin.close()
        assert process.wait() == 0


def test_nothing_asked_is_nothing_answered() -> None:
    assert ask() == []


# --- Bad lines ----------------------------------------------------------------------------------

BAD: dict[str, tuple[str | bytes, str]] = {
    "blank": ("", "not JSON"),
    "spaces": ("   ", "not JSON"),
    "cut off": (json.dumps(GOOD)[:-1], "not JSON"),
    "two values": ("{} {}", "not JSON"),
    "NaN": ('{"tiles": NaN}', "not JSON"),
    "junk bytes": (b"\xff\xfe\x00\x80", "not JSON"),
    "zero bytes": (b"\x00\x00\x00\x00", "not JSON"),
    "deep lists": ("[" * 50_000, "not JSON"),
    "deep objects": ('{"tiles":' * 50_000, "not JSON"),
    "deep, and closed": ("[" * 3_000 + "]" * 3_000, "not JSON"),
    "a number without end": ('{"tiles": ' + "9" * 9_999 + "}", "not JSON"),
    "a list": ("[]", "a case is an object"),
    "a text": ('"case"', "a case is an object"),
    "null": ("null", "a case is an object"),
    "rules are a list": (changed(rules=[]), "rules"),
    "an unknown rule": (changed(rules={"conflicts": "bounce"}), "conflicts"),
    "an option that is no rule": (changed(rules={"turn_limit": 5}), "turn_limit"),
    "an unknown value": (changed(rules={"conflict": "explode"}), "conflict: 'explode'"),
    "a list for a value": (changed(rules={"orphans": ["vanish"]}), "orphans"),
    "a value for a list": (changed(rules={"emperor_takes_pawn": "push"}), "emperor_takes_pawn"),
    "an unknown value in a list": (changed(rules={"emperor_takes_pawn": ["shove"]}), "'shove'"),
    "no tiles": (json.dumps({"pieces": []}), "tiles"),
    "tiles are a text": (changed(tiles="...."), "tiles"),
    "a row is a number": (changed(tiles=["....", 7, "...."]), "row 1"),
    "no pieces": (json.dumps({"tiles": ["."]}), "pieces"),
    "pieces are an object": (changed(pieces={}), "pieces"),
    "a piece is a text": (changed(pieces=["a0"]), "'a0'"),
    "a piece without id": (without("pieces", "id"), "id"),
    "a piece without seat": (without("pieces", "seat"), "seat"),
    "a piece without kind": (without("pieces", "kind"), "kind"),
    "a piece without tile": (without("pieces", "at"), "at"),
    "a pawn without xp": (without("pieces", "xp"), "xp"),
    "an id that is a number": (with_piece(id=1), "id"),
    "a seat that is a number": (with_piece(seat=1), "seat"),
    "an unknown kind": (with_piece(kind="queen"), "'queen'"),
    "xp 0": (with_piece(xp=0), "xp 0"),
    "xp that is true": (with_piece(xp=True), "xp true"),
    "xp that is null": (with_piece(xp=None), "xp null"),
    "xp that is a fraction": (with_piece(xp=1.5), "xp 1.5"),
    "xp that is a text": (with_piece(xp="1"), "xp '1'"),
    "a tile of one number": (with_piece(at=[0]), "[x, y]"),
    "a tile of three numbers": (with_piece(at=[0, 0, 0]), "[x, y]"),
    "a tile of truths": (with_piece(at=[True, False]), "[x, y]"),
    "a tile of fractions": (with_piece(at=[0.0, 2.0]), "[x, y]"),
    "a tile that is a name": (with_piece(at="A3"), "[x, y]"),
    "a doubled id": (with_piece(id="a0"), "'a0'"),
    "two on a tile": (with_piece(at=[0, 0]), "one tile"),
    "in a hole": (with_piece(at=[1, 1]), "off the board"),
    "left of the board": (with_piece(at=[-1, 0]), "off the board"),
    "far off": (with_piece(at=[10**300, 0]), "off the board"),
    "orders are null": (changed(orders=None), "orders"),
    "an order is a list": (changed(orders=[["a", "a0", [1, 0]]]), "order"),
    "an order without seat": (without("orders", "seat"), "seat"),
    "an order of nobody": (with_order(seat=None), "seat"),
    "an order to nowhere": (without("orders", "to"), "to"),
    "an order to a text": (with_order(to="B1"), "[x, y]"),
    "two orders of one seat": (with_order(seat="b", piece="b0", to=[2, 0]), "two orders"),
    "a piece that is not there": (with_order(piece="a7"), "a7"),
    "a rival's piece": (with_order(piece="b0", to=[2, 0]), "b0"),
    "a neutral piece": (with_order(piece="n1", to=[1, 2]), "n1"),
    "a seat that is not there": (with_order(seat="z"), "a0"),
    "where it stands": (with_order(to=[0, 0]), "A1"),
    "askew": (with_order(to=[1, 2]), "row or column"),
    "too far": (with_order(to=[3, 0]), "a0"),
    "off the board": (with_order(to=[0, -1]), "no tile"),
    "into a hole": (with_order(piece="a1", to=[1, 1]), "no tile"),
    "far off the board": (with_order(to=[10**300, 0]), "no tile"),
    "onto an own piece": (with_order(to=[0, 2]), "a1"),
}  # fmt: skip


@pytest.fixture(scope="module")
def answers() -> dict[str, dict[str, Any]]:
    """All bad lines in one go, a good one after each."""
    lines = [line for bad, _ in BAD.values() for line in (bad, EXAMPLE)]
    found = ask(*lines)
    assert all("error" not in outcome for outcome in found[1::2]), "the next line was not read"
    return dict(zip(BAD, found[::2], strict=True))


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_line_is_answered_with_what_is_wrong(
    kind: str, answers: dict[str, dict[str, Any]]
) -> None:
    assert list(answers[kind]) == ["error"]
    assert BAD[kind][1] in answers[kind]["error"]
    assert len(answers[kind]["error"]) < 400


def test_a_hole_and_a_piece_on_the_way_are_told_apart() -> None:
    tiles, pieces = ["..#.."], [{"id": "a1", "seat": "a", "kind": "pawn", "xp": 4, "at": [0, 0]}]
    blocker = {"id": "b1", "seat": "b", "kind": "pawn", "xp": 1, "at": [1, 0]}
    order = [{"seat": "a", "piece": "a1", "to": [3, 0]}]
    hole, blocked, leap = ask(
        json.dumps({"tiles": tiles, "pieces": pieces, "orders": order}),
        json.dumps({"tiles": ["....."], "pieces": [*pieces, blocker], "orders": order}),
        json.dumps(
            {
                "rules": {"passage": "open"},
                "tiles": ["....."],
                "pieces": [*pieces, blocker],
                "orders": order,
            }
        ),
    )
    assert "breaks" in hole["error"]
    assert "b1 stands in the way" in blocked["error"]
    assert "error" not in leap


def test_the_largest_xp_that_can_be_read_is_kept_and_can_not_grow() -> None:
    """One more would have one digit more than Python writes."""
    most = "9" * 4_300
    holding = with_piece(xp=7).replace('"xp": 7', f'"xp": {most}')
    moving = holding.replace(
        '"seat": "a", "piece": "a0", "to": [2, 0]', '"seat": "a", "piece": "a1", "to": [0, 1]'
    )
    kept, grown, good = ask(holding, moving, EXAMPLE)
    assert {piece["id"]: piece["xp"] for piece in kept["pieces"]}["a1"] == int(most)
    assert list(grown) == ["error"]
    assert "4300 digits" in grown["error"]
    assert "error" not in good


ILLEGAL = ("a piece that is not there", "a rival's piece", "where it stands", "askew", "too far")


@pytest.mark.parametrize("kind", ILLEGAL)
def test_an_illegal_order_is_answered_with_the_seat_that_gave_it(
    kind: str, answers: dict[str, dict[str, Any]]
) -> None:
    assert answers[kind]["error"].startswith("the order of seat 'a': ")


# --- Whatever is sent ---------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of a case."""
    yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        yield from places(item, (*path, key))


PLACES = list(places(GOOD))[1:]


def put(case: Any, path: tuple[Any, ...], value: Any) -> Any:
    spoiled = copy.deepcopy(case)
    part = spoiled
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return spoiled


def is_outcome_or_error(text: str) -> bool:
    return set(json.loads(text)) in ({"error"}, {"pieces", "taken", "events"})


@given(st.sampled_from(PLACES), JSON)
def test_a_case_with_anything_in_any_place_has_an_outcome_or_an_error(
    path: tuple[Any, ...], value: Any
) -> None:
    assert is_outcome_or_error(answer(json.dumps(put(GOOD, path, value))))


@pytest.mark.parametrize("path", PLACES, ids=str)
def test_a_case_with_a_wrong_kind_in_any_place_has_an_outcome_or_an_error(
    path: tuple[Any, ...],
) -> None:
    for value in (None, True, -1, 10**30, 0.5, "", "\ud800", "\x00", [], [[]], {}, {"a": []}):
        assert is_outcome_or_error(answer(json.dumps(put(GOOD, path, value))))


@given(JSON)
def test_any_json_has_an_outcome_or_an_error(value: Any) -> None:
    assert is_outcome_or_error(answer(json.dumps(value)))


@given(st.binary(max_size=40))
def test_any_bytes_have_an_outcome_or_an_error(line: bytes) -> None:
    assert is_outcome_or_error(answer(line))
