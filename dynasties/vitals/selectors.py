"""What readiness asks: each function returns None when all is well, else a sentence."""

import asyncio

from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error as DatabaseError
from django.utils import timezone

from dynasties.vitals.models import Heartbeat
from dynasties.vitals.services import TIMETABLE

PATIENCE_SECONDS = 2


def heartbeat_age() -> float | None:
    """Seconds since the timetable last ran, None if it never has."""
    at = Heartbeat.objects.filter(duty=TIMETABLE).values_list("at", flat=True).first()
    return None if at is None else (timezone.now() - at).total_seconds()


def database_and_heartbeat_trouble() -> dict[str, str | None]:
    """The database's trouble and the timetable's, by part."""
    try:
        age = heartbeat_age()
    except DatabaseError as error:
        unknown = "unknown while the database does not answer"
        return {"database": f"does not answer ({type(error).__name__})", "timetable": unknown}
    return {"database": None, "timetable": timetable_trouble(age)}


def timetable_trouble(age: float | None) -> str | None:
    if age is None:
        return "has not run yet: is beat running, and a worker?"
    if age > settings.HEARTBEAT_STALE_SECONDS:
        return f"has been silent for {age:.0f} seconds: is beat running, and a worker?"
    return None


async def layer_trouble() -> str | None:
    """The channel layer's trouble: can a message be published?"""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await get_channel_layer().group_send("readiness", {"type": "question"})
    except Exception as error:  # whatever the layer's transport raises means: not ready
        return f"does not answer ({type(error).__name__})"
    return None
