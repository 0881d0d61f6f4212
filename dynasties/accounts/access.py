"""Who a request comes from, and which way it may come."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from dynasties.accounts.models import User


def account_of(request: HttpRequest) -> User:
    """The account behind a request, in a view that only lets accounts in."""
    if not isinstance(request.user, User):
        raise TypeError("This view needs login_required.")
    return request.user


def is_own_page(request: HttpRequest, url: str | None) -> bool:
    """Whether `url` leads to a page of this very site, and not to somebody else's."""
    return url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )


def page_asked_for(request: HttpRequest) -> str:
    """Where a form wants to go on: the page it came from, or home."""
    target = request.POST.get("next", "")
    return target if is_own_page(request, target) else reverse("home")


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
