"""What a day of decay costs, against one bare UPDATE of the same rows, on PostgreSQL.

The day writes the log (a change for each emperor, one for each dynasty), the standings, the
chronicle's entries of those whose week ends, and the champion. The bare UPDATE writes the one
number that all of it is about. WORLD_EMPERORS makes a smaller world, for a quick try.
"""

import statistics
from datetime import datetime, timedelta

from bench.world import (
    EMPERORS,
    Cost,
    Stopwatch,
    peak_memory,
    populate,
    run,
    tidy_up,
    world_on_postgres,
)

# So that the entries of a week have a week to sum up; then the days that are measured.
DAYS_BEFORE, DAYS = 6, 3


def main() -> None:
    with world_on_postgres():
        populate(EMPERORS)
        for day in range(DAYS_BEFORE):
            apply(day)
        before = peak_memory()
        pairs = [measure(DAYS_BEFORE + day) for day in range(DAYS)]
        tell("time", [(ours.seconds, bare.seconds) for ours, bare in pairs])
        tell("work of the server", [(ours.work, bare.work) for ours, bare in pairs])
        print(f"  memory of the process: {peak_memory() - before} MB more than before the days")


def tell(what: str, pairs: list[tuple[float, float]]) -> None:
    ours, bare = (statistics.median(figures) for figures in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    print(f"  {what}, median of {DAYS}: a day {ours:.2f} s, a bare UPDATE {bare:.2f} s")
    print(f"  ratio: {ratio:.1f}")


def measure(day: int) -> tuple[Cost, Cost]:
    """A day, and a bare UPDATE of the emperors whom it is going to concern."""
    tidy_up()
    bare, rows = update_bare(day)
    tidy_up()
    ours, emperors = apply(day)
    print(
        f"  day {day + 1}: {emperors} emperors in {ours.seconds:.2f} s ({ours.work:.2f} s of work);"
        f" bare {rows} in {bare.seconds:.2f} s ({bare.work:.2f} s)",
        flush=True,
    )
    return ours, bare


def apply(day: int) -> tuple[Cost, int]:
    from emperors.decay import apply_due_decay
    from emperors.models import DecayDay

    watch = Stopwatch()
    assert apply_due_decay(now=moment(day)) == 1
    return watch.read(), DecayDay.objects.latest("day").emperors


def update_bare(day: int) -> tuple[Cost, int]:
    """Take a point of everybody, tell nobody, and take it all back."""
    from django.db import transaction

    from dynasties.charter.selectors import charter

    idle_since = moment(day).date() - timedelta(days=charter().decay_after_days)
    with transaction.atomic():
        watch = Stopwatch()
        rows = run(
            "UPDATE emperors_emperor SET reputation = reputation - 1 WHERE reputation > 0"
            f" AND dynasty_id IS NOT NULL AND active_at <= '{idle_since} 00:00+00'"
        )
        cost = watch.read()
        transaction.set_rollback(True)
    return cost, rows


def moment(day: int) -> datetime:
    from django.utils import timezone

    return timezone.now() + timedelta(days=day)
