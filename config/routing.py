"""Every WebSocket of the site, and the gate before them."""

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from channels.routing import URLRouter
from django.urls import re_path

from dynasties.notices import consumers as notices
from tournaments.live import consumers as tournaments

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]

FORBIDDEN = 4403
UNKNOWN = 4404


def refuse(code: int) -> Any:
    """An application that closes before accepting, which a browser sees as HTTP 403."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.close", "code": code})

    return application


class OriginGate:
    """Lets only pages of our own origins through: cookies alone don't say which page asks.

    Browsers write an origin in one way, so equality is enough; Channels' own
    validator parses it instead, and falls over those that can't be parsed.
    """

    def __init__(self, application: Any, origins: Collection[str]) -> None:
        self._application = application
        self._origins = frozenset(origin.lower().encode() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = [value.lower() for name, value in scope["headers"] if name == b"origin"]
        welcome = len(given) == 1 and given[0] in self._origins
        await (self._application if welcome else refuse(FORBIDDEN))(scope, receive, send)


def live_application(origins: Collection[str]) -> OriginGate:
    """All sockets, behind the gate."""
    routes = [
        *notices.websocket_urlpatterns,
        *tournaments.websocket_urlpatterns,
        re_path("", refuse(UNKNOWN)),
    ]
    return OriginGate(URLRouter(routes), origins)
