"""What follows from what other rooms tell."""

from typing import Any

from django.dispatch import receiver

from dynasties.houses.models import Dynasty
from dynasties.houses.signals import dynasty_fell
from dynasties.relations.services import forget_blocks


@receiver(dynasty_fell, dispatch_uid="blocks of the fallen are forgotten")
def forget_relations(dynasty: Dynasty, **_signal: Any) -> None:
    forget_blocks(dynasty=dynasty)
