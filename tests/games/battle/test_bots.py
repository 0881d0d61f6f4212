"""Bots keep the rules, their budgets and their secrets, and the stronger ones are stronger."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from games.battle.battlefields import load
from games.battle.bots import BOTS, Bot
from games.battle.bots.judgement import WIN, worth
from games.battle.bots.knight import Knight
from games.battle.bots.mixing import mix
from games.battle.bots.page import Page
from games.battle.bots.prospects import promising, replies
from games.battle.bots.regent import Regent
from games.battle.game import BATTLE, Battle
from games.battle.orders import HOLD, Move, moves
from games.battle.state import State
from games.kit.codec import dumps
from games.kit.rng import HashRng
from tests.scale import figure

QUICK: Mapping[str, Bot] = {"page": Page(), "knight": Knight(40), "regent": Regent(120)}
"""The same bots with smaller budgets, for whole games."""

HANGING = """\
name: Hanging
idea: Seat a can take the emperor of b at once.

+---+---+---+---+---+---+
|(a)| a |   |   | b |   |
+---+---+---+---+---+---+
| a |   |   | a |(b)|   |
+---+---+---+---+---+---+
"""

NARROW = """\
name: Narrow
idea: As many tiles as pieces.
opposites: a-b

+---+---+---+---+
|(a)| a | b |(b)|
+---+---+---+---+
"""

ROAD = """\
name: Road
idea: Two emperors meet on a road.
opposites: a-b

+---+---+---+---+---+---+---+
| a |(a)|   |   |   |(b)| b |
+---+---+---+---+---+---+---+
"""


def filled_by_a() -> State:
    """A board full of pieces of seat a: the only way to be without a move."""
    state = start(NARROW, goals=[{"kind": "survive", "turns": 9, "more_than": 0}])
    return replace(state, pieces=tuple(piece._replace(seat="a") for piece in state.pieces))


def start(text: str, **options: Any) -> State:
    announced = {"battlefield": text, **options}
    return BATTLE.setup(BATTLE.seats(announced), announced, HashRng(0, "start"))


def duel(**options: Any) -> State:
    return start(load("duel").text, **options)


def order(bot: Bot, state: State, seat: str, seed: int = 0) -> Any:
    return bot.choose(BATTLE.view(state, seat), HashRng(seed, f"{seat}:{state.turn}"))


def played(state: State, bots: Mapping[str, Bot], seed: int) -> Iterator[State]:
    """Every state of a game; each order is checked before it is carried out."""
    while state.verdict is None:
        orders = {seat: order(bots[seat], state, seat, seed) for seat in state.left()}
        for seat, chosen in orders.items():
            BATTLE.check(state, seat, chosen)
        state = BATTLE.resolve(state, orders).state
        yield state


def share(bots: Mapping[str, Bot], hero: str, seed: int) -> float:
    """The hero's part of the victory."""
    *_, end = played(duel(turn_limit=figure(40, soak=200)), bots, seed)
    assert end.verdict is not None
    winners = end.verdict.winners
    return (hero in winners) / len(winners) if winners else 0.5


def win_rate(hero: Bot, foe: Bot, games: int) -> float:
    """Over duels, half of them from either seat."""
    sides = ({"a": hero, "b": foe}, {"a": foe, "b": hero})
    return sum(share(sides[n % 2], "ab"[n % 2], n) for n in range(games)) / games


# --- What they may do ---------------------------------------------------------------------------

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("duel", {"conflict": "bounce", "pawn_takes_emperor": "remove"}),
    ("crossroads", {"orphans": "neutral", "pawn_takes_emperor": "demote-veteran"}),
    ("crooked-valley", {"goals": [{"kind": "treasure"}, {"kind": "take-superior"}]}),
    ("hourglass", {"goals": [{"kind": "treasure"}], "pickup": "emperor", "passage": "open"}),
    ("tea-garden", {"goals": [{"kind": "emperor-strike"}], "emperor_takes_pawn": ["push", "toll"]}),
    ("windmill", {"goals": [{"kind": "opposite-square"}], "orphans": "vanish"}),
    ("duel", {"goals": [{"kind": "survive", "turns": 15, "more_than": 3}]}),
)


@pytest.mark.parametrize(("key", "options"), GAMES)
def test_bots_of_all_kinds_give_only_allowed_orders_to_the_end(
    key: str, options: dict[str, Any]
) -> None:
    state = start(load(key).text, turn_limit=20, **options)
    names = [*QUICK]
    bots = {seat: QUICK[names[n % len(names)]] for n, seat in enumerate(reversed(state.seats))}
    *_, end = played(state, bots, seed=1)
    assert end.verdict is not None


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_without_any_move_holds(name: str) -> None:
    assert moves(filled_by_a(), "a") == []
    assert order(BOTS[name], filled_by_a(), "a") is HOLD


def test_a_bot_that_lost_its_emperor_plays_on_with_what_it_has() -> None:
    state = duel()
    headless = replace(state, pieces=tuple(p for p in state.pieces if p.id != "b0"))
    for bot in BOTS.values():
        BATTLE.check(headless, "b", order(bot, headless, "b"))


# --- What they may spend, and what they depend on -----------------------------------------------


