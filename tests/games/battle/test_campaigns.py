"""Whole battles, turn by turn, beside a slow model of what comes after a turn is resolved."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.battle.game import BATTLE
from games.battle.state import State
from games.kit.codec import dumps, loads
from games.kit.errors import Forbidden
from games.kit.grids import name
from games.kit.rng import HashRng
from tests.games.announcements import random_battle
from tests.games.battle import campaign_oracle as model
from tests.games.battle.campaign_oracle import Campaign, Orders
from tests.games.battle.ending_mutants import WRONG_ENDINGS
from tests.games.battle.mutants import Mutant
from tests.games.battle.showing_mutants import WRONG_SHOWINGS
from tests.games.battle.skirmishes import random_orders, random_skirmish
from tests.games.harness import Announcement, refusal
from tests.scale import figure

CHUNKS = 4
SKIRMISHES = figure(800, soak=100_000) // CHUNKS
BATTLES = figure(40, soak=10_000) // CHUNKS

ENOUGH = 600
"""Within so many skirmishes every mutant must be caught."""

AFTERWARDS = ("pick-up", "miss", "forfeit", "goal", "end")
"""What is told of a turn once the board is resolved."""


Choose = Callable[[Campaign], Orders]


def check_battle(announcement: Announcement, choose: Choose) -> Campaign:
    """Play a battle to its end; engine and model must agree upon every turn of it."""
    it = model.begin(dict(announcement.options), announcement.seats)
    state = BATTLE.setup(announcement.seats, announcement.options, HashRng("", ""))
    check_state(state, it)
    while not it.verdict:
        state = check_turn(state, it, choose(it))
    return it


def check_turn(state: State, it: Campaign, orders: Orders) -> State:
    given = {seat: BATTLE.parse(order) for seat, order in orders.items()}
    for seat, order in given.items():
        assert refusal(Forbidden, BATTLE.check, state, seat, order) is None
    after = BATTLE.resolve(state, given)
    model.play(it, orders)
    check_told(BATTLE.report(after.state, after.events, None), it)
    check_state(after.state, it)
    return after.state


def check_skirmish(number: int) -> Campaign:
    return check_battle(random_skirmish(number), chooser(f"skirmish {number}"))


def chooser(seed: str) -> Choose:
    """Random orders; there may be one who hardly ever comes."""
    dice = Random(seed)
    lazy = dice.choice("abcd---")
    return lambda it: random_orders(it, dice, lazy)


def check_told(report: list[Any], it: Campaign) -> None:
    told = [event for event in report if event["what"] in AFTERWARDS]
    assert len(told) == len(it.told)
    for event, expected in zip(told, it.told, strict=True):
        assert plain({key: event.get(key) for key in expected}) == expected


def check_state(state: State, it: Campaign) -> None:
    """All that a state says: as it is written, to whom it listens, how it looks, how it ended."""
    written = plain(BATTLE.encode(state))
    assert written.pop("options")["battlefield"] == it.options["battlefield"]
    assert written == {
        "seats": it.seats,
        "pieces": it.pieces,
        "items": it.items,
        "turn": it.turn,
        "absences": [it.missed.get(seat, 0) for seat in it.seats] if it.missed else [],
        "forfeited": it.forfeited,
        "losses": it.losses,
        "finds": it.finds,
        "verdict": it.verdict,
    }
    assert list(BATTLE.due(state)) == ([] if it.verdict else it.left())
    check_scene(state, it)
    found = BATTLE.outcome(state)
    assert plain(found and {part: getattr(found, part) for part in found.__slots__}) == plain(
        model.outcome(it)
    )


def check_scene(state: State, it: Campaign) -> None:
    """What lies on the board, whose target is where, and what each seat has won."""
    scene = BATTLE.scene(BATTLE.view(state, None))
    marks = [(item["kind"], name((*item["at"],)), item["seat"]) for item in it.items]
    if any(goal["kind"] == "opposite-square" for goal in it.goals):
        marks += [("target", name(it.field.targets[seat]), seat) for seat in it.seats]
    assert sorted((m.kind, m.tile, str(m.seat)) for m in scene.marks) == sorted(
        (kind, tile, str(seat)) for kind, tile, seat in marks
    )
    for seat, tray in zip(it.seats, scene.trays, strict=True):
        won = [(loss["emperor"], loss["loser"]) for loss in it.losses if loss["taker"] == seat]
        items = {item.id: item.seat for item in it.field.items}
        won += [(f["item"], items[f["item"]]) for f in it.finds if f["seat"] == seat]
        assert (tray.seat, [(fig.id, fig.seat) for fig in tray.figures]) == (seat, won)


def plain(value: Any) -> Any:
    return loads(dumps(value))


# --- Engine and model agree ---------------------------------------------------------------------


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_turn_of_a_skirmish_leads_where_the_model_says(chunk: int) -> None:
    for number in range(chunk * SKIRMISHES, (chunk + 1) * SKIRMISHES):
        check_skirmish(number)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_turn_of_a_battle_leads_where_the_model_says(chunk: int) -> None:
    for number in range(chunk * BATTLES, (chunk + 1) * BATTLES):
        check_battle(random_battle(number), chooser(f"battle {number}"))


def test_the_skirmishes_end_in_every_way_and_much_happens_in_them() -> None:
    met: Counter[str] = Counter()
    for number in range(300):
        it = check_skirmish(number)
        assert it.verdict
        met[it.verdict["reason"]] += 1
        met["shared"] += len(it.verdict["winners"]) > 1
        met["losses"] += len({loss["turn"] for loss in it.losses}) > 1
        met["forfeits"] += len(it.forfeited) > 1
    assert set(met) >= {
        "opposite-square", "last-emperor", "survive", "take-superior", "emperor-strike",
        "treasure", "turn-limit", "nobody-left",
    }  # fmt: skip
    assert min(met.values()) > 2, met


# --- Two battles that chance would hardly play --------------------------------------------------

FIELD = """name: A Captive
idea: b takes the emperor of c, and gives up.

