"""What is true of every outcome, whatever the orders: read off the case and the outcome alone."""

from typing import Any

from tests.games.battle.playback import EMPEROR, PAWN, Case, highest_xp, path_of

Outcome = dict[str, Any]


def check(case: Case, outcome: Outcome) -> None:
    """Fails with an AssertionError if the outcome can't be one of this case."""
    before = {piece["id"]: piece for piece in case["pieces"]}
    after = {piece["id"]: piece for piece in outcome["pieces"]}
    check_places(case, outcome)
    assert after.keys() <= before.keys()
    check_losses(case, before.keys() - after.keys(), outcome)
    for id_, piece in after.items():
        check_place(case, before[id_], piece, outcome)
        check_xp(case, before[id_], piece, outcome)
    check_length(case, outcome)


def check_places(case: Case, outcome: Outcome) -> None:
    """One piece a tile, and every piece on the board."""
    tiles = {(x, y) for y, row in enumerate(case["tiles"]) for x, c in enumerate(row) if c == "."}
    places = {tuple(piece["at"]) for piece in outcome["pieces"]}
    assert len(places) == len(outcome["pieces"])
    assert places <= tiles


def check_losses(case: Case, lost: set[str], outcome: Outcome) -> None:
    """Only emperors who are removed, and orphans who vanish, leave the board."""
    rules = case["rules"]
    removes = "remove" in (rules.get("pawn_takes_emperor"), rules.get("emperor_takes_emperor"))
    taken = {take["piece"] for take in outcome["taken"]}
    kinds = {piece["id"]: piece["kind"] for piece in case["pieces"]}
    if rules.get("orphans") != "vanish":
        assert all(removes and id_ in taken and kinds[id_] == EMPEROR for id_ in lost)


def check_place(case: Case, was: dict[str, Any], now: dict[str, Any], outcome: Outcome) -> None:
    """Who was not sent and not pushed is where it was; who was sent is on its path."""
    taken = {take["piece"] for take in outcome["taken"]}
    allowed = [tuple(was["at"])]
    for order in case["orders"]:
        if order["piece"] == was["id"]:
            allowed = path_of(tuple(was["at"]), tuple(order["to"]))
    pushed = was["id"] in taken and "push" in case["rules"].get("emperor_takes_pawn", ())
    assert pushed or tuple(now["at"]) in allowed


def check_xp(case: Case, was: dict[str, Any], now: dict[str, Any], outcome: Outcome) -> None:
    """A fight leaves a pawn with 1; a move brings 1; nothing else but a toll changes xp."""
    if now["kind"] == EMPEROR:
        assert was["kind"] == EMPEROR
        assert now["xp"] == highest_xp(outcome["pieces"], now["seat"])
        return
    fought = {take[role] for take in outcome["taken"] for role in ("by", "piece")}
    if was["kind"] == PAWN:
        gain = 0 if tuple(now["at"]) == tuple(was["at"]) else 1
        tolled = "toll" in case["rules"].get("emperor_takes_pawn", ())
        peaceful = {was["xp"] + gain, *([1 + gain] if tolled else [])}
        assert now["xp"] in ({1} if was["id"] in fought else peaceful)
    else:
        assert was["id"] in fought
        assert now["xp"] in {1, highest_xp(case["pieces"], was["seat"])}


def check_length(case: Case, outcome: Outcome) -> None:
    """Every round lands a piece, sends one home or shortens a path: so there are only so many."""
    at = {piece["id"]: tuple(piece["at"]) for piece in case["pieces"]}
    ways = sum(len(path_of(at[o["piece"]], tuple(o["to"]))) - 1 for o in case["orders"])
    rounds = max((event.get("iteration", 0) for event in outcome["events"]), default=0)
    assert rounds <= ways
