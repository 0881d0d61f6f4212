"""Who a request comes from."""

from django.http import HttpRequest

from dynasties.accounts.models import User


def account_of(request: HttpRequest) -> User:
    """The account behind a request, in a view that only lets accounts in."""
    if not isinstance(request.user, User):
        raise TypeError("This view needs login_required.")
    return request.user
