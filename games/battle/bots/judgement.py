"""What a position is worth to a seat, in whole numbers: a fresh pawn is about a hundred.

It looks at what stands on the board now, and never ahead; looking ahead is the bots' work.
"""

from collections.abc import Iterator
from typing import TypeAlias

from games.battle.board import DOWN, RIGHT
from games.battle.bots.errands import distances, errands
from games.battle.pieces import EMPEROR, PAWN, Piece
from games.battle.state import State
from games.kit.protocol import Seat

WIN = 4000
PAWN_WORTH = 100
XP_WORTH = 12
XP_THAT_COUNTS = 6
"""Reach beyond this is hardly ever of use: other pieces stand in the way."""
EMPEROR_WORTH = 400
"""Less than it seems: where emperors are converted they are often won back, and to hunt them
at any price loses pieces. What decides a battle shows as a victory, which is worth far more."""
MENACE = 12
CHECK = 120
"""What it is worth that a piece could be taken next turn: a pawn, an emperor."""
STEP = 4
"""What a pawn gains by coming one step nearer to a rival emperor."""
STEP_TO_GOAL = 25
"""The same for whoever has to go somewhere for a goal to be met."""

Scores: TypeAlias = dict[Seat | None, int]
"""Points by seat. Neutral pieces have a place in it, so that nobody needs to ask."""


def worth(state: State, seat: Seat) -> int:
    """How much better off the seat is than the others on average; `WIN` is as good as it gets."""
    if state.verdict is not None:
        return _final_worth(state, seat)
    score = scores(state)
    others = [score[rival] for rival in state.seats if rival != seat]
    return score[seat] - sum(others) // len(others)


def _final_worth(state: State, seat: Seat) -> int:
    """All for one who wins alone, nothing if all share or none wins, in between if some share."""
    winners = state.verdict.winners if state.verdict else ()
    if winners and seat not in winners:
        return -WIN
    losers = len(state.seats) - len(winners)
    return WIN * losers // (len(winners) * (len(state.seats) - 1)) if winners else 0


def scores(state: State) -> Scores:
    """What each seat has, counted by itself."""
    score = _material(state)
    _add_menaces(state, score)
    _add_approach(state, score)
    _add_errands(state, score)
    return score


def _material(state: State) -> Scores:
    score: Scores = dict.fromkeys((*state.seats, None), 0)
    for piece in state.pieces:
        if piece.kind == EMPEROR:
            score[piece.seat] += EMPEROR_WORTH
        else:
            score[piece.seat] += PAWN_WORTH + XP_WORTH * min(piece.xp, XP_THAT_COUNTS)
    return score


# --- Who could take whom ------------------------------------------------------------------------


def reaches(state: State) -> Scores:
    """How far each seat's emperor reaches, and the reach of nobody's: nowhere."""
    reach: Scores = dict.fromkeys(state.seats, 1)
    reach[None] = 0
    for _, seat, _, xp, _ in state.pieces:
        if seat is not None and xp > reach[seat]:
            reach[seat] = xp
    return reach


def menaces(state: State) -> Iterator[tuple[Piece, Piece]]:
    """Every piece that could take another next turn if that one stayed, with that other."""
    reach = reaches(state)
    for one, other, distance in _sights(state, max(reach.values())):
        if one.seat != other.seat:
            if _reach(one, reach) >= distance:
                yield one, other
            if _reach(other, reach) >= distance:
                yield other, one


def _reach(piece: Piece, reach: Scores) -> int:
    return piece.xp if piece.kind == PAWN and piece.seat is not None else reach[piece.seat]


def _sights(state: State, farthest: int) -> Iterator[tuple[Piece, Piece, int]]:
    """Every two pieces with a clear way between them, once, and how far apart they are."""
    standing = {piece.at: piece for piece in state.pieces}
    rays = state.options.battlefield.board.rays
    blocked = state.options.rules.passage == "blocked"
    for at, piece in standing.items():
        lines = rays[at]
        for line in (lines[RIGHT], lines[DOWN]):  # the other two are seen from the other end
            for distance, tile in enumerate(line[:farthest], start=1):
                if tile in standing:
                    yield piece, standing[tile], distance
                    if blocked:
                        break


def _add_menaces(state: State, score: Scores) -> None:
    for taker, victim in menaces(state):
        points = CHECK if victim.kind == EMPEROR else MENACE
        score[taker.seat] += points
        score[victim.seat] -= points


# --- Who has how far to go ----------------------------------------------------------------------


def _add_approach(state: State, score: Scores) -> None:
    """Pawns that stay at home win nothing: let them want to be near rival emperors."""
    board = state.options.battlefield.board
    emperors = [piece for piece in state.pieces if piece.kind == EMPEROR]
    for emperor in emperors:
        away = distances(board, emperor.at)
        for piece in state.pieces:
            if piece.kind == PAWN and piece.seat != emperor.seat:
                score[piece.seat] -= STEP * away[piece.at]


def _add_errands(state: State, score: Scores) -> None:
    for errand in errands(state):
        away = distances(state.field.board, errand.to)
        steps = (away[piece.at] for piece in state.pieces if errand.is_for(piece))
        score[errand.seat] -= STEP_TO_GOAL * min(steps, default=len(away))
