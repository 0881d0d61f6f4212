"""The third step: who charges a rival that stands takes it; who springs is pulled back further.

All takes of a step happen at once, in this order: every taken piece changes hands, falls in xp
or leaves the board (then its taker lands); then tolls; then pushes; then all springs.
"""

from typing import TypeAlias

from games.battle.events import Pushed, Tolled, Took
from games.battle.pieces import EMPEROR, NOT_STORED, PAWN, Piece
from games.battle.state import highest_xp
from games.battle.turn import Mover, Turn

Captures: TypeAlias = list[tuple[Mover, Took]]
"""Each taker of a step with what it took, in order of receipt."""


def take(turn: Turn) -> None:
    """Carry out all takes of this step, and pull back whoever has to."""
    crowds = turn.crowds()
    met = [mover for mover in turn.air if mover.aim in turn.standing]
    takers = [mover for mover in met if mover.charging and crowds[mover.aim] == 1]
    springing = [mover for mover in met if not mover.charging]
    captures = [(mover, _capture(turn, mover)) for mover in takers]
    _land_on_the_fallen(turn, captures)
    _exact_tolls(turn, captures)
    _push(turn, captures)
    pulled = {mover.id for mover in (*takers, *springing)}
    turn.spring([mover for mover in turn.air if mover.id in pulled])


def _capture(turn: Turn, taker: Mover) -> Took:
    """Hand the piece that stands at the aim over to its taker. A pawn that took falls to xp 1."""
    victim = turn.pieces[turn.standing[taker.aim]]
    fate = _fate(turn, taker, victim)
    took = Took(
        turn.iteration,
        taker.id,
        victim.id,
        victim.at,
        victim.seat,
        taker.seat,
        taker.kind,
        victim.kind,
        fate,
    )
    turn.takes.append(took)
    turn.events.append(took)
    if fate == "remove":
        del turn.pieces[victim.id]
    else:
        turn.pieces[victim.id] = _converted(turn, taker, victim, fate)
    if taker.kind == PAWN:
        turn.pieces[taker.id] = Piece(taker.id, taker.seat, PAWN, 1, taker.origin)
    return took


def _fate(turn: Turn, taker: Mover, victim: Piece) -> str:
    if victim.kind == PAWN:
        return "convert"
    if taker.kind == PAWN:
        return turn.rules.pawn_takes_emperor
    return turn.rules.emperor_takes_emperor


def _converted(turn: Turn, taker: Mover, victim: Piece, fate: str) -> Piece:
    """The victim as a piece of its taker. An emperor's xp is what it was as the turn began."""
    if victim.kind == EMPEROR and fate == "convert":
        return Piece(victim.id, taker.seat, EMPEROR, NOT_STORED, victim.at)
    veteran = fate == "demote-veteran"
    xp = highest_xp(turn.before.pieces, victim.seat) if veteran else 1
    return Piece(victim.id, taker.seat, PAWN, xp, victim.at)


def _land_on_the_fallen(turn: Turn, captures: Captures) -> None:
    """Whoever removed a piece lands on its tile."""
    for mover, took in captures:
        if took.fate == "remove":
            turn.land((mover,))


def _exact_tolls(turn: Turn, captures: Captures) -> None:
    """An emperor who took a pawn costs his seat's best other pawn its xp."""
    if "toll" in turn.rules.emperor_takes_pawn:
        for _, took in captures:
            if _is_emperor_over_pawn(took):
                _exact_toll(turn, took)


def _is_emperor_over_pawn(took: Took) -> bool:
    return took.by_kind == EMPEROR and took.kind == PAWN


def _exact_toll(turn: Turn, took: Took) -> None:
    others = [
        piece
        for piece in turn.pieces.values()
        if piece.seat == took.taker and piece.kind == PAWN and piece.id != took.piece
    ]
    if others:
        best = max(others, key=lambda piece: piece.xp)  # of equals, max gives the first
        turn.pieces[best.id] = best._replace(xp=1)
        turn.events.append(Tolled(turn.iteration, best.id, best.at, took.taker, best.xp))


def _push(turn: Turn, captures: Captures) -> None:
    """Emperors who took pawns push them on, if there is room, and land; in order of receipt."""
    if "push" in turn.rules.emperor_takes_pawn:
        for mover, took in captures:
            if _is_emperor_over_pawn(took):
                _push_on(turn, mover)


def _push_on(turn: Turn, emperor: Mover) -> None:
    """Push the pawn to the nearest tile beyond that nobody has, aims at, or may return to."""
    flying = turn.air
    claimed = {mover.aim for mover in flying} | {mover.origin for mover in flying}
    for tile in turn.board.beyond(emperor.origin, emperor.aim):
        if tile not in turn.standing and tile not in claimed:
            pawn = turn.standing[emperor.aim]
            turn.put(pawn, tile)
            turn.events.append(Pushed(turn.iteration, pawn, emperor.aim, tile, emperor.id))
            turn.land((emperor,))
            return
