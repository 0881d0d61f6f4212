"""A slow, plain model of a whole battle: what comes of each turn that `oracle` resolves.

Functions quote what they implement, from the rules of record or from the places in
docs/rules-engine.md where a reader of them may hesitate. The engine reads the drawing of the
battlefield for both; beyond that the two share no code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.battle import battlefields
from tests.games.battle import oracle
from tests.games.battle.oracle import EMPEROR, PAWN

Json = dict[str, Any]
Orders = dict[str, Json]
"""What each seat ordered, as JSON, in order of receipt."""

OF_A_WHOLE_BATTLE = ("battlefield", "pickup", "goals", "turn_limit")


@dataclass
class Campaign:
    """A battle between two turns, and in `told` what followed upon the last one."""

    field: battlefields.Battlefield
    options: Json
    seats: list[str]
    pieces: list[Json]
    items: list[Json]
    turn: int = 0
    missed: dict[str, int] = field(default_factory=dict)
    forfeited: list[str] = field(default_factory=list)
    losses: list[Json] = field(default_factory=list)
    finds: list[Json] = field(default_factory=list)
    verdict: Json | None = None
    told: list[Json] = field(default_factory=list)

    @property
    def goals(self) -> list[Json]:
        return self.options.get("goals", [{"kind": "last-emperor"}])

    def case(self, moves: list[Json] | None = None) -> Json:
        """The next turn as a case of the contract."""
        tiles = self.field.board.tiles
        width, height = (1 + max(tile[axis] for tile in tiles) for axis in (0, 1))
        return {
            "rules": {k: v for k, v in self.options.items() if k not in OF_A_WHOLE_BATTLE},
            "tiles": [
                "".join(".#"[(x, y) not in tiles] for x in range(width)) for y in range(height)
            ],
            "pieces": self.pieces,
            "orders": moves or [],
        }

    def left(self) -> list[str]:
        """Who still has a piece to order, and has not forfeited."""
        return [
            seat
            for seat in self.seats
            if seat not in self.forfeited and any(p["seat"] == seat for p in self.pieces)
        ]

    def own_emperor(self, seat: str) -> Json | None:
        """ "Its emperor" in a goal is the one who began in the seat and still obeys it."""
        for piece in self.pieces:
            if (piece["id"], piece["seat"], piece["kind"]) == (f"{seat}0", seat, EMPEROR):
                return piece
        return None

    def strength(self, seat: str) -> tuple[int, int]:
        """Most pieces wins, then highest total xp of the pawns."""
        own = [piece for piece in self.pieces if piece["seat"] == seat]
        return len(own), sum(piece["xp"] for piece in own if piece["kind"] == PAWN)


def begin(options: Json, seats: tuple[str, ...]) -> Campaign:
    """Only the pieces and the chests of those who take part are there, and what is anyone's."""
    field = battlefields.read(options["battlefield"])
    return Campaign(
        field,
        options,
        [seat for seat in field.seats if seat in seats],
        [{**p._asdict(), "at": list(p.at)} for p in field.pieces if p.seat in seats],
        [{**i._asdict(), "at": list(i.at)} for i in field.items if i.seat in (None, *seats)],
    )


def play(it: Campaign, orders: Orders) -> None:
    """One turn: the board as `oracle` has it, then items, absences, forfeits, goals, the end."""
    moves = [{"seat": seat, **order} for seat, order in orders.items() if "piece" in order]
    due = it.left()
    turn = oracle.read_case(it.case(moves))
    had_own = [seat for seat in it.seats if it.own_emperor(seat)]
    oracle.resolve_moves(turn)
    oracle.settle_experience(turn)
    oracle.settle_orphans(turn)
    it.turn += 1
    it.told = []
    it.pieces = [
        {"id": p.id, "seat": p.seat, "kind": p.kind, "xp": p.xp if p.kind == PAWN else 0,
         "at": list(p.at)}
        for p in turn.pieces
    ]  # fmt: skip
    count_losses(it, turn)
    pick_up(it)
    count_absences(it, [seat for seat in due if seat not in orders])
    resigned = [seat for seat, order in orders.items() if "resign" in order]
    forfeit(it, [s for s in it.seats if s in resigned or it.missed.get(s, 0) >= 3])
    judge(it, turn, had_own)


def count_losses(it: Campaign, turn: oracle.Turn) -> None:
    """The emperors that were taken, in the order in which it happened."""
    it.losses += [
        {"turn": it.turn, "emperor": one.victim.id, "loser": one.lost_by, "taker": one.won_by,
         "by": one.flight.piece.id}
        for one in turn.takes
        if one.victim_kind == EMPEROR
    ]  # fmt: skip


def pick_up(it: Campaign) -> None:
    """A piece that stands on one when the turn is resolved picks it up (`pickup: any` by default,
    or `emperor`). Pieces that obey nobody pick up nothing; the item stays where it lies.
    """
    for item in list(it.items):
        for piece in it.pieces:
            may = it.options.get("pickup") != "emperor" or piece["kind"] == EMPEROR
            if piece["at"] == item["at"] and piece["seat"] is not None and may:
                it.items.remove(item)
                find = {"item": item["id"], "seat": piece["seat"]}
                it.finds.append({"turn": it.turn, **find, "by": piece["id"]})
                it.told.append({"what": "pick-up", **find})


def count_absences(it: Campaign, silent: list[str]) -> None:
    """A seat that misses its deadline holds; after three in a row it forfeits."""
    it.missed = {seat: it.missed.get(seat, 0) + 1 for seat in it.seats if seat in silent}
    it.told += [{"what": "miss", "seat": seat, "times": n} for seat, n in it.missed.items()]


