"""Who may trade: the first lock of everything that the market does."""

from collections.abc import Iterable

from dynasties.houses.models import Dynasty
from dynasties.market.errors import NotStanding
from dynasties.treasury.models import Account
from dynasties.treasury.services import account_of


def hold_dynasties(*, numbers: Iterable[int]) -> dict[int, Dynasty]:
    """Lock dynasties until the transaction ends, in the order of their numbers.

    Before any offer and any balance: a fall locks in the same order, so it is over, or has
    not begun, for whoever holds the lock.
    """
    # Not their keys: whoever merely refers to a dynasty need not wait.
    locked = Dynasty.objects.select_for_update(of=("self",), no_key=True)
    chosen = locked.select_related("account").filter(pk__in=set(numbers))
    return {each.pk: each for each in chosen.order_by("pk")}


def hold_standing(*dynasties: Dynasty) -> list[Dynasty]:
    """Lock dynasties and return them as they are now; raises NotStanding."""
    held = hold_dynasties(numbers=[each.pk for each in dynasties])
    fresh = [held[each.pk] for each in dynasties if each.pk in held]
    if len(fresh) < len(dynasties) or not all(map(stands, fresh)):
        raise NotStanding
    return fresh


def purse_of(dynasty: Dynasty) -> Account:
    """The account of a dynasty that stands, without asking again for what came with the lock."""
    return dynasty.account if hasattr(dynasty, "account") else account_of(dynasty)


def stands(dynasty: Dynasty) -> bool:
    return dynasty.opened_at is not None and dynasty.fallen_at is None
