"""Who is behind a socket, and whether they may still be there."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone

from dynasties.notices.live import session_mark


@dataclass(frozen=True)
class Visitor:
    """A browser's session, and the account that is signed in with it, if any."""

    user_id: int | None = None
    session_key: str | None = field(default=None, repr=False)

    @property
    def mark(self) -> str | None:
        """The session's name among processes."""
        return session_mark(self.session_key) if self.session_key else None

    @classmethod
    def of(cls, scope: dict[str, Any]) -> "Visitor":
        """The visitor of an ASGI scope that has passed Channels' session and auth middleware."""
        user, session = scope.get("user"), scope.get("session")
        return cls(
            user_id=user.pk if user is not None and user.is_authenticated else None,
            session_key=session.session_key if session is not None else None,
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
