"""Reputation fades: who has fought no serious tournament for long loses some of it every day.

A day is one transaction of a handful of statements, however many emperors it concerns. Its
row in `DecayDay` is written first: who comes second waits there, and finds the day done.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Max, Sum, Value
from django.db.models.functions import Coalesce

from dynasties.charter.selectors import charter
from dynasties.clock import database_now
from emperors.crown import reseat
from emperors.decay_weeks import tell_weeks
from emperors.models import DecayDay, Emperor, ReputationChange, Standing, StandingChange
from emperors.reasons import DECAY
from emperors.sets import write

DAY = timedelta(days=1)
# What a worker can do of a million emperors well within its time; more waits for the next round.
DAYS_A_ROUND = 5

# A part of what he has, rounded down; at least the minimum, at most all. A hundred times the
# largest reputation is more than a plain integer holds.
LOG = """
INSERT INTO {ReputationChange} (emperor_id, dynasty_id, change, after, reason, at, day)
SELECT id, dynasty_id, -loss, reputation - loss, %(reason)s, %(now)s, %(day)s
FROM (
    SELECT id, dynasty_id, reputation, {least}(
        reputation,
        {greatest}(CAST(reputation AS bigint) * %(percent)s / 100, %(minimum)s)
    ) AS loss
    FROM {Emperor}
    WHERE dynasty_id IS NOT NULL AND reputation > 0 AND active_at <= %(idle_since)s
) AS idle
WHERE loss > 0
"""
TAKE_FROM_EMPERORS = """
UPDATE {Emperor} AS emperor SET reputation = emperor.reputation + lost.change
FROM {ReputationChange} AS lost
WHERE lost.day = %(day)s AND emperor.id = lost.emperor_id
"""
LOST_BY_DYNASTY = """(
    SELECT dynasty_id, SUM(change) AS change FROM {ReputationChange}
    WHERE day = %(day)s GROUP BY dynasty_id
) AS lost"""
TAKE_FROM_DYNASTIES = f"""
UPDATE {{Standing}} AS standing SET reputation = standing.reputation + lost.change, since = %(now)s
FROM {LOST_BY_DYNASTY} WHERE standing.dynasty_id = lost.dynasty_id
"""  # noqa: S608
LOG_OF_DYNASTIES = f"""
INSERT INTO {{StandingChange}} (dynasty_id, change, after, reason, at)
SELECT lost.dynasty_id, lost.change, standing.reputation, %(reason)s, %(now)s
FROM {LOST_BY_DYNASTY} JOIN {{Standing}} AS standing ON standing.dynasty_id = lost.dynasty_id
"""  # noqa: S608
MODELS = (Emperor, ReputationChange, Standing, StandingChange)


def apply_due_decay(*, now: datetime | None = None, most: int = DAYS_A_ROUND) -> int:
    """Apply the days that are due, the oldest first and at most so many; return how many.

    The first time ever that is today alone. Run late, it catches up: each missed day takes its
    part of what the day before has left. Who has fought again since is spared.
    """
    days = islice(due_days(now or database_now()), most)
    return sum(apply_day(day=day) for day in days)


def due_days(now: datetime) -> Iterator[date]:
    """Yield the days, up to today in UTC, that nobody has applied yet."""
    today = now.astimezone(UTC).date()
    last = DecayDay.objects.aggregate(day=Max("day"))["day"]
    day = last + DAY if last else today
    while day <= today:
        yield day
        day += DAY


def apply_day(*, day: date) -> bool:
    """Apply one day, unless somebody has; return whether it was we."""
    try:
        with transaction.atomic():
            DecayDay.objects.create(day=day)
            _apply(day)
    except IntegrityError:
        if not DecayDay.objects.filter(day=day).exists():
            raise
        return False
    return True


def _apply(day: date) -> None:
    _hold_standings()
    now = database_now()
    facts = {"day": day, "now": now, "reason": DECAY}
    if write(LOG, MODELS, facts | _rules(day)):
        for statement in (TAKE_FROM_EMPERORS, TAKE_FROM_DYNASTIES, LOG_OF_DYNASTIES):
            write(statement, MODELS, facts)
    tell_weeks(ending=day, at=now)
    DecayDay.objects.filter(day=day).update(applied_at=now, **_sums(day))
    reseat(at=now)


def _hold_standings() -> None:
    """Let nobody change a standing until the day is done; readers pass.

    Whoever changes reputation, or whose an emperor is, locks the standing of his dynasty
    before anything else: so one lock on all of them stands for every lock that the day needs,
    and nobody can come or go between two statements. SQLite has one writer anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {Standing._meta.db_table} IN EXCLUSIVE MODE")


def _rules(day: date) -> dict[str, Any]:
    """Who loses on `day` and how much, by the charter in force."""
    rules = charter()
    return {
        "idle_since": datetime.combine(day, time.min, UTC) - rules.decay_after_days * DAY,
        "percent": rules.decay_percent,
        "minimum": rules.decay_minimum,
    }


def _sums(day: date) -> dict[str, int]:
    lost = ReputationChange.objects.filter(day=day)
    return lost.aggregate(emperors=Count("pk"), points=-Coalesce(Sum("change"), Value(0)))
