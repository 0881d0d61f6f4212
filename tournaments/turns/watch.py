"""Whether the site takes orders: an outage is nobody's defeat.

Every web process notes every few seconds that it is there. A silence of all of them is an
outage: no turn is closed for being overdue while it lasts, and once it is over the deadlines
that fell into it move on by its length, once.
"""

from datetime import datetime, timedelta

import structlog
from django.db import transaction

from dynasties.clock import database_now
from tournaments.announcements.models import Tournament
from tournaments.announcements.news import tell_changes
from tournaments.turns.models import Outage, Watch
from tournaments.turns.rows import update_rows

log = structlog.get_logger(__name__)

ONLY = 1
# Longer than a web process takes to be replaced, shorter than the shortest turn.
SILENCE = timedelta(seconds=8)


def site_is_awake() -> bool:
    """Whether a web process was there a moment ago. Where none ever was, as in a tool: yes."""
    watch = Watch.objects.filter(pk=ONLY).first()
    return watch is None or database_now() - watch.seen_at < SILENCE


@transaction.atomic
def keep_watch() -> Outage | None:
    """Note that this web process is there; the first one after a silence ends the outage."""
    watch, _new = Watch.objects.select_for_update().get_or_create(
        pk=ONLY, defaults={"seen_at": database_now()}
    )
    now = database_now()
    outage = end_outage(began_at=watch.seen_at, ended_at=now) if _is_over(watch, now) else None
    if now > watch.seen_at:
        Watch.objects.filter(pk=ONLY).update(seen_at=now)
    return outage


def end_outage(*, began_at: datetime, ended_at: datetime) -> Outage:
    """Move the deadlines that fell into an outage: each has again the time that it had left."""
    missed = Tournament.objects.select_for_update(no_key=True).filter(
        state=Tournament.State.RUNNING, deadline__gte=began_at, deadline__lte=ended_at
    )
    span = ended_at - began_at
    tournaments = list(missed.order_by("pk"))
    for tournament in tournaments:
        _move_on(tournament, span)
    update_rows(tournaments, ("deadline", "remind_at", "version"))
    tell_changes(tournaments)
    log.warning("outage_over", seconds=span.total_seconds(), moved=len(tournaments))
    return Outage.objects.create(began_at=began_at, ended_at=ended_at, moved=len(tournaments))


def _move_on(tournament: Tournament, span: timedelta) -> None:
    if tournament.deadline is not None:
        tournament.deadline += span
    if tournament.remind_at is not None:  # a reminder that went out before does not go again
        tournament.remind_at += span
    tournament.version += 1


def _is_over(watch: Watch, now: datetime) -> bool:
    return now - watch.seen_at >= SILENCE
