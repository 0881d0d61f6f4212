"""A small world that lives through some days, and a plain model of what decay must do to it."""

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from django.utils import timezone

from dynasties.charter.models import Charter
from dynasties.chronicle.models import Entry
from emperors.decay import apply_due_decay
from emperors.models import DecayDay, Emperor, ReputationChange, Standing
from emperors.reputation import change_reputation
from emperors.services import bear, cede, let_die, note_serious_tournament, slay
from tests.factories import DynastyFactory

DAY = timedelta(days=1)
REPUTATIONS = (0, 1, 2, 50, 99, 100, 101, 199, 200, 1234, 2**31 - 1)
Runner = Callable[[datetime], object]


def run_once(now: datetime) -> object:
    return apply_due_decay(now=now, most=99)


@dataclass
class Person:
    reputation: int
    active: datetime
    house: int | None


@dataclass
class Model:
    """Decay as a reader of the rules would do it: emperor by emperor, day by day."""

    after_days: int
    percent: int
    minimum: int
    people: dict[int, Person] = field(default_factory=dict)
    days: dict[date, tuple[int, int]] = field(default_factory=dict)
    losses: dict[tuple[int, date], tuple[int, int, int]] = field(default_factory=dict)
    told: list[tuple[int, int, int]] = field(default_factory=list)

    def run(self, today: date) -> None:
        day = max(self.days) + DAY if self.days else today
        while day <= today:
            self.apply(day)
            day += DAY

    def apply(self, day: date) -> None:
        idle_since = datetime.combine(day, time.min, UTC) - timedelta(days=self.after_days)
        lost = [self.take(number, day) for number, each in self.people.items()
                if each.house is not None and each.active <= idle_since]  # fmt: skip
        self.days[day] = (sum(each > 0 for each in lost), sum(lost))
        for number in self.people:
            if number % 7 == day.toordinal() % 7:
                self.tell(number, day)

    def take(self, number: int, day: date) -> int:
        person = self.people[number]
        part = person.reputation * self.percent // 100
        loss = min(max(part, self.minimum), person.reputation)
        if loss:
            person.reputation -= loss
            self.losses[number, day] = (-loss, person.reputation, person.house or 0)
        return loss

    def tell(self, number: int, day: date) -> None:
        week = [(number, day - DAY * back) for back in range(7)]
        lost = [self.losses[each] for each in week if each in self.losses]
        if lost and self.people[number].house is not None:
            self.told.append((number, -sum(change for change, _after, _house in lost), lost[0][2]))


class Saga:
    """Random people, and random days on which some fight, leave or die and decay may run."""

    def __init__(self, seed: int, *, runner: Runner = run_once) -> None:
        self.rng, self.runner = random.Random(seed), runner
        self.start = timezone.now() - 40 * DAY
        self.model = Model(
            after_days=self.rng.choice([1, 5, 30]),
            percent=self.rng.choice([0, 1, 1, 7, 100]),
            minimum=self.rng.choice([0, 1, 1, 5]),
        )
        Charter.objects.create(
            decay_after_days=self.model.after_days,
            decay_percent=self.model.percent,
            decay_minimum=self.model.minimum,
            reason="A saga",
        )
        self.houses = [DynastyFactory() for _ in range(self.rng.randint(2, 3))]
        for _ in range(self.rng.randint(3, 9)):
            self.give_birth()

    def give_birth(self) -> None:
        house = self.rng.choice(self.houses)
        emperor = bear(dynasty=house, name="Otto", at=self.start - 100 * DAY)
        self.model.people[emperor.pk] = Person(0, emperor.active_at, house.pk)
        # On the edge as often as not: to the microsecond of the day on which decay begins.
        midnight = datetime.combine(self.start.date(), time.min, UTC)
        idle = midnight - timedelta(days=self.model.after_days - self.rng.randint(-3, 9))
        moment = idle + timedelta(microseconds=self.rng.choice([-1, 0, 1]))
        self.fight(emperor, gain=self.rng.choice(REPUTATIONS), at=moment)

    def fight(self, emperor: Emperor, *, gain: int, at: datetime) -> None:
        person = self.model.people[emperor.pk]
        note_serious_tournament(emperor=emperor, at=at)
        person.active = max(person.active, at)
        person.reputation += change_reputation(emperor=emperor, change=gain, reason="test", at=at)

    def live(self, days: int = 16) -> "Saga":
        for number in range(days):
            now = self.start + number * DAY
            for _deed in range(self.rng.choice([0, 0, 1, 2])):
                self.do_something(now)
            for _run in range(self.rng.choice([0, 0, 1, 1, 2])):
                self.runner(now)
                self.model.run(now.date())
        self.runner(now)
        self.model.run(now.date())
        return self

    def do_something(self, now: datetime) -> None:
        living = list(Emperor.objects.exclude(dynasty=None).select_related("dynasty"))
        if living:
            deed = self.rng.choice(
                [self.fight_again, self.fight_again, self.change_hands, self.die]
            )
            deed(self.rng.choice(sorted(living, key=lambda each: each.pk)), now)

    def fight_again(self, emperor: Emperor, now: datetime) -> None:
        self.fight(emperor, gain=self.rng.choice([-5, 10]), at=now)

    def change_hands(self, emperor: Emperor, now: datetime) -> None:
        house = self.rng.choice(self.houses)
        cede(emperor=emperor, to=house, at=now)
        self.model.people[emperor.pk].house = house.pk

    def die(self, emperor: Emperor, now: datetime) -> None:
        if self.rng.random() < 0.5:
            let_die(emperor=emperor)
        else:
            slay(emperor=emperor, at=now)
        person = self.model.people[emperor.pk]
        person.house, person.reputation = None, 0

    def check(self) -> None:
        """Fail where the world differs from the model."""
        people = {each.pk: each for each in Emperor.objects.all()}
        assert {number: each.reputation for number, each in people.items()} == {
            number: each.reputation for number, each in self.model.people.items()
        }
        rows = ReputationChange.objects.filter(reason="decay")
        assert {
            (row.emperor_id, row.day): (row.change, row.after, row.dynasty_id) for row in rows
        } == self.model.losses
        assert len(rows) == len(self.model.losses)
        self.check_sums()
        self.check_chronicle()

    def check_sums(self) -> None:
        days = {day.day: (day.emperors, day.points) for day in DecayDay.objects.all()}
        assert days == self.model.days
        sums: dict[int, int] = defaultdict(int)
        for person in self.model.people.values():
            if person.house:
                sums[person.house] += person.reputation
        kept = {row.pk: row.reputation for row in Standing.objects.all()}
        assert kept == {house.pk: sums[house.pk] for house in self.houses}

    def check_chronicle(self) -> None:
        entries = Entry.objects.filter(kind="reputation-decayed").order_by("pk")
        told = [
            (each.facts["emperor"]["number"], each.facts["points"], each.facts["dynasty"]["number"])
            for each in entries
        ]
        assert sorted(told) == sorted(self.model.told)
