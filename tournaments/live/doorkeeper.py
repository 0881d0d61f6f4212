"""How many sockets one visitor may hold open: enough for every tab, and no flood."""

from collections import Counter
from typing import Any

from django.conf import settings

from dynasties.notices.presence import Visitor

MOST_A_SESSION = 20
# Whoever has no session is known by an address, which a whole school may share.
MOST_AN_ADDRESS = 2000

_open: Counter[str] = Counter()


def admit(visitor: Visitor, scope: dict[str, Any]) -> str | None:
    """A place for one more socket, to be given back to `release`; None if there is none."""
    place = _place(visitor, scope)
    if _open[place] >= (MOST_A_SESSION if visitor.mark else MOST_AN_ADDRESS):
        return None
    _open[place] += 1
    return place


def release(place: str | None) -> None:
    if place is None:
        return
    _open[place] -= 1
    if _open[place] <= 0:
        del _open[place]


def _place(visitor: Visitor, scope: dict[str, Any]) -> str:
    return f"session {visitor.mark}" if visitor.mark else f"address {address_of(scope)}"


def address_of(scope: dict[str, Any]) -> str:
    """Where a socket comes from, as the last proxy that can be trusted has it."""
    proxies: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    headers = (value for name, value in scope.get("headers", ()) if name == b"x-forwarded-for")
    chain = [each.strip() for each in b",".join(headers).decode("latin1").split(",")]
    if proxies and len(chain) >= proxies and chain[-proxies]:
        return chain[-proxies]
    return str((scope.get("client") or [""])[0])
