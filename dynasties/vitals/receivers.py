"""What a request is called in the logs, told to whoever asked."""

from typing import Any

import structlog
from django.dispatch import receiver
from django.http import HttpResponse
from django_structlog.signals import (
    bind_extra_request_finished_metadata,
    update_failure_response,
)


@receiver(
    [bind_extra_request_finished_metadata, update_failure_response],
    dispatch_uid="an answer carries the id of its request",
)
def name_request(response: HttpResponse, **_signal: Any) -> None:
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    if request_id:
        response["X-Request-ID"] = request_id
