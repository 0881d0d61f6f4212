"""What each game of the registry is announced with when the harness plays it."""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from games.battle import battlefields
from games.kit.protocol import AnyGame
from games.kit.rng import Rng
from tests.games.battle.positions import random_rules
from tests.games.harness import Announcement, Twin

DUEL = """name: A Duel
idea: Two sides, a treasure between them, and a chest for each.
opposites: a-b

+---+---+---+---+---+
|(a)|   |   |   | b |
+---+---+---+---+---+
| a |[a]|(x)|[b]| b |
+---+---+---+---+---+
| a |   |###|   |(b)|
+---+---+---+---+---+
"""


def random_battle(number: int) -> Announcement:
    """Any field, rules, goals and number of seats."""
    dice = Random(number)
    key = dice.choice(battlefields.keys())
    field = battlefields.load(key)
    seats = tuple(sorted(dice.sample(field.seats, dice.randint(2, len(field.seats)))))
    limit = dice.choice((20, 40, 60))
    options: dict[str, Any] = {
        **random_rules(dice),
        "battlefield": field.text,
        "pickup": dice.choice(("any", "emperor")),
        "goals": random_goals(field, dice, limit),
        "turn_limit": limit,
    }
    return Announcement(options, seats, longest=limit)


def random_goals(field: battlefields.Battlefield, dice: Random, limit: int) -> list[dict[str, Any]]:
    goals: list[dict[str, Any]] = [
        {"kind": "last-emperor"},
        {"kind": "take-superior"},
        {"kind": "survive", "turns": dice.randint(1, limit), "more_than": dice.randint(0, 6)},
    ]
    if set(field.targets) == set(field.seats):
        goals.append({"kind": "opposite-square"})
    if set(field.opposites) == set(field.seats):
        goals.append({"kind": "emperor-strike"})
    if field.has_treasure:
        goals.append({"kind": "treasure"})
    return dice.sample(goals, dice.randint(1, 2))


ANNOUNCEMENTS: Mapping[str, tuple[Announcement, ...]] = {
    "battle": (
        Announcement({"battlefield": DUEL, "turn_limit": 30}, ("a", "b"), longest=30),
        *(random_battle(number) for number in range(7)),
    ),
}
"""Key of a game to some announcements that show its options."""

Twins = Callable[[AnyGame, Any, Rng], Iterable[Twin]]

TWINS: Mapping[str, Twins] = {}
"""Key of a game that keeps secrets in its state to how its twins are made."""

OPEN = {"battle"}
"""The games whose states hold no secret, so that there are no twins to make."""
