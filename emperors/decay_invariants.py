"""What must hold of decay at any time."""

from collections.abc import Iterable
from datetime import timedelta
from itertools import pairwise

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from dynasties.audit import invariant
from emperors.models import DecayDay, ReputationChange
from emperors.reasons import DECAY

ONE = timedelta(days=1)


@invariant("What decay took has its day, and nothing else has one.")
def decay_without_a_day() -> Iterable[ReputationChange]:
    return ReputationChange.objects.filter(
        Q(reason=DECAY, day__isnull=True) | (Q(day__isnull=False) & ~Q(reason=DECAY))
    )


@invariant("Decay only takes.")
def decay_that_gives() -> Iterable[ReputationChange]:
    return ReputationChange.objects.filter(reason=DECAY, change__gt=0)


@invariant("Every day on which decay took something is written down.")
def days_unwritten() -> Iterable[ReputationChange]:
    written = DecayDay.objects.filter(day=OuterRef("day"))
    return ReputationChange.objects.filter(~Exists(written), day__isnull=False)


@invariant("A day of decay says from how many it took, and how much.")
def days_with_wrong_sums() -> Iterable[DecayDay]:
    lost = ReputationChange.objects.filter(day=OuterRef("pk")).order_by().values("day")
    counted = Coalesce(Subquery(lost.annotate(n=Count("pk")).values("n")), 0)
    summed = Coalesce(Subquery(lost.annotate(n=-Sum("change")).values("n")), 0)
    days = DecayDay.objects.alias(counted=counted, summed=summed)
    return days.exclude(emperors=F("counted"), points=F("summed"))


@invariant("Days of decay follow one another without a gap.")
def days_after_a_gap() -> Iterable[DecayDay]:
    days: QuerySet[DecayDay] = DecayDay.objects.order_by("day")
    return (later for earlier, later in pairwise(days) if later.day - earlier.day != ONE)
