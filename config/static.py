"""How static files are named, packed and served."""

from contextlib import closing
from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Every file under a name that changes with its content, ES module imports included.

    Without the latter a browser could run a new module against an old one it had kept.
    """

    support_js_module_import_aggregation = True


class StaticFiles(WhiteNoiseMiddleware):
    """Serves each file whole: under ASGI a stream of its pieces would hop between threads."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        response = HttpResponse(whole(found.file), status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response


def whole(file: Any) -> bytes:
    """The content of an open file, or nothing for an answer that has none."""
    if file is None:
        return b""
    with closing(file):
        return bytes(file.read())
