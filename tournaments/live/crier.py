"""The crier of an event loop: hears that tournaments have changed, looks, and tells its sockets.

All that changed while he looked he looks up together next. A socket is told what it has missed
since the version that it knows; a hint that was lost is made good by a look around every two
seconds, which also finds turns that are overdue.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import structlog
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.utils import timezone

from dynasties.notices.hub import Hub, Socket, handles, regularly
from dynasties.notices.live import WORLD, frame
from tournaments.announcements.models import Tournament
from tournaments.live import attendance
from tournaments.live.attendance import Attendance
from tournaments.live.clerk import get_clerk
from tournaments.live.frames import frames_since, written
from tournaments.live.gathering import Gathering
from tournaments.live.sights import NOBODY, Face, Identity, Sight, read_sights
from tournaments.turns.mishaps import describe

log = structlog.get_logger(__name__)

LOOK_AROUND_SECONDS = 2
ROLL_CALL_SECONDS = 1
# Other nodes hear every so many roll calls who is here, even if nobody has come or gone.
ROLL_CALLS_A_MESSAGE = 4
READY_SECONDS = 0.1
MOST_AT_ONCE = 200


class FollowingSocket(Socket, Protocol):
    """A socket that follows a tournament."""

    def find_nothing(self) -> None:
        """There is no such tournament, or not any more."""


@dataclass(eq=False)
class Follower:
    """What the crier knows of one socket: whose it is, and what it has been told."""

    socket: "FollowingSocket"
    identity: Identity = NOBODY
    language: str = "en"
    version: int | None = None
    """The version that it knows; None: nothing yet, or it has asked for everything."""
    face: Face | None = None
    ready: int | None = None
    """How many it knows to be ready; None where that is hidden."""
    knows_the_end: bool = False
    waits_for_the_end: bool = False

    def learn(self, sight: Sight, *, anew: bool) -> None:
        """Note what it has been told; `anew` if there was anything to tell."""
        self.version = sight.tournament.version
        self.knows_the_end = sight.tournament.is_over
        if anew:
            self.ready = sight.ready
        if not sight.is_gone:  # nobody remembers whose seats those were
            self.face = sight.face_of(self.identity)


class _Asking(NamedTuple):
    """What is told to all who ask in the same way."""

    identity: Identity
    seat: str | None
    language: str
    since: int | None

    @classmethod
    def of(cls, follower: Follower) -> "_Asking":
        seat = follower.face.seat if follower.face else None
        return cls(follower.identity, seat, follower.language, follower.version)


class _Telling(NamedTuple):
    """What one look has found for those who asked."""

    sight: Sight
    frames: Mapping[_Asking, list[str]]
    of: int


@dataclass(eq=False)
class Crier:
    """One an event loop, beside its hub."""

    node: str
    followers: dict[str, dict[Socket, Follower]] = field(default_factory=dict)
    _open: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The open turn of each tournament, and how many are due in it."""
    _ready: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Counts that are about to be told: of which turn, and how many."""
    _presented: dict[str, Attendance] = field(default_factory=dict)
    _told_others: Mapping[str, Attendance] = field(default_factory=dict)
    _roll_calls: int = 0

    def __post_init__(self) -> None:
        self._looking: Gathering[str] = Gathering(self._look_up, most=MOST_AT_ONCE)

    # --- Coming and going --------------------------------------------------------------

    def welcome(self, code: str, follower: Follower) -> None:
        """Tell a socket how a tournament stands, and from now on what changes."""
        self.followers.setdefault(code, {})[follower.socket] = follower
        self.look(code)

    def dismiss(self, code: str, socket: Socket) -> None:
        following = self.followers.get(code, {})
        following.pop(socket, None)
        if not following:
            self.followers.pop(code, None)
            self._open.pop(code, None)
            self._presented.pop(code, None)
        if not self.followers:
            attendance.forget(self.node)

    # --- What has changed --------------------------------------------------------------

    def look(self, *codes: str) -> None:
        """Look what has become of tournaments, and tell those who follow them. Never waits."""
        self._looking.add(code for code in codes if code in self.followers)

    async def _look_up(self, codes: list[str]) -> None:
        asked = {code: self._askings(code) for code in codes if code in self.followers}
        find = database_sync_to_async(_find, thread_sensitive=False)
        for code, telling in (await find(asked)).items():
            if telling is None:
                self._send_away(code)
            else:
                self._tell(code, telling)

    def _askings(self, code: str) -> set[_Asking]:
        return {_Asking.of(each) for each in self.followers[code].values()}

    def _tell(self, code: str, telling: _Telling) -> None:
        self._open[code] = (telling.sight.tournament.turn, telling.of)
        for follower in list(self.followers.get(code, {}).values()):
            frames = telling.frames.get(_Asking.of(follower))
            if frames is None:
                continue  # came, or asked again, while we looked: the next look is for it
            for text in frames:
                follower.socket.push(text)
            follower.learn(telling.sight, anew=bool(frames))

    def _send_away(self, code: str) -> None:
        """Send away whoever follows what is not there; who has seen it waits for another look.

        Between the end of a training and its afterglow lies a moment without either.
        """
        for follower in list(self.followers.get(code, {}).values()):
            if follower.version is None or follower.waits_for_the_end:
                follower.socket.find_nothing()
            follower.waits_for_the_end = True

    # --- Who is ready ------------------------------------------------------------------

    def count(self, code: str, turn: int, ready: int) -> None:
        """Tell soon how many are ready. Several orders at a time are told once, or not at all.

        Where all order at once a turn is over before anybody could read a count.
        """
        if code not in self._ready:
            asyncio.get_running_loop().call_later(READY_SECONDS, self._tell_ready, code)
        self._ready[code] = (turn, ready)

    def _tell_ready(self, code: str) -> None:
        """Tell a count to all to whom it is news: an order that was replaced is none."""
        turn, ready = self._ready.pop(code)
        open_turn, of = self._open.get(code, (None, 0))
        if open_turn != turn:
            return  # whoever is told of that turn is told the count with it
        text = written(frame("ready", code=code, turn=turn, count=ready, of=of))
        for follower in list(self.followers.get(code, {}).values()):
            if follower.ready not in (None, ready):
                follower.ready = ready
                follower.socket.push(text)

    def _push(self, code: str, content: Mapping[str, Any]) -> None:
        text = written(content)
        for follower in list(self.followers.get(code, {}).values()):
            if follower.version is not None:
                follower.socket.push(text)

    # --- Who is there --------------------------------------------------------------------

    def _here(self, code: str) -> Attendance:
        following = self.followers[code].values()
        seats = {each.face.seat for each in following if each.face is not None}
        watchers = {
            each.socket.visitor.mark or id(each.socket) for each in following if each.face is None
        }
        return Attendance(tuple(sorted(seats)), len(watchers))

    async def call_the_roll(self) -> None:
        """Tell sockets and other nodes who has come and gone."""
        if not self.followers:
            return
        told = {code: self._here(code) for code in self.followers}
        attendance.note(self.node, told)
        for code in told:
            there = attendance.attendance(code)
            if self._presented.get(code) != there:
                self._presented[code] = there
                here = frame("presence", code=code, here=there.here, watchers=there.watchers)
                self._push(code, here)
        await self._tell_other_nodes(told)

    async def _tell_other_nodes(self, told: Mapping[str, Attendance]) -> None:
        self._roll_calls += 1
        if told == self._told_others and self._roll_calls % ROLL_CALLS_A_MESSAGE:
            return
        self._told_others = told
        message = {
            "type": "attendance",
            "node": self.node,
            "told": attendance.to_message(told),
        }
        await get_channel_layer().group_send(WORLD, message)

    # --- What no hint told ---------------------------------------------------------------

    async def look_around(self) -> None:
        """Compare versions and deadlines with the database: one query for all."""
        codes = [code for code, following in self.followers.items() if _may_change(following)]
        if not codes:
            return
        rows = await database_sync_to_async(_versions, thread_sensitive=False)(codes)
        self.look(*(code for code in codes if self._is_behind(code, rows.get(code))))
        now = timezone.now()
        get_clerk().close(
            number for number, _version, deadline in rows.values() if deadline and deadline <= now
        )

    def _is_behind(self, code: str, row: tuple[int, int, Any] | None) -> bool:
        following = self.followers.get(code, {}).values()
        return row is None or any(each.version != row[1] for each in following)


def _may_change(following: Mapping[Socket, Follower]) -> bool:
    """Whether there can be news: nothing follows on an end that everybody has been told."""
    return any(not each.knows_the_end for each in following.values())


def _versions(codes: list[str]) -> dict[str, tuple[int, int, Any]]:
    rows = Tournament.objects.filter(code__in=codes)
    return {
        code: (number, version, deadline)
        for code, number, version, deadline in rows.values_list("code", "pk", "version", "deadline")
    }


# --- Looking, in a thread ----------------------------------------------------------------


def _find(asked: Mapping[str, set[_Asking]]) -> dict[str, _Telling | None]:
    """What there is to tell; None of what there is not. What can't be told now is left out."""
    sights = read_sights({code: _earliest(askings) for code, askings in asked.items()})
    found: dict[str, _Telling | None] = {}
    for code, askings in asked.items():
        try:
            found[code] = _render(sights[code], askings) if code in sights else None
        except Exception as error:  # one broken tournament must not silence the others
            log.error("tournament_not_told", code=code, **describe(error))
    return found