@pytest.mark.parametrize("simulations", [1, 7, 40, 150, 1000])
@pytest.mark.parametrize("kind", [Page, Knight, Regent])
@pytest.mark.parametrize("key", ["duel", "crossroads"])
def test_no_bot_tries_out_more_turns_than_its_budget(
    key: str, kind: type[Bot], simulations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = start(load(key).text)
    calls = []
    resolve = Battle.resolve

    def counted(self: Battle, *args: Any) -> Any:
        calls.append(1)
        return resolve(self, *args)

    monkeypatch.setattr(Battle, "resolve", counted)
    order(kind(simulations), state, "a")  # type: ignore[call-arg]
    assert len(calls) <= simulations


def choices_of_all() -> str:
    """What every bot orders on its first turns, as text."""
    lines = []
    for name, bot in QUICK.items():
        for key in ("duel", "crossroads"):
            state = start(load(key).text, turn_limit=4)
            for after in played(state, dict.fromkeys(state.seats, bot), seed=5):
                lines.append(f"{name} {dumps(BATTLE.encode(after))}")
    return "\n".join(lines)


def test_the_same_view_and_chance_give_the_same_order_in_every_process() -> None:
    here = choices_of_all()
    program = "from tests.games.battle.test_bots import choices_of_all; print(choices_of_all())"
    for hash_seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == here


# --- How they think -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["knight", "regent"])
@pytest.mark.parametrize("conflict", ["rollback", "bounce"])
def test_an_emperor_that_hangs_is_taken(name: str, conflict: str) -> None:
    state = start(HANGING, conflict=conflict)
    chosen = {order(BOTS[name], state, "a", seed) for seed in range(5)}
    assert Move("a3", (4, 1)) in chosen
    if name == "knight":
        assert chosen == {Move("a3", (4, 1))}


def test_a_regent_can_not_be_read() -> None:
    chosen = {order(Regent(400), duel(), "a", seed) for seed in range(6)}
    assert len(chosen) >= 2


def test_a_mix_finds_the_equilibrium_of_small_tables() -> None:
    rock_paper_scissors = [[0, -300, 300], [300, 0, -300], [-300, 300, 0]]
    found = mix(rock_paper_scissors, 3000)
    assert all(abs(count - 1000) < 150 for count in found.rows)
    assert abs(found.value) <= 15
    sure = mix([[3, 5], [1, 4]], 10)
    assert (sure.rows, sure.value) == ([10, 0], 3)
    assert (sure.best_rows(1), sure.best_columns(2)) == ([0], [0, 1])


def test_what_is_promising_comes_first_and_never_is_nothing() -> None:
    state = start(HANGING)
    assert promising(state, "a", 3)[0] == Move("a3", (4, 1))
    assert promising(filled_by_a(), "a", 3) == [HOLD]
    assert replies(state, "a", 0, HashRng(0, "")) == [{"b": promising(state, "b", 1)[0]}]


def test_to_arrive_where_a_goal_is_met_is_promising() -> None:
    state = start(load("hourglass").text, goals=[{"kind": "treasure"}])
    near = replace(
        state,
        pieces=tuple(p._replace(at=(3, 2)) if p.id == "a4" else p for p in state.pieces),
    )
    assert promising(near, "a", 1) == [Move("a4", (3, 3))]
    assert order(BOTS["knight"], near, "a") == Move("a4", (3, 3))


def test_every_rivals_best_order_is_among_the_replies() -> None:
    state = start(load("crossroads").text)
    found = replies(state, "a", 6, HashRng(0, ""))
    assert len(found) == 6
    for rival in "bcd":
        assert promising(state, rival, 1)[0] in [reply[rival] for reply in found]


# --- What they take a position to be worth ------------------------------------------------------


def test_a_position_that_is_the_same_for_all_is_worth_nothing() -> None:
    for key in ("duel", "crossroads", "great-court"):
        state = start(load(key).text)
        assert [worth(state, seat) for seat in state.seats] == [0] * len(state.seats)


def test_an_end_is_worth_all_or_nothing() -> None:
    state = start(HANGING)
    end = BATTLE.resolve(state, {"a": Move("a3", (4, 1)), "b": HOLD}).state
    assert (worth(end, "a"), worth(end, "b")) == (WIN, -WIN)
    shared = BATTLE.resolve(duel(turn_limit=1), {"a": HOLD, "b": HOLD}).state
    assert (worth(shared, "a"), worth(shared, "b")) == (0, 0)


@pytest.mark.parametrize(
    ("text", "goal", "piece"),
    [
        (load("hourglass").text, "treasure", "a4"),
        (ROAD, "opposite-square", "a0"),
    ],
)
def test_to_come_nearer_to_a_goal_is_worth_something(text: str, goal: str, piece: str) -> None:
    plain = best_gain(start(text), piece)
    wanted = best_gain(start(text, goals=[{"kind": goal}]), piece)
    assert wanted > plain


def best_gain(state: State, piece: str) -> int:
    """How much better seat a is off after the best move of a piece, if b holds."""
    return max(
        worth(BATTLE.resolve(state, {"a": move, "b": HOLD}).state, "a") - worth(state, "a")
        for move in moves(state, "a")
        if move.piece == piece
    )


# --- How strong they are ------------------------------------------------------------------------


def test_a_knight_beats_a_page() -> None:
    assert win_rate(BOTS["knight"], BOTS["page"], figure(20, soak=400)) >= 0.85


def test_a_regent_beats_a_knight() -> None:
    assert win_rate(BOTS["regent"], BOTS["knight"], figure(4, soak=400)) >= 0.65
