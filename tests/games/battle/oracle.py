"""A slow, plain model of one turn of battle, to be read side by side with the rules of record.

Every function quotes the sentence that it implements. Nothing is cached and nothing is clever:
who stands where, and who aims at what, is worked out afresh whenever a rule asks for it.
The fast engine is compared with this model, so the two must share no code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Tile = tuple[int, int]
Seat = str | None  # None is the seat of neutral pieces: nobody controls them

EMPEROR = "emperor"
PAWN = "pawn"

FATES_OF_AN_EMPEROR = ("convert", "remove", "demote", "demote-veteran")

# For each rule with a single value: the values it may have, the default first.
CHOICES: dict[str, tuple[str, ...]] = {
    "conflict": ("rollback", "bounce", "rollback-and-stay", "bounce-and-stay"),
    "passage": ("blocked", "open"),
    "pawn_takes_emperor": FATES_OF_AN_EMPEROR,
    "emperor_takes_emperor": FATES_OF_AN_EMPEROR,
    "orphans": ("fight-on", "join-captor", "neutral", "vanish"),
}

# The one rule that is a list: any of these, none by default.
EMPEROR_TAKES_PAWN = ("push", "precedence", "toll")


class BadCase(Exception):
    """A case that the contract answers with an error; the text says what is wrong."""


@dataclass(eq=False)
class Piece:
    """A piece has an id, a seat, a kind, experience and a tile.

    While the piece is in the air, `at` is still its origin; only landing changes it.
    The `xp` of an emperor means nothing: ask `xp_of`.
    """

    id: str
    seat: Seat
    kind: str
    xp: int
    at: Tile
    began_at: Tile
    took: bool = False
    was_taken: bool = False
    veteran_xp: int | None = None  # set by `demote-veteran`, and then kept whatever happens


@dataclass(eq=False)
class Flight:
    """A piece in the air: its path, both ends included, and the place in the path it aims at."""

    piece: Piece
    receipt: int
    path: list[Tile]
    aim: int

    @property
    def origin(self) -> Tile:
        """The tile that the piece left."""
        return self.path[0]

    @property
    def target(self) -> Tile:
        """The one tile of its path at which the piece aims."""
        return self.path[self.aim]

    @property
    def charging(self) -> bool:
        """A piece that aims at its destination is charging; once pulled back it is springing."""
        return self.aim == len(self.path) - 1


@dataclass(eq=False)
class Take:
    """One piece taken: by which flight, from which seat, and for which seat."""

    flight: Flight
    victim: Piece
    lost_by: Seat
    won_by: Seat
    taker_kind: str
    victim_kind: str  # as it was when taken: a demoted emperor was an emperor


@dataclass(eq=False)
class Turn:
    """All that one turn needs. `air` stays in order of receipt; `takes` in order of happening."""

    rules: dict[str, Any]
    board: set[Tile]
    pieces: list[Piece]
    air: list[Flight] = field(default_factory=list)
    takes: list[Take] = field(default_factory=list)
    opening_xp: dict[str, int] = field(default_factory=dict)
    seats_that_had_an_emperor: set[Seat] = field(default_factory=set)


def resolve(case: dict) -> dict:
    """Resolve one case of the contract, without its `events`; raise BadCase if it is a bad one."""
    turn = read_case(case)
    resolve_moves(turn)
    settle_experience(turn)
    settle_orphans(turn)
    return outcome(turn)


# --- Reading a case -----------------------------------------------------------------------------


def read_case(case: Any) -> Turn:
    """Read the JSON of one case, and remember what later rules ask about the turn's beginning."""
    if not isinstance(case, dict):
        raise BadCase("a case must be an object")
    rules = read_rules(case.get("rules", {}))
    board = read_board(member(case, "tiles"))
    turn = Turn(rules, board, read_pieces(member(case, "pieces"), board))
    turn.opening_xp = {piece.id: xp_of(piece, turn.pieces) for piece in turn.pieces}
    turn.seats_that_had_an_emperor = seats_with_an_emperor(turn.pieces)
    turn.air = read_orders(member(case, "orders"), turn)
    return turn


