"""Plays the events of a turn on the board before it, as an animation would, and believes nothing.

An event that can't happen on the board as it is fails with an AssertionError. What stands there
in the end must be the outcome: so the trace of a resolution tells all of it.
"""

from collections.abc import Iterable
from typing import Any

Tile = tuple[int, int]
Event = dict[str, Any]
Case = dict[str, Any]

EMPEROR, PAWN = "emperor", "pawn"


def highest_xp(pieces: Iterable[dict[str, Any]], seat: str | None) -> int:
    """What the rules say an emperor's xp is."""
    return max((p["xp"] for p in pieces if p["seat"] == seat and p["kind"] == PAWN), default=1)


def path_of(origin: Tile, to: Tile) -> list[Tile]:
    """The tiles from one to the other, both included."""
    (x, y), (to_x, to_y) = origin, to
    dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    return [(x + i * dx, y + i * dy) for i in range(max(abs(to_x - x), abs(to_y - y)) + 1)]


class Playback:
    """The board while the events of one turn are played on it."""

    def __init__(self, case: Case) -> None:
        self.pieces = {p["id"]: {**p, "at": tuple(p["at"])} for p in case["pieces"]}
        self.standing = {piece["at"]: id_ for id_, piece in self.pieces.items()}
        self.aims: dict[str, Tile] = {}
        self.paths: dict[str, list[Tile]] = {}
        self.opening_xp = {
            id_: highest_xp(self.pieces.values(), piece["seat"])
            for id_, piece in self.pieces.items()
            if piece["kind"] == EMPEROR
        }
        self.ordered = {order["piece"]: tuple(order["to"]) for order in case.get("orders", ())}
        self.met_a_tied_toll = False

    def play(self, events: Iterable[Event]) -> "Playback":
        """Let all of them happen, one after the other."""
        for event in events:
            try:
                getattr(self, f"_{event['what']}")(event)
            except (KeyError, ValueError) as missing:
                raise AssertionError(f"{event} can't happen: no {missing}") from missing
        assert not self.aims, f"still in the air: {self.aims}"
        assert len(self.standing) == len(self.pieces)
        return self

    def outcome(self) -> list[dict[str, Any]]:
        """The pieces as the contract shows them."""
        pieces = sorted(self.pieces.values(), key=lambda piece: piece["id"])
        return [
            {**p, "xp": p["xp"] if p["kind"] == PAWN else highest_xp(pieces, p["seat"])}
            for p in pieces
        ]

    def _charge(self, event: Event) -> None:
        origin, to = event["origin"], event["to"]
        assert self.standing.pop(origin) == event["piece"]
        assert self.ordered[event["piece"]] == to
        self.aims[event["piece"]] = to
        self.paths[event["piece"]] = path_of(origin, to)

    def _land(self, event: Event) -> None:
        assert self.aims.pop(event["piece"]) == event["at"]
        self._stand(event["piece"], event["at"])

    def _return(self, event: Event) -> None:
        del self.aims[event["piece"]]
        assert self.paths[event["piece"]][0] == event["at"]
        self._stand(event["piece"], event["at"])

    def _conflict(self, event: Event) -> None:
        rivals = {id_ for id_, aim in self.aims.items() if aim == event["at"]}
        assert rivals == set(event["pieces"])
        assert len(rivals) == len(event["pieces"]) > 1
        assert event["stays"] in {None, *rivals}

    def _spring(self, event: Event) -> None:
        assert self.aims[event["piece"]] == event["origin"]
        path = self.paths[event["piece"]]
        assert 0 < path.index(event["to"]) < path.index(event["origin"])
        self.aims[event["piece"]] = event["to"]

    def _take(self, event: Event) -> None:
        taker, victim = self.pieces[event["by"]], self.pieces[event["piece"]]
        assert self.aims[event["by"]] == event["at"] == self.ordered[event["by"]]
        assert self.standing[event["at"]] == event["piece"]
        assert (taker["seat"], taker["kind"]) == (event["taker"], event["by_kind"])
        assert (victim["seat"], victim["kind"]) == (event["loser"], event["kind"])
        assert event["taker"] != event["loser"]
        if taker["kind"] == PAWN:
            taker["xp"] = 1
        self._suffer(victim, event)

    def _suffer(self, victim: dict[str, Any], event: Event) -> None:
        if event["fate"] == "remove":
            del self.standing[event["at"]]
            del self.pieces[event["piece"]]
            return
        victim["seat"] = event["taker"]
        veteran = event["fate"] == "demote-veteran"
        victim["xp"] = self.opening_xp[event["piece"]] if veteran else 1
        if event["fate"] != "convert":
            victim["kind"] = PAWN

    def _toll(self, event: Event) -> None:
        pawn = self.pieces[event["piece"]]
        assert (pawn["kind"], pawn["seat"]) == (PAWN, event["seat"])
        assert pawn["xp"] == event["xp"]
        equals = [
            p
            for p in self.pieces.values()
            if p["kind"] == PAWN and p["seat"] == event["seat"] and p["xp"] == event["xp"]
        ]
        # The pawn just taken may be one of them though it does not count: a tie too many is safe.
        self.met_a_tied_toll |= len(equals) > 1
        pawn["xp"] = 1

    def _push(self, event: Event) -> None:
        assert self.standing.pop(event["origin"]) == event["piece"]
        assert self.aims[event["by"]] == event["origin"]
        way = path_of(self.paths[event["by"]][0], event["to"])
        assert event["origin"] in way[1:-1]
        self._stand(event["piece"], event["to"])

    def _grow(self, event: Event) -> None:
        for id_ in event["pieces"]:
            assert self.pieces[id_]["at"] != self.paths[id_][0]
            self.pieces[id_]["xp"] += 1

    def _orphans(self, event: Event) -> None:
        for id_ in event["pieces"]:
            assert self.pieces[id_]["seat"] == event["seat"]
            if event["gone"]:
                del self.standing[self.pieces.pop(id_)["at"]]
            else:
                self.pieces[id_]["seat"] = event["to"]

    def _stand(self, piece: str, at: Tile) -> None:
        assert at not in self.standing, f"{piece} comes down on {self.standing[at]} at {at}"
        self.standing[at] = piece
        self.pieces[piece]["at"] = at
