"""Whatever happens in whatever order, the world agrees with a slow and simple model of it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dynasties.audit import run_audit
from emperors.models import Emperor, Standing
from emperors.reputation import change_reputation
from emperors.selectors import champion, ranking
from emperors.services import bear, capture, let_die, note_serious_tournament, slay
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db

DAWN = datetime(2020, 1, 1, tzinfo=UTC)
HOUSES = 3


@dataclass
class Person:
    house: int | None
    reputation: int = 0
    battles: int = 0


@dataclass
class World:
    """What a chronicler with a pencil would know."""

    people: list[Person] = field(default_factory=list)
    figures: list[tuple[int, datetime]] = field(default_factory=list)

    def alive(self) -> list[int]:
        return [place for place, each in enumerate(self.people) if each.house is not None]

    def totals(self) -> list[int]:
        return [
            sum(each.reputation for each in self.people if each.house == house)
            for house in range(HOUSES)
        ]

    def note(self, before: list[int], at: datetime) -> None:
        for house, total in enumerate(self.totals()):
            if total != before[house]:
                self.figures[house] = (total, at)

    def ranks(self) -> list[int]:
        ranked = [house for house in range(HOUSES) if self.figures[house][0]]
        return sorted(ranked, key=self._order)

    def _order(self, house: int) -> tuple[int, datetime, int]:
        total, since = self.figures[house]
        return -total, since, house


DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("bear"), st.integers(0, HOUSES - 1), st.just(0)),
        st.tuples(st.just("change"), st.integers(0, 9), st.integers(-12, 12)),
        st.tuples(st.just("fight"), st.integers(0, 9), st.just(0)),
        st.tuples(st.just("capture"), st.integers(0, 9), st.integers(0, HOUSES - 1)),
        st.tuples(st.just("slay"), st.integers(0, 9), st.integers(0, 9)),
        st.tuples(st.just("die"), st.integers(0, 9), st.just(0)),
    ),
    max_size=25,
)


@pytest.fixture
def houses():
    return [DynastyFactory() for _ in range(HOUSES)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds=DEEDS)
def test_the_world_agrees_with_its_model(houses, deeds) -> None:
    with transaction.atomic():
        live(houses, deeds)
        transaction.set_rollback(True)


def live(houses, deeds) -> None:
    clock = count()
    at = DAWN
    world = World(figures=[(0, DAWN)] * HOUSES)
    rows: list[Emperor] = []
    for deed, who, what in deeds:
        at = DAWN + timedelta(minutes=next(clock))
        before = world.totals()
        do(deed, who, what, at, world, rows, houses)
        world.note(before, at)
    compare(world, rows, houses)


def do(deed, who, what, at, world: World, rows: list[Emperor], houses) -> None:
    alive = world.alive()
    if deed == "bear":
        world.people.append(Person(who))
        rows.append(bear(dynasty=houses[who], name="Boris", at=at))
    elif alive:
        place = alive[who % len(alive)]
        act(deed, place, what, at, world, rows, houses)


def act(deed, place, what, at, world: World, rows: list[Emperor], houses) -> None:
    person, row = world.people[place], Emperor.objects.get(pk=rows[place].pk)
    if deed == "change" and (person.battles or what <= 0):
        applied = max(what, -person.reputation)
        assert change_reputation(emperor=row, change=what, reason="gift", at=at) == applied
        person.reputation += applied
    elif deed == "fight":
        note_serious_tournament(emperor=row, at=at)
        person.battles += 1
    elif deed == "capture":
        capture(emperor=row, by=houses[what], at=at)
        person.house = what
    elif deed == "die":
        let_die(emperor=row, at=at)
        person.house, person.reputation = None, 0
    elif deed == "slay" and person.battles:
        others = [each for each in world.alive() if each != place and world.people[each].battles]
        heir = others[what % len(others)] if others else None
        slay(emperor=row, at=at, heir=Emperor.objects.get(pk=rows[heir].pk) if others else None)
        if heir is not None:
            world.people[heir].reputation += person.reputation
        person.house, person.reputation = None, 0


def compare(world: World, rows: list[Emperor], houses) -> None:
    for person, row in zip(world.people, rows, strict=True):
        kept = Emperor.objects.filter(pk=row.pk).first()
        if person.house is None and not person.battles:
            assert kept is None
            continue
        assert kept is not None
        house = None if person.house is None else houses[person.house].pk
        assert (kept.dynasty_id, kept.reputation, kept.battles) == (
            house,
            person.reputation,
            person.battles,
        )
    totals = [Standing.objects.get(pk=house.pk).reputation for house in houses]
    assert totals == world.totals()
    expected = [houses[place] for place in world.ranks()]
    assert [rank.dynasty for rank in ranking().ranks] == expected
    reigning = champion()
    assert (reigning.dynasty if reigning else None) == (expected[0] if expected else None)
    assert run_audit() == []
