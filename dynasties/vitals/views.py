import secrets

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from dynasties.vitals.selectors import database_and_heartbeat_trouble, layer_trouble


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers. Nothing else is asked, so that a sick database restarts nobody."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Whether the site can do its work, part by part; 503 while it can't."""
    trouble = database_and_heartbeat_trouble()
    trouble["channel_layer"] = async_to_sync(layer_trouble)()
    ready = not any(trouble.values())
    parts = {part: sentence or "ok" for part, sentence in trouble.items()}
    return JsonResponse({"ready": ready, **parts}, status=200 if ready else 503)


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus metrics, for whoever holds the token; without one they don't exist."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    token = settings.METRICS_TOKEN
    if not token or not secrets.compare_digest(given.encode(), token.encode()):
        return HttpResponse("There is nothing here.\n", status=404, content_type="text/plain")
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)
