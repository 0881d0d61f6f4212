"""What may be read of a chat, and by whom."""

from collections.abc import Mapping, Sequence

from django.db.models import QuerySet

from dynasties.relations.people import People, Person
from dynasties.relations.selectors import blocked_by, blockers_of
from tournaments.announcements.models import Tournament
from tournaments.chat.access import Listener, rooms_for
from tournaments.chat.models import Line, Mute, Silence

# Of a room, at once; who wants more asks again from the last one.
MOST_LINES = 100


def lines() -> QuerySet[Line]:
    """Lines with all that a page tells of them."""
    return Line.objects.select_related(
        "room", "dynasty", "guest", "seat__emperor", "seat__guest"
    ).order_by("said_at", "pk")


def lines_for(
    *, tournament: Tournament, who: Listener, since: Mapping[str, int] | None = None
) -> list[Line]:
    """What a listener may read, in the order in which it was said.

    `since` has the last number that he knows of each room. Without one the newest lines come,
    with one those that follow it; MOST_LINES of a room at most.
    """
    hidden = hidden_from(tournament, who.person)
    found = [
        line
        for room in rooms_for(tournament, who)
        for line in _of_room(tournament, room, hidden, (since or {}).get(room))
    ]
    return sorted(found, key=lambda line: (line.said_at, line.pk))


def find_line(*, tournament: Tournament, who: Listener, room: str, number: int) -> Line | None:
    """One line, if this listener may read the room that it was said in."""
    if room not in rooms_for(tournament, who):
        return None
    return lines().filter(room__tournament=tournament, room__name=room, number=number).first()


def lines_around(line: Line, *, before: int, after: int) -> list[Line]:
    """A line with those that were said before and after it in the same room."""
    near = lines().filter(
        room=line.room, number__gte=line.number - before, number__lte=line.number + after
    )
    return list(near.order_by("number"))


def hidden_from(tournament: Tournament, person: Person) -> People:
    """Whose lines a reader does not want to see here: whom he muted here or blocked."""
    if person.is_nobody:
        return People()
    return blocked_by(person) | _muted(mutes_by(tournament, person))


def deaf_to(tournament_number: int, author: Person) -> People:
    """Who does not want to see the lines of an author here."""
    mutes = Mute.objects.filter(
        author.among("other_dynasty", "other_guest"), tournament=tournament_number
    )
    rows = list(mutes.values_list("dynasty", "guest"))
    deaf = People(
        frozenset(dynasty for dynasty, _guest in rows if dynasty),
        frozenset(guest for _dynasty, guest in rows if guest),
    )
    return blockers_of(author) | deaf


def mutes_by(tournament: Tournament, person: Person) -> QuerySet[Mute]:
    """Whom a reader muted in a tournament, with their names."""
    own = Mute.objects.filter(person.among("dynasty", "guest"), tournament=tournament)
    return own.select_related("other_dynasty", "other_guest").order_by("pk")


def silence_of(person: Person, *, at: object) -> Silence | None:
    """What keeps a person from speaking now; the longest, if there are several."""
    now = Silence.objects.filter(person.among("dynasty", "guest"), lifted_at=None)
    return now.filter(began_at__lte=at, ends_at__gt=at).order_by("-ends_at").first()


def _muted(mutes: QuerySet[Mute]) -> People:
    rows: Sequence[Mute] = list(mutes)
    return People(
        frozenset(row.other_dynasty_id for row in rows if row.other_dynasty_id),
        frozenset(row.other_guest_id for row in rows if row.other_guest_id),
    )


def _of_room(
    tournament: Tournament, room: str, hidden: People, since: int | None
) -> QuerySet[Line]:
    said = lines().filter(room__tournament=tournament, room__name=room)
    said = said.exclude(hidden.among("dynasty", "guest"))
    if since is None:
        return said.order_by("-number")[:MOST_LINES]
    return said.filter(number__gt=since).order_by("number")[:MOST_LINES]
