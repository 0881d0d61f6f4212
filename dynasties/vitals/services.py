"""The heart of the world: a row that the timetable touches every few seconds."""

from django.db import transaction
from django.utils import timezone

from dynasties.notices.live import tell_pulse
from dynasties.vitals.models import Heartbeat

TIMETABLE = "timetable"


@transaction.atomic
def record_heartbeat() -> None:
    """Note that beat and a worker are alive, and let open pages feel it."""
    now = timezone.now()
    Heartbeat.objects.update_or_create(duty=TIMETABLE, defaults={"at": now})
    tell_pulse(at=now)
