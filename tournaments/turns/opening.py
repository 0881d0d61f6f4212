"""The first turn: from seats that are taken to a battle that is fought."""

from datetime import datetime

from django.db import transaction

from tournaments import arena
from tournaments.announcements.models import Tournament
from tournaments.announcements.news import tell_change
from tournaments.turns.clocks import set_clock
from tournaments.turns.positions import remember
from tournaments.turns.signals import turn_opened


def begin_battle(*, tournament: Tournament, at: datetime) -> None:
    """Set up the board for the seats that are taken and open the first turn.

    The tournament is locked by whoever calls.
    """
    seats = list(tournament.seats.order_by("place"))
    position = arena.begin(
        game=tournament.game,
        seats=[seat.name for seat in seats],
        options=tournament.options,
        seed=tournament.seed,
    )
    tournament.state, tournament.began_at = Tournament.State.RUNNING, at
    tournament.position, tournament.turn, tournament.faults = position.written(), 0, 0
    tournament.version += 1
    set_clock(tournament, position.clock(), at)
    tournament.save()
    number = tournament.pk
    transaction.on_commit(lambda: remember(number, position))
    tell_change(tournament)
    turn_opened.send(sender=Tournament, tournament=tournament, seats=seats)
