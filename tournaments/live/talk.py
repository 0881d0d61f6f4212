"""What is said beside a tournament: each line is read once, and told to those who may hear it."""

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

from dynasties.notices.hub import Hub, handles
from dynasties.notices.presence import Visitor
from dynasties.relations.people import Person
from tournaments.chat.live import Said, handle_say, read_said
from tournaments.live.crier import Follower, crier_of
from tournaments.live.frames import written
from tournaments.live.gathering import Gathering
from tournaments.live.people import player_behind

MOST_AT_ONCE = 50


class _Line(NamedTuple):
    """Where a line stands."""

    code: str
    room: str
    number: int


def say(*, code: str, visitor: Visitor, text: object) -> dict[str, Any]:
    """Say a line for whoever is behind a socket; the frame of the line. Raises Refused."""
    return handle_say(code=code, player=player_behind(visitor), text=text)


@handles("said")
def hear_said(hub: Hub, message: dict[str, Any]) -> None:
    match message:
        case {"code": str(code), "room": str(room), "number": int(number)}:
            if code in crier_of(hub).followers:
                _talk_of(hub).add([_Line(code, room, number)])


_talks: WeakKeyDictionary[Hub, Gathering[_Line]] = WeakKeyDictionary()


def _talk_of(hub: Hub) -> Gathering[_Line]:
    if hub not in _talks:
        _talks[hub] = Gathering(_teller(crier_of(hub).followers), most=MOST_AT_ONCE)
    return _talks[hub]


def _teller(followers: dict[str, dict[Any, Follower]]) -> Callable[[list[_Line]], Any]:
    async def tell_lines(lines: list[_Line]) -> None:
        read = database_sync_to_async(_read, thread_sensitive=False)
        for line, said in await read(lines):
            _tell(said, list(followers.get(line.code, {}).values()))

    return tell_lines


def _read(lines: list[_Line]) -> list[tuple[_Line, Said]]:
    found = ((line, read_said(**line._asdict())) for line in lines)
    return [(line, said) for line, said in found if said is not None]


def _tell(said: Said, followers: list[Follower]) -> None:
    texts: dict[str, str] = {}
    for follower in followers:
        who = Person(follower.identity.dynasty, follower.identity.guest)
        if said.may_be_heard_by(person=who, user=follower.identity.user):
            language = follower.language
            if language not in texts:
                texts[language] = written(said.frame_in(language))
            follower.socket.push(texts[language])
