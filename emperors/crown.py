"""Who stands above all others.

Every change of a standing holds the crown, most of them together with others: only one that
can alter who is on top holds it alone and looks at the ranking. So a champion is never judged
by a standing that somebody is about to change, and the rest of the world needn't queue.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction

from dynasties.houses.models import Dynasty
from emperors.locks import Held, hold
from emperors.models import Championship, Emperor, Standing
from emperors.tellings import tell_crowning

# The key of the advisory lock, any number that nobody else takes: "crown" in ASCII.
CROWN = 0x63726F776E


class Shift(NamedTuple):
    """A standing before and after it changed, and since when it had been what it was before."""

    house: int
    before: int
    after: int
    since: datetime


class _Doubtful(Exception):
    pass


_shifts: ContextVar[list[Shift] | None] = ContextVar("shifts", default=None)


@contextmanager
def one_deed(
    *,
    at: datetime | None = None,
    emperors: Iterable[Emperor] = (),
    dynasties: Iterable[Dynasty] = (),
) -> Iterator[Held]:
    """A transaction in which everybody named is held, and the crown is decided once, at its end.

    It happens at `held.at`: without `at`, once everybody is held. Deeds inside of a deed are a
    part of it: name everybody concerned in the outermost.
    """
    with transaction.atomic():
        held = hold(emperors=emperors, dynasties=dynasties, at=at)
        if _shifts.get() is not None:
            yield held
            return
        shifts: list[Shift] = []
        token = _shifts.set(shifts)
        try:
            yield held
        finally:
            _shifts.reset(token)
        if shifts:
            _keep_since(shifts)
            _decide(shifts, held.at)


def note_shift(shift: Shift) -> None:
    """Remember, for the end of the deed, that a standing has changed."""
    shifts = _shifts.get()
    if shifts is None:
        raise RuntimeError("A standing changes within one_deed.")
    shifts.append(shift)


@transaction.atomic
def reseat(*, at: datetime) -> None:
    """Give the crown to whom it belongs, after changes of any number of standings.

    The last thing to do in a transaction: nobody else's standing changes until it ends.
    """
    _lock("pg_advisory_xact_lock")
    reign = Championship.objects.filter(ended_at=None).first()
    top = Standing.objects.ranked().select_related("dynasty").first()
    if (reign.dynasty_id if reign else None) == (top.pk if top else None):
        return
    last = Championship.objects.first()
    moment = max(at, (last.ended_at or last.began_at)) if last else at
    Championship.objects.filter(ended_at=None).update(ended_at=moment)
    if top is not None:
        Championship.objects.create(dynasty=top.dynasty, began_at=moment)
        tell_crowning(dynasty=top.dynasty, points=top.reputation, at=moment)


def _keep_since(shifts: list[Shift]) -> None:
    """Who ends a deed with the figure he began with has reached it when he did, not now."""
    begun = {shift.house: shift for shift in reversed(shifts)}
    ended = {shift.house: shift for shift in shifts}
    for house, first in begun.items():
        if ended[house].after == first.before:
            Standing.objects.filter(pk=house).update(since=first.since)


def _decide(shifts: list[Shift], at: datetime) -> None:
    # A savepoint: who finds that he must hold the crown alone lets go of it first, or two of
    # them would wait for each other.
    with suppress(_Doubtful), transaction.atomic():
        _lock("pg_advisory_xact_lock_shared")
        if not _top_is_safe(shifts):
            raise _Doubtful
        return
    reseat(at=at)


def _top_is_safe(shifts: list[Shift]) -> bool:
    """Whether no shift can alter who is on top, as long as the champion doesn't sink."""
    champion = Championship.objects.filter(ended_at=None)
    figures = champion.values_list("dynasty", "dynasty__standing__reputation")
    house, reputation = figures.first() or (None, 1)
    return all(
        shift.after > shift.before if shift.house == house else shift.after < reputation
        for shift in shifts
    )


def _lock(function: str) -> None:
    """Only PostgreSQL needs it: SQLite has one writer at a time."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [CROWN])
