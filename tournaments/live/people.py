"""Who is behind a socket, and which language they read."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils import translation

from dynasties.accounts.models import User
from dynasties.accounts.selectors import guest_in
from dynasties.notices.presence import Visitor
from tournaments.live.sights import Identity
from tournaments.seating.players import Player, player_for


def identity_of(visitor: Visitor) -> Identity:
    """Whose seats are the visitor's: those of an account, or of the guest in a session."""
    return Identity.of(player_behind(visitor))


def player_behind(visitor: Visitor) -> Player:
    """The player behind a socket, as the pages find the one behind a request."""
    if visitor.user_id is not None:
        user = User.objects.filter(pk=visitor.user_id, is_active=True).first()
        return player_for(user=user)
    if visitor.session_key is None:
        return Player()
    session = import_module(settings.SESSION_ENGINE).SessionStore(visitor.session_key)
    return player_for(user=None, guest=guest_in(session))


def language_of(scope: dict[str, Any]) -> str:
    """The language of whoever opened a socket, found as for a page."""
    request = HttpRequest()
    headers = {
        name.decode("latin1"): value.decode("latin1") for name, value in scope.get("headers", ())
    }
    request.COOKIES = parse_cookie(headers.get("cookie", ""))
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get("accept-language", "")
    return translation.get_language_from_request(request)
