"""When the market opens for the world, and when it closes for a dynasty."""

from typing import Any

from django.apps import apps as installed
from django.db.models.signals import post_migrate
from django.dispatch import receiver
from django.utils.translation import gettext as _

from dynasties.houses.models import Dynasty
from dynasties.houses.signals import dynasty_falling
from dynasties.market.models import Ware
from dynasties.market.services import withdraw_offers_of
from dynasties.market.wares import install_first_wares
from dynasties.treasury.kinds import install_first_kinds, needs_mint_value
from dynasties.treasury.models import Kind


@receiver(post_migrate, sender=installed.get_app_config("dynasties"), dispatch_uid="the shop opens")
def open_shop(apps: Any = installed, **_signal: Any) -> None:
    """Install the first wares, on any database whose shop keeps its history."""
    if "wareprice" in apps.all_models["dynasties"]:
        install_first_kinds()  # whoever is called first: the treasury does the same
        install_first_wares()


@receiver(dynasty_falling, dispatch_uid="offers of the falling are withdrawn")
def take_offers_back(dynasty: Dynasty, **_signal: Any) -> None:
    """Before it falls: what lies in escrow is the dynasty's, and goes the way of the rest."""
    withdraw_offers_of(dynasty=dynasty)


@needs_mint_value
def keep_the_value_of_a_price(kind: Kind) -> str | None:
    """What the crown's prices are told in must be worth something, on sale or not."""
    if Ware.objects.filter(coin=kind).exists():
        return _("The crown sells wares for it: give them another price first.")
    return None
