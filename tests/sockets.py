"""A WebSocket client for the ASGI application itself, without a server.

Channels has one, but importing it wants daphne, which the site does not use.
"""

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from config.asgi import application

PATIENCE_SECONDS = 5


class Client:
    """One socket: `accepted` and `close_code` say what became of it."""

    def __init__(
        self, path: str = "/ws/world/", *, origin: str | None = None, cookie: str = ""
    ) -> None:
        headers = [(b"origin", (settings.SITE_ORIGINS[0] if origin is None else origin).encode())]
        if cookie:
            headers.append((b"cookie", cookie.encode()))
        scope = {"type": "websocket", "path": path, "query_string": b"", "headers": headers}
        self._talk = ApplicationCommunicator(application, scope)
        self.accepted = False
        self.close_code: int | None = None

    async def connect(self) -> "Client":
        await self._talk.send_input({"type": "websocket.connect"})
        answer = await self._receive()
        self.accepted = answer["type"] == "websocket.accept"
        return self

    async def greeted(self) -> "Client":
        """Connect and read the first frame."""
        await self.connect()
        assert self.accepted
        assert (await self.frame())["type"] == "hello"
        return self

    async def send(self, *, text: str | None = None, data: bytes | None = None) -> None:
        await self._talk.send_input({"type": "websocket.receive", "text": text, "bytes": data})

    async def tell(self, **content: Any) -> None:
        await self.send(text=json.dumps(content))

    async def frame(self) -> dict[str, Any]:
        """The next frame, decoded."""
        message = await self._receive()
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])

    async def closed(self) -> int:
        """Read on until the server closes; return its code."""
        while self.close_code is None:
            await self._receive()
        return self.close_code

    async def leave(self) -> None:
        await self._talk.send_input({"type": "websocket.disconnect", "code": 1000})
        await self._talk.wait(PATIENCE_SECONDS)

    async def _receive(self) -> dict[str, Any]:
        message = await self._talk.receive_output(PATIENCE_SECONDS)
        if message["type"] == "websocket.close":
            self.close_code = message["code"]
        return message
