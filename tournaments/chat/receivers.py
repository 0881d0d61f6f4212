"""What follows from what other rooms and floors tell."""

from typing import Any

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from dynasties.houses.models import Dynasty
from dynasties.houses.signals import dynasty_fell
from dynasties.relations.people import Person
from dynasties.relations.signals import person_blocked
from tournaments.announcements.models import Invitation, Tournament
from tournaments.chat.echoes import remember_echoes
from tournaments.chat.services import take_words_down


@receiver(pre_delete, sender=Tournament, dispatch_uid="the last words of a training are remembered")
def remember_last_words(instance: Tournament, **_signal: Any) -> None:
    remember_echoes(instance)


@receiver(person_blocked, dispatch_uid="invitations of the blocked are void")
def void_invitations(by: Person, whom: Person, **_signal: Any) -> None:
    """To what has not begun: a seat that was taken stays taken."""
    if by.dynasty is not None and whom.dynasty is not None:
        Invitation.objects.filter(
            dynasty=by.dynasty,
            tournament__host=whom.dynasty,
            tournament__state__in=Tournament.BEFORE,
        ).delete()


@receiver(dynasty_fell, dispatch_uid="the fallen take their words along")
def take_words_along(dynasty: Dynasty, **_signal: Any) -> None:
    take_words_down(dynasty=dynasty)
