"""What dynasties buy from the crown: wares of its shop, and one coin for another at the mint."""

from django.db import transaction

from dynasties.houses.models import Dynasty
from dynasties.market import errors, reasons
from dynasties.market.models import Ware
from dynasties.market.selectors import MOST_OF_A_KIND, quote
from dynasties.market.standing import hold_standing, purse_of
from dynasties.treasury.models import Account, Kind, Transfer
from dynasties.treasury.services import KeyReused, Move, crown, mint, post

MOST_AT_ONCE = 1000


@transaction.atomic
def buy_ware(*, dynasty: Dynasty, ware: Ware, count: int, price: int, key: str) -> Transfer:
    """Buy `count` of a ware at `price` each, which is the price that the buyer has seen.

    The coin goes to the crown, the items are made at the mint. The same key again finds the
    purchase made, and buys nothing. Raises Refused, NotEnough, and KeyReused for the same key
    with other terms.
    """
    (buyer,) = hold_standing(dynasty)
    account, whole_key = purse_of(buyer), f"shop {buyer.pk} {key}"
    held = Ware.objects.select_for_update(no_key=True).get(pk=ware.pk)
    terms = {held.item_id: count, held.coin_id: -count * price}
    done = _done_before(whole_key, dynasty=buyer, terms=terms)
    if done is not None:
        return done
    _refuse_purchase(held, count, price)
    (till, maker), cost = _crown_and_mint(), count * price
    moves = [
        Move(account, held.coin, -cost),
        Move(till, held.coin, cost),
        Move(maker, held.item, -count),
        Move(account, held.item, count),
    ]
    return post(key=whole_key, reason=reasons.SHOP, moves=moves)


def _refuse_purchase(held: Ware, count: int, price: int) -> None:
    if not held.on_sale:
        raise errors.NotOnSale
    if held.price != price:
        raise errors.PriceChanged(price=held.price)
    if not 0 < count <= MOST_AT_ONCE or count * price > MOST_OF_A_KIND:
        raise errors.UnfitAmount


@transaction.atomic
def exchange(
    *, dynasty: Dynasty, get: Kind, count: int, pay: Kind, price: int, key: str
) -> Transfer:
    """Get `count` of one kind from the mint for `price` of another, as it was quoted.

    What is paid goes back to the mint, its fee to the crown. The same key again finds the
    exchange made, and makes none. Raises PriceChanged if a mint value or the fee changed after
    the quote, other Refused, NotEnough, and KeyReused for the same key with other terms.
    """
    (buyer,) = hold_standing(dynasty)
    account, whole_key = purse_of(buyer), f"exchange {buyer.pk} {key}"
    done = _done_before(whole_key, dynasty=buyer, terms={get.pk: count, pay.pk: -price})
    if done is not None:
        return done
    chosen = Kind.objects.select_for_update(no_key=True).filter(pk__in=[get.pk, pay.pk])
    held = {each.pk: each for each in chosen.order_by("pk")}
    now = quote(get=held[get.pk], count=count, pay=held[pay.pk])
    if now.price != price:
        raise errors.PriceChanged(price=now.price)
    till, maker = _crown_and_mint()
    moves = [
        Move(account, pay, -price),
        Move(till, pay, now.fee),
        Move(maker, pay, price - now.fee),
        Move(maker, get, -count),
        Move(account, get, count),
    ]
    return post(key=whole_key, reason=reasons.EXCHANGE, moves=moves)


def _crown_and_mint() -> tuple[Account, Account]:
    """Both, by one question if they are there already."""
    both = (Account.Holder.CROWN, Account.Holder.MINT)
    there = {each.holder: each for each in Account.objects.filter(holder__in=both)}
    return there.get(both[0]) or crown(), there.get(both[1]) or mint()


def _done_before(key: str, *, dynasty: Dynasty, terms: dict[int, int]) -> Transfer | None:
    """The transfer of a retry, whatever prices have become since; None for a new request."""
    made = Transfer.objects.filter(key=key).first()
    if made is None:
        return None
    legs = made.legs.filter(account__dynasty=dynasty)
    if dict(legs.values_list("kind_id", "amount")) != terms:
        raise KeyReused(key)
    return made
