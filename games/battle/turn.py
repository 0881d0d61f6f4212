"""The workspace of one turn: what stages read and change between two frozen states."""

from collections.abc import Collection, Mapping, Sequence

from games.battle.events import Event, Landed, Returned, Sprang, Took
from games.battle.orders import Order
from games.battle.pieces import Piece
from games.battle.state import State
from games.kit.grids import Tile
from games.kit.protocol import Seat


class Mover:
    """A piece in the air: its path, without the origin, and the tile of it that it aims at."""

    __slots__ = ("aim", "charging", "id", "index", "kind", "origin", "path", "seat")

    def __init__(self, piece: Piece, seat: Seat, path: tuple[Tile, ...]) -> None:
        self.id = piece.id
        self.seat = seat
        self.kind = piece.kind
        self.origin = piece.at
        self.path = path
        self.index = len(path) - 1
        self.aim = path[-1]
        self.charging = True

    def nearest_free(self, standing: Mapping[Tile, str]) -> int | None:
        """Where on its path it would spring back to, or None for home."""
        for index in range(self.index - 1, -1, -1):
            if self.path[index] not in standing:
                return index
        return None


class Turn:
    """One turn being resolved; its `number` counts from 1.

    `pieces` is every piece by id, in the order of the list; one in the air is still listed at
    its origin. `standing` says who stands on which tile. `air` is in order of receipt.
    """

    def __init__(self, state: State, orders: Mapping[Seat, Order]) -> None:
        self.before = state
        self.number = state.turn + 1
        self.orders = orders
        self.rules = state.options.rules
        self.board = state.options.battlefield.board
        self.pieces = {piece.id: piece for piece in state.pieces}
        self.standing = {piece.at: piece.id for piece in state.pieces}
        self.air: list[Mover] = []
        self.movers: Sequence[Mover] = ()
        self.iteration = 0
        self.takes: list[Took] = []
        self.events: list[Event] = []

    def crowds(self) -> dict[Tile, int]:
        """How many in the air aim at each tile."""
        crowds: dict[Tile, int] = {}
        for mover in self.air:
            crowds[mover.aim] = crowds.get(mover.aim, 0) + 1
        return crowds

    def put(self, piece: str, at: Tile) -> None:
        """Let a piece stand on a tile, as it is otherwise."""
        _, seat, kind, xp, _ = self.pieces[piece]
        self.pieces[piece] = Piece(piece, seat, kind, xp, at)
        self.standing[at] = piece

    def land(self, movers: Collection[Mover]) -> None:
        """Let movers stand where they aim."""
        for mover in movers:
            self.put(mover.id, mover.aim)
            self.events.append(Landed(self.iteration, mover.id, mover.aim))
        self.air = [mover for mover in self.air if mover not in movers]

    def send_home(self, movers: Sequence[Mover]) -> None:
        """Let movers stand on their origins at once."""
        for mover in movers:
            self.standing[mover.origin] = mover.id
            self.events.append(Returned(self.iteration, mover.id, mover.origin))
        self.air = [mover for mover in self.air if mover not in movers]

    def spring(self, movers: Sequence[Mover]) -> None:
        """Pull movers back; all look at the board before anyone has sprung."""
        homeward = []
        for mover in movers:
            index = mover.nearest_free(self.standing)
            mover.charging = False
            if index is None:
                homeward.append(mover)
                continue
            self.events.append(Sprang(self.iteration, mover.id, mover.aim, mover.path[index]))
            mover.index = index
            mover.aim = mover.path[index]
        if homeward:
            self.send_home(homeward)
