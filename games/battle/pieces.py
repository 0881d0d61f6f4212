"""What stands and lies on a battlefield."""

from typing import NamedTuple

from games.kit.grids import Tile
from games.kit.protocol import Seat

EMPEROR = "emperor"
PAWN = "pawn"

TREASURE = "treasure"
CHEST = "chest"

NOT_STORED = 0
"""What an emperor has for `xp`: his own follows from his seat's pawns, always."""


class Piece(NamedTuple):
    """A piece on its tile. `seat` is who controls it; None: nobody, it stands still for ever."""

    id: str
    seat: Seat | None
    kind: str
    xp: int
    at: Tile


class Item(NamedTuple):
    """Something that lies on a tile and is picked up. A chest may be a seat's, or anyone's."""

    id: str
    kind: str
    seat: Seat | None
    at: Tile
