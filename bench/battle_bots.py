"""How much stronger each bot is than the one below it, with 95 % confidence intervals.

One bot, the hero, plays against others of one kind, in every seat equally often. A shared
victory counts by its share, and so does a draw, which nobody wins: as if all shared it.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from multiprocessing import get_context
from typing import Any, NamedTuple

from games.battle.battlefields import load
from games.battle.bots import BOTS, Bot
from games.battle.game import BATTLE
from games.battle.state import State
from games.kit.protocol import Seat
from games.kit.rng import HashRng

PROCESSES = 2
PROGRESS = 50
"""A line is printed after so many games."""
SHORTER = 60
"""The turn limit where four play: they seldom end it sooner, but who leads is clear by then."""


@dataclass(frozen=True)
class Match:
    """So many games of one hero against foes of one kind."""

    hero: str
    foe: str
    battlefield: str
    games: int
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        announced = ", ".join(f"{name} {value}" for name, value in self.options.items())
        return f"{self.hero} against {self.foe}, {self.battlefield} ({announced or 'default'})"


MATCHES = (
    Match("knight", "page", "duel", 400),
    Match("regent", "knight", "duel", 400),
    Match("regent", "knight", "duel", 100, {"conflict": "bounce"}),
    Match("regent", "knight", "duel", 100, {"goals": [{"kind": "opposite-square"}]}),
    Match("regent", "knight", "hourglass", 100, {"goals": [{"kind": "treasure"}]}),
    Match("knight", "page", "crossroads", 200, {"turn_limit": SHORTER}),
    Match("regent", "knight", "crossroads", 200, {"turn_limit": SHORTER}),
)


class Game(NamedTuple):
    """How one game went for its hero: the share of victory, the turns, seconds an order."""

    share: float
    reason: str
    turns: int
    pace: float


def main() -> None:
    for match in MATCHES:
        print(f"  {match}", flush=True)
        print(f"    {summary(list(progress(played(match), match.games)))}", flush=True)


def played(match: Match) -> Iterator[Game]:
    jobs = [(match, number) for number in range(match.games)]
    with get_context("spawn").Pool(PROCESSES) as pool:
        yield from pool.imap_unordered(play_one, jobs)


def progress(games: Iterable[Game], expected: int) -> Iterator[Game]:
    """Pass the games on, and say now and then how far it is."""
    total = 0.0
    for number, game in enumerate(games, start=1):
        total += game.share
        if number % PROGRESS == 0:
            print(f"    {number} of {expected}: {total / number:.1%}", flush=True)
        yield game


def summary(games: list[Game]) -> str:
    rate = sum(game.share for game in games) / len(games)
    low, high = wilson(rate, len(games))
    limit = sum(game.reason == "turn-limit" for game in games)
    turns = sum(game.turns for game in games) / len(games)
    pace = 1000 * sum(game.pace for game in games) / len(games)
    return (
        f"wins {rate:.1%} [{low:.1%}, {high:.1%}] of {len(games)}; {turns:.0f} turns on average, "
        f"{limit} games to the turn limit; {pace:.0f} ms an order"
    )


def wilson(rate: float, number: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval, which stays within 0 and 1 and is good at the edges too."""
    scale = 1 + z * z / number
    middle = (rate + z * z / (2 * number)) / scale
    spread = z / scale * sqrt(rate * (1 - rate) / number + z * z / (4 * number * number))
    return middle - spread, middle + spread


def play_one(job: tuple[Match, int]) -> Game:
    match, number = job
    battlefield = load(match.battlefield)
    seat = battlefield.seats[number % len(battlefield.seats)]
    bots = {s: BOTS[match.hero if s == seat else match.foe] for s in battlefield.seats}
    start = BATTLE.setup(
        battlefield.seats,
        {"battlefield": battlefield.text, **match.options},
        HashRng(number, "start"),
    )
    state, pace = play(start, bots, seat, number)
    return Game(share(state, seat), str(state.verdict and state.verdict.reason), state.turn, pace)


def play(state: State, bots: dict[Seat, Bot], hero: Seat, seed: int) -> tuple[State, float]:
    """Play to the end: the last state, and the seconds of processor time an order of the hero's."""
    spent, orders_given = 0.0, 0
    while state.verdict is None:
        orders = {}
        for seat in state.left():
            began = time.process_time()
            rng = HashRng(seed, f"{seat}:{state.turn}")
            orders[seat] = bots[seat].choose(BATTLE.view(state, seat), rng)
            if seat == hero:
                spent += time.process_time() - began
                orders_given += 1
        state = BATTLE.resolve(state, orders).state
    return state, spent / max(1, orders_given)


def share(state: State, seat: Seat) -> float:
    """A seat's part of the victory."""
    winners = state.verdict.winners if state.verdict else ()
    return (seat in winners) / len(winners) if winners else 1 / len(state.seats)
