"""What the crown sells in every world from its beginning."""

from typing import NamedTuple

from django.db import transaction

from dynasties.market.models import Ware
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
        "Opens one locked battlefield, once.",
        "Abre un campo de batalla cerrado, una vez.",
    ),
)


@transaction.atomic
def install_first_wares() -> int:
    """Put those first wares on sale that were never known; what an admin changed stays."""
    kinds = {kind.code: kind for kind in Kind.objects.all()}
    known = set(Ware.objects.values_list("item__code", flat=True))
    missing = [
        Ware(**first._asdict() | {"item": kinds[first.item], "coin": kinds[first.coin]})
        for first in FIRST_WARES
        if first.item not in known and {first.item, first.coin} <= kinds.keys()
    ]
    Ware.objects.bulk_create(missing)
    return len(missing)