def member(holder: dict, name: str) -> Any:
    """The named member, which must be there."""
    if name not in holder:
        raise BadCase(f"{name} is missing")
    return holder[name]


def objects(value: Any, name: str) -> list[dict]:
    """The value, which must be a list of objects."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadCase(f"{name} must be a list of objects")
    return value


def read_tile(value: Any) -> Tile:
    """A tile is written [x, y], two whole numbers."""
    if not isinstance(value, list) or [type(number) for number in value] != [int, int]:
        raise BadCase(f"not a tile: {value!r}")
    return (value[0], value[1])


def read_rules(given: Any) -> dict[str, Any]:
    """Every rule may be left out for its default; an unknown rule or value is an error."""
    if not isinstance(given, dict):
        raise BadCase("rules must be an object")
    for name in given:
        if name not in CHOICES and name != "emperor_takes_pawn":
            raise BadCase(f"unknown rule: {name!r}")
    rules: dict[str, Any] = {
        name: read_choice(name, given.get(name, values[0])) for name, values in CHOICES.items()
    }
    rules["emperor_takes_pawn"] = read_emperor_takes_pawn(given.get("emperor_takes_pawn", []))
    return rules


def read_choice(name: str, value: Any) -> str:
    """A rule with one value has one of the announced values."""
    if value not in CHOICES[name]:
        raise BadCase(f"unknown value of {name}: {value!r}")
    return value


def read_emperor_takes_pawn(value: Any) -> set[str]:
    """`emperor_takes_pawn`: any of `push`, `precedence`, `toll`; default none."""
    if not isinstance(value, list):
        raise BadCase("emperor_takes_pawn must be a list")
    for item in value:
        if item not in EMPEROR_TAKES_PAWN:
            raise BadCase(f"unknown value of emperor_takes_pawn: {item!r}")
    return set(value)


def read_board(rows: Any) -> set[Tile]:
    """`.` is a tile, anything else a hole; x to the right, y downwards; any shape."""
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadCase("tiles must be a list of strings")
    return {(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "."}


def read_pieces(given: Any, board: set[Tile]) -> list[Piece]:
    """Bad: a doubled id, two pieces on a tile or one off the board. The list keeps its order."""
    pieces: list[Piece] = []
    for item in objects(given, "pieces"):
        piece = read_piece(item)
        if piece.at not in board:
            raise BadCase(f"off the board: {piece.id}")
        if any(other.id == piece.id for other in pieces):
            raise BadCase(f"doubled id: {piece.id}")
        if any(other.at == piece.at for other in pieces):
            raise BadCase(f"two pieces on tile {piece.at}")
        pieces.append(piece)
    return pieces


def read_piece(item: dict) -> Piece:
    """An id, a seat (null if neutral), a kind, experience and a tile."""
    identity, seat, kind = member(item, "id"), member(item, "seat"), member(item, "kind")
    if not isinstance(identity, str):
        raise BadCase(f"not an id: {identity!r}")
    if not isinstance(seat, str | None):
        raise BadCase(f"not a seat: {seat!r}")
    if kind not in (EMPEROR, PAWN):
        raise BadCase(f"unknown kind: {kind!r}")
    tile = read_tile(member(item, "at"))
    return Piece(identity, seat, kind, read_xp(item, kind), tile, began_at=tile)


def read_xp(item: dict, kind: str) -> int:
    """A pawn starts with xp 1, and never has less; an emperor's xp in the input is ignored."""
    if kind == EMPEROR:
        return 1
    xp = member(item, "xp")
    if type(xp) is not int or xp < 1:
        raise BadCase(f"not the xp of a pawn: {xp!r}")
    return xp


def read_orders(given: Any, turn: Turn) -> list[Flight]:
    """Orders stand in order of receipt; an illegal order or two orders of one seat are errors."""
    flights: list[Flight] = []
    for receipt, item in enumerate(objects(given, "orders")):
        flight = read_order(item, receipt, turn)
        if any(other.piece.seat == flight.piece.seat for other in flights):
            raise BadCase(f"two orders of seat {flight.piece.seat}")
        flights.append(flight)
    return flights


