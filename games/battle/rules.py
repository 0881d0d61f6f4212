"""What a tournament can announce of Battle, and which announcements contradict each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from games.battle.battlefields import Battlefield
from games.battle.battlefields import read as read_battlefield
from games.battle.drawing import BadDrawing
from games.kit.codec import Json, JsonObject
from games.kit.errors import BadOptions
from games.kit.options import AnyOf, OneOf, Option, Several, Text, Whole, read_options

FATES = ("convert", "remove", "demote", "demote-veteran")

RULES: tuple[Option, ...] = (
    OneOf(
        "conflict",
        ("rollback", "bounce", "rollback-and-stay", "bounce-and-stay"),
        default="rollback",
    ),
    OneOf("passage", ("blocked", "open"), default="blocked"),
    AnyOf("emperor_takes_pawn", ("push", "precedence", "toll")),
    OneOf("pawn_takes_emperor", FATES, default="convert"),
    OneOf("emperor_takes_emperor", FATES, default="convert"),
    OneOf("orphans", ("fight-on", "join-captor", "neutral", "vanish"), default="fight-on"),
)
"""How one turn is resolved: all that the contract for tools knows."""

GOALS: Mapping[str, tuple[Option, ...]] = MappingProxyType(
    {
        "opposite-square": (),
        "last-emperor": (),
        "survive": (Whole("turns", 1, 10_000), Whole("more_than", 0, 1_000)),
        "take-superior": (),
        "emperor-strike": (),
        "treasure": (),
    }
)

OPTIONS: tuple[Option, ...] = (
    Text("battlefield", longest=20_000),
    *RULES,
    OneOf("pickup", ("any", "emperor"), default="any"),
    Several("goals", GOALS, default=({"kind": "last-emperor"},)),
    Whole("turn_limit", 1, 10_000, default=200),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """How one turn is resolved."""

    conflict: str
    passage: str
    emperor_takes_pawn: tuple[str, ...]
    pawn_takes_emperor: str
    emperor_takes_emperor: str
    orphans: str


class Goal(NamedTuple):
    """What ends a battle for those who meet it; the numbers are those of `survive`."""

    kind: str
    turns: int = 0
    more_than: int = 0


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that was announced; `announced` is what it was read from, complete."""

    announced: JsonObject = field(hash=False)
    battlefield: Battlefield = field(compare=False)
    rules: Rules
    pickup: str
    goals: tuple[Goal, ...]
    turn_limit: int


def read_rules(data: Json) -> Rules:
    """The rules of one turn. Raises BadOptions, naming the first bad one."""
    values: dict[str, Any] = read_options(RULES, data, "rules")
    return Rules(**values)


def read(data: Json) -> Options:
    """The options of a whole battle. Raises BadOptions, naming the first bad one."""
    values: dict[str, Any] = read_options(OPTIONS, data)
    options = Options(
        announced=values,
        battlefield=_battlefield(values["battlefield"]),
        rules=Rules(**{option.name: values[option.name] for option in RULES}),
        pickup=values["pickup"],
        goals=tuple(Goal(**goal) for goal in values["goals"]),
        turn_limit=values["turn_limit"],
    )
    _refuse_contradictions(options)
    return options


def _battlefield(text: str) -> Battlefield:
    try:
        return read_battlefield(text)
    except BadDrawing as bad:
        raise BadOptions("battlefield", str(bad)) from None


def _refuse_contradictions(options: Options) -> None:
    """A goal that nobody, or not everybody, could ever meet is a mistake of who announces it."""
    ground = options.battlefield
    for goal in options.goals:
        if goal.kind == "opposite-square" and set(ground.targets) != set(ground.seats):
            raise BadOptions("goals", "opposite-square: not every seat here has a target")
        if goal.kind == "emperor-strike" and set(ground.opposites) != set(ground.seats):
            raise BadOptions("goals", "emperor-strike: not every seat here has an opposite")
        if goal.kind == "treasure" and not ground.has_treasure:
            raise BadOptions("goals", "treasure: there is none on this field")
        if goal.more_than >= len(ground.pieces):
            raise BadOptions("goals", "survive: there are not so many pieces on this field")
        if goal.turns > options.turn_limit:
            raise BadOptions("goals", "survive: the turn limit comes before its turns are over")
