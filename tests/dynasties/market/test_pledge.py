"""A dynasty that was never tried keeps what it was granted, whichever way it tries to give it."""

import pytest

from dynasties.charter.services import amend_charter
from dynasties.houses.models import Dynasty
from dynasties.market.crown import buy_ware, exchange
from dynasties.market.errors import GrantBound
from dynasties.market.models import Ware
from dynasties.market.pledge import secure_wealth
from dynasties.market.services import accept_offer, withdraw_offer
from dynasties.treasury.selectors import kind
from tests.dynasties.market.cast import (
    endow,
    merchant,
    novice,
    offered,
    owned,
    try_out,
    wealth,
)

pytestmark = pytest.mark.django_db


def buy_key(dynasty: Dynasty) -> None:
    ware = Ware.objects.get(item__code="bronze-key")
    buy_ware(dynasty=dynasty, ware=ware, count=1, price=ware.price, key="k")


def test_the_grant_is_no_gift(audit) -> None:
    young = novice()
    with pytest.raises(GrantBound) as refusal:
        offered(young, gives=wealth(copper=1), wants={})
    assert (refusal.value.grant, refusal.value.left) == (1000, 999)
    assert owned(young) == {"copper": 1000}
    audit()


def test_the_grant_buys_nothing_that_has_no_mint_value() -> None:
    young, friend = novice(), merchant(bronze_key=1)
    with pytest.raises(GrantBound):
        offered(young, gives=wealth(copper=500), wants=wealth(bronze_key=1))
    key = offered(friend, gives=wealth(bronze_key=1), wants=wealth(copper=1), to=young)
    with pytest.raises(GrantBound):
        accept_offer(offer=key, dynasty=young)


def test_the_grant_may_be_traded_for_as_much(audit) -> None:
    young, friend = novice(), merchant(silver=20)
    offer = offered(young, gives=wealth(copper=200), wants=wealth(silver=20))
    accept_offer(offer=offer, dynasty=friend)
    assert owned(young) == {"copper": 800, "silver": 20}
    fair = offered(friend, gives=wealth(copper=100), wants=wealth(silver=10))
    assert accept_offer(offer=fair, dynasty=young)
    audit()


def test_a_bad_bargain_is_a_gift() -> None:
    young, friend = novice(), merchant(silver=20)
    with pytest.raises(GrantBound):
        offered(young, gives=wealth(copper=201), wants=wealth(silver=20))
    dear = offered(friend, gives=wealth(silver=1), wants=wealth(copper=11))
    with pytest.raises(GrantBound):
        accept_offer(offer=dear, dynasty=young)


def test_what_came_on_top_of_the_grant_may_be_given() -> None:
    young, friend = novice(copper=300), merchant(silver=20)
    accept_offer(offer=offered(young, gives=wealth(copper=300), wants={}), dynasty=friend)
    assert owned(young) == {"copper": 1000}
    with pytest.raises(GrantBound):
        offered(young, gives=wealth(copper=1), wants={})


def test_many_small_offers_are_counted_together() -> None:
    young = novice(copper=300)
    first = offered(young, gives=wealth(copper=200), wants={})
    with pytest.raises(GrantBound):
        offered(young, gives=wealth(copper=101), wants={})
    withdraw_offer(offer=first, dynasty=young)
    offered(young, gives=wealth(copper=101), wants={})


def test_an_open_offer_counts_with_the_lesser_side() -> None:
    young = novice(copper=300)
    offered(young, gives=wealth(copper=300), wants=wealth(silver=10))
    assert secure_wealth(young) == 1100
    offered(young, gives=wealth(copper=100), wants=wealth(gold=100))
    assert secure_wealth(young) == 1100
    offered(young, gives={}, wants=wealth(gold=100))
    assert secure_wealth(young) == 1100


def test_a_key_bought_with_the_grant_stays() -> None:
    """The shop is open to all, but what it sold counts nothing: it can't be handed on."""
    young = novice()
    buy_key(young)
    for wants in ({}, wealth(copper=1), wealth(copper=249)):
        with pytest.raises(GrantBound):
            offered(young, gives=wealth(bronze_key=1), wants=wants)
    plea = offered(merchant(), gives={}, wants=wealth(bronze_key=1), to=young)
    with pytest.raises(GrantBound):
        accept_offer(offer=plea, dynasty=young)


def test_a_key_bought_with_other_wealth_may_go() -> None:
    young = novice(copper=250)
    buy_key(young)
    assert offered(young, gives=wealth(bronze_key=1), wants={})


def test_what_the_mint_took_is_gone_and_the_rest_stays() -> None:
    young = novice()
    exchange(dynasty=young, get=kind("silver"), count=49, pay=kind("copper"), price=500, key="k")
    assert secure_wealth(young) == 990
    with pytest.raises(GrantBound):
        offered(young, gives=wealth(silver=1), wants={})


def test_a_gift_may_always_be_taken() -> None:
    young, friend = novice(), merchant()
    buy_key(young)
    gift = offered(friend, gives=wealth(copper=5), wants={})
    assert accept_offer(offer=gift, dynasty=young)
    assert offered(young, gives={}, wants=wealth(copper=5))


def test_whoever_was_tried_is_free(audit) -> None:
    young = novice()
    try_out(young)
    # The row in hand is of before; what counts is the one that is locked.
    assert offered(young, gives=wealth(copper=1000), wants={})
    audit()


def test_the_pledge_is_what_was_granted_whatever_is_granted_now() -> None:
    young = novice(copper=10)
    amend_charter(changes={"founding_grant": 5000}, reason="Plenty.", author=None)
    assert offered(young, gives=wealth(copper=10), wants={})
    amend_charter(changes={"founding_grant": 0}, reason="Dearth.", author=None)
    poor = novice()
    endow(poor, copper=3)
    assert offered(poor, gives=wealth(copper=3), wants={})
