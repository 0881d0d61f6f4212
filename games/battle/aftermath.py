"""What follows once nobody is in the air any more: experience, and orphans."""

from collections.abc import Mapping

from games.battle.events import Grew, Orphaned
from games.battle.pieces import EMPEROR, PAWN, Piece
from games.battle.turn import Turn
from games.kit.protocol import Seat


def grow(turn: Turn) -> None:
    """A pawn that ends elsewhere, and neither took nor was taken, gains 1."""
    fought = {take.by for take in turn.takes} | {take.piece for take in turn.takes}
    grown = []
    for mover in turn.movers:
        if mover.kind == PAWN and mover.id not in fought:
            piece = turn.pieces[mover.id]
            if piece.at != mover.origin:
                turn.pieces[piece.id] = Piece(piece.id, piece.seat, PAWN, piece.xp + 1, piece.at)
                grown.append(piece.id)
    if grown:
        turn.events.append(Grew(tuple(grown)))


def orphan(turn: Turn) -> None:
    """Settle what becomes of those whose seat lost its last emperor in this turn."""
    captors: dict[Seat | None, Seat | None] = {
        take.loser: take.taker for take in turn.takes if take.kind == EMPEROR
    }
    if captors:
        crowned = {piece.seat for piece in turn.pieces.values() if piece.kind == EMPEROR}
        for seat in (None, *crowned):
            captors.pop(seat, None)
        bequeath(turn, captors)


def bequeath(turn: Turn, heirs: Mapping[Seat | None, Seat | None]) -> None:
    """Hand the pieces of these seats on as the rule for orphans has it, all at once.

    At once means: what one bereft seat inherits from another does not go on to its own heir.
    """
    rule = turn.rules.orphans
    if rule == "fight-on":
        return
    gone = rule == "vanish"
    estates = {
        seat: [piece for piece in turn.pieces.values() if piece.seat == seat] for seat in heirs
    }
    for seat, orphans in estates.items():
        heir = heirs[seat] if rule == "join-captor" else None
        for piece in orphans:
            if gone:
                del turn.pieces[piece.id]
            else:
                turn.pieces[piece.id] = piece._replace(seat=heir)
        if orphans:
            turn.events.append(Orphaned(str(seat), tuple(p.id for p in orphans), heir, gone))
