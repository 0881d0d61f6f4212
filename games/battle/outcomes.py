"""How a battle ended, and what the world has to know of it."""

from games.battle.goals import strengths
from games.battle.pieces import EMPEROR
from games.battle.state import State
from games.kit.codec import JsonObject
from games.kit.protocol import Outcome, Seat


def outcome(state: State) -> Outcome | None:
    """Winners, ranks and facts, or None while it goes on."""
    if state.verdict is None:
        return None
    winners, reason = state.verdict
    facts: JsonObject = {
        "turns": state.turn,
        "emperors": {seat: _fate(state, seat) for seat in state.seats},
        "taken": [loss._asdict() for loss in state.losses],
        "found": [find._asdict() for find in state.finds],
        "forfeited": state.forfeited,
    }
    return Outcome(winners, reason, _ranks(state, winners), facts)


def _ranks(state: State, winners: tuple[Seat, ...]) -> dict[Seat, int]:
    """Winners first, then by what each has left; who forfeited comes last. A draw has one rank."""
    if not winners:
        return dict.fromkeys(state.seats, 1)
    strength = strengths(state)
    merit = {
        seat: (seat in winners, seat not in state.forfeited, *strength[seat])
        if seat not in winners
        else (True, True, 0, 0)
        for seat in state.seats
    }
    return {
        seat: 1 + sum(merit[other] > merit[seat] for other in state.seats) for seat in state.seats
    }


def _fate(state: State, seat: Seat) -> JsonObject:
    """What became of the emperor who began in this seat: on the board, never as a person.

    `taken_by` is the seat that took him last, `held_by` the one that has him at the end: his
    own, that of the piece he still is, or that of his last taker if he is no emperor any more.
    """
    emperor = state.field.emperors[seat]
    takers = [loss.taker for loss in state.losses if loss.emperor == emperor]
    standing = [p.seat for p in state.pieces if p.id == emperor and p.kind == EMPEROR]
    taken_by = takers[-1] if takers else None
    return {
        "piece": emperor,
        "taken_by": taken_by,
        "held_by": standing[0] if standing else taken_by or seat,
    }
