"""What may be ordered: the list of moves and the judge of a move never disagree."""

from random import Random
from typing import Any

import pytest

from games.battle.contract import read
from games.battle.game import BATTLE
from games.battle.orders import HOLD, RESIGN, Move, check_move, moves, parse
from games.battle.state import State
from games.kit.errors import Forbidden, Unreadable
from games.kit.rng import HashRng
from tests.games.announcements import DUEL
from tests.games.battle.positions import legal_moves, random_case


def is_allowed(state: State, seat: str, move: Move) -> bool:
    try:
        check_move(state, seat, move)
    except Forbidden:
        return False
    return True


def test_the_listed_moves_are_those_that_are_allowed_and_those_of_the_rules() -> None:
    dice = Random("moves")
    for _ in range(300):
        case = random_case(dice)
        state, _orders = read(case)
        everywhere = [(x, y) for x in range(-1, 10) for y in range(-1, 10)]
        for seat in state.seats:
            listed = moves(state, seat)
            assert len(set(listed)) == len(listed)
            judged = {
                move
                for piece in state.pieces
                for to in everywhere
                if is_allowed(state, seat, move := Move(piece.id, to))
            }
            assert set(listed) == judged
            assert judged == {Move(piece["id"], to) for piece, to in legal_moves(case, seat)}


@pytest.mark.parametrize(
    ("data", "order"),
    [
        ({"piece": "a1", "to": [0, 2]}, Move("a1", (0, 2))),
        ({"piece": "", "to": (-1, 10**30)}, Move("", (-1, 10**30))),
        ({"hold": True}, HOLD),
        ({"resign": True}, RESIGN),
    ],
)
def test_an_order_is_read(data: Any, order: Any) -> None:
    assert parse(data) == order


@pytest.mark.parametrize(
    "data",
    [
        {"piece": "a1"}, {"to": [0, 0]}, {"piece": 1, "to": [0, 0]}, {"piece": "a1", "to": [0]},
        {"piece": "a1", "to": [0, 0, 0]}, {"piece": "a1", "to": [True, 0]}, {"hold": 1},
        {"piece": "a1", "to": [0.0, 1]}, {"piece": "a1", "to": "A1"}, {"hold": False},
        {"hold": True, "resign": True}, {"piece": "a1", "to": [0, 0], "hold": True}, {"resign": 1},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_order_is_unreadable(data: Any) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(data)
    assert refused.value.code == "not-an-order"


@pytest.mark.parametrize(
    ("seat", "piece", "to", "code"),
    [
        ("a", "a9", (0, 0), "no-such-piece"),
        ("a", "b1", (3, 0), "not-yours"),
        ("a", "a0", (9, 9), "off-board"),
        ("a", "a0", (0, 0), "same-tile"),
        ("a", "a0", (1, 1), "not-straight"),
        ("a", "a2", (3, 2), "hole"),
        ("a", "a0", (2, 0), "too-far"),
        ("a", "a0", (0, 1), "own-piece"),
        ("c", "a0", (1, 0), "no-such-seat"),
    ],
)
def test_a_refusal_has_its_code(seat: str, piece: str, to: tuple[int, int], code: str) -> None:
    state = BATTLE.setup(("a", "b"), {"battlefield": DUEL}, HashRng("", ""))
    with pytest.raises(Forbidden) as refused:
        BATTLE.check(state, seat, Move(piece, to))
    assert refused.value.code == code
