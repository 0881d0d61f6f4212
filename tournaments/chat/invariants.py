"""What must hold of chats at any time."""

from collections.abc import Iterable

from django.db.models import Count, F, Max

from dynasties.audit import invariant
from tournaments.chat.models import Line, Room


@invariant("The lines of a room are numbered from one, without gaps, up to its count.")
def rooms_that_miscounted() -> Iterable[Room]:
    counted = Room.objects.annotate(lines_there=Count("lines"), last=Max("lines__number"))
    spoken = counted.filter(lines_there__gt=0)
    yield from counted.filter(lines_there=0).exclude(said=0)
    yield from spoken.exclude(said=F("lines_there"))
    yield from spoken.exclude(said=F("last"))


@invariant("A line was said from a seat of the same tournament, or from none.")
def lines_of_another_table() -> Iterable[Line]:
    seated = Line.objects.filter(seat__isnull=False)
    return seated.exclude(seat__tournament=F("room__tournament"))
