from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from dynasties.notices.selectors import proclamations_in_force


def proclamations(request: HttpRequest) -> dict[str, Any]:
    """Give every template the proclamations in force; asked only where one is shown."""
    return {"proclamations": SimpleLazyObject(lambda: list(proclamations_in_force()))}
