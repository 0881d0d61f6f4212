"""Who is behind a socket, and whether they may still be there."""

from collections.abc import Collection
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user, get_user_model
from django.contrib.sessions.models import Session
from django.http import HttpRequest, parse_cookie
from django.utils import timezone

from dynasties.notices.live import session_mark


@dataclass(frozen=True)
class Visitor:
    """A browser's session, and the account that is signed in with it, if any."""

    user_id: int | None = None
    session_key: str | None = field(default=None, repr=False)
    # The session's name among processes.
    mark: str | None = field(init=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self.session_key:
            object.__setattr__(self, "mark", session_mark(self.session_key))


async def recognise(scope: dict[str, Any]) -> Visitor:
    """The visitor who opened a socket, by the session cookie.

    Channels' own middleware does this in one thread for all sockets of a
    process, so that one slow look-up would stall everybody who reconnects.
    """
    key = session_cookie(scope)
    if key is None:
        return Visitor()
    return await database_sync_to_async(visitor_of, thread_sensitive=False)(key)


def session_cookie(scope: dict[str, Any]) -> str | None:
    cookies = [value.decode("latin1") for name, value in scope["headers"] if name == b"cookie"]
    return parse_cookie("; ".join(cookies)).get(settings.SESSION_COOKIE_NAME)


def visitor_of(session_key: str) -> Visitor:
    """Whom a session key stands for; nobody in particular if there is no such session."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    return Visitor(
        user_id=user.pk if user.is_authenticated else None,
        session_key=request.session.session_key,
    )


def departed(visitors: Collection[Visitor]) -> set[Visitor]:
    """Those of the signed-in `visitors` whose session has ended or whose account is banned."""
    if not visitors:
        return set()
    keys = {visitor.session_key for visitor in visitors}
    sessions = set(
        Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()).values_list(
            "session_key", flat=True
        )
    )
    users = set(
        get_user_model()
        .objects.filter(pk__in={visitor.user_id for visitor in visitors}, is_active=True)
        .values_list("pk", flat=True)
    )
    return {v for v in visitors if v.session_key not in sessions or v.user_id not in users}
