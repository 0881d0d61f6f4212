"""What must hold of the market at any time."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, Lag

from dynasties.audit import invariant
from dynasties.clock import database_now
from dynasties.market.models import Offer, OfferPart, Ware, WarePrice
from dynasties.treasury.models import Account, Balance, Kind

OPEN, ACCEPTED = Offer.State.OPEN, Offer.State.ACCEPTED
GIVES, WANTS = OfferPart.Side.GIVES, OfferPart.Side.WANTS
# The sweep runs twice a minute; a day late means that it does not run.
GRACE = timedelta(days=1)
CHUNK = 500


@invariant("The escrow of an open offer holds exactly what the offer gives.")
def open_offers_whose_escrow_differs() -> Iterable[object]:
    lies = Balance.objects.filter(account=OuterRef("offer__escrow"), kind=OuterRef("kind"))
    given = OfferPart.objects.filter(side=GIVES, offer__state=OPEN)
    counted = given.annotate(lies=Coalesce(Subquery(lies.values("amount")[:1]), 0))
    yield from counted.exclude(lies=F("amount"))
    part = OfferPart.objects.filter(
        side=GIVES, offer__escrow=OuterRef("account"), kind=OuterRef("kind")
    )
    kept = Balance.objects.exclude(amount=0).filter(account__offer__state=OPEN)
    yield from kept.exclude(Exists(part))


@invariant("The escrow of a settled offer is empty.")
def settled_offers_with_something_in_escrow() -> Iterable[Balance]:
    kept = Balance.objects.exclude(amount=0).filter(account__offer__isnull=False)
    return kept.exclude(account__offer__state=OPEN)


@invariant("An escrow account for an offer belongs to an offer.")
def escrows_without_an_offer() -> Iterable[Account]:
    escrows = Account.objects.filter(holder=Account.Holder.ESCROW, offer=None)
    return escrows.filter(purpose__startswith="offer ")


@invariant("No fallen dynasty has an open offer.")
def open_offers_of_the_fallen() -> Iterable[Offer]:
    return Offer.objects.filter(state=OPEN, maker__fallen_at__isnull=False)


@invariant("Every offer gives something or wants something.")
def offers_about_nothing() -> Iterable[Offer]:
    return Offer.objects.filter(parts=None)


@invariant("No offer gives and wants the same kind.")
def offers_of_the_same_for_the_same() -> Iterable[OfferPart]:
    wanted = OfferPart.objects.filter(side=WANTS, offer=OuterRef("offer"), kind=OuterRef("kind"))
    return OfferPart.objects.filter(Exists(wanted), side=GIVES)


@invariant("An offer is accepted by another than its maker, and by its addressee if it has one.")
def offers_taken_by_the_wrong_hand() -> Iterable[Offer]:
    accepted = Offer.objects.filter(state=ACCEPTED)
    return accepted.filter(Q(taker=F("maker")) | (Q(to__isnull=False) & ~Q(taker=F("to"))))


@invariant("An accepted offer moved what it gives to its taker and what it wants to its maker.")
def trades_that_moved_something_else() -> Iterable[Offer]:
    return _moved_otherwise(Offer.objects.filter(state=ACCEPTED))


@invariant("A withdrawn or expired offer gave back to its maker what it gives.")
def returns_that_moved_something_else() -> Iterable[Offer]:
    return _moved_otherwise(Offer.objects.exclude(state__in=[OPEN, ACCEPTED]))


@invariant("An offer is accepted or withdrawn before it expires, and expires not before its time.")
def offers_settled_out_of_time() -> Iterable[Offer]:
    early = Q(state=Offer.State.EXPIRED, settled_at__lt=F("expires_at"))
    late = Q(state__in=[ACCEPTED, Offer.State.WITHDRAWN], settled_at__gte=F("expires_at"))
    return Offer.objects.filter(early | late | Q(settled_at__lt=F("made_at")))


@invariant("No open offer is overdue by more than a day.")
def offers_overdue_for_too_long() -> Iterable[Offer]:
    return Offer.objects.filter(state=OPEN, expires_at__lt=database_now() - GRACE)


@invariant("The crown sells items, for something that has a mint value.")
def wares_that_are_no_wares() -> Iterable[Ware]:
    item = Q(item__family=Kind.Family.ITEM)
    return Ware.objects.exclude(item, coin__mint_value__isnull=False)


@invariant("A ware's price is the newest of its history.")
def wares_with_a_price_of_no_history() -> Iterable[Ware]:
    newest = WarePrice.objects.filter(ware=OuterRef("pk")).order_by("-pk")
    noted = {
        "said": Coalesce(Subquery(newest.values("price")[:1]), 0),
        "said_in": Coalesce(Subquery(newest.values("coin")[:1]), 0),
    }
    return Ware.objects.alias(**noted).exclude(price=F("said"), coin_id=F("said_in"))


@invariant("Each price of a ware goes on where the one before ended, and has a reason.")
def prices_that_do_not_follow() -> Iterable[WarePrice]:
    def before(field: str) -> Coalesce:
        last = Window(Lag(field), partition_by=["ware"], order_by=F("pk").asc())
        return Coalesce(last, 0)

    told = WarePrice.objects.annotate(
        began=Coalesce("was", 0),
        began_in=Coalesce("was_coin_id", 0),
        ended=before("price"),
        ended_in=before("coin_id"),
    )
    yield from told.exclude(began=F("ended"), began_in=F("ended_in"))
    yield from WarePrice.objects.filter(reason="")


def _moved_otherwise(offers: QuerySet[Offer]) -> Iterable[Offer]:
    told = offers.select_related("maker__account", "taker__account")
    told = told.prefetch_related("parts", "settlement__legs")
    return (offer for offer in told.iterator(CHUNK) if _moved(offer) != _due(offer))


def _moved(offer: Offer) -> dict[tuple[int | None, int], int]:
    """What the settlement of an offer moved, by account and kind."""
    legs = offer.settlement.legs.all() if offer.settlement else ()
    return {(leg.account_id, leg.kind_id): leg.amount for leg in legs}


def _due(offer: Offer) -> dict[tuple[int | None, int], int]:
    """What it should have moved."""
    maker = offer.maker.account.pk
    taker = offer.taker.account.pk if offer.taker else None
    due: dict[tuple[int | None, int], int] = {}
    for part in offer.parts.all():
        if part.side == GIVES:
            due[offer.escrow_id, part.kind_id] = -part.amount
            due[taker or maker, part.kind_id] = part.amount
        elif taker:
            due[taker, part.kind_id] = -part.amount
            due[maker, part.kind_id] = part.amount
    return due
