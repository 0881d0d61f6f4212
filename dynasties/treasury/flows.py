"""How wealth flowed of late: what the mint made and took back, and what moved for which reason."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.utils.functional import Promise

from dynasties.clock import database_now
from dynasties.treasury.models import Account, Kind, Leg
from dynasties.treasury.reasons import reason_for, sealed_reasons

DAYS = 30


@dataclass(frozen=True)
class Stream:
    """How much of one kind moved for one reason, and its share of all that moved of the kind.

    `moved` is None for what moved under seal; it has no part in the shares of the others.
    """

    words: str | Promise
    moved: int | None
    percent: float


@dataclass(frozen=True)
class Flow:
    """One kind: what came from the mint and went back to it, and why it moved, most first."""

    kind: Kind
    made: int
    taken: int
    streams: list[Stream]

    @property
    def net(self) -> int:
        return self.made - self.taken

    @property
    def made_percent(self) -> float:
        return percent(self.made, max(self.made, self.taken))

    @property
    def taken_percent(self) -> float:
        return percent(self.taken, max(self.made, self.taken))


class _Moved(NamedTuple):
    """The sums of one kind and reason: all that arrived, of it at the mint, and from the mint."""

    kind: int
    reason: str
    moved: int
    taken: int
    made: int


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def wealth_that_flowed(*, days: int = DAYS) -> list[Flow]:
    """What flowed in the last `days`, for each kind that did, in the order of lists.

    Three questions, however much it was: the clock's, one for all sums, which reads the
    transfers of these days by their index and their legs, and one for the kinds.
    """
    by_kind: dict[int, list[_Moved]] = defaultdict(list)
    for row in _sums(days):
        by_kind[row.kind].append(row)
    return [_flow(each, by_kind[each.pk]) for each in Kind.objects.filter(pk__in=by_kind)]


def _sums(days: int) -> Iterable[_Moved]:
    since = database_now() - timedelta(days=days)
    arrives, mint = Q(amount__gt=0), Q(account__holder=Account.Holder.MINT)
    legs = Leg.objects.filter(transfer__made_at__gte=since).order_by()
    sums = legs.values_list("kind", "transfer__reason").annotate(
        moved=Coalesce(Sum("amount", filter=arrives), 0),
        taken=Coalesce(Sum("amount", filter=arrives & mint), 0),
        made=-Coalesce(Sum("amount", filter=~arrives & mint), 0),
    )
    return (_Moved(*row) for row in sums)


def _flow(kind: Kind, rows: list[_Moved]) -> Flow:
    sealed = sealed_reasons()
    told = sorted(
        (row for row in rows if row.reason not in sealed), key=lambda row: (-row.moved, row.reason)
    )
    hidden = sorted((row for row in rows if row.reason in sealed), key=lambda row: row.reason)
    whole = sum(row.moved for row in told)
    return Flow(
        kind=kind,
        made=sum(row.made for row in rows),
        taken=sum(row.taken for row in rows),
        streams=[
            *(_stream(row, row.moved, percent(row.moved, whole)) for row in told),
            *(_stream(row, None, 0.0) for row in hidden),
        ],
    )


def _stream(row: _Moved, moved: int | None, share: float) -> Stream:
    return Stream(reason_for(row.reason).words, moved, share)