def forfeit(it: Campaign, leaving: list[str]) -> None:
    """Its pieces become orphans, and its emperor counts as neither taken nor dead.

    A forfeit takes the seat's own emperor off the board; the rest become orphans, under
    `join-captor` neutral ones, for nobody took their emperor.
    """
    for seat in leaving:
        own = it.own_emperor(seat)
        it.told.append({"what": "forfeit", "seat": seat, "emperor": own and own["id"]})
        it.pieces = [piece for piece in it.pieces if piece is not own]
        rule = it.options.get("orphans", "fight-on")
        if rule == "vanish":
            it.pieces = [piece for piece in it.pieces if piece["seat"] != seat]
        elif rule != "fight-on":
            it.pieces = [
                {**piece, "seat": None} if piece["seat"] == seat else piece for piece in it.pieces
            ]
    it.forfeited += leaving


# --- The end ------------------------------------------------------------------------------------


def judge(it: Campaign, turn: oracle.Turn, had_own: list[str]) -> None:
    """Any goal met ends it. A turn limit (200 unless announced) ends it too: most pieces wins,
    then highest total xp of the pawns, else shared. If no seat is left, it is a draw.

    Goals come before the turn limit, and all seats that met any goal in a turn share the victory.
    """
    met = [
        (seat, goal["kind"])
        for goal in it.goals
        for seat in it.seats
        if seat not in it.forfeited and is_met(it, goal, seat, turn, had_own)
    ]
    it.told += [{"what": "goal", "seat": seat, "goal": kind} for seat, kind in met]
    left = it.left()
    if met:
        end(it, [seat for seat in it.seats if seat in dict(met)], met[0][1])
    elif not left:
        end(it, [], "nobody-left")
    elif it.turn >= it.options.get("turn_limit", 200):
        best = max(it.strength(seat) for seat in left)
        end(it, [seat for seat in left if it.strength(seat) == best], "turn-limit")


def end(it: Campaign, winners: list[str], reason: str) -> None:
    it.verdict = {"winners": winners, "reason": reason}
    it.told.append({"what": "end", **it.verdict})


def is_met(it: Campaign, goal: Json, seat: str, turn: oracle.Turn, had_own: list[str]) -> bool:
    """Whether a seat that is still in meets a goal."""
    own = it.own_emperor(seat)
    taken = [t for t in turn.takes if t.victim_kind == EMPEROR and t.won_by == seat and t.lost_by]
    match goal["kind"]:
        case "opposite-square":  # its emperor stands on its target
            target = it.field.targets.get(seat)
            return own is not None and target is not None and own["at"] == list(target)
        case "last-emperor":  # it alone has an emperor left: any emperor at all
            crowned = {p["seat"] for p in it.pieces if p["kind"] == EMPEROR}
            return crowned & (set(it.seats) - set(it.forfeited)) == {seat}
        case "survive":  # turn N is over, it still has its emperor, and more than K pieces
            enough = it.strength(seat)[0] > goal["more_than"]
            return it.turn >= goal["turns"] and own is not None and enough
        case "take-superior":  # it took a rival emperor whose xp, as the turn began, was higher
            xp = turn.opening_xp
            return seat in had_own and any(xp[t.victim.id] > xp[f"{seat}0"] for t in taken)
        case "emperor-strike":  # its own emperor took the emperor of the opposite seat
            opposite = it.field.opposites.get(seat)
            return any(
                (t.flight.piece.id, t.taker_kind, t.victim.id, t.lost_by)
                == (f"{seat}0", EMPEROR, f"{opposite}0", opposite)
                for t in taken
            )
        case "treasure":  # it picked up the battlefield's treasure
            return any((f["item"], f["seat"]) == ("treasure", seat) for f in it.finds)
    raise AssertionError(goal)


# --- What the world is told ---------------------------------------------------------------------


def outcome(it: Campaign) -> Json | None:
    """Winners, reason, ranks and facts, once it is over."""
    return it.verdict and {
        **it.verdict,
        "ranks": ranks(it, it.verdict["winners"]),
        "facts": {
            "turns": it.turn,
            "emperors": {seat: fate(it, seat) for seat in it.seats},
            "taken": it.losses,
            "found": it.finds,
            "forfeited": it.forfeited,
        },
    }


def ranks(it: Campaign, winners: list[str]) -> dict[str, int]:
    """Winners first, then by what each has left, those who forfeited last; equals are equal."""
    if not winners:
        return dict.fromkeys(it.seats, 1)
    rest = [seat for seat in it.seats if seat not in winners]
    rest.sort(key=it.strength, reverse=True)
    rest.sort(key=lambda seat: seat in it.forfeited)
    found = dict.fromkeys(winners, 1)
    for number, seat in enumerate(rest, start=len(winners) + 1):
        before = rest[rest.index(seat) - 1] if rest[0] != seat else None
        is_equal = (
            before is not None
            and it.strength(before) == it.strength(seat)
            and (before in it.forfeited) == (seat in it.forfeited)
        )
        found[seat] = found[before] if before is not None and is_equal else number
    return found


def fate(it: Campaign, seat: str) -> Json:
    """Who took a seat's emperor last, and who has him now; his own seat, if nobody took him."""
    taken_by = None
    for loss in it.losses:
        if loss["emperor"] == f"{seat}0":
            taken_by = loss["taker"]
    held_by = taken_by or seat
    for piece in it.pieces:
        if piece["id"] == f"{seat}0" and piece["seat"] is not None:
            held_by = piece["seat"]
    return {"piece": f"{seat}0", "taken_by": taken_by, "held_by": held_by}
