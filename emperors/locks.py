"""The one order in which this floor locks: dynasties, their standings, emperors, the crown.

Each by its number. Dynasties come first because the market begins with them too. Who keeps to
it never waits in a circle. Several deeds in one transaction begin with one `one_deed` (see
`emperors.crown`) that names everybody concerned.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from emperors.models import Emperor, Standing

# An emperor changes his dynasty between two looks at him once in a blue moon, not eight times.
MOST_TRIES = 8


class Restless(Exception):
    """The emperors concerned went from dynasty to dynasty faster than they could be held."""


class _Moved(Exception):
    pass


@dataclass(frozen=True)
class Held:
    """Rows that are locked until the transaction ends, by number, and the moment of it."""

    standings: dict[int, Standing]
    emperors: dict[int, Emperor]
    at: datetime


def hold(
    *,
    emperors: Iterable[Emperor] = (),
    dynasties: Iterable[Dynasty] = (),
    at: datetime | None = None,
) -> Held:
    """Lock the emperors, their dynasties, `dynasties`, and the standings of all of these.

    Without `at`, the moment is the one at which all of them are held.
    """
    numbers = [emperor.pk for emperor in emperors]
    houses = [dynasty.pk for dynasty in dynasties]
    for _attempt in range(MOST_TRIES):
        # A savepoint: what is locked in vain is let go of before the next attempt.
        with suppress(_Moved), transaction.atomic():
            return _hold_once(numbers, houses, at)
    raise Restless


def hold_standings(houses: Iterable[int]) -> dict[int, Standing]:
    """Lock the standings of dynasties in order; one that is missing is opened."""
    wanted = set(houses)
    held = _locked_standings(wanted)
    missing = wanted - set(held)
    if missing:
        open_standings(missing)
        held |= _locked_standings(missing)
    return held


def open_standings(houses: Iterable[int] | None = None) -> None:
    """Give dynasties that have opened (all of them by default) the standing they lack."""
    lacking = Dynasty.objects.public().filter(standing=None)
    if houses is not None:
        lacking = lacking.filter(pk__in=houses)
    Standing.objects.bulk_create(
        (
            Standing(
                dynasty=house,
                since=house.opened_at or house.founded_at,
                is_ranked=house.fallen_at is None,
            )
            for house in lacking.iterator()
        ),
        ignore_conflicts=True,
        batch_size=1000,
    )


def _hold_once(numbers: list[int], houses: list[int], at: datetime | None) -> Held:
    people = Emperor.objects.filter(pk__in=numbers)
    theirs = people.exclude(dynasty=None).values_list("dynasty_id", flat=True)
    wanted = {*houses, *(number for number in theirs if number)}
    _lock_dynasties(wanted)
    standings = hold_standings(wanted)
    held = {each.pk: each for each in people.select_for_update().order_by("pk")}
    if any(each.dynasty_id and each.dynasty_id not in standings for each in held.values()):
        raise _Moved
    return Held(standings, held, at or database_now())


def _lock_dynasties(houses: set[int]) -> None:
    # Not their keys: whoever merely refers to a dynasty need not wait.
    locked = Dynasty.objects.select_for_update(no_key=True).filter(pk__in=houses)
    list(locked.order_by("pk").values_list("pk"))


def _locked_standings(houses: set[int]) -> dict[int, Standing]:
    rows = Standing.objects.select_for_update().filter(pk__in=houses).order_by("pk")
    return {row.pk: row for row in rows}
