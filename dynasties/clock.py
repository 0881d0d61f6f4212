"""The one clock that judges what came in time and what came too late."""

from datetime import datetime

from django.db import connection
from django.utils import timezone


def database_now() -> datetime:
    """The moment of asking. Ask after the last lock, then judge and stamp by that one value.

    PostgreSQL's `now()` stands still in a transaction: who has waited for a lock would be
    judged by a time that is long over. SQLite runs in our process and has our own clock.
    """
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now
