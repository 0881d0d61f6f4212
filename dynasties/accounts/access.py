"""Who a request comes from, and which way it may come."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dynasties.accounts.models import User


def account_of(request: HttpRequest) -> User:
    """The account behind a request, in a view that only lets accounts in."""
    if not isinstance(request.user, User):
        raise TypeError("This view needs login_required.")
    return request.user


def form_on(page: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """For a view that only takes a form, which is on `page`: who merely looks is led there.

    A log-in on the way turns a form into a look, and so does typing the address.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def door(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            return view(request, *args, **kwargs) if request.method == "POST" else redirect(page)

        return door

    return decorate
