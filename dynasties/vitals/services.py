"""The heart of the world: a row that the timetable touches every few seconds."""

from celery import current_app
from django.db import transaction
from django.utils import timezone
from django_celery_beat.models import PeriodicTask

from dynasties.notices.live import tell_pulse
from dynasties.vitals.models import Heartbeat

TIMETABLE = "timetable"


@transaction.atomic
def record_heartbeat() -> None:
    """Note that beat and a worker are alive, and let open pages feel it."""
    now = timezone.now()
    Heartbeat.objects.update_or_create(duty=TIMETABLE, defaults={"at": now})
    tell_pulse(at=now)


@transaction.atomic
def tidy_timetable() -> int:
    """Strike tasks that no longer exist from the timetable, which beat only ever adds to."""
    current_app.loader.import_default_modules()
    obsolete = PeriodicTask.objects.exclude(task__in=list(current_app.tasks))
    struck: int = obsolete.delete()[1].get("django_celery_beat.PeriodicTask", 0)
    return struck
