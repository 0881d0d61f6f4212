"""One hub a process: it hears the channel layer once and hands each message to its own sockets.

A frame is rendered once a process, not once a socket. The layer carries hints
only: it may lose, double or delay any of them, so the hub also looks by itself
whether the people behind its sockets may still be there.
"""

import asyncio
import json
import time
import uuid
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeAlias
from weakref import WeakKeyDictionary

import structlog
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer

from dynasties.notices import presence
from dynasties.notices.live import WORLD, frame

log = structlog.get_logger(__name__)

CENSUS_SECONDS = 4
CENSUS_MEMORY_SECONDS = 3 * CENSUS_SECONDS
RETRY_SECONDS = 1
# How long a layer that does not answer may hold anything up.
PATIENCE_SECONDS = 2


Handler: TypeAlias = "Callable[[Hub, dict[str, Any]], None]"
Duty: TypeAlias = "Callable[[Hub], Awaitable[None]]"

# What upper floors have registered: they know the hub, and it does not know them.
_handlers: dict[str, Handler] = {}
_further_duties: list[tuple[float, Duty]] = []


def handles(type_: str) -> Callable[[Handler], Handler]:
    """Register what a hub does with messages of a type. It must not wait: the next one does."""

    def register(handler: Handler) -> Handler:
        _handlers[type_] = handler
        return handler

    return register


def regularly(*, seconds: float) -> Callable[[Duty], Duty]:
    """Register what every hub that has sockets does again and again."""

    def register(duty: Duty) -> Duty:
        _further_duties.append((seconds, duty))
        return duty

    return register


class Socket(Protocol):
    """What the hub needs to know of a socket."""

    visitor: presence.Visitor

    def push(self, text: str) -> None: ...
    def end(self, reason: str) -> None: ...


