"""What may be known of the market: everybody sees what is open to all, two what is between two."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from dynasties.charter.selectors import charter
from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from dynasties.market.errors import NotExchanged, UnfitAmount
from dynasties.market.models import Offer, OfferPart, Ware
from dynasties.market.prices import most_for, price_at_mint, price_without_fee
from dynasties.relations.people import Person
from dynasties.relations.selectors import blocked_by
from dynasties.treasury.models import Kind

# Of one kind in one offer, or wanted from the mint at once.
MOST_OF_A_KIND = 10**12


# --- The shop ------------------------------------------------------------------------


def wares_on_sale() -> QuerySet[Ware]:
    wares = Ware.objects.filter(on_sale=True).select_related("item", "coin")
    return wares.order_by("item__rank", "item__code")


# --- Offers --------------------------------------------------------------------------


@dataclass(frozen=True)
class Sides:
    """What an offer gives and what it wants."""

    gives: dict[Kind, int]
    wants: dict[Kind, int]


def sides_of(offer: Offer) -> Sides:
    """Both sides of an offer, in the order of lists."""
    gives = {part.kind: part.amount for part in offer.gives}
    return Sides(gives, {part.kind: part.amount for part in offer.wants})


def offers() -> QuerySet[Offer]:
    """Offers with all that a page tells of them, newest first."""
    told = Offer.objects.select_related("maker", "to", "taker").prefetch_related("parts__kind")
    return told.order_by("-made_at", "-pk")


def open_offers() -> QuerySet[Offer]:
    """Offers that can still be accepted: an overdue one is over, whether or not it was settled."""
    return offers().filter(state=Offer.State.OPEN, expires_at__gt=database_now())


def offers_to_all(*, gives: Kind | None = None, wants: Kind | None = None) -> QuerySet[Offer]:
    """Open offers to whoever comes first; with filters, those that give or want that kind."""
    found = open_offers().filter(to=None)
    for side, kind in ((OfferPart.Side.GIVES, gives), (OfferPart.Side.WANTS, wants)):
        if kind is not None:
            having = OfferPart.objects.filter(side=side, kind=kind)
            found = found.filter(pk__in=having.values("offer"))
    return found


def offers_to(dynasty: Dynasty) -> QuerySet[Offer]:
    """Open offers that only this dynasty may accept, but for those of whom it blocked since."""
    unwelcome = blocked_by(Person(dynasty.pk)).dynasties
    return open_offers().filter(to=dynasty).exclude(maker__in=unwelcome)


def open_offers_of(dynasty: Dynasty) -> QuerySet[Offer]:
    """What the dynasty offers, as long as it is not settled."""
    return offers().filter(maker=dynasty, state=Offer.State.OPEN)


def trades_of(dynasty: Dynasty) -> QuerySet[Offer]:
    """Settled offers that the dynasty made or accepted, the last settled first."""
    own = offers().filter(Q(maker=dynasty) | Q(taker=dynasty))
    return own.exclude(state=Offer.State.OPEN).order_by("-settled_at", "-pk")


def offers_known_to(dynasty: Dynasty) -> QuerySet[Offer]:
    """Every offer that concerns or concerned the dynasty: made by it, to it, or accepted by it."""
    return offers().filter(_concerns(dynasty))


def find_offer(*, code: UUID, reader: Dynasty | None) -> Offer | None:
    """The offer with this code, if `reader` may know of it.

    An offer to one dynasty is known to the two alone; an offer to all is known to everybody
    until it is settled, and from then on only to those whom it concerned.
    """
    known = Q(to=None, state=Offer.State.OPEN)
    if reader is not None:
        known |= _concerns(reader)
    return offers().filter(known, code=code).first()


def _concerns(dynasty: Dynasty) -> Q:
    return Q(maker=dynasty) | Q(to=dynasty) | Q(taker=dynasty)


def was_open_to_all(*, code: UUID) -> bool:
    """Whether everybody could have known of this offer, before it was settled."""
    return Offer.objects.filter(code=code, to=None).exclude(state=Offer.State.OPEN).exists()


# --- The mint ------------------------------------------------------------------------


@dataclass(frozen=True)
class Quote:
    """What the mint asks: `price` of `pay` for `count` of `get`, the crown's `fee` within it.

    `most` could be had for the same price.
    """

    get: Kind
    count: int
    pay: Kind
    price: int
    fee: int
    fee_percent: int
    most: int


def exchanged_kinds() -> QuerySet[Kind]:
    """What the mint exchanges."""
    return Kind.objects.filter(mint_value__isnull=False)


def quote(*, get: Kind, count: int, pay: Kind) -> Quote:
    """What the mint asks now; raises NotExchanged and UnfitAmount."""
    if get == pay or not (get.mint_value and pay.mint_value):
        raise NotExchanged
    values = {"value": get.mint_value, "paid_in": pay.mint_value}
    percent = charter().mint_fee_percent
    price = price_at_mint(count=count, fee_percent=percent, **values)
    if not 0 < count <= MOST_OF_A_KIND or price > MOST_OF_A_KIND:
        raise UnfitAmount
    fee = price - price_without_fee(count=count, **values)
    most = most_for(price=price, fee_percent=percent, **values)
    return Quote(get, count, pay, price, fee, percent, most)
