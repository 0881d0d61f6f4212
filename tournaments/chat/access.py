"""Who reads and who speaks where. Every door asks here, and nowhere else.

While it is fought (and before), those who have a seat hear each other and nobody else, and
spectators hear each other and nobody else: no advice reaches the table. A spectator is the
ruler of a dynasty; without an account nothing is read, or a seat would only have to open a
second window. When it is over everybody reads both rooms, and all go on talking in one.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from dynasties.relations.people import Person
from tournaments.announcements.models import Seat, Tournament
from tournaments.chat.errors import Closed, NotHeard
from tournaments.chat.models import Room
from tournaments.seating.players import Player, seat_of

SEATS, SPECTATORS = Room.Name.SEATS.value, Room.Name.SPECTATORS.value
BOTH = (SEATS, SPECTATORS)
# How long they go on talking when it is over.
AFTERWARDS = timedelta(hours=24)


@dataclass(frozen=True)
class Listener:
    """Somebody before a tournament: at the table, in the stands, or passing by."""

    person: Person
    seat: Seat | None = None

    @property
    def is_spectator(self) -> bool:
        return self.seat is None and self.person.dynasty is not None


def listener(tournament: Tournament, player: Player) -> Listener:
    """Where a player is in a tournament."""
    seat = None if player.is_nobody and player.user is None else seat_of(tournament, player)
    return Listener(player.person, seat)


def rooms_heard(*, is_over: bool, is_seated: bool, is_spectator: bool) -> tuple[str, ...]:
    """The rooms that somebody may read."""
    if is_over:
        return BOTH
    if is_seated:
        return (SEATS,)
    return (SPECTATORS,) if is_spectator else ()


def rooms_for(tournament: Tournament, who: Listener) -> tuple[str, ...]:
    """The rooms that a listener may read."""
    return rooms_heard(
        is_over=tournament.is_over,
        is_seated=who.seat is not None,
        is_spectator=who.is_spectator,
    )


def room_to_speak_in(tournament: Tournament, who: Listener, *, at: datetime) -> str:
    """The room in which a listener may speak. Raises NotHeard, Closed."""
    if who.seat is None and not who.is_spectator:
        raise NotHeard
    if not tournament.is_over:
        return SEATS if who.seat is not None else SPECTATORS
    if tournament.ended_at is None or at > tournament.ended_at + AFTERWARDS:
        raise Closed
    return SPECTATORS
