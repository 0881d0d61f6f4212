from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from dynasties.accounts.models import Guest
from dynasties.accounts.selectors import guest_in
from dynasties.accounts.services import note_guest_seen


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
