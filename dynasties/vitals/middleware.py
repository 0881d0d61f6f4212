"""What stands before every request: probes, which are answered at once, and the log."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django_structlog.middlewares import RequestMiddleware

from dynasties.vitals import views

PROBES = {"/healthz": views.healthz, "/readyz": views.readyz, "/metrics": views.metrics}


class ProbesMiddleware:
    """Answers probes whatever host they ask for, over plain HTTP, without session or log line.

    Balancers and scrapers know a node by an inner address, not by the site's name.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info)
        if probe is None:
            return self.get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        return probe(request)


class RequestLog(RequestMiddleware):
    """Logs requests without what follows the question mark: a challenge link has its key there."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {request.path}"
