"""What must hold of dynasties at any time."""

from collections.abc import Iterable
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db.models import F, Q
from django.utils import timezone

from dynasties.audit import invariant
from dynasties.houses.models import Dynasty
from dynasties.houses.names import clean_motto, name_key
from dynasties.houses.services import unopened_since

# The sweep that clears is hourly; a day late means that it does not run.
GRACE = timedelta(days=1)


@invariant("Every dynasty's key is what its name looks like.")
def houses_with_a_wrong_key() -> Iterable[Dynasty]:
    houses = Dynasty.objects.only("name", "name_key").iterator()
    return (house for house in houses if house.name_key != name_key(house.name))


@invariant("Every motto is fit to be shown.")
def houses_with_an_unfit_motto() -> Iterable[Dynasty]:
    houses = Dynasty.objects.exclude(motto="").only("motto").iterator()
    return (house for house in houses if not _is_fit(house.motto))


@invariant("A dynasty is founded, opened and fallen in this order.")
def houses_out_of_time() -> Iterable[Dynasty]:
    return Dynasty.objects.filter(
        Q(opened_at__lt=F("founded_at")) | Q(fallen_at__lt=F("opened_at"))
    )


@invariant("A dynasty that stands has a ruler.")
def standing_houses_without_a_ruler() -> Iterable[Dynasty]:
    return Dynasty.objects.public().filter(fallen_at=None, ruler=None)


@invariant("A dynasty opens when its ruler's address is verified, neither before nor without.")
def houses_open_without_proof_or_closed_with_it() -> Iterable[Dynasty]:
    proven = Q(ruler__emailaddress__verified=True)
    ruled = Dynasty.objects.exclude(ruler=None)
    closed = ruled.filter(proven, opened_at=None)
    unproven = ruled.exclude(opened_at=None).exclude(proven)
    return [*closed.distinct(), *unproven]


@invariant("No dynasty stays unopened for longer than it may.")
def houses_unopened_for_too_long() -> Iterable[Dynasty]:
    return Dynasty.objects.unopened().filter(founded_at__lt=unopened_since(timezone.now() - GRACE))


def _is_fit(motto: str) -> bool:
    try:
        return clean_motto(motto) == motto
    except ValidationError:
        return False
