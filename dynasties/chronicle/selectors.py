"""What may be read in the chronicle: a stretch at a time, never more queries for more rows."""

import heapq
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple

from django.db.models import F, Model, Q, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan

from dynasties.chronicle.codes import CODE_LENGTH, code_of
from dynasties.chronicle.facts import Ref, Subject
from dynasties.chronicle.kinds import UnknownSubject, all_subjects, subject_named
from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.models import Dynasty

ENTRIES_A_PAGE = 30
# As many digits as a database's number and Python's time can take.
SUBJECT = re.compile(r"([a-z][a-z-]{0,18})-([0-9]{1,18})", re.ASCII)
PLACE = re.compile(rf"([0-9]{{1,17}})-([0-9a-f]{{{CODE_LENGTH}}})", re.ASCII)
MICROSECONDS = 10**6


class Place(NamedTuple):
    """A place in the chronicle: the entries of one time follow each other by number.

    As a text, for addresses, it has the code of the number; `find_place` reads it.
    """

    at: datetime
    number: int

    def __str__(self) -> str:
        seconds = int(self.at.timestamp())
        return f"{seconds * MICROSECONDS + self.at.microsecond}-{code_of(self.number)}"

    @property
    def just_after(self) -> "Place":
        """The place from which this one is the first that is older."""
        return self._replace(number=self.number + 1)

    @classmethod
    def of(cls, entry: Entry) -> "Place":
        return cls(entry.at, entry.pk)


@dataclass(frozen=True)
class Wanted:
    """Which entries are asked for; `since` is the first moment, `until` the last."""

    about: Subject | None = None
    kind: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class Stretch:
    """Some entries, newest first, and from where to read on in both directions."""

    entries: Sequence[Entry]
    newer: Place | None = None
    older: Place | None = None


def newest(*, limit: int, about: Subject | None = None, kind: str = "") -> list[Entry]:
    """The latest public entries, newest first."""
    return list(read(Wanted(about=about, kind=kind), limit=limit).entries)


def read(
    wanted: Wanted,
    *,
    before: Place | None = None,
    after: Place | None = None,
    limit: int = ENTRIES_A_PAGE,
) -> Stretch:
    """The newest public entries, or those next to a place: `before` it or `after` it in time."""
    return _read([_lane(wanted, owner=None)], before=before, after=after, limit=limit)


def read_as_owner(
    dynasty: Dynasty,
    wanted: Wanted,
    *,
    before: Place | None = None,
    after: Place | None = None,
    limit: int = ENTRIES_A_PAGE,
) -> Stretch:
    """What the dynasty's own ruler may read of it: public and private entries in one stream."""
    if wanted.about is None:
        wanted = replace(wanted, about=Subject("dynasty", dynasty.pk))
    lanes = [_lane(wanted, owner=None), _lane(wanted, owner=dynasty)]
    return _read(lanes, before=before, after=after, limit=limit)


def find_place(text: str, *, reader: Dynasty | None = None) -> Place | None:
    """The place that somebody was given as a text; None for what can't be one.

    If no entry that the reader may see has the code, because it is forgotten or the secret key
    is another one, it is the beginning of that moment.
    """
    parts = PLACE.fullmatch(text)
    if parts is None:
        return None
    seconds, fraction = divmod(int(parts[1]), MICROSECONDS)
    at = datetime.fromtimestamp(seconds, UTC).replace(microsecond=fraction)
    numbers = (number for number in _numbers_at(at, reader) if code_of(number) == parts[2])
    return Place(at, next(numbers, 0))


def _numbers_at(at: datetime, reader: Dynasty | None) -> QuerySet[Entry, int]:
    """The entries of one moment for these eyes: few, and found by an index."""
    visible = Q(owner=None) | Q(owner=reader) if reader else Q(owner=None)
    return Entry.objects.filter(visible, at=at).order_by().values_list("pk", flat=True)


def private_entries_of(dynasty: Dynasty) -> QuerySet[Entry]:
    """All that the chronicle keeps for the eyes of this dynasty alone, oldest first."""
    return Entry.objects.filter(owner=dynasty).order_by("at", "pk")