def read_order(item: dict, receipt: int, turn: Turn) -> Flight:
    """A legal order puts its piece in the air, aiming at first at its destination."""
    piece = ordered_piece(member(item, "seat"), member(item, "piece"), turn)
    destination = read_tile(member(item, "to"))
    check_reach(piece, destination, turn)
    path = straight_path(piece.at, destination)
    check_way(path, turn)
    check_destination(piece, destination, turn)
    return Flight(piece, receipt, path, aim=len(path) - 1)


def ordered_piece(seat: Any, identity: Any, turn: Turn) -> Piece:
    """The piece is the seat's own. (Neutral pieces stand still for ever: null gives no orders.)"""
    if not isinstance(seat, str):
        raise BadCase(f"no seat that could give orders: {seat!r}")
    for piece in turn.pieces:
        if piece.id == identity and piece.seat == seat:
            return piece
    raise BadCase(f"seat {seat} has no piece {identity!r}")


def check_reach(piece: Piece, destination: Tile, turn: Turn) -> None:
    """The tile is another tile in the same row or column, at most `xp` tiles away."""
    across = abs(destination[0] - piece.at[0])
    down = abs(destination[1] - piece.at[1])
    if destination not in turn.board:
        raise BadCase(f"not on the board: {destination}")
    if across and down:
        raise BadCase(f"not in the same row or column: {destination}")
    if not 1 <= across + down <= turn.opening_xp[piece.id]:
        raise BadCase(f"not within reach of {piece.id}: {destination}")


def straight_path(origin: Tile, destination: Tile) -> list[Tile]:
    """Path of an order: the tiles from origin to destination, both included."""
    step_x, step_y = direction(origin, destination)
    path = [origin]
    while path[-1] != destination:
        path.append((path[-1][0] + step_x, path[-1][1] + step_y))
    return path


def direction(origin: Tile, destination: Tile) -> Tile:
    """One step from the origin towards a destination in the same row or column."""
    return (sign(destination[0] - origin[0]), sign(destination[1] - origin[1]))


def sign(number: int) -> int:
    """1, 0 or -1."""
    return (number > 0) - (number < 0)


def check_way(path: list[Tile], turn: Turn) -> None:
    """Every tile of the path is on the board.

    `passage: blocked`: no piece stands, before the turn, on a tile strictly between the ends.
    `passage: open`: pieces in between are leapt over.
    """
    if not turn.board.issuperset(path):
        raise BadCase(f"a hole on the way to {path[-1]}")
    if turn.rules["passage"] == "open":
        return
    if any(piece.at in path[1:-1] for piece in turn.pieces):
        raise BadCase(f"a piece on the way to {path[-1]}")


def check_destination(piece: Piece, destination: Tile, turn: Turn) -> None:
    """The destination does not hold, before the turn, a piece of the same seat."""
    for other in turn.pieces:
        if other.at == destination and other.seat == piece.seat:
            raise BadCase(f"a piece of the same seat on {destination}")


# --- What can be asked about a position ---------------------------------------------------------


def xp_of(piece: Piece, pieces: list[Piece]) -> int:
    """An emperor's xp is the highest xp among its seat's pawns, 1 if it has none."""
    if piece.kind == PAWN:
        return piece.xp
    return max((p.xp for p in pieces if p.kind == PAWN and p.seat == piece.seat), default=1)


def seats_with_an_emperor(pieces: list[Piece]) -> set[Seat]:
    """The seats that have an emperor. Neutral pieces have no seat, so they are left out."""
    return {p.seat for p in pieces if p.kind == EMPEROR and p.seat is not None}


def standing_pieces(turn: Turn) -> dict[Tile, Piece]:
    """A piece stands if it did not move, has landed, or is back home: if it is not in the air."""
    in_the_air = {flight.piece for flight in turn.air}
    standing: dict[Tile, Piece] = {}
    for piece in turn.pieces:
        if piece not in in_the_air:
            # The rules promise it; a model that broke it would be wrong without a word.
            assert piece.at not in standing, f"two pieces stand on {piece.at}"
            standing[piece.at] = piece
    return standing