class Hub:
    """The sockets of one process (of one event loop), by the topics that they follow."""

    def __init__(self) -> None:
        self.node = uuid.uuid4().hex
        self._followers: dict[str, set[Socket]] = defaultdict(set)
        self._census: dict[str, tuple[int, float]] = {}
        self._channel: str | None = None
        self._duties: list[asyncio.Task[None]] = []

    @property
    def sockets(self) -> set[Socket]:
        return self._followers.get(WORLD, set())

    async def join(self, socket: Socket, topics: Iterable[str] = ()) -> None:
        """Let `socket` hear `topics`, and what concerns the whole world."""
        for topic in {WORLD, *topics}:
            self._followers[topic].add(socket)
            if self._channel is not None:
                await self._subscribe(topic)
        if not self._duties:
            self._duties = [
                asyncio.create_task(self._listen()),
                asyncio.create_task(self._regularly(self._end_departed)),
                asyncio.create_task(self._regularly(self._keep_subscriptions)),
                asyncio.create_task(self._regularly(self._count_heads)),
                *(
                    asyncio.create_task(self._regularly(partial(duty, self), seconds))
                    for seconds, duty in _further_duties
                ),
            ]

    async def leave(self, socket: Socket) -> None:
        """Forget `socket`; the last one to leave stops the hub's work."""
        for topic in [t for t, followers in self._followers.items() if socket in followers]:
            self._followers[topic].discard(socket)
            if not self._followers[topic]:
                del self._followers[topic]
                await self._unsubscribe(topic)
        if not self.sockets:
            await self.close()

    async def close(self) -> None:
        """Stop listening and watching."""
        pending, self._duties, self._channel = set(self._duties), [], None
        while pending:
            for duty in pending:
                duty.cancel()
            # Redis' client may swallow a cancellation while it connects: ask until it is heard.
            _done, pending = await asyncio.wait(pending, timeout=0.1)

    def online(self) -> int:
        """How many people are about, on all nodes, as far as their last census tells."""
        oldest = time.monotonic() - CENSUS_MEMORY_SECONDS
        self._census = {node: (n, at) for node, (n, at) in self._census.items() if at > oldest}
        others = (n for node, (n, _at) in self._census.items() if node != self.node)
        return self.visitors() + sum(others)

    def visitors(self) -> int:
        """How many people are behind this process's sockets: tabs of one browser are one."""
        return len({socket.visitor.mark or id(socket) for socket in self.sockets})

    # --- What the layer brings ---------------------------------------------------

    async def _listen(self) -> None:
        while self._on_duty():
            try:
                await self._hear(await get_channel_layer().new_channel())
            except Exception as error:  # the layer is away: keep the sockets, try again
                log.warning("layer_lost", error=type(error).__name__)
                with suppress(Exception):  # forget half-made subscriptions, or they pile up
                    await get_channel_layer().flush()
                await asyncio.sleep(RETRY_SECONDS)

    def _on_duty(self) -> bool:
        """Whether the running task still serves this hub, or was replaced after a `close`."""
        return asyncio.current_task() in self._duties

    async def _hear(self, channel: str) -> None:
        if self._on_duty():
            self._channel = channel
        for topic in list(self._followers):
            await get_channel_layer().group_add(topic, channel)
        while self._on_duty():
            for message in unpacked(await get_channel_layer().receive(channel)):
                try:
                    self.deliver(message)
                except Exception:  # one strange message must not silence the rest
                    log.exception("message_refused")

    async def _subscribe(self, topic: str) -> None:
        with suppress(Exception):  # a duty subscribes again to what failed here
            async with asyncio.timeout(PATIENCE_SECONDS):
                await get_channel_layer().group_add(topic, self._channel)

    async def _unsubscribe(self, topic: str) -> None:
        if self._channel is not None:
            with suppress(Exception):  # nobody listens any more either way
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await get_channel_layer().group_discard(topic, self._channel)

    def deliver(self, message: dict[str, Any]) -> None:
        """Do what one message of the layer says, for this process's sockets."""
        match message:
            case {"type": "frame", "topic": str(topic), "frame": dict(content)}:
                self._push(topic, content)
            case {"type": "pulse", "at": str(at)}:
                self._push(WORLD, frame("pulse", at=at, online=self.online()))
            case {"type": "census", "node": str(node), "visitors": int(visitors)}:
                self._census[node] = (visitors, time.monotonic())
            case {"type": "renew", "session": str(mark)}:
                self._end((s for s in self.sockets if s.visitor.mark == mark), reason="renewed")
            case {"type": "end", "session": str(mark)}:
                self._end(s for s in self.sockets if s.visitor.mark == mark)
            case {"type": "end", "user": int(user_id)}:
                self._end(s for s in self.sockets if s.visitor.user_id == user_id)
            case {"type": str(type_)} if type_ in _handlers:
                _handlers[type_](self, message)
            case _:
                log.warning("message_unknown", type=str(message.get("type"))[:40])

    def _push(self, topic: str, content: dict[str, Any]) -> None:
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        for socket in list(self._followers.get(topic, ())):
            socket.push(text)

    @staticmethod
    def _end(sockets: Iterable[Socket], *, reason: str = "signed-out") -> None:
        for socket in list(sockets):
            socket.end(reason)

    # --- What the hub sees by itself -----------------------------------------------

    async def _regularly(
        self, duty: Callable[[], Awaitable[None]], seconds: float | None = None
    ) -> None:
        """Do `duty` every few seconds, in a task of its own: one that hangs stops no other."""
        while True:
            await asyncio.sleep(CENSUS_SECONDS if seconds is None else seconds)
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await duty()
            except Exception as error:  # database or layer away: look again soon
                name = getattr(duty, "func", duty).__name__
                log.warning("watch_failed", duty=name, error=type(error).__name__)

    async def _keep_subscriptions(self) -> None:
        """Follow every topic again; one that is followed already costs nothing."""
        if self._channel is not None:
            for topic in list(self._followers):
                await get_channel_layer().group_add(topic, self._channel)

    async def _count_heads(self) -> None:
        """Tell the other nodes how many people are here."""
        census = {"type": "census", "node": self.node, "visitors": self.visitors()}
        await get_channel_layer().group_send(WORLD, census)

    async def _end_departed(self) -> None:
        """Send away those who signed out unheard."""
        visitors = {socket.visitor for socket in self.sockets if socket.visitor.user_id}
        departed = await database_sync_to_async(presence.departed, thread_sensitive=False)(visitors)
        self._end(socket for socket in self.sockets if socket.visitor in departed)


def unpacked(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages that travelled as one, see `hints.hint_topics`; most travel alone."""
    match message:
        case {"type": "batch", "messages": list(messages)}:
            return messages
    return [message]


# Tests and servers may run several loops in one process; a hub belongs to one of them.
_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def get_hub() -> Hub:
    """The hub of the running event loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())
