"""When bots are called."""

from collections.abc import Sequence
from typing import Any

from django.dispatch import receiver

from dynasties.notices.hints import hint_task
from tournaments.announcements.models import Seat, Tournament
from tournaments.bots.services import think_for_want_of_a_worker
from tournaments.bots.tasks import think
from tournaments.turns.signals import turn_opened
from tournaments.turns.watchman import on_every_round

on_every_round(think_for_want_of_a_worker)


@receiver(turn_opened, dispatch_uid="bots are told that a turn is open")
def call_bots(tournament: Tournament, seats: Sequence[Seat], **_signal: Any) -> None:
    if any(seat.bot for seat in seats):
        hint_task(think, tournament.pk, tournament.turn)