def aims(turn: Turn) -> dict[Tile, list[Flight]]:
    """For every tile that is aimed at: those who aim at it, in order of receipt."""
    by_tile: dict[Tile, list[Flight]] = {}
    for flight in turn.air:
        by_tile.setdefault(flight.target, []).append(flight)
    return by_tile


# --- What can happen to a piece in the air ------------------------------------------------------


def land_on(turn: Turn, flight: Flight, tile: Tile) -> None:
    """The piece leaves the air and stands on the tile."""
    flight.piece.at = tile
    turn.air.remove(flight)


def return_home(turn: Turn, flight: Flight) -> None:
    """Return home, to the origin, whoever is on the way there, and stand there at once."""
    land_on(turn, flight, flight.origin)


def spring_back(turn: Turn, flight: Flight, occupied: Iterable[Tile]) -> None:
    """Aim at the nearest earlier tile of the path, the origin excepted, where nobody stands.

    If there is none, return home. The caller says which tiles count as occupied, because all who
    spring in one go look at the same board.
    """
    for place in range(flight.aim - 1, 0, -1):
        if flight.path[place] not in occupied:
            flight.aim = place
            return
    return_home(turn, flight)


# --- Resolution ---------------------------------------------------------------------------------


def resolve_moves(turn: Turn) -> None:
    """Repeat the three steps, until nobody is in the air.

    "Resolution always ends: every step lands a piece, sends it home or shortens its path." So
    the sum of what is left of all paths must shrink in every round.
    """
    while turn.air:
        before = sum(flight.aim for flight in turn.air)
        land(turn)
        settle_conflicts(turn)
        take(turn)
        assert sum(flight.aim for flight in turn.air) < before, "a round changed nothing"


# Step 1


def land(turn: Turn) -> None:
    """All pieces of the largest set that may land do land."""
    for flight in largest_landing_set(turn):
        land_on(turn, flight, flight.target)


def largest_landing_set(turn: Turn) -> list[Flight]:
    """The largest set in which nobody aims at the origin of another one who stays in the air.

    Two sets with this property make a third when joined, so there is one largest set, and it is
    what remains after removing from all candidates, until nothing changes, those who cannot be
    in any such set.
    """
    landing = landing_candidates(turn)
    while True:
        remaining = [f for f in landing if not aims_at_a_held_origin(f, landing, turn)]
        if len(remaining) == len(landing):
            return landing
        landing = remaining


def landing_candidates(turn: Turn) -> list[Flight]:
    """Those who are alone in aiming at their tile, where nobody stands."""
    standing, aimed = standing_pieces(turn), aims(turn)
    return [f for f in turn.air if len(aimed[f.target]) == 1 and f.target not in standing]


def aims_at_a_held_origin(flight: Flight, landing: list[Flight], turn: Turn) -> bool:
    """If that tile is the origin of another piece in the air, that other must be in the set."""
    return any(
        other is not flight and other.origin == flight.target and other not in landing
        for other in turn.air
    )


# Step 2


def settle_conflicts(turn: Turn) -> None:
    """Where two or more aim at one tile, empty or not, the announced policy applies to them.

    "Each step looks at the situation as the step begins": nobody in this step sees who came home
    in this step.
    """
    occupied = set(standing_pieces(turn))
    for rivals in aims(turn).values():
        if len(rivals) > 1:
            settle_conflict(turn, rivals, occupied)


def settle_conflict(turn: Turn, rivals: list[Flight], occupied: set[Tile]) -> None:
    """At most one goes on aiming; the others return home, or spring back under `bounce…`."""
    favoured = who_goes_on_aiming(turn, rivals)
    for flight in rivals:
        if flight is favoured:
            continue
        if turn.rules["conflict"] in ("bounce", "bounce-and-stay"):
            spring_back(turn, flight, occupied)
        else:
            return_home(turn, flight)


def who_goes_on_aiming(turn: Turn, rivals: list[Flight]) -> Flight | None:
    """`…-and-stay`: the one whose order was received first goes on aiming there.

    An emperor with precedence comes before that, "`-and-stay` or not".
    """
    emperor = emperor_with_precedence(turn, rivals)
    if emperor is not None:
        return emperor
    if turn.rules["conflict"] in ("rollback-and-stay", "bounce-and-stay"):
        return min(rivals, key=lambda flight: flight.receipt)
    return None


