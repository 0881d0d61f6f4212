"""What the world is told when a battle is over."""

from collections.abc import Mapping
from typing import Any

import pytest

from games.battle.game import BATTLE
from games.battle.orders import HOLD, RESIGN, Move, Order
from games.battle.state import State
from games.kit.rng import HashRng

FIELD = """name: A Lane
idea: Three emperors in a row.

+---+---+---+---+
|(a)|   |(b)| b |
+---+---+---+---+
| a |   |(c)| c |
+---+---+---+---+
"""


def begin(**options: Any) -> State:
    return BATTLE.setup("abc", {"battlefield": FIELD, **options}, HashRng("", ""))


def turn(state: State, orders: Mapping[str, Order]) -> State:
    return BATTLE.resolve(state, orders).state


def all_hold(state: State, **others: Order) -> State:
    return turn(state, {**dict.fromkeys(BATTLE.due(state), HOLD), **others})


def test_three_deadlines_missed_in_a_row_are_a_forfeit() -> None:
    state = begin()
    for _ in range(3):
        assert "c" in BATTLE.due(state)
        state = turn(state, {"a": HOLD, "b": HOLD})
    assert BATTLE.due(state) == ("a", "b")
    assert state.forfeited == ("c",)


def test_whoever_comes_back_in_time_begins_anew() -> None:
    state = begin()
    for seats in ("ab", "ab", "abc", "ab", "ab"):
        state = turn(state, dict.fromkeys(seats, HOLD))
    assert BATTLE.due(state) == ("a", "b", "c")


def test_the_emperor_of_a_seat_that_gives_up_is_neither_taken_nor_held_by_another() -> None:
    state = turn(begin(), {"a": HOLD, "b": RESIGN, "c": RESIGN})
    outcome = BATTLE.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == (("a",), "last-emperor")
    assert outcome.ranks == {"a": 1, "b": 2, "c": 2}
    assert outcome.facts["forfeited"] == ("b", "c")
    assert outcome.facts["taken"] == []
    emperors: Any = outcome.facts["emperors"]
    assert emperors["b"] == {"piece": "b0", "taken_by": None, "held_by": "b"}


@pytest.mark.parametrize("fate", ["convert", "remove", "demote", "demote-veteran"])
def test_a_taken_emperor_is_held_by_his_taker_whatever_he_is_now(fate: str) -> None:
    """b0 walks beside a0, and a0 takes him; c gives up."""
    state = all_hold(begin(emperor_takes_emperor=fate), b=Move("b0", (1, 0)))
    state = all_hold(state, a=Move("a0", (1, 0)), c=RESIGN)
    outcome = BATTLE.outcome(state)
    assert outcome is not None
    assert outcome.winners == ("a",)
    emperors: Any = outcome.facts["emperors"]
    assert emperors["b"] == {"piece": "b0", "taken_by": "a", "held_by": "a"}
    taken: Any = outcome.facts["taken"]
    assert [(loss["emperor"], loss["loser"], loss["taker"], loss["by"]) for loss in taken] == [
        ("b0", "b", "a", "a0")
    ]
    assert outcome.ranks["c"] == 3, "who gave up comes after who was beaten"


def test_a_draw_ranks_everybody_first() -> None:
    outcome = BATTLE.outcome(turn(begin(), dict.fromkeys("abc", RESIGN)))
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((), "nobody-left")
    assert outcome.ranks == {"a": 1, "b": 1, "c": 1}


def test_equals_share_the_victory_at_the_turn_limit() -> None:
    outcome = BATTLE.outcome(all_hold(begin(turn_limit=1)))
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == (("a", "b", "c"), "turn-limit")
    assert outcome.facts["turns"] == 1


def test_the_more_experienced_win_at_the_turn_limit() -> None:
    outcome = BATTLE.outcome(all_hold(begin(turn_limit=1), a=Move("a1", (1, 1))))
    assert outcome is not None
    assert outcome.winners == ("a",)
    assert outcome.ranks == {"a": 1, "b": 2, "c": 2}


# --- What several turns add up to ---------------------------------------------------------------

ROOM = """name: A Room
idea: a's pawn stands beside b's emperor, c's beside d's, and there are chests to find.

+---+---+---+---+
|(a)| a |(b)| b |
+---+---+---+---+
|[b]|   |   |[?]|
+---+---+---+---+
|(d)| c |(c)| d |
+---+---+---+---+
"""
A_TAKES_B = Move("a1", (2, 0))
B_WINS_HIM_BACK = Move("b1", (2, 0))
C_TAKES_D = Move("c1", (0, 2))


def enter(**options: Any) -> State:
    return BATTLE.setup("abcd", {"battlefield": ROOM, **options}, HashRng("", ""))


