"""Speaking, and not listening. What is reported and who is silenced: see `moderation`."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.formats import date_format
from django.utils.timezone import localtime

from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from dynasties.relations import services as relations
from dynasties.relations.people import Person
from tournaments.announcements.models import Tournament
from tournaments.chat import errors
from tournaments.chat.access import Listener, listener, room_to_speak_in
from tournaments.chat.models import Line, Mute, Room
from tournaments.chat.news import tell_said
from tournaments.chat.selectors import find_line, mutes_by, silence_of
from tournaments.chat.wording import clean_line
from tournaments.seating.players import Player

# How many lines of one person, in all rooms of the world, in so many seconds.
LIMITS = ((5, 10), (30, 300))
# The same words again within this time are a second click, or a retry.
ECHO = timedelta(seconds=5)


@transaction.atomic
def say(*, tournament: Tournament, player: Player, text: object) -> Line:
    """Say a line in the room where the player may speak. Raises Refused.

    The same words at once again are the same line.
    """
    words = clean_line(text)
    held = hold(tournament)
    who = listener(held, player)
    name = room_to_speak_in(held, who, at=database_now())
    room = _hold_room(held, name)
    now = database_now()
    _refuse_silenced(who.person, now)
    echo = _echo(room, who.person, words, now)
    if echo is not None:
        return echo
    _refuse_flood(who.person, now)
    line = _write(room, who, words, now)
    tell_said(held.code, line, name)
    return line


@transaction.atomic
def mute(*, tournament: Tournament, player: Player, room: str, number: int) -> None:
    """Hide the author of a line from the player, in this tournament. Raises Refused."""
    held = hold(tournament)
    who, line = line_before(held, player, room, number)
    refuse_own(who.person, line)
    by, whom = who.person, line.author
    row = Mute(
        tournament=held,
        dynasty_id=by.dynasty,
        guest_id=None if by.dynasty else by.guest,
        other_dynasty_id=whom.dynasty,
        other_guest_id=None if whom.dynasty else whom.guest,
    )
    Mute.objects.bulk_create([row], ignore_conflicts=True)


@transaction.atomic
def unmute(*, tournament: Tournament, player: Player, number: int) -> bool:
    """Take a mute of one's own back; False if there is none with this number."""
    person = listener(tournament, player).person
    return bool(mutes_by(tournament, person).filter(pk=number).delete()[0])


@transaction.atomic
def block_author(*, tournament: Tournament, player: Player, room: str, number: int) -> None:
    """Block the author of a line, here and everywhere. Raises Refused, TooManyBlocks."""
    who, line = line_before(tournament, player, room, number)
    refuse_own(who.person, line)
    relations.block(by=who.person, whom=line.author)


@transaction.atomic
def take_words_down(*, dynasty: Dynasty) -> None:
    """Whoever leaves the world takes his words along; that he spoke remains."""
    Line.objects.filter(dynasty=dynasty).update(text="")


# --- For this room's other services --------------------------------------------------------


def hold(tournament: Tournament) -> Tournament:
    """The tournament as it is now. Raises NoSuchLine if it has left no trace.

    Training is locked until the transaction ends: its end deletes all that belongs to it, and
    must not stumble over a row that came in between. Others stay, so talk holds up nobody there.
    """
    found = Tournament.objects.filter(pk=tournament.pk)
    if tournament.is_training:
        found = found.select_for_update(no_key=True)
    held = found.first()
    if held is None:
        raise errors.NoSuchLine
    return held


def line_before(
    tournament: Tournament, player: Player, room: str, number: int
) -> tuple[Listener, Line]:
    """A player and a line that he may read. Raises NotHeard for nobody, NoSuchLine."""
    who = listener(tournament, player)
    if who.person.is_nobody:
        raise errors.NotHeard
    line = find_line(tournament=tournament, who=who, room=room, number=number)
    if line is None:
        raise errors.NoSuchLine
    return who, line


def refuse_own(person: Person, line: Line) -> None:
    """Raise NotToOneself for one's own words, NoSuchLine where nobody is left behind them."""
    if line.author.is_nobody:
        raise errors.NoSuchLine
    if Line.objects.filter(person.among("dynasty", "guest"), pk=line.pk).exists():
        raise errors.NotToOneself


# --- Speaking --------------------------------------------------------------------------------


def _hold_room(tournament: Tournament, name: str) -> Room:
    Room.objects.bulk_create([Room(tournament=tournament, name=name)], ignore_conflicts=True)
    return Room.objects.select_for_update().get(tournament=tournament, name=name)


def _refuse_silenced(person: Person, now: datetime) -> None:
    silence = silence_of(person, at=now)
    if silence is not None:
        until = date_format(localtime(silence.ends_at), "DATETIME_FORMAT")
        raise errors.Silenced(until=until, reason=silence.reason)


def _echo(room: Room, person: Person, words: str, now: datetime) -> Line | None:
    own = room.lines.filter(person.among("dynasty", "guest"), said_at__gt=now - ECHO)
    last = own.order_by("-number").first()
    return last if last is not None and last.text == words else None


def _refuse_flood(person: Person, now: datetime) -> None:
    said = Line.objects.filter(person.among("dynasty", "guest"))
    for most, seconds in LIMITS:
        if said.filter(said_at__gt=now - timedelta(seconds=seconds)).count() >= most:
            raise errors.TooTalkative


def _write(room: Room, who: Listener, words: str, now: datetime) -> Line:
    room.said += 1
    room.save(update_fields=["said"])
    return Line.objects.create(
        room=room,
        number=room.said,
        dynasty_id=who.person.dynasty,
        guest_id=None if who.person.dynasty else who.person.guest,
        seat=who.seat,
        text=words,
        said_at=now,
    )
