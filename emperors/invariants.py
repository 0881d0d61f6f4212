"""What must hold of emperors, reputation and champions at any time."""

from collections.abc import Iterable
from itertools import pairwise

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.expressions import Window
from django.db.models.functions import Coalesce, Lag

from dynasties.audit import invariant
from dynasties.chronicle.models import Mention
from dynasties.houses.models import Dynasty
from dynasties.houses.names import name_key
from emperors.models import (
    Championship,
    Correction,
    Emperor,
    Reign,
    ReputationChange,
    Standing,
    StandingChange,
)
from emperors.reasons import CORRECTION
from emperors.tellings import SUBJECT

LIVING = ~Q(life=Emperor.Life.DEAD)
AWAY = [Emperor.Life.FIGHTING, Emperor.Life.ATTENDING]


# --- Lives and reigns -----------------------------------------------------------------


@invariant("A living emperor has one open reign, and it is with his dynasty.")
def living_without_their_reign() -> Iterable[Emperor]:
    theirs = Reign.objects.filter(
        emperor=OuterRef("pk"), dynasty=OuterRef("dynasty"), ended_at=None
    )
    return Emperor.objects.filter(LIVING).exclude(Exists(theirs))


@invariant("No dead emperor has an open reign.")
def dead_who_reign() -> Iterable[Reign]:
    return Reign.objects.filter(ended_at=None, emperor__life=Emperor.Life.DEAD)


@invariant("A reign that begins by capture or cession begins when the one before ended by it.")
def reigns_from_nowhere() -> Iterable[Reign]:
    former = Reign.objects.filter(
        emperor=OuterRef("emperor"), ended_at=OuterRef("began_at"), ended_by=OuterRef("began_by")
    ).exclude(pk=OuterRef("pk"))
    return Reign.objects.exclude(began_by=Reign.Beginning.BORN).exclude(Exists(former))


@invariant("Nobody belongs to two dynasties at a time.")
def overlapping_reigns() -> Iterable[Reign]:
    earlier = Q(began_at__lt=OuterRef("began_at")) | Q(
        began_at=OuterRef("began_at"), pk__lt=OuterRef("pk")
    )
    still = Q(ended_at=None) | Q(ended_at__gt=OuterRef("began_at"))
    return Reign.objects.filter(
        Exists(Reign.objects.filter(earlier, still, emperor=OuterRef("emperor")))
    )


@invariant("The first reign of an emperor is his birth into the dynasty that founded him.")
def emperors_not_born_where_founded() -> Iterable[Emperor]:
    birth = Reign.objects.filter(
        emperor=OuterRef("pk"),
        dynasty=OuterRef("founder"),
        began_by=Reign.Beginning.BORN,
        began_at=OuterRef("born_at"),
    )
    return Emperor.objects.exclude(Exists(birth))


@invariant("The last reign of a dead emperor ends with his death.")
def dead_who_did_not_die_in_office() -> Iterable[Emperor]:
    death = Reign.objects.filter(
        emperor=OuterRef("pk"), ended_by__in=[Reign.Ending.DIED, Reign.Ending.FELL]
    )
    return Emperor.objects.filter(life=Emperor.Life.DEAD).exclude(Exists(death))


@invariant("No two emperors of one founder bear the same name and number.")
def emperors_with_anothers_number() -> Iterable[str]:
    doubles = Emperor.objects.values("founder", "name_key", "number")
    doubles = doubles.annotate(bearers=Count("pk")).filter(bearers__gt=1).order_by()
    return (f"Dynasty {each['founder']}, number {each['number']}" for each in doubles)


@invariant("Every emperor's key is what his name looks like.")
def emperors_with_a_wrong_key() -> Iterable[Emperor]:
    emperors = Emperor.objects.only("name", "name_key").iterator()
    return (each for each in emperors if each.name_key != name_key(each.name))


@invariant("Who fights or attends is somewhere, and nobody else is.")
def emperors_out_of_place() -> Iterable[Emperor]:
    return Emperor.objects.filter(Q(life__in=AWAY, place="") | (~Q(life__in=AWAY) & ~Q(place="")))


@invariant("A fallen dynasty has no living emperor.")
def survivors_of_a_fall() -> Iterable[Emperor]:
    return Emperor.objects.exclude(dynasty__fallen_at=None).filter(dynasty__isnull=False)


@invariant("Who is dead has fought: all others are forgotten.")
def dead_who_never_fought() -> Iterable[Emperor]:
    return Emperor.objects.filter(life=Emperor.Life.DEAD, battles=0)


@invariant("Who has never fought has no reputation.")
def untried_with_reputation() -> Iterable[Emperor]:
    return Emperor.objects.filter(battles=0, reputation__gt=0)


@invariant("The chronicle mentions no emperor who is forgotten.")
def mentions_of_the_forgotten() -> Iterable[Mention]:
    known = Emperor.objects.filter(pk=OuterRef("number"))
    return Mention.objects.filter(subject=SUBJECT).exclude(Exists(known))


@invariant("The chronicle tells the birth of every emperor.")
def births_untold() -> Iterable[Emperor]:
    return Emperor.objects.exclude(_told("emperor-born"))


