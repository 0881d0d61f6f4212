"""What must hold of the charter at any time."""

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db.models import F, Window
from django.db.models.functions import Lag

from dynasties.audit import invariant
from dynasties.charter.models import Charter


@invariant("Every version of the charter keeps within the limits of its numbers.")
def charters_beyond_limits() -> Iterable[Charter]:
    return (version for version in Charter.objects.iterator() if not _is_fit(version))


@invariant("Every version of the charter has a reason.")
def charters_without_a_reason() -> Iterable[Charter]:
    return Charter.objects.filter(reason="")


@invariant("Every version of the charter is younger than the one before.")
def charters_out_of_time() -> Iterable[Charter]:
    before = Window(Lag("written_at"), order_by=F("pk").asc())
    return Charter.objects.alias(before=before).filter(before__gt=F("written_at"))


def _is_fit(version: Charter) -> bool:
    try:
        version.clean_fields(exclude=["author", "reason"])
    except ValidationError:
        return False
    return True
