"""Every invariant of the market is broken by something, and then says so."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from dynasties.audit import all_invariants, run_audit
from dynasties.houses.models import Dynasty
from dynasties.market import invariants
from dynasties.market.models import Offer, OfferPart, Ware, WarePrice
from dynasties.market.services import accept_offer, withdraw_offer
from dynasties.treasury.models import Balance
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import Move, account_of, open_escrow, post
from tests.dynasties.market.cast import DAY, merchant, offered, wealth

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(days=100)


def accepted(**terms) -> Offer:
    return accept_offer(offer=offered(merchant(), **terms), dynasty=merchant(silver=9))


def rewrite(offer: Offer, **fields: object) -> None:
    Offer.objects.filter(pk=offer.pk).update(**fields)


def take_a_coin_out_of_escrow() -> None:
    offer = offered(merchant())
    Balance.objects.filter(account=offer.escrow).update(amount=F("amount") - 1)


def lay_another_kind_in_escrow() -> None:
    offer = offered(merchant())
    Balance.objects.create(account=offer.escrow, kind=kind("ruby"), amount=1)


def promise_more_than_there_is() -> None:
    offered(merchant())
    OfferPart.objects.filter(side=OfferPart.Side.GIVES).update(amount=101)


def leave_a_coin_in_a_settled_escrow() -> None:
    Balance.objects.filter(account=accepted().escrow).update(amount=1)


def settle_without_emptying_the_escrow() -> None:
    rewrite(offered(merchant()), state=Offer.State.WITHDRAWN, settled_at=timezone.now())


def open_an_escrow_for_no_offer() -> None:
    open_escrow(purpose="offer 4711")


def fall_with_an_open_offer() -> None:
    maker = offered(merchant()).maker
    Dynasty.objects.filter(pk=maker.pk).update(ruler=None, fallen_at=timezone.now())


def offer_nothing_for_nothing() -> None:
    OfferPart.objects.filter(offer=offered(merchant(), gives={})).delete()


def want_what_is_given() -> None:
    OfferPart.objects.filter(offer=offered(merchant()), side=OfferPart.Side.WANTS).update(
        kind=kind("copper")
    )


def accept_an_offer_to_another() -> None:
    rewrite(accepted(), to=merchant())


def accept_ones_own_offer() -> None:
    rewrite(accepted(), taker=F("maker"))


def forget_how_it_was_settled() -> None:
    rewrite(accepted(), settlement=None)


def trade_for_more_than_was_paid() -> None:
    parts = OfferPart.objects.filter(offer=accepted(), side=OfferPart.Side.WANTS)
    parts.update(amount=6)


def return_to_somebody_else() -> None:
    maker, other = merchant(), account_of(merchant())
    offer, copper = offered(maker), kind("copper")
    moves = [Move(offer.escrow, copper, -100), Move(other, copper, 100)]
    settlement = post(key=f"offer {offer.pk} settled", reason="offer-returned", moves=moves)
    state, now = Offer.State.WITHDRAWN, timezone.now()
    rewrite(offer, state=state, settled_at=now, settlement=settlement)


def return_less_than_was_given() -> None:
    maker = merchant()
    offer = withdraw_offer(offer=offered(maker), dynasty=maker)
    OfferPart.objects.filter(offer=offer, side=OfferPart.Side.GIVES).update(amount=101)


def accept_after_the_end() -> None:
    offer = accepted()
    rewrite(offer, expires_at=offer.settled_at)


def expire_before_the_end() -> None:
    maker = merchant()
    rewrite(withdraw_offer(offer=offered(maker), dynasty=maker), state=Offer.State.EXPIRED)


def settle_before_making() -> None:
    offer = accepted()
    rewrite(offer, made_at=offer.settled_at + DAY / 2)


def leave_an_offer_lying() -> None:
    rewrite(offered(merchant()), made_at=timezone.now() - LONG_AGO, expires_at=long_overdue())


def long_overdue():
    return timezone.now() - invariants.GRACE - timedelta(minutes=1)


def sell_a_coin() -> None:
    Ware.objects.update(item=kind("gold"))


def sell_for_keys() -> None:
    Ware.objects.update(coin=kind("bronze-key"))


def change_a_price_behind_the_history() -> None:
    Ware.objects.update(price=7)


def sell_what_has_no_history() -> None:
    WarePrice._base_manager.all().delete()


def forge_the_price_before() -> None:
    WarePrice._base_manager.update(was=7)


def change_a_price_without_a_reason() -> None:
    WarePrice._base_manager.update(reason="")


NEWEST = "A ware's price is the newest of its history."
FOLLOWS = "Each price of a ware goes on where the one before ended, and has a reason."

DEEDS: dict[Callable[[], object], str] = {
    take_a_coin_out_of_escrow: "The escrow of an open offer holds exactly what the offer gives.",
    lay_another_kind_in_escrow: "The escrow of an open offer holds exactly what the offer gives.",
    promise_more_than_there_is: "The escrow of an open offer holds exactly what the offer gives.",
    leave_a_coin_in_a_settled_escrow: "The escrow of a settled offer is empty.",
    settle_without_emptying_the_escrow: "The escrow of a settled offer is empty.",
    open_an_escrow_for_no_offer: "An escrow account for an offer belongs to an offer.",
    fall_with_an_open_offer: "No fallen dynasty has an open offer.",
    offer_nothing_for_nothing: "Every offer gives something or wants something.",
    want_what_is_given: "No offer gives and wants the same kind.",
    accept_an_offer_to_another: (
        "An offer is accepted by another than its maker, and by its addressee if it has one."
    ),
    accept_ones_own_offer: (
        "An offer is accepted by another than its maker, and by its addressee if it has one."
    ),
    forget_how_it_was_settled: (
        "An accepted offer moved what it gives to its taker and what it wants to its maker."
    ),
    trade_for_more_than_was_paid: (
        "An accepted offer moved what it gives to its taker and what it wants to its maker."
    ),
    return_to_somebody_else: "A withdrawn or expired offer gave back to its maker what it gives.",
    return_less_than_was_given: (
        "A withdrawn or expired offer gave back to its maker what it gives."
    ),
    accept_after_the_end: (
        "An offer is accepted or withdrawn before it expires, and expires not before its time."
    ),
    expire_before_the_end: (
        "An offer is accepted or withdrawn before it expires, and expires not before its time."
    ),
    settle_before_making: (
        "An offer is accepted or withdrawn before it expires, and expires not before its time."
    ),
    leave_an_offer_lying: "No open offer is overdue by more than a day.",
    sell_a_coin: "The crown sells items, for something that has a mint value.",
    sell_for_keys: "The crown sells items, for something that has a mint value.",
    change_a_price_behind_the_history: NEWEST,
    sell_what_has_no_history: NEWEST,
    forge_the_price_before: FOLLOWS,
    change_a_price_without_a_reason: FOLLOWS,
}


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_what_breaks_the_market_is_found(deed: Callable[[], object]) -> None:
    assert run_audit() == []
    deed()
    assert DEEDS[deed] in {breach.sentence for breach in run_audit()}


def test_every_invariant_of_the_market_is_broken_by_something() -> None:
    ours = {
        each.sentence for each in all_invariants() if each.find.__module__ == invariants.__name__
    }
    assert ours == set(DEEDS.values())


def test_a_market_with_every_kind_of_end_is_sound(audit) -> None:
    maker = merchant(silver=3)
    offered(maker)
    offered(maker, gives={})
    withdraw_offer(offer=offered(maker, wants={}), dynasty=maker)
    withdraw_offer(offer=offered(maker, gives={}, wants=wealth(gold=1)), dynasty=maker)
    accept_offer(offer=offered(maker, gives=wealth(silver=3), wants={}), dynasty=merchant())
    accepted(gives={})
    accepted(wants={})
    audit()
