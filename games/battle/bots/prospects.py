"""Which orders deserve a thought: a quick guess, made without trying any of them out.

Few orders of a position matter, and those who search all of them search none of them well.
"""

from games.battle.bots.errands import distances, errands
from games.battle.bots.judgement import menaces, reaches
from games.battle.orders import HOLD, Move, Order, moves
from games.battle.pieces import EMPEROR, PAWN, Piece
from games.battle.state import State
from games.kit.grids import Tile
from games.kit.protocol import Seat
from games.kit.rng import Rng, weigh

TAKE_EMPEROR = 2000
TAKE_PAWN = 100
SAVE_EMPEROR = 400
SAVE_PAWN = 30
STRIKE_BACK = 300
STEP_BETWEEN = 150
GIVE_CHECK = 120
STEP_NEARER = 8
ARRIVE = 2000
STEP_TO_GOAL = 40
PER_XP = 10


def promising(state: State, seat: Seat, count: int) -> list[Order]:
    """The most promising orders of a seat, the best first, at most so many; never none."""
    outlook = _Outlook(state, seat)
    found = sorted(moves(state, seat), key=outlook.promise, reverse=True)  # of equals, the first
    orders: list[Order] = [*found, HOLD]
    return orders[: max(1, count)]


def replies(state: State, seat: Seat, count: int, rng: Rng) -> list[dict[Seat, Order]]:
    """Promising replies of all the others together, at most so many; never none.

    One rival's are simply its orders. Several can't all be combined: each in turn has its
    next best order considered, with what chance lets the others do.
    """
    rivals = [rival for rival in state.left() if rival != seat]
    orders = {rival: promising(state, rival, count) for rival in rivals}
    if len(rivals) == 1:
        return [{rivals[0]: order} for order in orders[rivals[0]]]
    found = []
    for number in range(max(1, count) if rivals else 1):
        joint = {rival: _drawn(orders[rival], rng) for rival in rivals}
        if rivals:
            rank, turn = divmod(number, len(rivals))
            best = orders[rivals[turn]]
            joint[rivals[turn]] = best[min(rank, len(best) - 1)]
        found.append(joint)
    return found


def _drawn(orders: list[Order], rng: Rng) -> Order:
    """One of some orders, likelier one of the first."""
    return orders[weigh(rng, range(len(orders), 0, -1))]


class _Outlook:
    """What a seat sees before it decides."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = state
        self.board = state.options.battlefield.board
        self.pieces = {piece.id: piece for piece in state.pieces}
        self.standing = {piece.at: piece for piece in state.pieces}
        self.reach = reaches(state)[seat]
        self.rival_emperors = [
            (distances(self.board, piece.at), self._views_of(piece.at))
            for piece in state.pieces
            if piece.kind == EMPEROR and piece.seat != seat
        ]
        self.errands = [
            (errand, distances(self.board, errand.to))
            for errand in errands(state)
            if errand.seat == seat
        ]
        self.endangered: set[str] = set()
        self.defences: dict[Tile, int] = {}
        for taker, victim in menaces(state):
            if victim.seat == seat:
                self._beware(taker, victim)

    def _views_of(self, tile: Tile) -> dict[Tile, int]:
        """From where a tile can be charged now, and how far away that is."""
        blocked = self.state.options.rules.passage == "blocked"
        found = {}
        for line in self.board.rays[tile]:
            for distance, seen in enumerate(line, start=1):
                found[seen] = distance
                if blocked and seen in self.standing:
                    break
        return found

    def _beware(self, taker: Piece, victim: Piece) -> None:
        """Note who is in danger, and which tiles an emperor in danger could be defended on."""
        self.endangered.add(victim.id)
        if victim.kind == EMPEROR:
            for tile in self.board.path(victim.at, taker.at):
                self.defences[tile] = STEP_BETWEEN
            self.defences[taker.at] = STRIKE_BACK

    def promise(self, move: Move) -> int:
        """A guess at what a move is good for."""
        piece = self.pieces[move.piece]
        victim = self.standing.get(move.to)
        return (
            (_prize(victim) if victim else 0)
            + (_rescue(piece) if piece.id in self.endangered else 0)
            + self.defences.get(move.to, 0)
            + self._advance(piece, move.to, takes=victim is not None)
            + self._progress(piece, move.to)
        )

    def _progress(self, piece: Piece, to: Tile) -> int:
        """What it gains for goals that somebody has to go somewhere for."""
        return sum(
            STEP_TO_GOAL * (away[piece.at] - away[to]) + (0 if away[to] else ARRIVE)
            for errand, away in self.errands
            if errand.is_for(piece)
        )

    def _advance(self, piece: Piece, to: Tile, takes: bool) -> int:
        """What it gains against rival emperors; who takes falls back to reach one tile."""
        pawn = piece.kind == PAWN
        reach = (1 if takes else piece.xp + 1) if pawn else self.reach
        gain = 0
        for away, views in self.rival_emperors:
            if to in views and views[to] <= reach:
                gain += GIVE_CHECK
            if pawn:
                gain += STEP_NEARER * (away[piece.at] - away[to])
        return gain


def _prize(victim: Piece) -> int:
    return TAKE_EMPEROR if victim.kind == EMPEROR else TAKE_PAWN + PER_XP * victim.xp


def _rescue(piece: Piece) -> int:
    return SAVE_EMPEROR if piece.kind == EMPEROR else SAVE_PAWN + PER_XP * piece.xp
