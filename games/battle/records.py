"""A state as canonical JSON, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.battle.pieces import Item, Piece
from games.battle.rules import read
from games.battle.state import Find, Loss, State, Verdict
from games.kit.codec import Json, JsonObject
from games.kit.errors import BadRecord, Refusal


def encode(state: State) -> JsonObject:
    """The whole state. The battlefield is in the options, as it was drawn."""
    return {
        "options": state.options.announced,
        "seats": state.seats,
        "pieces": [piece._asdict() for piece in state.pieces],
        "items": [item._asdict() for item in state.items],
        "turn": state.turn,
        "absences": state.absences,
        "forfeited": state.forfeited,
        "losses": [loss._asdict() for loss in state.losses],
        "finds": [find._asdict() for find in state.finds],
        "verdict": state.verdict and state.verdict._asdict(),
    }


def decode(data: Json) -> State:
    """The state that was encoded. Raises BadRecord."""
    try:
        return _decoded(data)
    except (KeyError, TypeError, ValueError, Refusal) as bad:
        raise BadRecord(f"This is no state of a battle: {bad}.") from bad


def _decoded(data: Any) -> State:
    verdict = data["verdict"]
    return State(
        options=read(data["options"]),
        seats=tuple(data["seats"]),
        pieces=tuple(Piece(**_placed(piece)) for piece in data["pieces"]),
        items=tuple(Item(**_placed(item)) for item in data["items"]),
        turn=data["turn"],
        absences=tuple(data["absences"]),
        forfeited=tuple(data["forfeited"]),
        losses=tuple(Loss(**loss) for loss in data["losses"]),
        finds=tuple(Find(**find) for find in data["finds"]),
        verdict=verdict and Verdict(tuple(verdict["winners"]), verdict["reason"]),
    )


def _placed(thing: Mapping[str, Any]) -> dict[str, Any]:
    """JSON has lists where tiles are pairs."""
    at: Sequence[int] = thing["at"]
    x, y = at
    return {**thing, "at": (x, y)}
