"""Offers between dynasties: made, and then accepted, withdrawn or expired, exactly once.

Everything locks in one order: dynasties by number, then the offer, then balances. What time
it is, is asked last.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import structlog
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from dynasties.charter.selectors import charter
from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from dynasties.market import errors, reasons
from dynasties.market.models import Offer, OfferPart
from dynasties.market.pledge import keep_grant
from dynasties.market.selectors import MOST_OF_A_KIND, Sides, sides_of
from dynasties.market.standing import hold_dynasties, hold_standing, purse_of, stands
from dynasties.relations.people import Person
from dynasties.relations.selectors import has_blocked
from dynasties.treasury.models import Account, Kind
from dynasties.treasury.services import (
    KeyReused,
    Move,
    crown,
    hold_balances,
    open_escrow,
    post,
)

# Enough for any merchant; without limits one dynasty could bury the market.
MOST_OPEN_OFFERS = 50
MOST_OFFERS_A_DAY = 300
# What one sweep settles; the next one goes on.
MOST_AT_ONCE = 1000

log = structlog.get_logger(__name__)


# --- Making --------------------------------------------------------------------------


@transaction.atomic
def make_offer(
    *,
    dynasty: Dynasty,
    gives: Mapping[Kind, int],
    wants: Mapping[Kind, int],
    to: Dynasty | None,
    lasts: timedelta,
    key: str,
) -> Offer:
    """Offer `gives` for `wants`, to one dynasty or (None) to all, and lay what is given in escrow.

    The same key again finds the offer made, and makes none. Raises Refused, NotEnough, and
    KeyReused for the same key with other terms.
    """
    (maker,) = hold_standing(dynasty)
    whole_key = f"offer {maker.pk} {key}"
    made = Offer.objects.filter(key=whole_key).prefetch_related("parts__kind").first()
    if made is not None:
        return _insist_on_the_same(made, Sides(dict(gives), dict(wants)), to, lasts)
    now = database_now()
    _refuse_terms(gives, wants)
    _refuse_addressee(maker, to)
    _refuse_time(lasts)
    _refuse_flood(maker, now)
    offer = Offer.objects.create(
        maker=maker, to=to, key=whole_key, made_at=now, expires_at=now + lasts
    )
    _write_parts(offer, gives, wants)
    if gives:
        _lay_in_escrow(offer, maker, gives)
    return offer


def _insist_on_the_same(made: Offer, sides: Sides, to: Dynasty | None, lasts: timedelta) -> Offer:
    lasted = made.expires_at - made.made_at
    if (made.to, lasted, sides_of(made)) != (to, lasts, sides):
        raise KeyReused(made.key)
    return made


def _refuse_terms(gives: Mapping[Kind, int], wants: Mapping[Kind, int]) -> None:
    if not gives and not wants:
        raise errors.EmptyOffer
    if gives.keys() & wants.keys():
        raise errors.SameOnBothSides
    if not all(0 < each <= MOST_OF_A_KIND for each in (*gives.values(), *wants.values())):
        raise errors.UnfitAmount


def _refuse_addressee(maker: Dynasty, to: Dynasty | None) -> None:
    if to is not None and (to == maker or not stands(Dynasty.objects.get(pk=to.pk))):
        raise errors.UnfitAddressee
    if to is not None and has_blocked(by=Person(to.pk), whom=Person(maker.pk)):
        raise errors.Unwelcome


def _refuse_time(lasts: timedelta) -> None:
    days = charter().offer_days
    if not timedelta(0) < lasts <= timedelta(days=days):
        raise errors.UnfitTime(most_days=days)


def _refuse_flood(maker: Dynasty, now: datetime) -> None:
    own = Offer.objects.filter(maker=maker)
    if own.filter(state=Offer.State.OPEN).count() >= MOST_OPEN_OFFERS:
        raise errors.TooManyOffers
    if own.filter(made_at__gt=now - timedelta(days=1)).count() >= MOST_OFFERS_A_DAY:
        raise errors.TooManyToday


def _write_parts(offer: Offer, gives: Mapping[Kind, int], wants: Mapping[Kind, int]) -> None:
    sides = ((OfferPart.Side.GIVES, gives), (OfferPart.Side.WANTS, wants))
    OfferPart.objects.bulk_create(
        OfferPart(offer=offer, side=side, kind=kind, amount=amount)
        for side, wealth in sides
        for kind, amount in wealth.items()
    )


def _lay_in_escrow(offer: Offer, maker: Dynasty, gives: Mapping[Kind, int]) -> None:
    offer.escrow = open_escrow(purpose=f"offer {offer.pk}")
    offer.save(update_fields=["escrow"])
    moves = _hand_over(gives, purse_of(maker), offer.escrow)
    post(key=f"offer {offer.pk} escrow", reason=reasons.OFFER, moves=moves)
    keep_grant(dynasty=maker)


# --- Settling ------------------------------------------------------------------------


@transaction.atomic
def accept_offer(*, offer: Offer, dynasty: Dynasty) -> Offer:
    """Pay what the offer wants, to its maker, and take what lies in escrow.

    Who has accepted it already gets it back as it is. Raises Refused and NotEnough.
    """
    maker, taker = hold_standing(offer.maker, dynasty)
    held = _hold(offer)
    if held.state == Offer.State.ACCEPTED and held.taker == taker:
        return held
    _refuse_taker(held, taker)
    sides = sides_of(held)
    transfer = post(
        key=_settling_key(held),
        reason=reasons.TRADE,
        moves=[
            *_out_of_escrow(held, sides.gives, purse_of(taker)),
            *_hand_over(sides.wants, purse_of(taker), purse_of(maker)),
        ],
    )
    # The clock was read once every lock was held: who has waited for too long is too late.
    if transfer.made_at >= held.expires_at:
        raise errors.Expired
    if sides.wants:
        keep_grant(dynasty=taker)
    held.taker, held.settlement = taker, transfer
    return _settle(held, Offer.State.ACCEPTED, at=transfer.made_at)


def _refuse_taker(held: Offer, taker: Dynasty) -> None:
    if held.maker_id == taker.pk:
        raise errors.OwnOffer
    if held.to_id not in (None, taker.pk):
        raise errors.NotForYou
    if held.state != Offer.State.OPEN:
        raise errors.Settled


@transaction.atomic
def withdraw_offer(*, offer: Offer, dynasty: Dynasty) -> Offer:
    """Take an open offer of one's own back, with what it gives.

    What is withdrawn already stays so. Raises Settled if somebody or time was quicker,
    NotForYou for an offer of others.
    """
    if offer.maker_id != dynasty.pk:
        raise errors.NotForYou
    hold_dynasties(numbers=[offer.maker_id])
    held = _hold(offer)
    if held.state == Offer.State.OPEN:
        return _return(held)
    if held.state != Offer.State.WITHDRAWN:
        raise errors.Settled
    return held


@transaction.atomic
def recall_offer(*, offer: Offer, reason: str, author: AbstractBaseUser) -> bool:
    """Withdraw an open offer by office, for a reason that its maker reads; False if it was over."""
    hold_dynasties(numbers=[offer.maker_id])
    held = _hold(offer)
    if held.state != Offer.State.OPEN:
        return False
    _return(held, note=reason, author=author)
    log.info("offer_recalled", offer=held.pk)
    return True


@transaction.atomic
def expire_offer(*, offer: Offer) -> bool:
    """Settle an offer whose time is over; False if it was settled, or still has time."""
    hold_dynasties(numbers=[offer.maker_id])
    held = _hold(offer)
    if held.state != Offer.State.OPEN or database_now() < held.expires_at:
        return False
    _return(held)
    return True


def expire_due_offers() -> int:
    """Settle the offers whose time is over; return how many.

    Each has a transaction of its own: one that fails holds up no other.
    """
    due = Offer.objects.filter(state=Offer.State.OPEN, expires_at__lte=database_now())
    return sum(map(_expire_or_log, due.order_by("expires_at", "pk")[:MOST_AT_ONCE]))


def _expire_or_log(offer: Offer) -> bool:
    try:
        return expire_offer(offer=offer)
    except Exception:  # the next sweep tries again
        log.exception("expiry_failed", offer=offer.pk)
        return False


@transaction.atomic
def withdraw_offers_of(*, dynasty: Dynasty) -> None:
    """Withdraw all open offers of a dynasty, in the transaction of its fall and before it."""
    hold_dynasties(numbers=[dynasty.pk])
    chosen = Offer.objects.filter(maker=dynasty, state=Offer.State.OPEN)
    held = list(_locked(chosen).order_by("pk"))
    if held:
        # All balances that the fall will touch, the crown's too, and in the one order of locks.
        accounts = [crown().pk, purse_of(dynasty).pk, *(each.escrow_id for each in held)]
        kinds = Kind.objects.values_list("pk", flat=True)
        hold_balances(places=[(each, kind) for each in accounts if each for kind in kinds])
    for offer in held:
        _return(offer)


def _hold(offer: Offer) -> Offer:
    return _locked(Offer.objects.filter(pk=offer.pk)).get()


def _locked(offers: QuerySet[Offer]) -> QuerySet[Offer]:
    """Offers, locked, with all that their settlement needs."""
    with_accounts = offers.select_related("maker__account", "escrow")
    return with_accounts.select_for_update(of=("self",)).prefetch_related("parts__kind")


def _return(held: Offer, *, note: str = "", author: AbstractBaseUser | None = None) -> Offer:
    """Give back what lies in escrow; overdue, the offer has expired, whoever came to settle it."""
    moves = _out_of_escrow(held, sides_of(held).gives, purse_of(held.maker))
    if moves:
        key = _settling_key(held)
        held.settlement = post(
            key=key, reason=reasons.RETURN, moves=moves, note=note, author=author
        )
    now = held.settlement.made_at if held.settlement else database_now()
    overdue = now >= held.expires_at
    return _settle(held, Offer.State.EXPIRED if overdue else Offer.State.WITHDRAWN, at=now)


def _settle(held: Offer, state: Offer.State, *, at: datetime) -> Offer:
    held.state, held.settled_at = state, at
    held.save(update_fields=["state", "settled_at", "taker", "settlement"])
    return held


def _settling_key(offer: Offer) -> str:
    """One key for whatever ends an offer: the ledger itself would refuse a second end."""
    return f"offer {offer.pk} settled"


def _out_of_escrow(held: Offer, gives: Mapping[Kind, int], receiver: Account) -> list[Move]:
    return _hand_over(gives, held.escrow, receiver) if held.escrow else []


def _hand_over(wealth: Mapping[Kind, int], giver: Account, receiver: Account) -> list[Move]:
    return [
        move
        for kind, amount in wealth.items()
        for move in (Move(giver, kind, -amount), Move(receiver, kind, amount))
    ]
