"""What follows from a tournament, by a chronicler with a pencil and `world.md` before him.

He knows nothing of how the site does it, and asks it nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

CROWN = "crown"
MINT = "mint"
COPPER = "copper"
GENEROSITY = 10


@dataclass(frozen=True)
class Take:
    """The emperor who began in seat `victim` was taken, as an emperor, by the seat `taker`."""

    victim: str
    taker: str


@dataclass(frozen=True)
class Tale:
    """What a herald tells of a battle. Nobody won: a draw."""

    winners: frozenset[str] = frozenset()
    takes: tuple[Take, ...] = ()
    holders: Mapping[str, str] = field(default_factory=dict)
    """Which seat holds whose emperor at the end; whoever is not named is free."""
    finds: tuple[tuple[str, str], ...] = ()
    """(seat, item) as they were picked up."""


@dataclass
class Person:
    house: str | None
    reputation: int = 0
    battles: int = 0


@dataclass
class Entrant:
    person: int
    house: str
    chest: int = 0


@dataclass(frozen=True)
class Notice:
    """What was announced."""

    type: str
    stake: int = 0
    prize: int = 0
    prize_wealth: Mapping[str, int] = field(default_factory=dict)
    fee: int = 0
    fee_kind: str = COPPER
    a_capture: int = 0
    a_treasure: int = 0


@dataclass
class Pencil:
    """The world on paper."""

    people: dict[int, Person] = field(default_factory=dict)
    wealth: Counter[tuple[str, str]] = field(default_factory=Counter)
    deaths: list[int] = field(default_factory=list)
    inherited: list[tuple[int, int]] = field(default_factory=list)
    """(heir, points), in the order in which reputation passed."""

    # --- Entering ----------------------------------------------------------------------

    def promise(self, notice: Notice, place: str) -> None:
        for kind, amount in notice.prize_wealth.items():
            self.move(CROWN, place, kind, amount)

    def enter(self, notice: Notice, place: str, entrant: Entrant) -> None:
        self.move(entrant.house, place, notice.fee_kind, notice.fee)
        self.move(entrant.house, place, COPPER, entrant.chest)

    def move(self, giver: str, receiver: str, kind: str, amount: int) -> None:
        self.wealth[giver, kind] -= amount
        self.wealth[receiver, kind] += amount

    # --- The end -----------------------------------------------------------------------

    def end(
        self, notice: Notice, place: str, entrants: Mapping[str, Entrant], tale: Tale | None
    ) -> dict[str, int]:
        """Write down what follows; return the chests that are known. None: it was cancelled.

        `entrants` stand in seat order.
        """
        if tale is not None and notice.type != "training":
            for entrant in entrants.values():
                self.people[entrant.person].battles += 1
        if tale is None or not tale.winners or notice.type == "training":
            self.undo(notice, place, entrants)
            return {}
        winners = [seat for seat in entrants if seat in tale.winners]
        self.events(notice, entrants, tale)
        self.gift(notice, place, entrants, winners)
        self.honour(notice, entrants, winners, self.before)
        self.fees(notice, place, entrants, winners)
        known = self.chests(place, entrants, tale)
        if notice.type == "conquer":
            self.conquer(entrants, tale)
        if notice.type == "death":
            self.kill(entrants, tale)
        return known

    def undo(self, notice: Notice, place: str, entrants: Mapping[str, Entrant]) -> None:
        for entrant in entrants.values():
            self.move(place, entrant.house, notice.fee_kind, notice.fee)
            self.move(place, entrant.house, COPPER, entrant.chest)
        for kind, amount in notice.prize_wealth.items():
            self.move(place, CROWN, kind, amount)

    def events(self, notice: Notice, entrants: Mapping[str, Entrant], tale: Tale) -> None:
        # What each could stake is what he had when the battle was over, before he gained by it.
        self.before = {seat: self.people[each.person].reputation for seat, each in entrants.items()}
        for take in tale.takes:
            if take.victim != take.taker:
                self.give(entrants[take.taker], notice.a_capture)
        for seat, item in tale.finds:
            if item == "treasure":
                self.give(entrants[seat], notice.a_treasure)

    def gift(
        self, notice: Notice, place: str, entrants: Mapping[str, Entrant], winners: list[str]
    ) -> None:
        for seat, share in evenly(notice.prize, winners):
            self.give(entrants[seat], share)
        for kind, amount in notice.prize_wealth.items():
            for seat, share in evenly(amount, winners):
                self.move(place, entrants[seat].house, kind, share)

    def honour(
        self,
        notice: Notice,
        entrants: Mapping[str, Entrant],
        winners: list[str],
        had: Mapping[str, int],
    ) -> None:
        pot = 0
        for seat, entrant in entrants.items():
            stake = min(notice.stake, had[seat])
            self.give(entrant, -stake)
            pot += stake
        for seat, share in evenly(pot, winners):
            self.give(entrants[seat], share)

    def fees(
        self, notice: Notice, place: str, entrants: Mapping[str, Entrant], winners: list[str]
    ) -> None:
        for seat, share in evenly(notice.fee * len(entrants), winners):
            self.move(place, entrants[seat].house, notice.fee_kind, share)

    def chests(self, place: str, entrants: Mapping[str, Entrant], tale: Tale) -> dict[str, int]:
        captured = {}
        for seat, entrant in entrants.items():
            captors = [who for who, item in tale.finds if item == f"chest-{seat}" and who != seat]
            goes_to = entrants[captors[0]] if captors else entrant
            self.move(place, goes_to.house, COPPER, entrant.chest)
            if captors and entrant.chest:
                captured[seat] = entrant.chest
        self.generosity(entrants, captured)
        return captured

    def generosity(self, entrants: Mapping[str, Entrant], captured: Mapping[str, int]) -> None:
        contents = sorted(captured.values())
        if len(contents) < 2:
            return  # the only one is the fullest and the emptiest: nothing is left of it
        for seat, content in captured.items():
            if contents.count(content) == 1 and content == contents[-1]:
                self.give(entrants[seat], GENEROSITY)
        for seat, content in captured.items():
            if contents.count(content) == 1 and content == contents[0]:
                self.give(entrants[seat], -GENEROSITY)

    def conquer(self, entrants: Mapping[str, Entrant], tale: Tale) -> None:
        for seat, holder in tale.holders.items():
            if holder != seat:
                self.people[entrants[seat].person].house = entrants[holder].house

    def kill(self, entrants: Mapping[str, Entrant], tale: Tale) -> None:
        taken = [seat for seat, holder in tale.holders.items() if holder != seat]
        last = {seat: place for place, take in enumerate(tale.takes) for seat in [take.victim]}
        for seat in sorted(taken, key=last.__getitem__):
            taker = tale.takes[last[seat]].taker
            slayer = taker if taker != seat else tale.holders[seat]
            self.die(entrants[seat].person, entrants[slayer].person)

    def die(self, number: int, slayer: int) -> None:
        person, heir = self.people[number], self.people[slayer]
        points, person.reputation, person.house = person.reputation, 0, None
        self.deaths.append(number)
        if heir.house is not None and points:
            heir.reputation += points
            self.inherited.append((slayer, points))

    # --- Sums --------------------------------------------------------------------------

    def give(self, entrant: Entrant, points: int) -> None:
        person = self.people[entrant.person]
        person.reputation = max(0, person.reputation + points)

    def standing(self, house: str) -> int:
        return sum(each.reputation for each in self.people.values() if each.house == house)


def evenly(pot: int, winners: Sequence[str]) -> Iterable[tuple[str, int]]:
    """The same for each, and what is left over one by one, from the first seat on."""
    shares = {seat: pot // len(winners) for seat in winners}
    for seat in winners[: pot - sum(shares.values())]:
        shares[seat] += 1
    return shares.items()
