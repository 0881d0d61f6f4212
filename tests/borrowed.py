"""Where the watch for N+1 queries looks away: in views that are not the site's own."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from zeal import zeal_ignore

# The watch counts by line of the site's own code, so all that a borrowed view asks for is one
# line to it: an address that allauth looks up twice, the admin's own account and the one it shows,
# an account for each session that is listed.
ASKED_AGAIN = [
    {"model": "account.EmailAddress", "field": "get()"},
    {"model": "dynasties.User", "field": "get()"},
]


class BorrowedViewsMiddleware:
    """Lets views of allauth and Django get an account or an address twice; ours may not."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_borrowed(request.path_info):
            return self.get_response(request)
        with zeal_ignore(ASKED_AGAIN):
            return self.get_response(request)


def is_borrowed(path: str) -> bool:
    try:
        view = resolve(path).func
    except Resolver404:
        return False
    return getattr(view, "view_class", view).__module__.startswith(("allauth.", "django."))
