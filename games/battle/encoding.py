"""A state as canonical JSON, and back."""

from collections.abc import Sequence
from typing import Any

from games.battle.battlefields import Battlefield
from games.battle.board import Board
from games.battle.pieces import EMPEROR, NOT_STORED, PAWN, Item, Piece
from games.battle.rules import read
from games.battle.state import Find, Loss, State, Verdict
from games.kit.codec import Json, JsonObject, dumps, is_whole
from games.kit.errors import BadRecord, Refusal
from games.kit.grids import Tile
from games.kit.options import sequence, shown
from games.kit.protocol import Seat


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
        "verdict": None if state.verdict is None else state.verdict._asdict(),
    }


def decode(data: Json) -> State:
    """The state that was encoded. Raises BadRecord for what this game can't have written."""
    try:
        return _as_written(_state(data), data)
    except (ValueError, Refusal) as bad:
        raise BadRecord(f"This is no state of a battle: {bad}.") from bad


def _as_written(state: State, data: Json) -> State:
    """The state, if it is written like this and in no other way: nothing was filled in or lost."""
    if dumps(encode(state)) != dumps(data):
        raise ValueError("a part is missing, or is one too many")
    return state


def _state(data: Json) -> State:
    match data:
        case {
            "options": announced, "seats": seats, "pieces": pieces, "items": items,
            "turn": turn, "absences": absences, "forfeited": forfeited,
            "losses": losses, "finds": finds, "verdict": verdict,
        }:  # fmt: skip
            options = read(announced)
            field = options.battlefield
            among, board = _seats(seats, field.seats), field.board
            return State(
                options,
                among,
                _apart(tuple(_piece(piece, among, board) for piece in sequence(pieces))),
                tuple(_item(item, field) for item in sequence(items)),
                _count(turn),
                _absences(absences, among),
                _seats(forfeited, among),
                tuple(_loss(loss, among) for loss in sequence(losses)),
                tuple(_find(find, among, field) for find in sequence(finds)),
                _verdict(verdict, among),
            )
    raise ValueError("a part is missing, or is one too many")


def _piece(data: Json, seats: Sequence[Seat], board: Board) -> Piece:
    match data:
        case {"id": str(id_), "seat": str() | None as seat, "kind": str(kind), "xp": xp, "at": at}:
            is_emperor = kind == EMPEROR and xp == NOT_STORED
            is_pawn = kind == PAWN and _count(xp) >= 1
            if (is_emperor or is_pawn) and (seat is None or seat in seats):
                return Piece(id_, seat, kind, _count(xp), _tile(at, board))
    raise ValueError(f"{shown(data)} is no piece")


def _apart(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    if len({piece.id for piece in pieces}) < len(pieces):
        raise ValueError("a piece is there twice")
    if len({piece.at for piece in pieces}) < len(pieces):
        raise ValueError("two pieces stand on one tile")
    return pieces


def _item(data: Json, field: Battlefield) -> Item:
    """An item as it lay at the start: none ever changes until it is found."""
    for item in field.items:
        if dumps(item._asdict()) == dumps(data):
            return item
    raise ValueError(f"{shown(data)} is no item of this field")


def _loss(data: Json, seats: Sequence[Seat]) -> Loss:
    match data:
        case {"turn": turn, "emperor": str(emperor), "loser": str() | None as loser,
              "taker": str(taker), "by": str(by)} if taker in seats:  # fmt: skip
            return Loss(_count(turn), emperor, loser, taker, by)
    raise ValueError(f"{shown(data)} is no loss of an emperor")


def _find(data: Json, seats: Sequence[Seat], field: Battlefield) -> Find:
    match data:
        case {"turn": turn, "item": str(item), "seat": str(seat), "by": str(by)} if seat in seats:
            if any(item == known.id for known in field.items):
                return Find(_count(turn), item, seat, by)
    raise ValueError(f"{shown(data)} is no find")


def _verdict(data: Json, seats: Sequence[Seat]) -> Verdict | None:
    match data:
        case None:
            return None
        case {"winners": winners, "reason": str(reason)}:
            return Verdict(_seats(winners, seats), reason)
    raise ValueError(f"{shown(data)} is no verdict")


def _seats(data: Json, among: Sequence[Seat]) -> tuple[Seat, ...]:
    found: list[Any] = list(sequence(data))
    for seat in found:
        if seat not in among or found.count(seat) > 1:
            raise ValueError(f"{shown(seat)} is no seat of this field, or is there twice")
    return tuple(found)


def _absences(data: Json, seats: Sequence[Seat]) -> tuple[int, ...]:
    found = tuple(_count(times) for times in sequence(data))
    if len(found) not in (0, len(seats)):
        raise ValueError("absences are counted for every seat or for none")
    return found


def _count(data: Json) -> int:
    if not isinstance(data, int) or not is_whole(data) or data < 0:
        raise ValueError(f"{shown(data)} is no number from 0 on")
    return data


def _tile(data: Json, board: Board) -> Tile:
    match data:
        case [int(x), int(y)] if (x, y) in board and is_whole(x) and is_whole(y):
            return (x, y)
    raise ValueError(f"{shown(data)} is no tile of this field")
