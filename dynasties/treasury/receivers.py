"""When the treasury opens, for the world and for each dynasty, and when it closes for one."""

from typing import Any

from django.apps import apps as installed
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from dynasties.houses.models import Dynasty
from dynasties.houses.signals import dynasty_falling, dynasty_fell, dynasty_opened
from dynasties.treasury.guards import set_guards
from dynasties.treasury.kinds import install_first_kinds
from dynasties.treasury.services import escheat, hold_estate, pay_founding_grant


@receiver(
    post_migrate,
    sender=installed.get_app_config("dynasties"),
    dispatch_uid="the treasury opens",
)
def open_treasury(apps: Any = installed, using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> None:
    """Guard the ledger, install the first kinds, grant those who opened before the treasury.

    After every migration, also of a test's database that was emptied; on a database that
    was migrated back to before the treasury there is nothing to do.
    """
    if "leg" not in apps.all_models["dynasties"]:
        return
    set_guards(connections[using], apps)
    install_first_kinds()
    for dynasty in Dynasty.objects.public().filter(fallen_at=None, account=None).iterator():
        pay_founding_grant(dynasty=dynasty)


@receiver(dynasty_opened, dispatch_uid="a founding grant for whoever opens")
def grant(dynasty: Dynasty, **_signal: Any) -> None:
    pay_founding_grant(dynasty=dynasty)


@receiver(dynasty_falling, dispatch_uid="the estate of the falling is held")
def hold(dynasty: Dynasty, **_signal: Any) -> None:
    hold_estate(dynasty=dynasty)


@receiver(dynasty_fell, dispatch_uid="what the fallen owned is the crown's")
def inherit(dynasty: Dynasty, **_signal: Any) -> None:
    escheat(dynasty=dynasty)
