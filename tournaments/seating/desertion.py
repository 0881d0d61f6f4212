"""Seats of nobody: their guest was forgotten, or has left with the account that he became.

An emperor in a seat holds up his ruler's departure; a guest is nobody's subject, and may go.
"""

from django.db import transaction
from django.db.models import QuerySet

from tournaments.announcements.models import Seat, Tournament
from tournaments.announcements.news import tell_change
from tournaments.turns.endings import SUBSTITUTE

MOST_AT_ONCE = 500


def clear_seats_of_nobody() -> int:
    """Free seats of nobody before the start, give them to a bot after it; return how many."""
    waiting = Tournament.objects.exclude(state__in=Tournament.OVER).filter(
        type=Tournament.Type.TRAINING, pk__in=_of_nobody().values("tournament")
    )
    numbers = list(waiting.order_by("pk").values_list("pk", flat=True)[:MOST_AT_ONCE])
    return sum(_clear(number) for number in numbers)


@transaction.atomic
def _clear(number: int) -> int:
    held = Tournament.objects.select_for_update(no_key=True).filter(pk=number).first()
    if held is None or held.is_over:
        return 0
    seats = _of_nobody().filter(tournament=held)
    has_begun = held.state not in Tournament.BEFORE
    cleared = seats.update(bot=SUBSTITUTE) if has_begun else seats.delete()[0]
    if cleared:
        held.version += 1
        held.save(update_fields=["version"])
        tell_change(held)
    return cleared


def _of_nobody() -> QuerySet[Seat]:
    return Seat.objects.filter(emperor=None, guest=None, bot="")
