"""Who wins and loses what: plain arithmetic, without a database.

A draw, by whichever way, undoes everything: stakes, fees and chests go back, nobody is taken
or dead, nothing was gained. Only that they fought remains.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tournaments import arena

CHEST = "chest-"
TREASURE = "treasure"


@dataclass(frozen=True)
class Ending:
    """How it ended, by the game or by the site. No winner is a draw."""

    winners: tuple[str, ...]
    reason: str
    ranks: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, outcome: arena.Outcome) -> "Ending":
        return cls(outcome.winners, outcome.reason, dict(outcome.ranks), dict(outcome.facts))

    @classmethod
    def draw(cls, reason: str) -> "Ending":
        return cls((), reason)

    @property
    def is_draw(self) -> bool:
        return not self.winners


class Death(NamedTuple):
    """The emperor of `seat` dies, and the emperor of `heir` takes his reputation."""

    seat: str
    heir: str


def split(amount: int, among: Sequence[str]) -> dict[str, int]:
    """Share evenly; what is left over goes one by one, in the order given."""
    if not among:
        return {}
    each, over = divmod(amount, len(among))
    return {seat: each + (place < over) for place, seat in enumerate(among)}


def honour_changes(stakes: Mapping[str, int], winners: Sequence[str]) -> dict[str, int]:
    """What each emperor gains or loses when the winners share the pot of all stakes."""
    shares = split(sum(stakes.values()), winners)
    return {seat: shares.get(seat, 0) - stake for seat, stake in stakes.items()}


def captives(ending: Ending) -> dict[str, str]:
    """Whose emperor is held by another seat at the end: the seat he came from, who holds him."""
    fates: Mapping[str, Mapping[str, Any]] = ending.facts.get("emperors", {})
    return {
        seat: fate["held_by"]
        for seat, fate in fates.items()
        if fate["held_by"] is not None and fate["held_by"] != seat
    }


def deaths(ending: Ending) -> Iterator[Death]:
    """Those who die, in the order in which they were taken for the last time.

    Who was taken back by his own seat as a mere pawn, and taken once more as such, belongs to
    whoever holds him: nobody inherits from himself.
    """
    held = captives(ending)
    owners = {fate["piece"]: seat for seat, fate in ending.facts.get("emperors", {}).items()}
    last: dict[str, Mapping[str, Any]] = {}
    for loss in ending.facts.get("taken", ()):
        seat = owners.get(loss["emperor"])
        if seat in held:
            last.pop(seat, None)
            last[seat] = loss
    for seat, loss in last.items():
        yield Death(seat, loss["taker"] if loss["taker"] != seat else held[seat])


def captures_of(ending: Ending) -> dict[str, int]:
    """How many rival emperors each seat took; one's own, taken back, is no rival."""
    owners = {fate["piece"]: seat for seat, fate in ending.facts.get("emperors", {}).items()}
    count: dict[str, int] = {}
    for loss in ending.facts.get("taken", ()):
        if owners.get(loss["emperor"]) != loss["taker"]:
            count[loss["taker"]] = count.get(loss["taker"], 0) + 1
    return count


def treasures_of(ending: Ending) -> dict[str, int]:
    """How many treasures each seat found."""
    count: dict[str, int] = {}
    for find in ending.facts.get("found", ()):
        if find["item"] == TREASURE:
            count[find["seat"]] = count.get(find["seat"], 0) + 1
    return count


def captured_chests(ending: Ending) -> dict[str, str]:
    """Whose chest was captured, and by which seat; who picks up his own keeps it."""
    return {
        find["item"].removeprefix(CHEST): find["seat"]
        for find in ending.facts.get("found", ())
        if find["item"].startswith(CHEST) and find["item"] != f"{CHEST}{find['seat']}"
    }


def generosity(contents: Mapping[str, int]) -> tuple[str | None, str | None]:
    """Of the captured chests: who put in most, and who least. Ties: nobody."""
    return _alone(contents, max(contents.values(), default=0)), _alone(
        contents, min(contents.values(), default=0)
    )


def _alone(contents: Mapping[str, int], amount: int) -> str | None:
    found = [seat for seat, content in contents.items() if content == amount]
    return found[0] if len(found) == 1 else None