def emperor_with_precedence(turn: Turn, rivals: list[Flight]) -> Flight | None:
    """`precedence`: in a conflict where the only emperor is a springing one, it goes on aiming."""
    emperors = [flight for flight in rivals if flight.piece.kind == EMPEROR]
    if "precedence" not in turn.rules["emperor_takes_pawn"] or len(emperors) != 1:
        return None
    return None if emperors[0].charging else emperors[0]


# Step 3


def take(turn: Turn) -> None:
    """First every taken piece changes hands, falls in xp or leaves the board (then its taker
    lands); then tolls; then pushes, in order of receipt; then all springs, which look at the
    board as it now is and before anyone has sprung.
    """
    takes = takes_of_this_step(turn)
    blocked = springing_at_somebody(turn)
    turn.takes += takes
    for one in takes:
        hand_over(turn, one)
    for one in takes:
        levy_toll(turn, one)
    for one in takes:
        push(turn, one)
    spring_all(turn, [one.flight for one in takes] + blocked)


def takes_of_this_step(turn: Turn) -> list[Take]:
    """A charging piece that is alone in aiming at a tile where a rival piece stands takes it.

    In order of receipt, because `turn.air` is.
    """
    standing, aimed = standing_pieces(turn), aims(turn)
    takes = []
    for flight in turn.air:
        victim = standing.get(flight.target)
        if victim is None or not flight.charging or len(aimed[flight.target]) > 1:
            continue
        taker = flight.piece
        if victim.seat != taker.seat:
            takes.append(Take(flight, victim, victim.seat, taker.seat, taker.kind, victim.kind))
    return takes


def springing_at_somebody(turn: Turn) -> list[Flight]:
    """A springing piece never takes: if somebody stands where it aims, it springs back further,
    alone in aiming there or not.
    """
    standing = standing_pieces(turn)
    return [f for f in turn.air if not f.charging and f.target in standing]


def fate_of_victim(turn: Turn, one: Take) -> str:
    """Which rule says what becomes of the taken piece; a taken pawn is simply converted."""
    if one.victim_kind == PAWN:
        return "convert"
    if one.taker_kind == PAWN:
        return turn.rules["pawn_takes_emperor"]
    return turn.rules["emperor_takes_emperor"]


def hand_over(turn: Turn, one: Take) -> None:
    """The taken piece belongs to the taker's seat at once, or leaves the board.

    `remove`: leaves the board, and the taker lands on its tile.
    `demote`: becomes a pawn of the taker with xp 1.
    `demote-veteran`: becomes a pawn with the xp that the emperor had as the turn began.
    A pawn that was taken falls to xp 1.
    """
    fate = fate_of_victim(turn, one)
    one.flight.piece.took = True
    one.victim.was_taken = True
    one.victim.seat = one.won_by
    one.victim.xp = 1
    if fate == "remove":
        turn.pieces.remove(one.victim)
        land_on(turn, one.flight, one.flight.target)
    elif fate != "convert":
        one.victim.kind = PAWN
    if fate == "demote-veteran":
        one.victim.veteran_xp = one.victim.xp = turn.opening_xp[one.victim.id]


def emperor_took_pawn(turn: Turn, one: Take, rule: str) -> bool:
    """Whether an emperor took a pawn, and this effect of `emperor_takes_pawn` is announced."""
    return (
        one.taker_kind == EMPEROR
        and one.victim_kind == PAWN
        and rule in turn.rules["emperor_takes_pawn"]
    )


def levy_toll(turn: Turn, one: Take) -> None:
    """`toll`: the highest xp among the seat's other pawns falls to 1.

    Of equals, the first in the list of pieces. Pawns lost in the same step don't count: they
    have changed hands by now.
    """
    if not emperor_took_pawn(turn, one, "toll"):
        return
    others = [
        p for p in turn.pieces if p.kind == PAWN and p.seat == one.won_by and p is not one.victim
    ]
    if others:
        # Of equals, max gives the first, and the pieces are in the order of the list.
        max(others, key=lambda pawn: pawn.xp).xp = 1


