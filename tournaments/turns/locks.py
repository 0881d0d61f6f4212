"""The first lock of everything that happens in a turn: tournaments, in the order of their numbers.

Whoever needs other locks takes them after it, and reads the clock after the last of them.
"""

from collections.abc import Iterable

from tournaments.announcements.models import Tournament


def lock_running(numbers: Iterable[int]) -> dict[int, Tournament]:
    """Lock tournaments that are being fought; those that are not are left out."""
    # Not their keys: whoever merely refers to a tournament need not wait.
    chosen = Tournament.objects.select_for_update(of=("self",), no_key=True).filter(
        pk__in=set(numbers), state=Tournament.State.RUNNING
    )
    return {each.pk: each for each in chosen.order_by("pk")}
