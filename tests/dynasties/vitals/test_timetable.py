"""The timetable holds what the settings say, and no task that is gone."""

import pytest
from celery import current_app
from django.conf import settings
from django.core.management import call_command
from django_celery_beat.models import IntervalSchedule, PeriodicTask

pytestmark = pytest.mark.django_db


def test_every_task_of_the_timetable_exists() -> None:
    current_app.loader.import_default_modules()
    wanted = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert wanted <= set(current_app.tasks)


def test_no_run_outlives_its_own_interval_in_the_queue() -> None:
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        assert entry["options"]["expires"] <= 60 * 60 * 24
        if isinstance(entry["schedule"], float):
            assert entry["options"]["expires"] <= entry["schedule"]


def test_a_task_that_is_gone_is_struck_by_the_next_migration() -> None:
    schedule = IntervalSchedule.objects.create(every=5, period="seconds")
    for name in ("dynasties.vitals.tasks.beat", "dynasties.vitals.tasks.forgotten"):
        PeriodicTask.objects.create(name=name, task=name, interval=schedule)
    call_command("migrate", verbosity=0)
    assert [task.name for task in PeriodicTask.objects.all()] == ["dynasties.vitals.tasks.beat"]