def push(turn: Turn, one: Take) -> None:
    """`push`: the emperor lands on the tile, and the taken pawn goes to the nearest tile beyond.

    If there is no such tile, the take is an ordinary one: the emperor will spring back.
    """
    if not emperor_took_pawn(turn, one, "push"):
        return
    refuge = tile_to_be_pushed_to(turn, one.flight)
    if refuge is not None:
        one.victim.at = refuge
        land_on(turn, one.flight, one.flight.target)


def tile_to_be_pushed_to(turn: Turn, flight: Flight) -> Tile | None:
    """The nearest tile beyond, in the direction of the charge, where nobody stands, at which
    nobody in the air aims, and which is nobody's origin who is still in the air; none if the
    board ends or breaks first.
    """
    refused = set(standing_pieces(turn)) | set(aims(turn)) | {f.origin for f in turn.air}
    step_x, step_y = direction(flight.origin, flight.target)
    x, y = flight.target
    while (x, y) in turn.board:
        if (x, y) not in refused:
            return (x, y)
        x, y = x + step_x, y + step_y
    return None


def spring_all(turn: Turn, flights: list[Flight]) -> None:
    """All springs look at the board as it now is and before anyone has sprung.

    A taker that has landed, after a push or a removal, has nothing left to spring from.
    """
    occupied = set(standing_pieces(turn))
    for flight in flights:
        if flight in turn.air:
            spring_back(turn, flight, occupied)


# --- Once nobody is in the air ------------------------------------------------------------------


def settle_experience(turn: Turn) -> None:
    """Every pawn ends the turn with the xp that it has earned, kept or lost."""
    for piece in turn.pieces:
        if piece.kind == PAWN:
            piece.xp = final_xp(piece)


def final_xp(pawn: Piece) -> int:
    """A pawn that took, and a pawn that was taken, end the turn with xp 1.

    A pawn that ends the turn on another tile than its origin, and neither took nor was taken,
    gains 1. A cancelled move (back home) gains nothing. A demoted veteran keeps its xp whatever
    else it did this turn.
    """
    if pawn.veteran_xp is not None:
        return pawn.veteran_xp
    if pawn.took or pawn.was_taken:
        return 1
    if pawn.at != pawn.began_at:
        return pawn.xp + 1
    return pawn.xp


def settle_orphans(turn: Turn) -> None:
    """`orphans`: what becomes, once the turn is resolved, of the other pieces of a seat that has
    no emperor left. Applies to seats that had an emperor as the turn began.

    All seats at once: a piece that joins a captor stays there, even if the captor's own pieces
    leave for a third seat.
    """
    rule = turn.rules["orphans"]
    bereft = turn.seats_that_had_an_emperor - seats_with_an_emperor(turn.pieces)
    orphans = [piece for piece in turn.pieces if piece.seat in bereft]
    if rule == "vanish":
        turn.pieces = [piece for piece in turn.pieces if piece not in orphans]
    elif rule == "neutral":
        for piece in orphans:
            piece.seat = None
    elif rule == "join-captor":
        for piece in orphans:
            piece.seat = captor_of(turn, piece.seat)


def captor_of(turn: Turn, seat: Seat) -> Seat:
    """The seat of the last taker of that seat's emperor, wherever that seat then stands itself.

    Of takes in one step, the one whose order was received last counts as the last.
    """
    lost = [one for one in turn.takes if one.victim_kind == EMPEROR and one.lost_by == seat]
    return lost[-1].won_by


def outcome(turn: Turn) -> dict:
    """Pieces sorted by id, with an emperor's xp as it now is; taken by `by`, then `piece`."""
    pieces = [
        {
            "id": piece.id,
            "seat": piece.seat,
            "kind": piece.kind,
            "xp": xp_of(piece, turn.pieces),
            "at": list(piece.at),
        }
        for piece in turn.pieces
    ]
    taken = [
        {"by": t.flight.piece.id, "piece": t.victim.id, "from": t.lost_by, "to": t.won_by}
        for t in turn.takes
    ]
    return {
        "pieces": sorted(pieces, key=lambda piece: piece["id"]),
        "taken": sorted(taken, key=lambda one: (one["by"], one["piece"])),
    }
