"""What follows from what other floors tell."""

from typing import Any

from django.apps import apps as installed
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from tournaments.fields.services import install_shipped_battlefields


@receiver(post_migrate, dispatch_uid="the battlefields of the game are there")
def install_battlefields(sender: Any, apps: Any = installed, **_signal: Any) -> None:
    """After every migration, but for one back to before there were battlefields."""
    if sender.name == "tournaments" and "battlefield" in apps.all_models["tournaments"]:
        install_shipped_battlefields()
