"""Small battles in which much happens soon: crowded fields, many goals, many who leave."""

from random import Random
from typing import Any

from games.battle import battlefields
from games.battle.drawing import EMPTY, draw
from tests.games.announcements import random_goals
from tests.games.battle.campaign_oracle import Campaign, Orders
from tests.games.battle.positions import legal_moves, random_rules
from tests.games.harness import Announcement

SIZES = ((4, 3), (5, 2), (4, 4), (3, 3))
RESIGN = {"resign": True}


def random_skirmish(number: int) -> Announcement:
    """Two to four seats that stand close together, with things to find and tiles to reach."""
    dice = Random(f"skirmish {number}")
    text = random_field(dice)
    field = battlefields.read(text)
    seats = tuple(sorted(dice.sample(field.seats, dice.randint(2, len(field.seats)))))
    limit = dice.randint(3, 16)
    options = {
        **random_rules(dice),
        "battlefield": text,
        "pickup": dice.choice(("any", "emperor")),
        "goals": [few_pieces(goal) for goal in random_goals(field, dice, limit)],
        "turn_limit": limit,
    }
    return Announcement(options, seats, longest=limit)


def few_pieces(goal: dict[str, Any]) -> dict[str, Any]:
    """A goal for a field where nobody has many pieces."""
    return {key: value // 2 if key == "more_than" else value for key, value in goal.items()}


def random_field(dice: Random) -> str:
    """An emperor and one or two pawns a seat; treasure, chests and targets as there is room."""
    width, height = dice.choice(SIZES)
    tiles = [(x, y) for y in range(height) for x in range(width)]
    seats = "abcd"[: dice.randint(2, 3 if len(tiles) < 12 else 4)]
    things = [f"({seat})" for seat in seats] + [f" {seat} " for seat in seats]
    if len(seats) == 3 and len(tiles) >= 12:
        things += [f">{seat}<" for seat in seats]
    more = ["(x)", "(x)", "[a]", "[?]", *(f" {seat} " for seat in seats)]
    room = min(len(more), len(tiles) - len(things) - 1)
    things += dict.fromkeys(dice.sample(more, dice.randint(1, room)))
    cells = dict.fromkeys(tiles, EMPTY)
    cells |= dict(zip(dice.sample(tiles, len(things)), things, strict=True))
    opposites = {2: "opposites: a-b\n", 3: "", 4: "opposites: a-c, b-d\n"}[len(seats)]
    return f"name: A Skirmish\nidea: Close together.\n{opposites}\n{draw(cells)}\n"


def random_orders(it: Campaign, dice: Random, lazy: str) -> Orders:
    """What those who are waited for order, in an order of receipt; some are away, some give up."""
    seats = it.left()
    dice.shuffle(seats)
    given = {seat: random_order(it, dice, seat) for seat in seats}
    return {seat: order for seat, order in given.items() if not is_away(dice, seat == lazy)}


def is_away(dice: Random, is_lazy: bool) -> bool:
    return dice.random() < (0.7 if is_lazy else 0.05)


def random_order(it: Campaign, dice: Random, seat: str) -> dict[str, Any]:
    """Mostly a move, and most gladly one that takes something, an emperor above all."""
    moves = legal_moves(it.case(), seat)
    if not moves or dice.random() < 0.04:
        return RESIGN if dice.random() < 0.6 else {"hold": True}
    worth = {tuple(piece["at"]): 20 if piece["kind"] == "emperor" else 4 for piece in it.pieces}
    piece, to = dice.choices(moves, [worth.get(to, 1) for _, to in moves])[0]
    return {"piece": piece["id"], "to": list(to)}
