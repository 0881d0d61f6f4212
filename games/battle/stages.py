"""How a turn is resolved: a tuple of small stages, after the rules of record."""

from collections.abc import Callable
from typing import TypeAlias

from games.battle.aftermath import grow, orphan
from games.battle.events import Charged, Clashed
from games.battle.orders import Move
from games.battle.pieces import EMPEROR
from games.battle.taking import take
from games.battle.turn import Mover, Turn

Stage: TypeAlias = Callable[[Turn], None]


def charge(turn: Turn) -> None:
    """All who were ordered to move leave their tiles at once, aiming at their destinations."""
    for seat, order in turn.orders.items():
        if isinstance(order, Move):
            piece = turn.pieces[order.piece]
            turn.air.append(Mover(piece, seat, turn.board.path(piece.at, order.to)))
            turn.events.append(Charged(piece.id, piece.at, order.to))
            del turn.standing[piece.at]
    turn.movers = tuple(turn.air)


def fly(turn: Turn) -> None:
    """Land, conflict, take, again and again, until nobody is in the air.

    This always ends: every round lands a piece, sends one home or shortens a path.
    """
    while turn.air:
        turn.iteration += 1
        land(turn)
        if turn.air:
            clash(turn)
            take(turn)


def land(turn: Turn) -> None:
    """Land the largest set of movers who are alone in aiming at a free tile.

    A tile that another mover left is free only if that one lands as well: so an escape frees
    a tile, and swaps and rings go through.
    """
    crowds, standing = turn.crowds(), turn.standing
    landing = {
        mover.origin: mover
        for mover in turn.air
        if mover.aim not in standing and crowds[mover.aim] == 1
    }
    kept = {mover.origin for mover in turn.air if mover.origin not in landing}
    while kept and (stuck := [mover for mover in landing.values() if mover.aim in kept]):
        for mover in stuck:
            del landing[mover.origin]
            kept.add(mover.origin)
    turn.land(landing.values())


def clash(turn: Turn) -> None:
    """Where two or more aim at one tile, pull back all but whom the rules favour."""
    losers: list[Mover] = []
    for tile, crowd in turn.crowds().items():
        if crowd > 1:
            rivals = [mover for mover in turn.air if mover.aim == tile]
            favoured = _favoured(turn, rivals)
            losers += [mover for mover in rivals if mover is not favoured]
            ids = tuple(mover.id for mover in rivals)
            stays = favoured.id if favoured else None
            turn.events.append(Clashed(turn.iteration, tile, ids, stays))
    if losers:
        pull_back = turn.spring if turn.rules.conflict.startswith("bounce") else turn.send_home
        pull_back(losers)


def _favoured(turn: Turn, rivals: list[Mover]) -> Mover | None:
    """Who goes on aiming at a contested tile, if anyone does. `rivals` are in order of receipt."""
    if "precedence" in turn.rules.emperor_takes_pawn:
        emperors = [mover for mover in rivals if mover.kind == EMPEROR]
        if len(emperors) == 1 and not emperors[0].charging:
            return emperors[0]
    return rivals[0] if turn.rules.conflict.endswith("-and-stay") else None


RESOLUTION: tuple[Stage, ...] = (charge, fly, grow, orphan)
"""From orders to where every piece stands, what it is, and whose."""


def run(turn: Turn, stages: tuple[Stage, ...]) -> None:
    for stage in stages:
        stage(turn)
