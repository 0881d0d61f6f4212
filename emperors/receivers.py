"""What follows from what the ground floor tells, in the same transaction."""

from datetime import datetime
from typing import Any

from django.apps import apps as installed
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from dynasties.houses.models import Dynasty
from dynasties.houses.signals import dynasty_falling, dynasty_opened
from emperors.locks import open_standings
from emperors.services import end_line


@receiver(dynasty_opened, dispatch_uid="a dynasty that opens has a standing")
def open_standing(dynasty: Dynasty, **_signal: Any) -> None:
    open_standings([dynasty.pk])


@receiver(dynasty_falling, dispatch_uid="emperors die with their dynasty")
def end_line_of_falling(dynasty: Dynasty, at: datetime, **_signal: Any) -> None:
    end_line(dynasty=dynasty, at=at)


@receiver(post_migrate, dispatch_uid="dynasties older than standings get theirs")
def open_missing_standings(sender: Any, apps: Any = installed, **_signal: Any) -> None:
    """After every migration, but for one back to before there were standings."""
    if sender.name == "emperors" and "standing" in apps.all_models["emperors"]:
        open_standings()
