from collections.abc import Callable

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from dynasties.accounts.models import Guest
from dynasties.accounts.selectors import guest_in
from dynasties.accounts.services import note_guest_seen, note_session_seen


class SessionSeenMiddleware:
    """Keeps the list of an account's sessions true, with a look at it a page and few writes.

    In the place of allauth's own, which writes with every request and makes a
    row where there is none, even where a ban has just taken it away.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # What did not ask who is there, like a health check, is no visit.
        if request.session.accessed and request.session.session_key:
            note_seen(request)
        return response


def note_seen(request: HttpRequest) -> None:
    """Note the visit of an account, if it is one."""
    if request.user.is_authenticated:
        user_agent = request.headers.get("User-Agent", "")
        note_session_seen(
            session_key=request.session.session_key or "",
            ip=get_adapter().get_client_ip(request),
            user_agent=user_agent[: UserSession._meta.get_field("user_agent").max_length],
        )


class GuestMiddleware:
    """Gives every request a `guest`: who plays without an account, or nobody.

    It is looked up when first asked for. Being lazy, it is false rather than
    `is None` where there is no guest.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.guest = SimpleLazyObject(lambda: guest_of(request))  # type: ignore[attr-defined]
        return self.get_response(request)


def guest_of(request: HttpRequest) -> Guest | None:
    """The guest behind a request. An account is no guest, even if it was one.

    A guest who has signed up stays one to all appearances until logging in:
    anything else would tell whether the address was taken.
    """
    if request.user.is_authenticated:
        return None
    guest = guest_in(request.session)
    if guest is not None:
        note_guest_seen(guest=guest, session=request.session)
    return guest
