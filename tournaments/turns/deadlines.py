"""Who closes turns in time: the last order, these sweeps (of a worker or a web process), a visitor.

Any of them alone is enough: all of them call the same `close_turns`.
"""

from datetime import timedelta

from django.db.models import Max

from dynasties.clock import database_now
from tournaments.announcements.models import Tournament
from tournaments.turns.closing import close_turns
from tournaments.turns.models import Order
from tournaments.turns.positions import position_of
from tournaments.turns.watch import site_is_awake

MOST_AT_ONCE = 1000
# Whoever gave the last order closes the turn himself, unless he died after the acknowledgement.
HANDED_IN = timedelta(seconds=3)
LATELY = timedelta(minutes=10)


def close_overdue() -> int:
    """Close the turns whose deadline has passed; return how many."""
    if not site_is_awake():
        return 0
    overdue = Tournament.objects.filter(
        state=Tournament.State.RUNNING, deadline__lte=database_now()
    ).order_by("deadline", "pk")
    return close_turns(overdue.values_list("pk", flat=True)[:MOST_AT_ONCE])


def close_if_overdue(tournament: Tournament) -> bool:
    """Whoever looks at an overdue tournament closes its turn; True if that changed something."""
    if tournament.state != Tournament.State.RUNNING or tournament.deadline is None:
        return False
    return database_now() >= tournament.deadline and bool(close_turns([tournament.pk]))


def close_complete(*, since: timedelta | None = LATELY) -> int:
    """Close turns for which nobody is waited for and which nobody has closed; return how many.

    Looks at those whose last order came in `since`, or at all of them.
    """
    now = database_now()
    last = Order.objects.values("tournament").annotate(last=Max("received_at"))
    waiting = last.filter(last__lte=now - HANDED_IN)
    if since is not None:
        waiting = waiting.filter(last__gte=now - since)
    numbers = waiting.values_list("tournament", flat=True).order_by("-last")[:MOST_AT_ONCE]
    return close_turns(_complete(list(numbers)))


def _complete(numbers: list[int]) -> list[int]:
    given: dict[int, set[str]] = {}
    rows = Order.objects.filter(tournament__in=numbers)
    for number, name in rows.values_list("tournament", "seat__name"):
        given.setdefault(number, set()).add(name)
    running = Tournament.objects.filter(pk__in=numbers, state=Tournament.State.RUNNING)
    return [each.pk for each in running if given.get(each.pk, set()) >= _due(each)]


def _due(tournament: Tournament) -> set[str]:
    try:
        return set(position_of(tournament).due())
    except Exception:  # whoever closes it meets the same fault, and counts it
        return set()
