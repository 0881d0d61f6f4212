"""What may be known of emperors, of their dynasties' standing and of champions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar

from django.core import signing
from django.db.models import Q, QuerySet
from django.utils.dateparse import parse_datetime

from dynasties.chronicle.facts import Subject
from dynasties.chronicle.selectors import Stretch, Wanted, read
from dynasties.houses.models import Dynasty
from emperors.models import (
    Championship,
    Emperor,
    Reign,
    ReputationChange,
    Standing,
    StandingChange,
)
from emperors.tellings import SUBJECT

RANKS_A_PAGE = 100
POINTS_A_CURVE = 1000
# Who is further down is told so: to count them all would cost more with every new dynasty.
MOST_COUNTED = 10_000


# --- The ranking of the world ---------------------------------------------------------


class Rank(NamedTuple):
    """A dynasty's place in the world."""

    place: int
    dynasty: Dynasty
    reputation: int
    since: datetime


class Cursor(NamedTuple):
    """The last place of a page, from which the next one goes on."""

    place: int
    house: int
    reputation: int
    since: datetime

    def __str__(self) -> str:
        """Signed: a place that anybody could write would let anybody claim one."""
        content = [self.place, self.house, self.reputation, self.since.isoformat()]
        return signing.dumps(content, salt="ranking")

    @classmethod
    def parse(cls, text: str) -> "Cursor | None":
        """The cursor that a page was given; None for anything else."""
        try:
            place, house, reputation, since = signing.loads(text, salt="ranking")
        except (signing.BadSignature, ValueError):
            return None
        moment = parse_datetime(since)
        return cls(place, house, reputation, moment) if moment else None


@dataclass(frozen=True)
class Ranking:
    """A page of the ranking; `older` is where the next one begins, if there is one."""

    ranks: Sequence[Rank]
    further: Cursor | None


class Place(NamedTuple):
    """Where a dynasty stands; beyond `number` if it is not exact."""

    number: int
    exact: bool


def ranking(*, after: Cursor | None = None, limit: int = RANKS_A_PAGE) -> Ranking:
    """Dynasties with reputation, highest first, of equals the one that reached it first.

    Two queries, whatever the size of the world: the first one finds all it needs in an index.
    """
    rows = Standing.objects.ranked()
    if after is not None:
        rows = rows.filter(_below(after))
    figures = list(rows.values_list("dynasty_id", "reputation", "since")[: limit + 1])
    houses = Dynasty.objects.in_bulk([house for house, _points, _since in figures[:limit]])
    first = (after.place if after else 0) + 1
    ranks = [
        Rank(place, houses[house], points, since)
        for place, (house, points, since) in enumerate(figures[:limit], first)
    ]
    return Ranking(ranks, _cursor(ranks[-1]) if len(figures) > limit else None)


def standing_of(dynasty: Dynasty) -> Standing:
    """The dynasty's standing; one of nothing where none is kept."""
    return Standing.objects.filter(pk=dynasty.pk).first() or Standing(dynasty=dynasty)


def place_of(standing: Standing) -> Place | None:
    """The place in the ranking, exact among the first; None without reputation or fallen."""
    if not standing.is_ranked or not standing.reputation:
        return None
    ahead = Standing.objects.ranked().filter(_above(standing)).values("pk")
    count = ahead[:MOST_COUNTED].count()
    return Place(count + 1, True) if count < MOST_COUNTED else Place(MOST_COUNTED, False)


def champion() -> Championship | None:
    """The dynasty that stands above all others now."""
    return Championship.objects.filter(ended_at=None).select_related("dynasty").first()


def champions() -> QuerySet[Championship]:
    """Every time in which a dynasty was champion, the latest first."""
    return Championship.objects.select_related("dynasty").order_by("-began_at", "-pk")


def _cursor(rank: Rank) -> Cursor:
    return Cursor(rank.place, rank.dynasty.pk, rank.reputation, rank.since)


def _below(last: Cursor) -> Q:
    # The first part alone lets an index be walked from there; the others are exact.
    return Q(reputation__lte=last.reputation) & (
        Q(reputation__lt=last.reputation)
        | Q(since__gt=last.since)
        | Q(since=last.since, pk__gt=last.house)
    )


def _above(standing: Standing) -> Q:
    return Q(reputation__gte=standing.reputation) & (
        Q(reputation__gt=standing.reputation)
        | Q(since__lt=standing.since)
        | Q(since=standing.since, pk__lt=standing.pk)
    )


# --- Reputation over time -------------------------------------------------------------

Change = TypeVar("Change", StandingChange, ReputationChange)


def curve(
    dynasty: Dynasty, *, before: int | None = None, limit: int = POINTS_A_CURVE
) -> list[StandingChange]:
    """How a dynasty's reputation changed, oldest first: the latest `limit`, or those before one."""
    changes = StandingChange.objects.filter(dynasty=dynasty).order_by("-pk")
    return _latest(changes, before, limit)


def curve_of(
    emperor: Emperor, *, before: int | None = None, limit: int = POINTS_A_CURVE
) -> list[ReputationChange]:
    """How an emperor's reputation changed, in the same way."""
    changes = ReputationChange.objects.filter(emperor=emperor).order_by("-pk")
    return _latest(changes, before, limit)


def _latest(changes: QuerySet[Change], before: int | None, limit: int) -> list[Change]:
    if before is not None:
        changes = changes.filter(pk__lt=before)
    return list(changes[:limit])[::-1]


# --- Emperors -------------------------------------------------------------------------


def emperors_of(dynasty: Dynasty) -> QuerySet[Emperor]:
    """The living emperors of a dynasty, greatest first."""
    return Emperor.objects.filter(dynasty=dynasty).order_by("-reputation", "pk")


def reigns_in(dynasty: Dynasty) -> QuerySet[Reign]:
    """Every stretch that an emperor spent with the dynasty, the latest first."""
    reigns = Reign.objects.filter(dynasty=dynasty).select_related("emperor")
    return reigns.order_by("-began_at", "-pk")


def reigns_of(emperor: Emperor) -> list[Reign]:
    """Whom an emperor belonged to, from his birth on."""
    reigns = emperor.reigns.select_related("dynasty")
    return list(reigns.order_by("began_at", "pk"))


def find_emperor(number: int) -> Emperor | None:
    """The emperor of this number, alive or dead."""
    return Emperor.objects.select_related("dynasty", "founder").filter(pk=number).first()


def own_emperor(dynasty: Dynasty | None, number: int) -> Emperor | None:
    """The living emperor of this number, if he is of this dynasty."""
    return emperors_of(dynasty).filter(pk=number).first() if dynasty else None


def biography(emperor: Emperor) -> Stretch:
    """What the chronicle tells of his life, the latest first; the rest is to be read there."""
    return read(Wanted(about=Subject(SUBJECT, emperor.pk)))
