"""Known wrong variants of the rules, each put into the engine in place of the right one.

A test of the rules that lets one of them pass proves nothing.
"""

from collections.abc import Callable, Mapping, Sequence

import pytest

from games.battle import aftermath, contract, stages, taking
from games.battle.board import Board
from games.battle.events import Pushed, Sprang, Tolled, Took
from games.battle.pieces import EMPEROR, PAWN, Piece
from games.battle.turn import Mover, Turn

Patch = pytest.MonkeyPatch
Mutant = Callable[[Patch], None]


def alone(turn: Turn, mover: Mover) -> bool:
    return sum(other.aim == mover.aim for other in turn.air) == 1


def springs_see_each_other(patch: Patch) -> None:
    """Those who have sprung in the same step count as standing, where they aim or at home."""

    def spring(turn: Turn, movers: Sequence[Mover]) -> None:
        sprung: dict[tuple[int, int], str] = {}
        for mover in movers:
            index = mover.nearest_free({**turn.standing, **sprung})
            mover.charging = False
            if index is None:
                turn.send_home([mover])
            else:
                turn.events.append(Sprang(turn.iteration, mover.id, mover.aim, mover.path[index]))
                mover.index, mover.aim = index, mover.path[index]
                sprung[mover.aim] = mover.id

    patch.setattr(Turn, "spring", spring)


def swaps_get_stuck(patch: Patch) -> None:
    def land(turn: Turn) -> None:
        homes = {mover.origin for mover in turn.air}
        landing = [
            mover
            for mover in turn.air
            if mover.aim not in turn.standing and alone(turn, mover) and mover.aim not in homes
        ]
        turn.land(landing)
        if not landing and all(alone(turn, mover) for mover in turn.air):
            turn.send_home([m for m in turn.air if m.aim not in turn.standing])

    patch.setattr(stages, "land", land)


def takers_keep_their_xp(patch: Patch) -> None:
    right = taking._capture

    def capture(turn: Turn, taker: Mover) -> Took:
        piece = turn.pieces[taker.id]
        took = right(turn, taker)
        turn.pieces[taker.id] = piece
        return took

    patch.setattr(taking, "_capture", capture)


def pushes_ignore_who_is_in_the_air(patch: Patch) -> None:
    def push_on(turn: Turn, emperor: Mover) -> None:
        for tile in turn.board.beyond(emperor.origin, emperor.aim):
            if tile not in turn.standing:
                pawn = turn.standing[emperor.aim]
                turn.put(pawn, tile)
                turn.events.append(Pushed(turn.iteration, pawn, emperor.aim, tile, emperor.id))
                turn.land([emperor])
                return

    patch.setattr(taking, "_push_on", push_on)


def pushes_go_one_tile_only(patch: Patch) -> None:
    right = Board.beyond
    patch.setattr(Board, "beyond", lambda *args: right(*args)[:1])


def _toll(turn: Turn, took: Took, others: list[Piece]) -> None:
    if others:
        best = max(others, key=lambda piece: piece.xp)
        turn.pieces[best.id] = turn.pieces[best.id]._replace(xp=1)
        turn.events.append(Tolled(turn.iteration, best.id, best.at, took.taker, best.xp))


def tolls_count_lost_pawns(patch: Patch) -> None:
    def exact(turn: Turn, took: Took) -> None:
        own = [p for p in turn.before.pieces if p.seat == took.taker and p.kind == PAWN]
        _toll(turn, took, [p for p in own if p.id in turn.pieces])

    patch.setattr(taking, "_exact_toll", exact)


def tolls_take_the_last_of_equals(patch: Patch) -> None:
    def exact(turn: Turn, took: Took) -> None:
        others = [p for p in turn.pieces.values() if p.seat == took.taker and p.kind == PAWN]
        _toll(turn, took, [p for p in reversed(others) if p.id != took.piece])

    patch.setattr(taking, "_exact_toll", exact)


def charging_emperors_have_precedence(patch: Patch) -> None:
    def favoured(turn: Turn, rivals: list[Mover]) -> Mover | None:
        if "precedence" in turn.rules.emperor_takes_pawn:
            emperors = [mover for mover in rivals if mover.kind == EMPEROR]
            if len(emperors) == 1:
                return emperors[0]
        return rivals[0] if turn.rules.conflict.endswith("-and-stay") else None

    patch.setattr(stages, "_favoured", favoured)


def the_last_received_stays(patch: Patch) -> None:
    right = stages._favoured

    def favoured(turn: Turn, rivals: list[Mover]) -> Mover | None:
        chosen = right(turn, rivals)
        return rivals[-1] if chosen is rivals[0] else chosen

    patch.setattr(stages, "_favoured", favoured)


def springing_pieces_take(patch: Patch) -> None:
    right = taking.take

    def take(turn: Turn) -> None:
        for mover in turn.air:
            standing = turn.pieces.get(turn.standing.get(mover.aim, ""))
            if standing is not None and standing.seat != mover.seat and alone(turn, mover):
                mover.charging = True
        right(turn)

    patch.setattr(stages, "take", take)


def the_first_of_two_takes_the_victim(patch: Patch) -> None:
    right = stages._favoured

    def favoured(turn: Turn, rivals: list[Mover]) -> Mover | None:
        chosen = right(turn, rivals)
        return rivals[0] if chosen is None and rivals[0].aim in turn.standing else chosen

    patch.setattr(stages, "_favoured", favoured)


