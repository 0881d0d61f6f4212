"""One case in, one outcome out: Battle for other programs, as the rules of record define it."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from games.battle.battlefields import Battlefield
from games.battle.board import Board
from games.battle.events import to_json
from games.battle.orders import Move, Order, check_move
from games.battle.pieces import EMPEROR, NOT_STORED, PAWN, Piece
from games.battle.rules import Options, Rules, read_rules
from games.battle.stages import RESOLUTION, run
from games.battle.state import State
from games.battle.turn import Turn
from games.kit.codec import Json, JsonObject, dumps, is_whole, loads
from games.kit.errors import Forbidden, Refusal
from games.kit.grids import Tile
from games.kit.options import sequence, shown
from games.kit.protocol import Seat

TILE = "."


class BadCase(ValueError):
    """A case that can't be resolved; the message says what is wrong with it."""


def answer(line: str | bytes) -> str:
    """The outcome of the case on one line, or what is wrong with it, as one line of JSON."""
    try:
        return dumps(resolve(_json(line)))
    except (ValueError, Refusal) as bad:
        return dumps({"error": str(bad)})


def _json(line: str | bytes) -> Json:
    try:
        return loads(line.strip())
    except ValueError as bad:
        raise BadCase(f"this line is not JSON: {bad}") from None


def resolve(case: Json) -> JsonObject:
    """The outcome of one case. Raises BadCase or Refusal."""
    state, orders = read(case)
    turn = Turn(state, orders)
    run(turn, RESOLUTION)
    after = State(options=state.options, seats=state.seats, pieces=tuple(turn.pieces.values()))
    return {
        "pieces": [_shown(after, piece) for piece in sorted(after.pieces)],
        "taken": [
            {"by": take.by, "piece": take.piece, "from": take.loser, "to": take.taker}
            for take in sorted(turn.takes, key=lambda take: (take.by, take.piece))
        ],
        "events": [to_json(event) for event in turn.events],
    }


def _shown(state: State, piece: Piece) -> JsonObject:
    return {**piece._asdict(), "xp": state.xp(piece)}


def read(case: Json) -> tuple[State, Mapping[Seat, Order]]:
    """The position and the orders of a case; keys of other programs in it are left alone.

    Raises BadCase, or BadOptions for a bad rule.
    """
    if not isinstance(case, Mapping):
        raise BadCase(f"a case is an object, not {shown(case)}")
    rules = read_rules(case.get("rules", {}))
    board = Board(_tiles(_list(case, "tiles")))
    pieces = _pieces(_list(case, "pieces"), board)
    state = _position(board, pieces, rules)
    return state, _orders(_list(case, "orders") if "orders" in case else (), state)


def _list(data: JsonObject, key: str) -> Sequence[Json]:
    try:
        return sequence(data[key])
    except KeyError:
        raise BadCase(f"{key} is missing") from None
    except ValueError as bad:
        raise BadCase(f"{key}: {bad}") from None


def _tiles(rows: Sequence[Json]) -> Iterator[Tile]:
    for y, row in enumerate(rows):
        if not isinstance(row, str):
            raise BadCase(f"tiles: row {y} is {shown(row)}, not a text")
        yield from ((x, y) for x, character in enumerate(row) if character == TILE)


def _pieces(data: Sequence[Json], board: Board) -> tuple[Piece, ...]:
    pieces: dict[str, Piece] = {}
    standing: dict[Tile, Piece] = {}
    for item in data:
        piece = _piece(item)
        if piece.id in pieces:
            raise BadCase(f"piece {shown(piece.id)} is there twice")
        if piece.at not in board:
            raise BadCase(f"piece {shown(piece.id)} stands off the board, on {list(piece.at)}")
        if piece.at in standing:
            other = standing[piece.at]
            raise BadCase(
                f"{shown(other.id)} and {shown(piece.id)} stand on one tile, {list(piece.at)}"
            )
        pieces[piece.id] = standing[piece.at] = piece
    return tuple(pieces.values())


def _piece(item: Json) -> Piece:
    match item:
        case {"id": str(id_), "seat": str() | None as seat, "kind": str(kind), "at": at, **rest}:
            xp = _xp(id_, kind, rest.get("xp"))
            return Piece(id_, seat, _kind(id_, kind), xp, _tile(at, id_))
    raise BadCase(f"a piece has id, seat, kind, xp and at, unlike {shown(item)}")


def _kind(piece: str, kind: str) -> str:
    if kind not in (EMPEROR, PAWN):
        raise BadCase(f"piece {shown(piece)}: {shown(kind)} is neither emperor nor pawn")
    return kind


def _xp(piece: str, kind: str, xp: object) -> int:
    """A pawn's xp. An emperor's is ignored, whatever it is: it follows from his pawns."""
    if kind == EMPEROR:
        return NOT_STORED
    if not isinstance(xp, int) or not is_whole(xp) or xp < 1:
        raise BadCase(f"piece {shown(piece)}: xp {shown(xp)} is no whole number from 1 on")
    return xp


def _tile(data: Json, piece: str) -> Tile:
    match data:
        case [int(x), int(y)] if is_whole(x) and is_whole(y):
            return (x, y)
    raise BadCase(f"piece {shown(piece)}: {shown(data)} is no tile; write [x, y]")


def _position(board: Board, pieces: tuple[Piece, ...], rules: Rules) -> State:
    """A state with nothing but what stands on the board: a case has no goals and no items."""
    seats = tuple(sorted({piece.seat for piece in pieces if piece.seat is not None}))
    field = Battlefield(
        name="", idea="", text="", board=board, seats=seats, pieces=pieces, items=(),
        targets=MappingProxyType({}), opposites=MappingProxyType({}),
    )  # fmt: skip
    options = Options(
        announced={}, battlefield=field, rules=rules, pickup="any", goals=(), turn_limit=1
    )
    return State(options, seats, pieces)


def _orders(data: Sequence[Json], state: State) -> dict[Seat, Order]:
    """The orders by seat, in order of receipt."""
    orders: dict[Seat, Order] = {}
    for item in data:
        match item:
            case {"seat": str(seat), "piece": str(piece), "to": to}:
                if seat in orders:
                    raise BadCase(f"seat {shown(seat)} has two orders")
                move = Move(piece, _tile(to, piece))
                _check(state, seat, move)
                orders[seat] = move
            case _:
                raise BadCase(f"an order has seat, piece and to, unlike {shown(item)}")
    return orders


def _check(state: State, seat: Seat, move: Move) -> None:
    try:
        check_move(state, seat, move)
    except Forbidden as illegal:
        raise BadCase(f"the order of seat {shown(seat)}: {illegal}") from None
