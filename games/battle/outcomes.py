"""How a battle ended, and what the world has to know of it."""

from games.battle.goals import strengths
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
    merit: dict[Seat, tuple[int, ...]] = {
        seat: (1,) if seat in winners else (0, seat not in state.forfeited, *strength[seat])
        for seat in state.seats
    }
    return {
        seat: 1 + sum(merit[other] > merit[seat] for other in state.seats) for seat in state.seats
    }


def _fate(state: State, seat: Seat) -> JsonObject:
    """What became of the emperor who began in this seat: on the board, never as a person.

    `taken_by` is the seat that took him last, while he was an emperor. `held_by` is the seat
    that has him at the end: whose piece he is now, whatever its kind; if he is off the board,
    or obeys nobody, whoever took him last; his own if nobody ever did.
    """
    emperor = state.field.emperors[seat]
    takers = [loss.taker for loss in state.losses if loss.emperor == emperor]
    holders = [piece.seat for piece in state.pieces if piece.id == emperor and piece.seat]
    taken_by = takers[-1] if takers else None
    return {
        "piece": emperor,
        "taken_by": taken_by,
        "held_by": holders[0] if holders else taken_by or seat,
    }
