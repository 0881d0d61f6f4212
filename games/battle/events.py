"""What happened in a turn, step by step: enough to animate it, and to say why.

`iteration` counts the rounds of land, conflict and take from 1. Charges, which come before the
first, and whatever follows once nobody is in the air any more have none.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from games.kit.codec import JsonObject
from games.kit.grids import Tile
from games.kit.protocol import Seat


class Charged(NamedTuple):
    """A piece took off for its destination."""

    piece: str
    origin: Tile
    to: Tile


class Landed(NamedTuple):
    """A piece came down where it aimed, and stands there."""

    iteration: int
    piece: str
    at: Tile


class Clashed(NamedTuple):
    """Several aimed at one tile. `stays` goes on aiming there, if anyone does."""

    iteration: int
    at: Tile
    pieces: tuple[str, ...]
    stays: str | None


class Returned(NamedTuple):
    """A piece went back home, and stands there."""

    iteration: int
    piece: str
    at: Tile


class Took(NamedTuple):
    """A piece took another. `kind` and `by_kind` are what they were, `fate` what became of it."""

    iteration: int
    by: str
    piece: str
    at: Tile
    loser: Seat | None
    taker: Seat
    by_kind: str
    kind: str
    fate: str


class Tolled(NamedTuple):
    """A seat's best pawn fell to xp 1, for its emperor took a pawn."""

    iteration: int
    piece: str
    at: Tile
    seat: Seat
    xp: int


class Pushed(NamedTuple):
    """A taken pawn was pushed on by the emperor who took it."""

    iteration: int
    piece: str
    origin: Tile
    to: Tile
    by: str


class Sprang(NamedTuple):
    """A piece was pulled back along its path, and aims at another tile of it now."""

    iteration: int
    piece: str
    origin: Tile
    to: Tile


class Grew(NamedTuple):
    """These pawns ended the turn elsewhere, in peace: each has 1 more xp."""

    pieces: tuple[str, ...]


class Orphaned(NamedTuple):
    """A seat without emperor lost the rest.

    They are `gone` from the board, or else `to` says whose they are: None, nobody's.
    """

    seat: Seat
    pieces: tuple[str, ...]
    to: Seat | None
    gone: bool


class PickedUp(NamedTuple):
    """A piece stood on an item when the turn was resolved."""

    item: str
    kind: str
    piece: str
    seat: Seat
    at: Tile
    owner: Seat | None


class Missed(NamedTuple):
    """A seat gave no order in time, so it held; `times` in a row."""

    seat: Seat
    times: int


class Forfeited(NamedTuple):
    """A seat is out, by absence or by its own will; its emperor left, neither taken nor dead."""

    seat: Seat
    emperor: str | None


class Met(NamedTuple):
    """A seat met a goal."""

    seat: Seat
    goal: str


class Ended(NamedTuple):
    """The battle is over. No winner is a draw."""

    winners: tuple[Seat, ...]
    reason: str


Event: TypeAlias = (
    Charged | Landed | Clashed | Returned | Took | Tolled | Pushed | Sprang | Grew | Orphaned
    | PickedUp | Missed | Forfeited | Met | Ended
)  # fmt: skip

NAMES: Mapping[type, str] = MappingProxyType(
    {
        Charged: "charge",
        Landed: "land",
        Clashed: "conflict",
        Returned: "return",
        Took: "take",
        Tolled: "toll",
        Pushed: "push",
        Sprang: "spring",
        Grew: "grow",
        Orphaned: "orphans",
        PickedUp: "pick-up",
        Missed: "miss",
        Forfeited: "forfeit",
        Met: "goal",
        Ended: "end",
    }
)


def to_json(event: Event) -> JsonObject:
    """An event as JSON: `what` it is, and its fields."""
    return {"what": NAMES[type(event)], **event._asdict()}
