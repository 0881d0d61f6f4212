"""When an engine breaks: after three tries the tournament is set aside, and the world goes on."""

import structlog
from django.db import transaction

from dynasties.clock import database_now
from tournaments.announcements.models import Tournament
from tournaments.announcements.news import tell_change
from tournaments.turns.clocks import set_clock
from tournaments.turns.positions import position_of
from tournaments.turns.signals import tournament_adjourned, turn_opened

log = structlog.get_logger(__name__)

TRIES = 3


@transaction.atomic
def count_fault(*, number: int) -> None:
    """Count that closing the turn has failed; the third time adjourns the tournament."""
    tournament = _held(number)
    if tournament is None or tournament.state != Tournament.State.RUNNING:
        return
    tournament.faults += 1
    tournament.save(update_fields=["faults"])
    if tournament.faults >= TRIES:
        _set_aside(tournament)


@transaction.atomic
def adjourn(*, number: int) -> bool:
    """Set a tournament that is being fought aside, by office; False if it is not."""
    tournament = _held(number)
    if tournament is None or tournament.state != Tournament.State.RUNNING:
        return False
    _set_aside(tournament)
    return True


@transaction.atomic
def resume(*, number: int) -> bool:
    """Let an adjourned tournament go on, with a whole turn's time; False if it is none.

    Orders that were given before it was set aside still stand. Raises BadRecord if what was
    kept of it can't be read, which leaves it as it is.
    """
    tournament = _held(number)
    if tournament is None or tournament.state != Tournament.State.ADJOURNED:
        return False
    clock = position_of(tournament).clock()
    tournament.state, tournament.faults, tournament.clock = Tournament.State.RUNNING, 0, ""
    tournament.version += 1
    set_clock(tournament, clock, database_now())
    tournament.save()
    tell_change(tournament)
    turn_opened.send(sender=Tournament, tournament=tournament, seats=list(tournament.seats.all()))
    return True


def _held(number: int) -> Tournament | None:
    locked = Tournament.objects.select_for_update(of=("self",), no_key=True)
    return locked.filter(pk=number).first()


def _set_aside(tournament: Tournament) -> None:
    """Nothing is given back and nobody goes home: it waits for somebody to look into it."""
    tournament.state = Tournament.State.ADJOURNED
    tournament.deadline = tournament.remind_at = None
    tournament.version += 1
    tournament.save(update_fields=["state", "deadline", "remind_at", "version"])
    tell_change(tournament)
    tournament_adjourned.send(sender=Tournament, tournament=tournament)
    log.error("tournament_adjourned", tournament=tournament.pk, faults=tournament.faults)
