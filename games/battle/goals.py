"""What ends a battle: for each goal, the seats that meet it as a turn is over."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from games.battle.pieces import EMPEROR, PAWN, TREASURE
from games.battle.rules import Goal
from games.battle.state import State
from games.battle.turn import Turn
from games.kit.protocol import Seat

Judge: TypeAlias = Callable[[Goal, Turn, State], Iterable[Seat | None]]
"""Who meets a goal, given the turn that was resolved and the state it led to."""


def opposite_square(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    """Its emperor stands on the tile that the battlefield names as its target."""
    for seat, target in state.field.targets.items():
        emperor = state.own_emperor(seat)
        if emperor is not None and emperor.at == target:
            yield seat


def last_emperor(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    """It alone has an emperor left."""
    crowned: set[Seat] = set()
    for piece in state.pieces:
        if piece.kind == EMPEROR and piece.seat is not None and piece.seat not in state.forfeited:
            crowned.add(piece.seat)
            if len(crowned) > 1:
                return ()
    return crowned


def survive(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    """So many turns are over, it still has its emperor, and more than so many pieces."""
    if state.turn < goal.turns:
        return ()
    count = Counter(piece.seat for piece in state.pieces)
    return (
        seat for seat in state.seats if state.own_emperor(seat) and count[seat] > goal.more_than
    )


def take_superior(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    """It took a rival emperor whose xp, as the turn began, was higher than its own emperor's."""
    before = turn.before
    return (
        take.taker
        for take in turn.takes
        if take.kind == EMPEROR
        and take.loser is not None
        and before.own_emperor(take.taker)
        and before.highest_xp(take.loser) > before.highest_xp(take.taker)
    )


def emperor_strike(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    """Its own emperor took the emperor of the opposite seat, who still obeyed it."""
    opposites, emperors = state.field.opposites, state.field.emperors
    return (
        take.taker
        for take in turn.takes
        if take.kind == take.by_kind == EMPEROR
        and take.loser is not None
        and take.loser == opposites.get(take.taker)
        and (take.by, take.piece) == (emperors.get(take.taker), emperors.get(take.loser))
    )


def treasure(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    """It picked up the battlefield's treasure."""
    return (find.seat for find in state.finds if find.item == TREASURE)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "opposite-square": opposite_square,
        "last-emperor": last_emperor,
        "survive": survive,
        "take-superior": take_superior,
        "emperor-strike": emperor_strike,
        "treasure": treasure,
    }
)


def met(goal: Goal, turn: Turn, state: State) -> tuple[Seat, ...]:
    """The seats that meet a goal, in seat order. Who has forfeited can't."""
    found = set(JUDGES[goal.kind](goal, turn, state))
    return tuple(seat for seat in state.seats if seat in found and seat not in state.forfeited)


def strongest(state: State) -> tuple[Seat, ...]:
    """Who wins at the turn limit: most pieces, then highest total xp of the pawns, else shared."""
    strength = strengths(state)
    left = state.left()
    best = max(strength[seat] for seat in left)
    return tuple(seat for seat in left if strength[seat] == best)


def strengths(state: State) -> dict[Seat, tuple[int, int]]:
    """Each seat's number of pieces and total xp of its pawns."""
    count: Counter[Seat | None] = Counter()
    experience: Counter[Seat | None] = Counter()
    for piece in state.pieces:
        count[piece.seat] += 1
        experience[piece.seat] += piece.xp if piece.kind == PAWN else 0
    return {seat: (count[seat], experience[seat]) for seat in state.seats}