@invariant("The chronicle tells the death of every dead emperor.")
def deaths_untold() -> Iterable[Emperor]:
    dead = Emperor.objects.filter(life=Emperor.Life.DEAD)
    return dead.exclude(_told("emperor-died", "emperor-fell", "emperor-slain", "emperor-slain-by"))


@invariant("A dynasty is tried once an emperor that it founded has fought, and not before.")
def houses_tried_without_a_battle() -> Iterable[Dynasty]:
    fought = Emperor.objects.filter(founder=OuterRef("pk"), battles__gt=0)
    moved = Reign.objects.filter(dynasty=OuterRef("pk"), emperor__battles__gt=0)
    tried = Dynasty.objects.exclude(tried_at=None)
    return tried.exclude(Exists(fought)).exclude(Exists(moved))


# --- Reputation -----------------------------------------------------------------------


@invariant("An emperor's reputation is the sum of its changes.")
def emperors_off_their_changes() -> Iterable[Emperor]:
    changes = ReputationChange.objects.filter(emperor=OuterRef("pk"))
    return Emperor.objects.exclude(reputation=_sum(changes, "emperor", "change"))


@invariant("Each change of an emperor's reputation goes on where the last one ended.")
def breaks_in_a_reputation() -> Iterable[ReputationChange]:
    return _breaks(ReputationChange.objects.all(), "emperor")


@invariant("A change of reputation names a dynasty that the emperor has been with.")
def changes_of_strangers() -> Iterable[ReputationChange]:
    reigned = Reign.objects.filter(emperor=OuterRef("emperor"), dynasty=OuterRef("dynasty"))
    return ReputationChange.objects.filter(~Exists(reigned))


@invariant("Every correction of reputation is kept with its reason, and with its own change.")
def corrections_without_a_record() -> Iterable[ReputationChange | Correction]:
    yield from ReputationChange.objects.filter(reason=CORRECTION, correction=None)
    made = Correction.objects.filter(change__isnull=False)
    own = Q(change__reason=CORRECTION, change__emperor=F("emperor"))
    yield from made.exclude(own)
    yield from Correction.objects.filter(reason="")


@invariant("A change of a standing is one of a dynasty that has a standing.")
def changes_of_no_standing() -> Iterable[StandingChange]:
    kept = Standing.objects.filter(pk=OuterRef("dynasty"))
    return StandingChange.objects.filter(~Exists(kept))


@invariant("A standing is what the dynasty's living emperors have together.")
def standings_off_their_emperors() -> Iterable[Standing]:
    living = Emperor.objects.filter(dynasty=OuterRef("pk"))
    return Standing.objects.exclude(reputation=_sum(living, "dynasty", "reputation"))


@invariant("A standing is the sum of its changes.")
def standings_off_their_changes() -> Iterable[Standing]:
    changes = StandingChange.objects.filter(dynasty=OuterRef("pk"))
    return Standing.objects.exclude(reputation=_sum(changes, "dynasty", "change"))


@invariant("Each change of a standing goes on where the last one ended.")
def breaks_in_a_standing() -> Iterable[StandingChange]:
    return _breaks(StandingChange.objects.all(), "dynasty")


@invariant("Every dynasty that opened has a standing.")
def houses_without_a_standing() -> Iterable[Dynasty]:
    return Dynasty.objects.public().filter(standing=None)


@invariant("A dynasty is ranked as long as it stands.")
def standings_ranked_wrongly() -> Iterable[Standing]:
    return Standing.objects.filter(
        Q(is_ranked=True, dynasty__fallen_at__isnull=False)
        | Q(is_ranked=False, dynasty__fallen_at__isnull=True)
    )


# --- Champions ------------------------------------------------------------------------


@invariant("The champion is on top of the ranking, and there is one if anybody is.")
def wrong_champions() -> Iterable[str]:
    top = Standing.objects.ranked().values_list("pk", flat=True).first()
    reigning = Championship.objects.filter(ended_at=None).values_list("dynasty_id", flat=True)
    if reigning.first() != top:
        yield f"Dynasty {reigning.first()} instead of {top}"


@invariant("The reigns of champions do not overlap.")
def overlapping_champions() -> Iterable[Championship]:
    reigns = Championship.objects.order_by("began_at", "pk").iterator()
    return (
        later
        for earlier, later in pairwise(reigns)
        if earlier.ended_at is None or earlier.ended_at > later.began_at
    )


# --- What several of them ask -----------------------------------------------------------


def _told(*kinds: str) -> Exists:
    return Exists(
        Mention.objects.filter(subject=SUBJECT, number=OuterRef("pk"), entry__kind__in=kinds)
    )


def _sum(rows: QuerySet, by: str, field: str) -> Coalesce:
    """The sum over rows that an outer query names, 0 for none."""
    total = rows.order_by().values(by).annotate(total=Sum(field)).values("total")
    return Coalesce(Subquery(total, output_field=BigIntegerField()), 0)


def _breaks(changes: QuerySet, whose: str) -> QuerySet:
    """Changes that don't lead from what was after the one before to what is after them."""
    before = Coalesce(Window(Lag("after"), partition_by=F(whose), order_by=F("pk").asc()), 0)
    return changes.annotate(before=before).exclude(after=F("before") + F("change"))
