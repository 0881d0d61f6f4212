"""A world that happens: dynasties are founded, emperors are born, fight, are taken and die.

It runs through its years from the first day to the last and writes down what each deed leaves.
What it keeps in mind of each emperor and dynasty are a few numbers.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from config.populate.annals import Annals, moment, next_number, ref
from config.populate.crown import Crown
from config.populate.ledger import Ledger
from config.populate.names import HouseName, Ruler, Tongue, free_names, key_of, numeral
from dynasties.accounts.models import User
from dynasties.houses.models import Dynasty
from dynasties.houses.names import name_key, name_slug
from emperors.models import Emperor
from emperors.reasons import CAPTURED, DIED, SLAIN, SPOILS

# What made-up emperors fight for; the codes are those of the types of tournament.
GIFT, HONOUR = "gift", "honour"
PRIZE, STAKE = 10, 5
# One in so many of the born ever fights; there are so many battles for each birth.
FIGHTERS, BATTLES = 0.6, 0.55
# Shares of battles, one after the other: for a gift, for honour, to conquer; the rest to death.
GIFTS, HONOURS, CONQUESTS = 0.65, 0.86, 0.95
# How often, with a battle, wealth is won, exchanged or traded, and somebody dies in his palace.
PRIZES, EXCHANGES, TRADES, PALACES = 0.5, 0.1, 0.1, 0.02
NAMES_A_HOUSE = 5
WEEK = 7 * 24 * 60 * 60 * 1_000_000
YEAR = 365 * WEEK / 7
NOBODY = -1


class World:
    """Dynasties and emperors are counted from 0 here; in the database, from where it was."""

    def __init__(self, *, annals: Annals, rng: Random, begins: int, ends: int) -> None:
        self._annals, self._rng, self._random = annals, rng, rng.random
        self._clock, self._dawn, self._begins, self._ends = begins, begins, begins, ends
        self._at = moment(begins)
        self._house0, self._user0 = next_number(Dynasty), next_number(User)
        self._emperor0 = next_number(Emperor)
        self._ledger = Ledger(annals, rng)
        self._secret = f"!{rng.getrandbits(160):040x}"
        # Of dynasties.
        self._free_names: Iterator[HouseName] = iter(())
        self._cast: dict[int, Ruler] = {}
        self._names: list[str] = []
        self._tongues: list[Tongue] = []
        self._skill = array("d")
        self._heirs: array[int] = array("l")
        self._standing, self._since = array("q"), array("q")
        self._founded, self._tried = array("q"), array("q")
        self._crown = Crown(annals, self._standing, self._since)
        # Of emperors.
        self._house, self._founder, self._nth = array("l"), array("l"), array("l")
        self._reputation, self._battles = array("l"), array("l")
        self._born, self._active = array("q"), array("q")
        self._reigning: dict[int, int] = {}
        self._fighters: list[int] = []
        self._touched: list[int] = []

    def cast(self, rulers: Sequence[Ruler], *, dynasties: int) -> None:
        """Name the dynasties to come; the rulers' are of the older half, to have lived a while."""
        step = max(dynasties // (2 * len(rulers) or 1), 1)
        self._cast = {nth * step: ruler for nth, ruler in enumerate(rulers)}
        # All at once: while rows are written, nobody can ask which are taken.
        names = list(islice(free_names(), dynasties))
        for place, ruler in self._cast.items():
            names[place] = HouseName(ruler.tongue, ruler.dynasty)
        self._free_names = iter(names)

    def live(self, *, dynasties: int, emperors: int) -> Iterator[int]:
        """Let it happen, and yield how many emperors have been born whenever one is."""
        battles = int(emperors * BATTLES)
        step = max((self._ends - self._begins) // (dynasties + emperors + battles + 1), 1)
        founded = fought = 0
        for born in range(1, emperors + 1):
            # At least one dynasty before the first birth, and all of them before the last.
            while founded * emperors < born * dynasties:
                self._tick(step)
                self._found()
                founded += 1
            self._tick(step)
            self._bear(self._home())
            while fought * emperors < born * battles:
                self._tick(step)
                self._fight()
                fought += 1
            yield born
        for _late in range(dynasties - founded):
            self._tick(step)
            self._found()

    def _tick(self, step: int) -> None:
        """Go on by a step; what happens then happens at no fixed hour of it."""
        self._dawn += step
        self._clock = self._dawn + int(self._random() * step)
        self._at = moment(self._clock)

    # --- Dynasties and births -------------------------------------------------------------

    def _found(self) -> None:
        house, name = len(self._names), next(self._free_names)
        number, user = self._house0 + house, self._user0 + house
        self._names.append(name.name)
        self._tongues.append(name.tongue)
        self._skill.append(self._random() ** 3)
        self._heirs.append(0)
        self._standing.append(0)
        self._since.append(self._clock)
        self._founded.append(self._clock)
        self._tried.append(0)
        ruler = self._cast.get(house)
        email = ruler.email if ruler else f"ruler{user}@populate.example"
        self._annals.users.add(user, self._secret, email, True, self._at)
        self._annals.addresses.add(email, True, True, user)
        self._ledger.open_account(house, number, self._at)
        facts = f'{{"dynasty": {self._ref(house)}}}'
        self._annals.tell("dynasty-founded", facts, self._at, dynasty=number)

    def _home(self) -> int:
        """The youngest dynasty first; once it has somebody any, the young more often."""
        houses = len(self._names)
        return int(self._random() ** 0.5 * houses) if self._heirs[houses - 1] else houses - 1

    def _bear(self, house: int) -> None:
        emperor = len(self._house)
        self._house.append(house)
        self._founder.append(house)
        self._nth.append(self._heirs[house])
        self._heirs[house] += 1
        self._reputation.append(0)
        self._battles.append(0)
        self._born.append(self._clock)
        self._active.append(self._clock)
        if self._random() < FIGHTERS:
            self._fighters.append(emperor)
        self._tell("emperor-born", emperor, house)

    # --- Battles --------------------------------------------------------------------------

    def _fight(self) -> None:
        seats = self._gather()
        if len(seats) < 2:
            return
        for emperor in seats:
            self._note_battle(emperor)
        winner = max(seats, key=self._strength)
        loser = next(each for each in seats if each != winner)
        self._take_consequences(self._random(), seats, winner, loser)
        self._live_on(winner, loser)
        if self._touched:
            self._crown.settle(self._touched, self._house0, self._names, self._at)
            self._touched = []

    def _gather(self) -> list[int]:
        """Two to four fighters by chance; those who met their death don't come."""
        called = {self._a_fighter() for _seat in range(2 + int(self._random() * 3))}
        return [each for each in sorted(called) if self._is_alive(each)]

    def _a_fighter(self) -> int:
        return self._fighters[int(self._random() * len(self._fighters))] if self._fighters else 0

    def _note_battle(self, emperor: int) -> None:
        self._active[emperor] = self._clock
        self._battles[emperor] += 1
        house = self._house[emperor]
        self._tried[house] = self._tried[house] or self._clock

    def _strength(self, emperor: int) -> float:
        """Chance above all; some dynasties are able, and less so as they grow old."""
        house = self._house[emperor]
        age = (self._clock - self._founded[house]) / YEAR
        return self._random() + self._skill[house] / (2 + 4 * age)

    def _take_consequences(self, kind: float, seats: list[int], winner: int, loser: int) -> None:
        able = [each for each in seats if self._reputation[each] >= STAKE]
        if kind < GIFTS:
            self._win_gift(winner)
        elif kind < HONOURS and len(able) > 1:
            self._play_for_honour(able)
        elif kind < CONQUESTS:
            self._capture(loser, by=self._house[winner])
        else:
            self._slay(loser, heir=winner)

    def _win_gift(self, winner: int) -> None:
        self._gain(winner, PRIZE, GIFT)
        if self._random() < PRIZES:
            self._ledger.give_prize(*self._account(self._house[winner]), self._at)

    def _play_for_honour(self, able: list[int]) -> None:
        winner = max(able, key=self._strength)
        for emperor in able:
            if emperor != winner:
                self._shift(emperor, -STAKE, HONOUR)
                self._tell_points("reputation-lost", emperor, STAKE, HONOUR)
        self._gain(winner, STAKE * (len(able) - 1), HONOUR)

    def _capture(self, emperor: int, *, by: int) -> None:
        house, points = self._house[emperor], self._reputation[emperor]
        if house == by:
            return
        facts = f'{self._himself(emperor, house)}, "other": {self._ref(by)}'
        self._annals.tell(
            "emperor-captured",
            f"{{{facts}}}",
            self._at,
            emperor=self._emperor0 + emperor,
            dynasty=self._house0 + house,
            other_dynasty=self._house0 + by,
        )
        self._end_reign(emperor, CAPTURED)
        self._reigning[emperor] = self._clock
        self._house[emperor] = by
        if points:
            self._shift_standing(house, -points, CAPTURED)
            self._shift_standing(by, points, CAPTURED)

    def _slay(self, emperor: int, *, heir: int) -> None:
        house, points = self._house[emperor], self._reputation[emperor]
        slayer = self._emperor_ref(heir)
        self._annals.tell(
            "emperor-slain-by",
            f'{{{self._himself(emperor, house)}, "slayer": {slayer}}}',
            self._at,
            emperor=self._emperor0 + emperor,
            dynasty=self._house0 + house,
            other_emperor=self._emperor0 + heir,
        )
        self._die(emperor, SLAIN)
        if points:
            self._gain(heir, points, SPOILS)

    def _live_on(self, winner: int, loser: int) -> None:
        """What happens at home while others fight: wealth, and now and then a quiet death."""
        chance, house = self._random(), self._house[winner]
        if chance < EXCHANGES:
            self._ledger.exchange(*self._account(house), self._at)
        elif chance < EXCHANGES + TRADES:
            self._trade(house, with_=self._house[self._a_fighter()])
        elif chance < EXCHANGES + TRADES + PALACES and self._is_alive(loser):
            self._tell("emperor-died", loser, self._house[loser])
            self._die(loser, DIED)

    def _trade(self, maker: int, *, with_: int) -> None:
        if with_ != NOBODY:
            until = moment(self._clock + WEEK)
            self._ledger.trade(self._account(maker), self._account(with_), self._at, until)

    # --- What deeds are made of -----------------------------------------------------------

    def _gain(self, emperor: int, points: int, reason: str) -> None:
        self._shift(emperor, points, reason)
        self._tell_points("reputation-gained", emperor, points, reason)

    def _shift(self, emperor: int, change: int, reason: str) -> None:
        house = self._house[emperor]
        self._reputation[emperor] += change
        self._annals.changes.add(
            self._emperor0 + emperor,
            self._house0 + house,
            change,
            self._reputation[emperor],
            reason,
            self._at,
        )
        self._shift_standing(house, change, reason)

    def _shift_standing(self, house: int, change: int, reason: str) -> None:
        self._standing[house] += change
        self._since[house] = self._clock
        self._annals.curves.add(
            self._house0 + house, change, self._standing[house], reason, self._at
        )
        self._touched.append(house)

    def _die(self, emperor: int, reason: str) -> None:
        if self._reputation[emperor]:
            self._shift(emperor, -self._reputation[emperor], reason)
        self._end_reign(emperor, "died")
        self._write_emperor(emperor, died_at=self._at)
        self._house[emperor] = NOBODY

    def _end_reign(self, emperor: int, by: str) -> None:
        self._annals.reigns.add(
            self._emperor0 + emperor,
            self._house0 + self._house[emperor],
            *self._beginning(emperor),
            self._at,
            by,
        )

    def _beginning(self, emperor: int) -> tuple[str, str]:
        taken = self._reigning.get(emperor)
        return (moment(taken), CAPTURED) if taken else (moment(self._born[emperor]), "born")

    def _is_alive(self, emperor: int) -> bool:
        return self._house[emperor] != NOBODY

    def _account(self, house: int) -> tuple[int, int]:
        return house, self._house0 + house

    # --- Telling --------------------------------------------------------------------------

    def _tell(self, kind: str, emperor: int, house: int) -> None:
        facts = f"{{{self._himself(emperor, house)}}}"
        person, dynasty = self._emperor0 + emperor, self._house0 + house
        self._annals.tell(kind, facts, self._at, emperor=person, dynasty=dynasty)

    def _tell_points(self, kind: str, emperor: int, points: int, reason: str) -> None:
        house = self._house[emperor]
        why = f'{{"term": "reputation", "code": "{reason}"}}'
        facts = f'{{{self._himself(emperor, house)}, "points": {points}, "reason": {why}}}'
        person, dynasty = self._emperor0 + emperor, self._house0 + house
        self._annals.tell(kind, facts, self._at, emperor=person, dynasty=dynasty)

    def _himself(self, emperor: int, house: int) -> str:
        return f'"emperor": {self._emperor_ref(emperor)}, "dynasty": {self._ref(house)}'

    def _ref(self, house: int) -> str:
        return ref("dynasty", self._house0 + house, self._names[house])

    def _emperor_ref(self, emperor: int) -> str:
        name, number = self._called(emperor)
        return ref("emperor", self._emperor0 + emperor, f"{name} {numeral(number)}")

    def _called(self, emperor: int) -> tuple[str, int]:
        """A name and a regnal number: each dynasty has a few names that it goes through."""
        house, nth = self._founder[emperor], self._nth[emperor]
        people = self._tongues[house].people
        turn, place = divmod(nth, NAMES_A_HOUSE)
        return people[(house + place * 3) % len(people)], turn + 1

    # --- The last day ---------------------------------------------------------------------

    def close(self) -> None:
        """Write down what is left when the years are over."""
        for house in range(len(self._names)):
            self._write_house(house)
        for emperor, house in enumerate(self._house):
            if house != NOBODY:
                self._write_emperor(emperor, died_at=None)
                number = self._emperor0 + emperor
                self._annals.reigns.add(
                    number, self._house0 + house, *self._beginning(emperor), None, ""
                )
        self._crown.close(self._house0, None)
        self._ledger.close()
        self._annals.flush()
        self._ledger.settle()

    def _write_house(self, house: int) -> None:
        name, founded, tried = self._names[house], moment(self._founded[house]), self._tried[house]
        number = self._house0 + house
        self._annals.houses.add(
            number,
            self._user0 + house,
            name,
            name_key(name),
            name_slug(name),
            self._motto(house),
            founded,
            founded,
            moment(tried) if tried else None,
        )
        self._annals.standings.add(number, self._standing[house], moment(self._since[house]))

    def _motto(self, house: int) -> str:
        if house in self._cast:
            return self._cast[house].motto
        mottoes = self._tongues[house].mottoes
        return mottoes[house % len(mottoes)]

    def _write_emperor(self, emperor: int, *, died_at: str | None) -> None:
        name, number = self._called(emperor)
        self._annals.emperors.add(
            self._emperor0 + emperor,
            name,
            key_of(name),
            number,
            self._house0 + self._founder[emperor],
            None if died_at else self._house0 + self._house[emperor],
            "dead" if died_at else "at-rest",
            "",
            self._reputation[emperor],
            moment(self._born[emperor]),
            died_at,
            self._battles[emperor],
            moment(self._active[emperor]),
        )
