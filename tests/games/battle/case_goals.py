"""The goals of a case: read from its text, and refused where nobody could ever meet them."""

from games.battle.battlefields import Battlefield
from games.battle.rules import GOALS, Goal


def read_goal(text: str) -> Goal:
    """A goal, and the numbers of `survive`. Raises ValueError."""
    kind, *numbers = text.split()
    counted = len(numbers) == len(GOALS.get(kind, ())) and all(map(str.isdecimal, numbers))
    if kind not in GOALS or not counted:
        raise ValueError(f"{text!r} is no goal; survive has two numbers")
    return Goal(kind, *(int(number) for number in numbers))


def check_goal(goal: Goal, field: Battlefield, turn_limit: int) -> None:
    """Raises ValueError if the case makes the goal impossible: then it would prove nothing."""
    impossible = {
        "opposite-square": not field.targets and "no seat has a target: draw >a<, or add targets:",
        "emperor-strike": not field.opposites and "no seat has an opposite: add opposites:",
        "treasure": not field.has_treasure and "there is no treasure: draw (x), or add under:",
        "survive": goal.turns > turn_limit and "the turn limit comes before its turns are over",
    }
    if why := impossible.get(goal.kind):
        raise ValueError(f"{goal.kind}: {why}")
