"""The live socket: an ASGI application of our own under Channels' routing and sessions.

Channels' stock consumers die on malformed frames and hop through a thread for
every message. This one answers bad frames with an error, never holds up the hub
(each socket has its own bounded queue), and ends cleanly whoever goes first.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from django.utils import timezone
from prometheus_client import Gauge

from dynasties.notices.hub import get_hub
from dynasties.notices.live import frame
from dynasties.notices.presence import Visitor, recognise

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]

log = structlog.get_logger(__name__)

LONGEST_FRAME = 16_384
LONGEST_QUEUE = 256
# A client may send this many frames at once, and this many a second after that.
BURST = 40
FRAMES_A_SECOND = 10

FAULT = 1011
SIGNED_OUT = 4401
RENEWED = 4402
TOO_SLOW = 4408
TOO_FAST = 4429

open_sockets = Gauge("live_sockets", "WebSockets that this process holds open.")


class Refused(Exception):
    """A frame that can't be acted upon: a stable code and a sentence for the client."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class LiveSocket:
    """One open WebSocket. Subclasses name topics and answer further frames."""

    topics: tuple[str, ...] = ()

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.scope = scope
        self.visitor = Visitor()
        self._receive = receive
        self._send = send
        self._queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue(LONGEST_QUEUE)
        self._closing = False
        self._allowance = float(BURST)
        self._last_frame = time.monotonic()

    @classmethod
    def as_asgi(cls) -> Any:
        """The application for a route, as Channels' consumers have it."""

        async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
            await cls(scope, receive, send).serve()

        return application

    # --- For the hub: never waits ---------------------------------------------------

    def push(self, text: str) -> None:
        """Queue a rendered frame; a client too slow to read is sent away to catch up later."""
        if self._closing:
            return
        try:
            self._queue.put_nowait({"type": "websocket.send", "text": text})
        except asyncio.QueueFull:
            self._close(TOO_SLOW)

    def tell(self, content: dict[str, Any]) -> None:
        """Queue a frame for this socket alone."""
        self.push(json.dumps(content, separators=(",", ":"), ensure_ascii=False))

    def end(self, reason: str) -> None:
        """Say farewell and close: `signed-out` for good, `renewed` to come back at once."""
        self.tell(frame("farewell", reason=reason))
        self._close(RENEWED if reason == "renewed" else SIGNED_OUT)

    def _close(self, code: int) -> None:
        if self._closing:
            return
        self._closing = True
        if self._queue.full():
            self._queue.get_nowait()
        self._queue.put_nowait({"type": "websocket.close", "code": code})

    # --- The life of a socket ---------------------------------------------------------

    async def serve(self) -> None:
        """Accept, then read and write until either side ends it."""
        if (await self._receive())["type"] != "websocket.connect":
            return
        self.visitor = await recognise(self.scope)
        await self._send({"type": "websocket.accept"})
        hub = get_hub()
        with open_sockets.track_inprogress():
            try:
                await hub.join(self, self.topics)
                await self._converse()
            finally:
                await hub.leave(self)

    async def _converse(self) -> None:
        """Read and write until one of them ends, then end the other."""
        writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            reading.cancel()
            writing.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            message = await self._queue.get()
            await self._send(message)
            if message["type"] == "websocket.close":
                return

    async def _read(self) -> None:
        self.tell(frame("hello", at=timezone.now().isoformat()))
        await self._guarded(self.greet())
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._take(message)

    async def _take(self, message: dict[str, Any]) -> None:
        try:
            self._spend_allowance()
            content = readable(message)
        except Refused as refused:
            self._refuse(refused)
        else:
            await self._guarded(self.answer(content))

    async def _guarded(self, work: Awaitable[None]) -> None:
        """Await what a subclass does; a fault in it ends this socket, and not in silence."""
        try:
            await work
        except Refused as refused:
            self._refuse(refused)
        except Exception:
            log.exception("socket_failed", socket=type(self).__name__)
            self._close(FAULT)

    def _refuse(self, refused: Refused) -> None:
        self.tell(frame("error", code=refused.code, text=refused.text))
        if refused.code == "too-fast":
            self._close(TOO_FAST)

    def _spend_allowance(self) -> None:
        now = time.monotonic()
        earned = (now - self._last_frame) * FRAMES_A_SECOND
        self._last_frame = now
        self._allowance = min(self._allowance + earned, BURST) - 1
        if self._allowance < 0:
            raise Refused("too-fast", "Too many frames at once. Connect again and send fewer.")

    async def greet(self) -> None:
        """Tell a new client what it may have missed."""

    async def answer(self, content: dict[str, Any]) -> None:
        """Act on one readable frame, or raise Refused."""
        match content.get("type"):
            case "ping":
                self.tell(frame("pong", at=timezone.now().isoformat()))
            case _:
                raise Refused("unknown-type", "This socket knows only frames of type ping.")


def readable(message: dict[str, Any]) -> dict[str, Any]:
    """The JSON object that a client's message holds, or Refused with the reason."""
    text = message.get("text")
    if text is None:
        raise Refused("unreadable", "Frames are text, not binary.")
    if len(text) > LONGEST_FRAME:
        raise Refused("too-large", f"A frame has at most {LONGEST_FRAME} characters.")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("unreadable", "This frame is not JSON.") from None
    if not isinstance(content, dict):
        raise Refused("unreadable", "A frame is a JSON object.")
    return content
