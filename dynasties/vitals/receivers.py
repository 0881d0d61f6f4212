"""What follows from requests and migrations."""

from typing import Any

import structlog
from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.dispatch import receiver
from django.http import HttpResponse
from django_structlog.signals import (
    bind_extra_request_finished_metadata,
    update_failure_response,
)

from dynasties.vitals.services import tidy_timetable


@receiver(
    [bind_extra_request_finished_metadata, update_failure_response],
    dispatch_uid="an answer carries the id of its request",
)
def name_request(response: HttpResponse, **_signal: Any) -> None:
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    if request_id:
        response["X-Request-ID"] = request_id


@receiver(post_migrate, dispatch_uid="a new version has a timetable without old tasks")
def strike_old_tasks(app_config: AppConfig, **_signal: Any) -> None:
    if app_config.label == "django_celery_beat":
        tidy_timetable()
