"""What the demo world has lived through before anybody looks at it: a year, in a few lines."""

from datetime import datetime, timedelta
from typing import NamedTuple

from dynasties.houses.models import Dynasty
from emperors.crown import one_deed
from emperors.models import Emperor
from emperors.reasons import GIFT, HONOUR
from emperors.reputation import change_reputation
from emperors.services import (
    bear,
    capture,
    let_die,
    note_serious_tournament,
    slay,
)

# A year ago, and days from then on.
YEAR = 365


class Founding(NamedTuple):
    """An emperor of a dynasty, by its place in the list of players, and the day of his birth."""

    house: int
    name: str
    day: int


class Battle(NamedTuple):
    """A day on which emperors, by their place in FOUNDINGS, gained or lost reputation."""

    day: int
    reason: str
    results: dict[int, int]


FOUNDINGS = (
    Founding(0, "Aurelia", 12),
    Founding(0, "Edmund", 20),
    Founding(0, "Aurelia", 160),
    Founding(1, "Baltasar", 15),
    Founding(1, "Leonor", 31),
    Founding(2, "千代", 22),
    Founding(2, "影丸", 60),
    Founding(3, "Дарья", 40),
    Founding(3, "Святослав", 41),
    Founding(4, "Ελένη", 75),
    Founding(5, "فاروق", 90),
    Founding(5, "زينب", 210),
)

BATTLES = (
    Battle(34, GIFT, {0: 10, 3: 10, 5: 10}),
    Battle(52, HONOUR, {0: 15, 3: -5, 5: -5}),
    Battle(70, GIFT, {4: 10, 6: 10, 7: 10}),
    Battle(95, HONOUR, {3: -5, 4: 15, 7: -5, 8: 0}),
    Battle(118, GIFT, {9: 10, 10: 10, 8: 10}),
    Battle(140, HONOUR, {4: 20, 0: -5, 9: -5, 10: -5}),
    Battle(171, GIFT, {2: 10, 1: 10}),
    Battle(190, HONOUR, {5: 15, 8: -5, 6: -5}),
    Battle(224, GIFT, {11: 10, 7: 25}),
    Battle(251, HONOUR, {7: 20, 4: -5, 10: -5, 2: -5}),
    Battle(286, GIFT, {0: 30, 11: 10}),
    Battle(318, HONOUR, {2: 15, 5: -5, 11: -5}),
    Battle(341, GIFT, {3: 20, 10: 15, 9: 20}),
    Battle(355, HONOUR, {0: 10, 3: -5, 7: -5}),
    Battle(361, GIFT, {5: 10, 8: 10}),
)


def live_a_year(houses: list[Dynasty], *, until: datetime) -> None:
    """Let the demo's dynasties, in the order of its players, live through the year before."""
    dawn = until - timedelta(days=YEAR)
    emperors = [
        bear(dynasty=houses[each.house], name=each.name, at=_day(dawn, each.day))
        for each in FOUNDINGS
    ]
    for battle in BATTLES:
        _fight(battle, emperors, at=_day(dawn, battle.day))
    _lose_some(houses, emperors, dawn)


def _fight(battle: Battle, emperors: list[Emperor], *, at: datetime) -> None:
    those = {place: emperors[place] for place in battle.results}
    with one_deed(at=at, emperors=those.values()):
        for place, emperor in those.items():
            note_serious_tournament(emperor=emperor, at=at)
            change_reputation(
                emperor=emperor, change=battle.results[place], reason=battle.reason, at=at
            )


def _lose_some(houses: list[Dynasty], emperors: list[Emperor], dawn: datetime) -> None:
    """Not everybody came home: one was captured, one slain, one died in his bed."""
    capture(emperor=emperors[6], by=houses[3], at=_day(dawn, 362))
    slay(emperor=emperors[1], heir=emperors[4], at=_day(dawn, 363))
    let_die(emperor=emperors[9], at=_day(dawn, 364))


def _day(dawn: datetime, number: int) -> datetime:
    return dawn + timedelta(days=number, hours=number % 11)
