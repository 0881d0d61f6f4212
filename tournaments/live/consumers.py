"""The socket of a tournament: for its seats, guests and passers-by alike."""

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from channels.db import database_sync_to_async
from django.urls import re_path
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from dynasties.notices.hub import get_hub
from dynasties.notices.live import frame
from dynasties.notices.sockets import TOO_FAST, LiveSocket, Receive, Refused, Send
from tournaments import errors
from tournaments.announcements.news import topic_of
from tournaments.live import doorkeeper
from tournaments.live.clerk import get_clerk
from tournaments.live.crier import Follower, crier_of
from tournaments.live.people import identity_of, language_of
from tournaments.live.reading import (
    Content,
    readable_ref,
    readable_turn,
    refuse_what_cannot_be_sent_back,
    sendable,
)
from tournaments.live.talk import say
from tournaments.turns.services import Wish, offer_draw

UNKNOWN = 4404


class TooManySockets(errors.Refused):
    code = "too-many-sockets"
    words = _("You follow too many tournaments at once.")


class NoSuchTournament(errors.Refused):
    code = "no-such-tournament"
    words = _("There is no such tournament any more.")


class TournamentSocket(LiveSocket):
    """Tells how a tournament goes on, and takes the orders of whoever has a seat in it."""

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self.code = str(scope["url_route"]["kwargs"]["code"])
        self.topics = (topic_of(self.code),)
        self.follower = Follower(self, language=language_of(scope))
        self._place: str | None = None

    # --- Coming and going --------------------------------------------------------------

    async def serve(self) -> None:
        try:
            await super().serve()
        finally:
            doorkeeper.release(self._place)
            crier_of(get_hub()).dismiss(self.code, self)

    async def greet(self) -> None:
        self._place = doorkeeper.admit(self.visitor, self.scope)
        if self._place is None:
            self._complain(TooManySockets(), None)
            self._close(TOO_FAST)
            return
        recognise = database_sync_to_async(identity_of, thread_sensitive=False)
        self.follower.identity = await recognise(self.visitor)
        crier_of(get_hub()).welcome(self.code, self.follower)

    def find_nothing(self) -> None:
        """There is no such tournament, or not any more: training leaves no trace."""
        self._complain(NoSuchTournament(), None)
        self._close(UNKNOWN)

    # --- What clients say --------------------------------------------------------------

    async def answer(self, content: Content) -> None:
        """Act on a frame; whatever is wrong with it is said, with the client's own `ref`."""
        ref = readable_ref(content)
        try:
            await self._act(content, ref)
        except (errors.Refused, Refused) as refused:
            self._complain(refused, ref)

    async def _act(self, content: Content, ref: str | int | None) -> None:
        type_ = content.get("type")
        if type_ == "ping":
            await super().answer(content)
            return
        act = self.ACTS.get(type_) if isinstance(type_, str) else None
        if act is None:
            raise Refused("unknown-type", f"This socket knows frames of type {KNOWN_TYPES}.")
        refuse_what_cannot_be_sent_back(content)
        await act(self, content, ref)

    async def _order(self, content: Content, ref: str | int | None) -> None:
        order = content.get("order")
        if order is None:
            raise Refused("unreadable", "Send the order with it, or a frame of type withdraw.")
        await self._wish(readable_turn(content), order, ref)

    async def _withdraw(self, content: Content, ref: str | int | None) -> None:
        await self._wish(readable_turn(content), None, ref)

    async def _wish(self, turn: int, order: Any, ref: str | int | None) -> None:
        await get_clerk().submit(Wish(self._seat(), turn, order))
        self.tell(frame("accepted", ref=ref, turn=turn, order=order))

    async def _draw(self, content: Content, ref: str | int | None) -> None:
        turn = readable_turn(content)
        offer = database_sync_to_async(offer_draw, thread_sensitive=False)
        await offer(seat=self._seat(), turn=turn)
        self.tell(frame("accepted", ref=ref, turn=turn, draw=True))

    async def _resume(self, content: Content, ref: str | int | None) -> None:
        """Tell what the client has missed, or all of it if it seems to have missed nothing."""
        version, told = content.get("version"), self.follower.version
        is_behind = type(version) is int and told is not None and 0 < version < told
        self.follower.version = version if is_behind else None
        crier_of(get_hub()).look(self.code)

    async def _say(self, content: Content, ref: str | int | None) -> None:
        """Say a line; it comes back with everybody else's, by the hint of its commit."""
        speak = database_sync_to_async(say, thread_sensitive=False)
        line = await speak(code=self.code, visitor=self.visitor, text=content.get("text"))
        self.tell(frame("accepted", ref=ref, room=line["room"], number=line["number"]))

    def _seat(self) -> int:
        face = self.follower.face
        if face is None or face.number is None:
            raise errors.NotSeated
        return face.number

    def _complain(self, refused: errors.Refused | Refused, ref: str | int | None) -> None:
        with translation.override(self.follower.language):
            self.tell(frame("error", code=refused.code, text=sendable(str(refused)), ref=ref))

    ACTS: ClassVar[
        dict[str, Callable[["TournamentSocket", Content, str | int | None], Awaitable[None]]]
    ] = {
        "order": _order,
        "withdraw": _withdraw,
        "draw": _draw,
        "resume": _resume,
        "say": _say,
    }


KNOWN_TYPES = ", ".join((*TournamentSocket.ACTS, "ping"))


# No more than a code can be: it becomes the name of a topic, and not every text can be one.
websocket_urlpatterns = [
    re_path(r"^ws/tournaments/(?P<code>[a-z0-9]{1,20})/$", TournamentSocket.as_asgi())
]
