"""Random positions and orders, drawn so that much happens: crowded boards, contested tiles."""

from collections import Counter
from random import Random
from typing import Any

Case = dict[str, Any]
Tile = tuple[int, int]

FATES = ("convert", "remove", "demote", "demote-veteran")
SEATS = "abcdefgh"


def random_rules(dice: Random) -> dict[str, Any]:
    """Any of the rules, each left out now and then."""
    chosen = {
        "conflict": dice.choice(("rollback", "bounce", "rollback-and-stay", "bounce-and-stay")),
        "passage": dice.choice(("blocked", "open")),
        "emperor_takes_pawn": [
            rule for rule in ("push", "precedence", "toll") if dice.random() < 0.5
        ],
        "pawn_takes_emperor": dice.choice(FATES),
        "emperor_takes_emperor": dice.choice(FATES),
        "orphans": dice.choice(("fight-on", "join-captor", "neutral", "vanish")),
    }
    return {rule: value for rule, value in chosen.items() if dice.random() < 0.95}


def random_case(dice: Random) -> Case:
    """A whole case of the contract: legal, crowded, and full of quarrels."""
    tiles = _board(dice)
    pieces = _pieces(dice, tiles)
    case: Case = {"rules": random_rules(dice), "tiles": tiles, "pieces": pieces}
    case["orders"] = _orders(dice, case)
    return case


def _board(dice: Random) -> list[str]:
    width, height = dice.choice(((5, 5), (3, 3), (7, 1), (4, 3), (8, 2), (6, 6), (9, 9)))
    holes = dice.choice((0.0, 0.0, 0.1, 0.2))
    return [
        "".join("#" if dice.random() < holes else "." for _ in range(width)) for _ in range(height)
    ]


def _pieces(dice: Random, tiles: list[str]) -> list[dict[str, Any]]:
    places = [(x, y) for y, row in enumerate(tiles) for x, cell in enumerate(row) if cell == "."]
    dice.shuffle(places)
    seats: list[str | None] = [*SEATS[: dice.randint(2, 8)]]
    if dice.random() < 0.1:
        seats.append(None)
    crowd = max(2, int(len(places) * dice.choice((0.25, 0.5, 0.7))))
    return [
        _piece(dice, number, dice.choice(seats), at) for number, at in enumerate(places[:crowd])
    ]


def _piece(dice: Random, number: int, seat: str | None, at: Tile) -> dict[str, Any]:
    kind = "emperor" if dice.random() < 0.3 else "pawn"
    xp = dice.choice((1, 1, 2, 2, 3, 4, 5, 8))
    return {"id": f"{seat or 'n'}{number}", "seat": seat, "kind": kind, "xp": xp, "at": list(at)}


def _orders(dice: Random, case: Case) -> list[dict[str, Any]]:
    """One legal order for most seats; tiles that others want, or leave, draw the rest there."""
    seats = sorted({piece["seat"] for piece in case["pieces"] if piece["seat"]})
    dice.shuffle(seats)
    wanted: Counter[Tile] = Counter()
    orders = []
    for seat in seats:
        options = legal_moves(case, seat)
        if not options or dice.random() < 0.05:
            continue
        weights = [1 + 4 * wanted[to] for _, to in options]
        piece, to = dice.choices(options, weights)[0]
        wanted[to] += 1
        wanted[tuple(piece["at"])] += 1
        orders.append({"seat": seat, "piece": piece["id"], "to": list(to)})
    return orders


def legal_moves(case: Case, seat: str) -> list[tuple[dict[str, Any], Tile]]:
    """Every move of a seat, from the rules alone: no code of the engine is used."""
    tiles = {
        (x, y) for y, row in enumerate(case["tiles"]) for x, cell in enumerate(row) if cell == "."
    }
    standing = {tuple(piece["at"]): piece["seat"] for piece in case["pieces"]}
    own = [piece for piece in case["pieces"] if piece["seat"] == seat]
    best = max((piece["xp"] for piece in own if piece["kind"] == "pawn"), default=1)
    leaps = case["rules"].get("passage") == "open"
    found = []
    for piece in own:
        reach = best if piece["kind"] == "emperor" else piece["xp"]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x, y = piece["at"]
            for _ in range(reach):
                x, y = x + dx, y + dy
                if (x, y) not in tiles:
                    break
                if standing.get((x, y), "") != seat:
                    found.append((piece, (x, y)))
                if (x, y) in standing and not leaps:
                    break
    return found
