"""What houses tell, written down in the same transaction."""

from typing import Any

from django.dispatch import receiver

from dynasties.chronicle.services import tell_fall, tell_founding
from dynasties.houses.models import Dynasty
from dynasties.houses.signals import dynasty_fell, dynasty_opened


@receiver(dynasty_opened, dispatch_uid="the chronicle tells who opens")
def write_founding(dynasty: Dynasty, **_signal: Any) -> None:
    tell_founding(dynasty=dynasty)


@receiver(dynasty_fell, dispatch_uid="the chronicle tells who falls")
def write_fall(dynasty: Dynasty, **_signal: Any) -> None:
    tell_fall(dynasty=dynasty)