def takers_return_home(patch: Patch) -> None:
    right = Turn.spring

    def spring(turn: Turn, movers: Sequence[Mover]) -> None:
        takers = {take.by for take in turn.takes}
        turn.send_home([mover for mover in movers if mover.id in takers])
        right(turn, [mover for mover in movers if mover.id not in takers])

    patch.setattr(Turn, "spring", spring)


def removers_spring_back(patch: Patch) -> None:
    def leave_it_free(turn: Turn, captures: taking.Captures) -> None:
        for mover, took in captures:
            if took.fate == "remove":
                del turn.standing[mover.aim]

    patch.setattr(taking, "_land_on_the_fallen", leave_it_free)


def conflicts_are_settled_before_landings(patch: Patch) -> None:
    land, clash = stages.land, stages.clash

    def clash_first(turn: Turn) -> None:
        clash(turn)
        land(turn)

    patch.setattr(stages, "land", clash_first)


def cancelled_moves_gain(patch: Patch) -> None:
    def grow(turn: Turn) -> None:
        fought = {take.by for take in turn.takes} | {take.piece for take in turn.takes}
        for mover in turn.movers:
            if mover.kind == PAWN and mover.id not in fought:
                piece = turn.pieces[mover.id]
                turn.pieces[piece.id] = piece._replace(xp=piece.xp + 1)

    patch.setattr(contract, "RESOLUTION", (stages.charge, stages.fly, grow, stages.orphan))


def veterans_bring_the_captors_xp(patch: Patch) -> None:
    right = taking._converted

    def converted(turn: Turn, taker: Mover, victim: Piece, fate: str) -> Piece:
        piece = right(turn, taker, victim, fate)
        if fate != "demote-veteran" or victim.kind != EMPEROR:
            return piece
        return piece._replace(xp=taking.highest_xp(turn.before.pieces, taker.seat))

    patch.setattr(taking, "_converted", converted)


def orphans_join_the_first_captor(patch: Patch) -> None:
    def orphan(turn: Turn) -> None:
        turn.takes.reverse()
        aftermath.orphan(turn)

    patch.setattr(contract, "RESOLUTION", (*stages.RESOLUTION[:-1], orphan))


def orphans_are_handed_on_and_on(patch: Patch) -> None:
    right = aftermath.bequeath

    def bequeath(turn: Turn, heirs: Mapping[str | None, str | None]) -> None:
        for seat, heir in heirs.items():
            right(turn, {seat: heir})

    patch.setattr(aftermath, "bequeath", bequeath)


WRONG_RULES: tuple[Mutant, ...] = (
    springs_see_each_other,
    swaps_get_stuck,
    takers_keep_their_xp,
    pushes_ignore_who_is_in_the_air,
    pushes_go_one_tile_only,
    tolls_count_lost_pawns,
    tolls_take_the_last_of_equals,
    charging_emperors_have_precedence,
    the_last_received_stays,
    springing_pieces_take,
    the_first_of_two_takes_the_victim,
    takers_return_home,
    removers_spring_back,
    conflicts_are_settled_before_landings,
    cancelled_moves_gain,
    veterans_bring_the_captors_xp,
    orphans_join_the_first_captor,
    orphans_are_handed_on_and_on,
)
"""What the comparison with the model must catch."""


# --- What depends on labels, orientation or the order of the list -------------------------------


def the_lowest_id_stays(patch: Patch) -> None:
    right = stages._favoured

    def favoured(turn: Turn, rivals: list[Mover]) -> Mover | None:
        chosen = right(turn, rivals)
        return chosen and min(rivals, key=lambda mover: mover.id)

    patch.setattr(stages, "_favoured", favoured)


def the_first_seat_is_never_taken(patch: Patch) -> None:
    right = taking._converted

    def converted(turn: Turn, taker: Mover, victim: Piece, fate: str) -> Piece:
        first = min(turn.before.seats, default="")
        return victim if victim.seat == first else right(turn, taker, victim, fate)

    patch.setattr(taking, "_converted", converted)


def pushes_to_the_left_fail(patch: Patch) -> None:
    right = Board.beyond
    patch.setattr(Board, "beyond", lambda board, a, b: () if b[0] < a[0] else right(board, a, b))


def springs_stop_at_the_edge_of_the_coordinates(patch: Patch) -> None:
    right = Mover.nearest_free

    def nearest_free(mover: Mover, standing: Mapping[tuple[int, int], str]) -> int | None:
        index = right(mover, standing)
        return None if index is not None and 0 in mover.path[index] else index

    patch.setattr(Mover, "nearest_free", nearest_free)


def the_first_in_the_list_stays(patch: Patch) -> None:
    right = stages._favoured

    def favoured(turn: Turn, rivals: list[Mover]) -> Mover | None:
        rank = {id_: number for number, id_ in enumerate(turn.pieces)}
        chosen = right(turn, rivals)
        return chosen and min(rivals, key=lambda mover: rank[mover.id])

    patch.setattr(stages, "_favoured", favoured)


def receipt_matters_under_every_policy(patch: Patch) -> None:
    patch.setattr(stages, "_favoured", lambda turn, rivals: rivals[0])


PARTIAL_RULES: tuple[Mutant, ...] = (
    the_lowest_id_stays,
    the_first_seat_is_never_taken,
    pushes_to_the_left_fail,
    springs_stop_at_the_edge_of_the_coordinates,
    the_first_in_the_list_stays,
    receipt_matters_under_every_policy,
)
"""What the comparison of a case with its likeness must catch."""
