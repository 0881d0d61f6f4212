"""What sockets need of the chat: plain functions that read and write, to be run in a thread.

The socket hears a hint that names a line, reads it once for all its listeners, and asks for
each of them whether he may hear it.
"""

from dataclasses import dataclass
from typing import Any

from django.utils import translation

from dynasties.notices.live import frame
from dynasties.relations.people import People, Person
from tournaments.announcements.models import Tournament
from tournaments.chat.access import rooms_heard
from tournaments.chat.errors import NoSuchLine
from tournaments.chat.models import Line
from tournaments.chat.selectors import deaf_to, lines
from tournaments.chat.services import say
from tournaments.seating.players import Player


@dataclass(frozen=True)
class Said:
    """One line, and who may not hear it."""

    line: Line
    room: str
    is_over: bool
    seated: People
    former_guests: frozenset[int]
    """The accounts of those who took their seat as guests."""
    deaf: People

    def may_be_heard_by(self, *, person: Person, user: int | None) -> bool:
        """Whether a line reaches somebody; asked for every socket, so it asks no database."""
        is_seated = person in self.seated or user in self.former_guests
        heard = rooms_heard(
            is_over=self.is_over,
            is_seated=is_seated,
            is_spectator=not is_seated and person.dynasty is not None,
        )
        return self.room in heard and person not in self.deaf

    def frame_in(self, language: str) -> dict[str, Any]:
        """The frame in a language: who spoke may be called otherwise in another one."""
        with translation.override(language):
            return said_frame(self.line)


def said_frame(line: Line) -> dict[str, Any]:
    """The frame `said` of a line, as docs/live-protocol.md has it."""
    return frame(
        "said",
        room=line.room.name,
        number=line.number,
        who=line.who,
        seat=line.seat.name if line.seat else None,
        text=line.text,
        at=line.said_at.isoformat(),
    )


def read_said(*, code: str, room: str, number: int) -> Said | None:
    """A line with all that decides who hears it; None if it is gone."""
    line = (
        lines()
        .select_related("room__tournament")
        .filter(room__tournament__code=code, room__name=room, number=number)
        .first()
    )
    if line is None:
        return None
    tournament = line.room.tournament
    owners = list(tournament.seats.values_list("dynasty", "guest", "guest__became"))
    return Said(
        line=line,
        room=room,
        is_over=tournament.is_over,
        seated=People(_known(row[0] for row in owners), _known(row[1] for row in owners)),
        former_guests=_known(row[2] for row in owners),
        deaf=deaf_to(tournament.pk, line.author),
    )


def handle_say(*, code: str, player: Player, text: object) -> dict[str, Any]:
    """Say what a socket's client wants said; the frame of the line. Raises Refused."""
    tournament = Tournament.objects.filter(code=code).first()
    if tournament is None:
        raise NoSuchLine
    return said_frame(say(tournament=tournament, player=player, text=text))


def _known(keys: Any) -> frozenset[Any]:
    return frozenset(key for key in keys if key is not None)
