"""What holds up a departure: emperors who are away."""

from collections.abc import Iterable

from django.db.models import Count
from django.utils.translation import ngettext

from dynasties.accounts.departures import binds
from dynasties.accounts.models import User
from emperors.models import Emperor


@binds
def emperors_away(user: User) -> Iterable[str]:
    away = Emperor.objects.filter(dynasty__ruler=user).exclude(place="")
    counts = dict(away.values_list("life").annotate(Count("pk")).order_by())
    fighting, attending = counts.get(Emperor.Life.FIGHTING), counts.get(Emperor.Life.ATTENDING)
    if fighting:
        words = ngettext(
            "%(count)d emperor of yours is fighting.",
            "%(count)d emperors of yours are fighting.",
            fighting,
        )
        yield words % {"count": fighting}
    if attending:
        words = ngettext(
            "%(count)d emperor of yours attends a tournament.",
            "%(count)d emperors of yours attend tournaments.",
            attending,
        )
        yield words % {"count": attending}