# --- Who is meant ---------------------------------------------------------------------


def parse_subject(text: str) -> Subject | None:
    """The subject that an address names (`dynasty-7`), if there are such at all."""
    parts = SUBJECT.fullmatch(text)
    if parts is None:
        return None
    try:
        return Subject(subject_named(parts[1]).name, int(parts[2]))
    except UnknownSubject:
        return None


def name_of(subject: Subject) -> str | None:
    """What the subject is called today; None if the world doesn't know it."""
    kind = subject_named(subject.subject)
    known = kind.look_up([subject.number]).get(subject.number)
    if known is None:
        return None
    return known.name or _name_in_entries(subject) or f"{kind.title} {subject.number}"


def find_subjects(text: str) -> list[Ref]:
    """Whom a reader may mean by a text; one who bears exactly this name is meant alone."""
    found = [ref for kind in all_subjects() for ref in kind.find(text)]
    exact = [ref for ref in found if ref.name.casefold() == text.strip().casefold()]
    return exact if len(exact) == 1 else found


def _name_in_entries(subject: Subject) -> str | None:
    for entry in newest(about=subject, limit=1):
        for fact in entry.facts.values():
            if isinstance(fact, dict) and (fact.get("subject"), fact.get("number")) == subject:
                return str(fact["name"])
    return None


# --- Lanes: one index each ------------------------------------------------------------


@dataclass(frozen=True)
class Lane:
    """Rows in the order of one index: entries themselves, or mentions of a subject."""

    rows: QuerySet[Model]
    number: str

    def next_to(self, place: Place | None, *, ascending: bool, limit: int) -> list[Entry]:
        """The first entries beyond a place, or from the end of the lane."""
        rows = self.rows
        if place is not None:
            beyond = TupleGreaterThan if ascending else TupleLessThan
            rows = rows.filter(beyond(Tuple(F("at"), F(self.number)), tuple(place)))
        sign = "" if ascending else "-"
        ordered = rows.order_by(f"{sign}at", f"{sign}{self.number}")[:limit]
        return [row.entry if isinstance(row, Mention) else row for row in ordered]  # type: ignore[misc]


def _lane(wanted: Wanted, *, owner: Dynasty | None) -> Lane:
    mine = owner.pk if owner else None
    if wanted.about is None:
        entries = Entry.objects.filter(owner=mine)
        return Lane(_narrowed(entries, wanted, kind="kind"), "id")
    subject, number = wanted.about
    mentions = Mention.objects.filter(subject=subject, number=number, private_to=mine)
    told = _narrowed(mentions, wanted, kind="entry__kind")
    return Lane(told.select_related("entry"), "entry_id")


def _narrowed(rows: QuerySet[Model], wanted: Wanted, *, kind: str) -> QuerySet[Model]:
    if wanted.kind:
        rows = rows.filter(**{kind: wanted.kind})
    if wanted.since:
        rows = rows.filter(at__gte=wanted.since)
    if wanted.until:
        rows = rows.filter(at__lte=wanted.until)
    return rows


def _read(
    lanes: Sequence[Lane], *, before: Place | None, after: Place | None, limit: int
) -> Stretch:
    ascending = after is not None and before is None
    place = before or after
    found = [lane.next_to(place, ascending=ascending, limit=limit + 1) for lane in lanes]
    merged = heapq.merge(*found, key=Place.of, reverse=not ascending)
    entries = list(islice(merged, limit + 1))
    more, entries = len(entries) > limit, entries[:limit]
    return _stretch(entries[::-1] if ascending else entries, place, more, ascending)


def _stretch(entries: Sequence[Entry], place: Place | None, more: bool, ascending: bool) -> Stretch:
    """Whoever came from a place can go back there; beyond the other end there may be more."""
    if not entries:
        return Stretch(entries)
    has_newer = more if ascending else place is not None
    has_older = True if ascending else more
    return Stretch(
        entries,
        newer=Place.of(entries[0]) if has_newer else None,
        older=Place.of(entries[-1]) if has_older else None,
    )
