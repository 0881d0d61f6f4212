"""The shell of the site: front page, error pages, theme, and what browsers ask for by name."""

import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from dynasties.accounts.access import form_on, page_asked_for
from dynasties.chronicle import selectors as chronicle
from dynasties.chronicle.rendering import tell
from dynasties.houses import selectors as houses
from tournaments.pages.selectors import live_battles

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "theme"
THEME_COOKIE_AGE = 60 * 60 * 24 * 365
NEWEST_DYNASTIES = 6
NEWEST_ENTRIES = 5
RETRY_AFTER_SECONDS = 30
# A part of the house is missing for a while: that is "come back soon", not "we blundered".
OUTAGES = (OperationalError, InterfaceError, RedisConnectionError, RedisTimeoutError)

DAY = 60 * 60 * 24
PAPER = "#f3ead6"


def site(request: HttpRequest) -> dict[str, Any]:
    """Give every template what the shell needs; no query, nothing about who asks.

    It is called `shell` there: allauth's pages use the name `site` for something else.
    """
    return {
        "shell": {
            "theme": theme_of(request),
            "origin": settings.SITE_ORIGIN,
            "languages": own_names_of_languages(),
            "embedded": settings.EMAIL_FILE_PATH is not None,
        }
    }


def theme_of(request: HttpRequest) -> str:
    """The theme that the reader chose, or `auto`: as the device prefers."""
    theme = request.COOKIES.get(THEME_COOKIE, "auto")
    return theme if theme in THEMES else "auto"


def own_names_of_languages() -> list[tuple[str, str]]:
    """Each language with its name in that language, which is what its speakers look for."""
    return [
        (code, get_language_info(code)["name_local"].capitalize())
        for code, _name in settings.LANGUAGES
    ]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    context = {
        "dynasties": list(houses.newest_dynasties(limit=NEWEST_DYNASTIES)),
        "counts": {"dynasties": houses.count_dynasties()},
        "battles": live_battles(),
        "lines": tell(chronicle.newest(limit=NEWEST_ENTRIES)),
    }
    return render(request, "home.html", context)


@form_on("home")
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme in a cookie and go back to where the reader was."""
    theme = request.POST.get("theme", "auto")
    response = redirect(page_asked_for(request))
    if theme in THEMES and theme != "auto":
        response.set_cookie(
            THEME_COOKIE,
            theme,
            max_age=THEME_COOKIE_AGE,
            samesite="Lax",
            secure=request.is_secure(),
            httponly=True,
        )
    else:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
    return response


# --- When something is wrong ----------------------------------------------------


def error_page(template: str, status: HTTPStatus) -> Callable[..., HttpResponse]:
    """Return a view that shows `template`, with header and menu, under `status`."""

    def view(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
        return render(request, template, status=status)

    return view


bad_request = error_page("400.html", HTTPStatus.BAD_REQUEST)
permission_denied = error_page("403.html", HTTPStatus.FORBIDDEN)
page_not_found = error_page("404.html", HTTPStatus.NOT_FOUND)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that lost its token, mostly by waiting too long: say how to go on."""
    return render(request, "403_csrf.html", status=HTTPStatus.FORBIDDEN)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an uncaught exception without touching what may have caused it."""
    if isinstance(sys.exc_info()[1], OUTAGES):
        return unavailable(request)
    return bare_page(request, "500.html", HTTPStatus.INTERNAL_SERVER_ERROR)


def unavailable(request: HttpRequest) -> HttpResponse:
    response = bare_page(request, "503.html", HTTPStatus.SERVICE_UNAVAILABLE)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def bare_page(request: HttpRequest, template: str, status: HTTPStatus) -> HttpResponse:
    """Render without request context: no session, no user, no database."""
    context = {"shell": {"theme": theme_of(request)}, "language": get_language()}
    return HttpResponse(render_to_string(template, context), status=status)


# --- What browsers and crawlers ask for by name -----------------------------------


@require_safe
@cache_control(public=True, max_age=DAY)
def manifest(request: HttpRequest) -> JsonResponse:
    """What a phone needs to put the site on its home screen."""
    content = {
        "name": _("Emperors of the Dynasty"),
        "short_name": _("Emperors"),
        "description": _("A world of dynasties whose emperors all move at once."),
        "lang": get_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {"src": static("img/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
            manifest_icon(192, purpose="any"),
            manifest_icon(512, purpose="any"),
            manifest_icon(512, purpose="maskable"),
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


def manifest_icon(size: int, *, purpose: str) -> dict[str, str]:
    return {
        "src": static(f"img/icon-{size}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@require_safe
@cache_control(public=True, max_age=DAY)
def favicon(request: HttpRequest) -> HttpResponse:
    return redirect(static("img/favicon.ico"))


@require_safe
@cache_control(public=True, max_age=DAY)
def robots(request: HttpRequest) -> HttpResponse:
    """Crawlers may read what everybody may; nothing of an account is for them."""
    private = ("/account/", "/palace/", "/admin/", "/guest/", "/metrics")
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in private), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