def _earliest(askings: Iterable[_Asking]) -> int | None:
    known = [asking.since for asking in askings if asking.since is not None]
    return min(known, default=None)


def _render(sight: Sight, askings: Iterable[_Asking]) -> _Telling:
    """The frames for everybody who asks; those who may see the same share them."""
    shared: dict[tuple[int | None, str | None, str], list[str]] = {}
    frames = {}
    for asking in askings:
        key = asking.since, _viewer(sight, asking), asking.language
        if key not in shared:
            shared[key] = frames_since(sight, *key)
        frames[asking] = shared[key]
    return _Telling(sight, frames, len(sight.due()))


def _viewer(sight: Sight, asking: _Asking) -> str | None:
    """Whose eyes they are. Of training that is gone each keeps the seat that he had."""
    if sight.is_gone:
        return asking.seat
    face = sight.face_of(asking.identity)
    return face.seat if face else None


# --- What the hub brings -----------------------------------------------------------------

_criers: WeakKeyDictionary[Hub, Crier] = WeakKeyDictionary()


def crier_of(hub: Hub) -> Crier:
    """The crier beside this hub."""
    if hub not in _criers:
        _criers[hub] = Crier(hub.node)
    return _criers[hub]


@handles("tournament")
def hear_change(hub: Hub, message: dict[str, Any]) -> None:
    match message:
        case {"code": str(code)}:
            crier_of(hub).look(code)


@handles("ready")
def hear_ready(hub: Hub, message: dict[str, Any]) -> None:
    match message:
        case {"code": str(code), "turn": int(turn), "count": int(count)}:
            crier = crier_of(hub)
            if code in crier.followers:
                crier.count(code, turn, count)


@handles("attendance")
def hear_attendance(hub: Hub, message: dict[str, Any]) -> None:
    match message:
        case {"node": str(node), "told": dict(told)} if node != hub.node:
            attendance.note(node, attendance.from_message(told))


@regularly(seconds=LOOK_AROUND_SECONDS)
async def look_around(hub: Hub) -> None:
    await crier_of(hub).look_around()


@regularly(seconds=ROLL_CALL_SECONDS)
async def call_the_roll(hub: Hub) -> None:
    await crier_of(hub).call_the_roll()