def end_of(state: State) -> Any:
    outcome = BATTLE.outcome(state)
    assert outcome is not None
    return outcome


def holders(state: State) -> dict[str, tuple[str | None, str]]:
    """Who took each seat's emperor, and who holds him."""
    facts = end_of(state).facts["emperors"]
    return {seat: (fate["taken_by"], fate["held_by"]) for seat, fate in facts.items()}


def test_those_who_left_in_different_turns_are_all_remembered_in_their_order() -> None:
    state = all_hold(enter(turn_limit=4), d=RESIGN)
    state = all_hold(all_hold(state), b=RESIGN)
    assert state.forfeited == ("d", "b")
    assert BATTLE.due(state) == ("a", "c")
    outcome = end_of(all_hold(state))
    assert outcome.facts["forfeited"] == ("d", "b")
    assert outcome.ranks == {"a": 1, "b": 3, "c": 1, "d": 3}


def test_emperors_taken_in_different_turns_are_all_remembered() -> None:
    state = all_hold(enter(turn_limit=3), a=A_TAKES_B)
    state = all_hold(all_hold(state), c=C_TAKES_D)
    taken = end_of(state).facts["taken"]
    assert [(loss["turn"], loss["emperor"], loss["taker"]) for loss in taken] == [
        (1, "b0", "a"),
        (3, "d0", "c"),
    ]
    assert holders(state) == {
        "a": (None, "a"), "b": ("a", "a"), "c": (None, "c"), "d": ("c", "c"),
    }  # fmt: skip


def test_what_was_found_in_different_turns_is_all_remembered() -> None:
    state = all_hold(enter(turn_limit=3), a=Move("a0", (0, 1)))
    state = all_hold(state, b=Move("b1", (3, 1)))
    assert state.items == ()
    found = end_of(all_hold(state)).facts["found"]
    assert [(find["turn"], find["item"], find["seat"]) for find in found] == [
        (1, "chest-b", "a"),
        (2, "chest-1", "b"),
    ]


def test_an_emperor_who_was_won_back_is_his_own_seats_again() -> None:
    state = enter(goals=[{"kind": "survive", "turns": 2, "more_than": 0}])
    lost = all_hold(state, a=A_TAKES_B)
    assert end_of(all_hold(lost)).winners == ("a", "c", "d")
    won_back = all_hold(lost, b=B_WINS_HIM_BACK)
    assert end_of(won_back).winners == ("a", "b", "c", "d")
    assert holders(won_back)["b"] == ("b", "b")


def test_an_emperor_taken_again_and_again_is_held_by_the_last() -> None:
    state = all_hold(enter(turn_limit=3), a=A_TAKES_B)
    state = all_hold(all_hold(state, b=B_WINS_HIM_BACK), a=A_TAKES_B)
    assert holders(state)["b"] == ("a", "a")
    assert [loss["loser"] for loss in end_of(state).facts["taken"]] == ["b", "a", "b"]


def test_a_former_emperor_stays_on_the_board_when_his_seat_gives_up() -> None:
    """He was demoted, won back as a pawn, and is one of those who are left behind."""
    state = all_hold(enter(turn_limit=3, pawn_takes_emperor="demote"), a=A_TAKES_B)
    state = all_hold(all_hold(state, b=B_WINS_HIM_BACK), b=RESIGN)
    assert [piece.id for piece in state.pieces if piece.seat == "b"] == ["b0", "b1"]
    assert holders(state)["b"] == ("a", "b")


@pytest.mark.parametrize("orphans", ["fight-on", "neutral", "join-captor", "vanish"])
def test_a_captive_of_a_seat_that_left_keeps_nobody_from_being_the_last(orphans: str) -> None:
    state = all_hold(enter(orphans=orphans), a=A_TAKES_B)
    state = all_hold(state, a=RESIGN)
    state = all_hold(state, c=C_TAKES_D)
    outcome = end_of(state)
    assert (outcome.winners, outcome.reason) == (("c",), "last-emperor")
    assert holders(state)["a"] == (None, "a"), "neither taken nor dead"
    assert holders(state)["b"] == ("a", "a")


def test_who_is_out_is_not_missed() -> None:
    state = all_hold(enter(), d=RESIGN)
    for _ in range(3):
        state = turn(state, dict.fromkeys("abc", HOLD))
        assert state.absences == ()
    assert state.forfeited == ("d",)


def test_a_battle_lasts_as_many_turns_as_its_limit() -> None:
    state = enter(turn_limit=3)
    for number in (1, 2, 3):
        assert BATTLE.due(state) == ("a", "b", "c", "d")
        state = all_hold(state)
        assert state.turn == number
    assert end_of(state).reason == "turn-limit"