+---+---+---+---+---+
|(a)| a |   |(c)| b |
+---+---+---+---+---+
| c |   |   |   |(b)|
+---+---+---+---+---+
"""
HOLD, RESIGN = {"hold": True}, {"resign": True}


def captivity(*turns: Orders, **options: Any) -> tuple[Announcement, Choose]:
    return Announcement({"battlefield": FIELD, **options}, ("a", "b", "c")), lambda it: turns[
        it.turn
    ]


NOBODYS = captivity(
    {"a": HOLD, "b": {"piece": "b1", "to": [3, 0]}, "c": HOLD},
    {"a": HOLD, "b": {"piece": "c0", "to": [2, 0]}},
    {"a": HOLD, "b": {"piece": "b1", "to": [3, 0]}},
    {"a": HOLD, "b": RESIGN},
    {"a": {"piece": "a1", "to": [2, 0]}},
    orphans="neutral",
    goals=[{"kind": "take-superior"}],
    turn_limit=5,
)
LEFT_BEHIND = captivity(
    {"a": HOLD, "b": {"piece": "b1", "to": [3, 0]}, "c": HOLD},
    {"a": HOLD, "b": RESIGN, "c": HOLD},
)


def test_an_emperor_who_obeys_nobody_is_no_rival_however_superior() -> None:
    it = check_battle(*NOBODYS)
    assert it.verdict == {"winners": ["a"], "reason": "turn-limit"}
    assert [loss["loser"] for loss in it.losses] == ["c", None]


def test_a_captive_of_a_seat_that_left_is_nobodys_last_emperor() -> None:
    it = check_battle(*LEFT_BEHIND)
    assert it.verdict == {"winners": ["a"], "reason": "last-emperor"}
    assert [(p["id"], p["seat"]) for p in it.pieces if p["kind"] == "emperor"] == [
        ("a0", "a"),
        ("c0", "b"),
    ]


# --- A comparison that catches nothing proves nothing -------------------------------------------


@pytest.mark.parametrize(
    "mutant", [*WRONG_ENDINGS, *WRONG_SHOWINGS], ids=lambda mutant: mutant.__name__
)
def test_a_wrong_ending_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    with pytest.raises(AssertionError):
        check_endings()


def check_endings() -> None:
    check_battle(*NOBODYS)
    check_battle(*LEFT_BEHIND)
    for number in range(ENOUGH):
        check_skirmish(number)
