"""What the crown sells: from the beginning of every world, and at which price ever since."""

from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from dynasties.market.models import Ware, WarePrice
from dynasties.treasury.models import Kind


class First(NamedTuple):
    """A ware that the shop opens with."""

    item: str
    price: int
    coin: str
    words_en: str
    words_es: str


FIRST_WARES = (
    First(
        "bronze-key",
        250,
        "copper",
        "Opens locked battlefields to your emperors.",
        "Abre campos de batalla cerrados a tus emperadores.",
    ),
)


@transaction.atomic
def install_first_wares() -> int:
    """Put those first wares on sale that were never known; what an admin changed stays.

    A ware whose history was lost, as by migrating back and forth, begins a new one.
    """
    kinds = {kind.code: kind for kind in Kind.objects.all()}
    known = set(Ware.objects.values_list("item__code", flat=True))
    missing = [
        Ware(**first._asdict() | {"item": kinds[first.item], "coin": kinds[first.coin]})
        for first in FIRST_WARES
        if first.item not in known and {first.item, first.coin} <= kinds.keys()
    ]
    Ware.objects.bulk_create(missing)
    for ware in Ware.objects.filter(prices=None):
        _remember(ware, "As the world began.")
    return len(missing)


@transaction.atomic
def add_ware(*, ware: Ware, reason: str, author: AbstractBaseUser | None = None) -> Ware:
    """Put a new ware on the shelves; ValidationError if it can't be sold, or without a reason."""
    _demand(reason)
    ware.full_clean()
    ware.save(force_insert=True)
    _remember(ware, reason, author=author)
    return ware


@transaction.atomic
def set_price(
    *, ware: Ware, price: int, coin: Kind, reason: str, author: AbstractBaseUser | None = None
) -> bool:
    """Sell a ware for so many of that coin from now on; False if that is its price already.

    ValidationError for a price below 1, a coin without a mint value, and without a reason.
    """
    _demand(reason)
    held = Ware.objects.select_for_update().get(pk=ware.pk)
    was = (held.price, held.coin_id)
    if was == (price, coin.pk):
        return False
    held.price, held.coin = price, coin
    held.full_clean()
    held.save(update_fields=["price", "coin"])
    _remember(held, reason, author=author, was=was)
    ware.price, ware.coin = price, coin
    return True


def _demand(reason: str) -> None:
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: it stays in the history.")})


def _remember(
    ware: Ware,
    reason: str,
    *,
    author: AbstractBaseUser | None = None,
    was: tuple[int | None, int | None] = (None, None),
) -> None:
    WarePrice.objects.create(
        ware=ware,
        was=was[0],
        was_coin_id=was[1],
        price=ware.price,
        coin_id=ware.coin_id,
        reason=reason.strip(),
        author_id=author.pk if author else None,
    )
