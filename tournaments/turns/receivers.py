"""What follows in this room from what it tells, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from tournaments.announcements.models import Tournament
from tournaments.turns.letters import tell_of_adjournment
from tournaments.turns.signals import tournament_adjourned


@receiver(tournament_adjourned, dispatch_uid="those in charge hear of adjournments")
def write_to_those_in_charge(tournament: Tournament, **_signal: Any) -> None:
    tell_of_adjournment(tournament)
