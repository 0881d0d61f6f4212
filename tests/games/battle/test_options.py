"""Announcements that contradict themselves are refused, and say where."""

from typing import Any

import pytest

from games.battle.game import BATTLE
from games.kit.errors import BadOptions
from games.kit.rng import HashRng
from tests.games.announcements import DUEL

BARE = DUEL.replace("opposites: a-b\n", "").replace("(x)", "   ")


@pytest.mark.parametrize(
    ("field", "options", "complaint"),
    [
        (BARE, {"goals": [{"kind": "opposite-square"}]}, "goals: opposite-square: not every seat"),
        (BARE, {"goals": [{"kind": "emperor-strike"}]}, "goals: emperor-strike: not every seat"),
        (BARE, {"goals": [{"kind": "treasure"}]}, "goals: treasure: there is none"),
        (
            DUEL,
            {"goals": [{"kind": "survive", "turns": 31, "more_than": 0}], "turn_limit": 30},
            "goals: survive: the turn limit comes before",
        ),
        (DUEL.replace("(b)", "   "), {}, "battlefield: line 6"),
        ("", {}, "battlefield: line 1"),
        (DUEL, {"turn_limit": 0}, "turn_limit: 0 is not from 1"),
    ],
)
def test_a_contradiction_is_named(field: str, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadOptions) as refused:
        BATTLE.seats({"battlefield": field, **options})
    assert refused.value.sentence.startswith(complaint)


@pytest.mark.parametrize(
    "goal",
    [
        {"kind": "opposite-square"},
        {"kind": "emperor-strike"},
        {"kind": "treasure"},
        {"kind": "survive", "turns": 200, "more_than": 0},
    ],
)
def test_a_goal_that_can_be_met_may_be_announced(goal: dict[str, Any]) -> None:
    assert BATTLE.seats({"battlefield": DUEL, "goals": [goal]}) == ("a", "b")


@pytest.mark.parametrize(
    "seats", [(), ("a",), ("a", "c"), ("a", "b", "c"), ("a", "a"), ("a", "b", "b")]
)
def test_a_battle_needs_two_different_seats_of_its_field(seats: tuple[str, ...]) -> None:
    with pytest.raises(BadOptions) as refused:
        BATTLE.setup(seats, {"battlefield": DUEL}, HashRng("", ""))
    assert refused.value.option == "seats"
