"""Cases that are the same but for their labels, orientation or lists; and what must follow."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from random import Random
from typing import Any

from games.kit.codec import dumps
from games.kit.grids import SQUARE_SYMMETRIES
from tests.games.battle.playback import EMPEROR, PAWN, Case, Playback, Tile

Outcome = dict[str, Any]


@dataclass(frozen=True)
class Likeness:
    """How one case was made of another."""

    seats: dict[str | None, str | None]
    pieces: dict[str | None, str | None]
    tiles: dict[Tile, Tile]
    size: Tile
    keeps_list: bool
    keeps_receipt: bool

    def case(self, case: Case, dice: Random) -> Case:
        """The like case."""
        pieces = [self.piece(piece) for piece in case["pieces"]]
        orders = [
            {
                "seat": self.seats[order["seat"]],
                "piece": self.pieces[order["piece"]],
                "to": list(self.tiles[tuple(order["to"])]),
            }
            for order in case["orders"]
        ]
        if not self.keeps_list:
            dice.shuffle(pieces)
        if not self.keeps_receipt:
            dice.shuffle(orders)
        return {
            "rules": case["rules"],
            "tiles": self.rows(case),
            "pieces": pieces,
            "orders": orders,
        }

    def piece(self, piece: dict[str, Any]) -> dict[str, Any]:
        """The like piece, of a case or of an outcome."""
        return {
            "id": self.pieces[piece["id"]],
            "seat": self.seats[piece["seat"]],
            "kind": piece["kind"],
            "xp": piece["xp"],
            "at": list(self.tiles[tuple(piece["at"])]),
        }

    def rows(self, case: Case) -> list[str]:
        width, height = self.size
        board = {self.tiles[tile] for tile in tiles_of(case)}
        return [
            "".join("." if (x, y) in board else "#" for x in range(width)) for y in range(height)
        ]

    def outcome(self, outcome: Outcome) -> Outcome:
        """What the outcome of the like case must be."""
        pieces = [self.piece(piece) for piece in outcome["pieces"]]
        taken = [
            {
                "by": self.pieces[take["by"]],
                "piece": self.pieces[take["piece"]],
                "from": self.seats[take["from"]],
                "to": self.seats[take["to"]],
            }
            for take in outcome["taken"]
        ]
        return {
            "pieces": sorted(pieces, key=lambda piece: str(piece["id"])),
            "taken": sorted(taken, key=lambda take: (str(take["by"]), str(take["piece"]))),
            "events": [self.event(event) for event in outcome["events"]],
        }

    def event(self, event: dict[str, Any]) -> dict[str, Any]:
        return {key: self.part(event["what"], key, value) for key, value in event.items()}

    def part(self, what: str, key: str, value: Any) -> Any:
        """One field of an event: a piece, several, a seat, a tile, or a plain value."""
        if key in ("piece", "by", "stays"):
            return self.pieces[value]
        if key == "pieces":
            return [self.pieces[id_] for id_ in value]
        if key in ("loser", "taker", "seat") or (what, key) == ("orphans", "to"):
            return self.seats[value]
        if key in ("at", "origin", "to"):
            return list(self.tiles[value])
        return value

    def told(self, events: list[dict[str, Any]]) -> list[str]:
        """The events as they must agree: in their order, as far as that does not depend on the
        order in which pieces are listed or orders were received.
        """
        if not self.keeps_receipt:
            ordered = [{**e, "pieces": sorted(e["pieces"])} if "pieces" in e else e for e in events]
            return sorted(map(dumps, ordered))
        return [
            dumps({**e, "pieces": sorted(e["pieces"])} if e["what"] == "orphans" else e)
            for e in events
        ]


def liken(case: Case, outcome: Outcome, dice: Random) -> Likeness:
    """Some likeness of a case. `outcome` is what it led to: it tells which orders matter."""
    tiles, size = lay_down(case, dice)
    seats = sorted({piece["seat"] for piece in case["pieces"] if piece["seat"]})
    ids = [piece["id"] for piece in case["pieces"]]
    return Likeness(
        seats={None: None, **dict(zip(seats, shuffled(seats, "seat", dice), strict=True))},
        pieces={None: None, **dict(zip(ids, shuffled(ids, "p", dice), strict=True))},
        tiles=tiles,
        size=size,
        keeps_list=Playback(case).play(outcome["events"]).met_a_tied_toll,
        keeps_receipt=receipt_matters(case, outcome),
    )


def shuffled(names: list[str], prefix: str, dice: Random) -> list[str]:
    """As many new names in any order; now and then the same ones among each other."""
    new = list(names) if dice.random() < 0.5 else [f"{prefix}{n}" for n in range(len(names))]
    dice.shuffle(new)
    return new


def tiles_of(case: Case) -> list[Tile]:
    return [(x, y) for y, row in enumerate(case["tiles"]) for x, c in enumerate(row) if c == "."]


def lay_down(case: Case, dice: Random) -> tuple[dict[Tile, Tile], Tile]:
    """Where each tile goes if the board is turned or mirrored, and moved; and the new size."""
    turn = SQUARE_SYMMETRIES[dice.choice(sorted(SQUARE_SYMMETRIES))]
    turned = {tile: turn(tile) for tile in tiles_of(case)}
    left = min(x for x, _ in turned.values()) - dice.randint(0, 2)
    top = min(y for _, y in turned.values()) - dice.randint(0, 2)
    laid = {tile: (x - left, y - top) for tile, (x, y) in turned.items()}
    width = max(x for x, _ in laid.values()) + 1 + dice.randint(0, 1)
    height = max(y for _, y in laid.values()) + 1 + dice.randint(0, 1)
    return laid, (width, height)


def receipt_matters(case: Case, outcome: Outcome) -> bool:
    """Whether the rules ask who ordered first: for a conflict, for pushes of one step, and for
    the last captor of a seat, where emperors of it were taken in one step.
    """
    rules = case["rules"]
    stays = rules.get("conflict", "rollback").endswith("-and-stay")
    takes = [event for event in outcome["events"] if event["what"] == "take"]
    pushes = Counter(
        take["iteration"] for take in takes if take["by_kind"] == EMPEROR and take["kind"] == PAWN
    )
    captors = defaultdict(set)
    for take in takes:
        if take["kind"] == EMPEROR:
            captors[take["iteration"], take["loser"]].add(take["taker"])
    return (
        stays
        or ("push" in rules.get("emperor_takes_pawn", ()) and max(pushes.values(), default=0) > 1)
        or (rules.get("orphans") == "join-captor" and any(len(s) > 1 for s in captors.values()))
    )
