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
