"""What dynasties buy from the crown: wares, and one coin for another."""

import pytest

from dynasties.charter.services import amend_charter
from dynasties.market import errors
from dynasties.market.crown import buy_ware, exchange
from dynasties.market.models import Ware
from dynasties.treasury.kinds import set_mint_value
from dynasties.treasury.models import Transfer
from dynasties.treasury.selectors import balances_of, kind
from dynasties.treasury.services import KeyReused, NotEnough, crown
from tests.dynasties.market.cast import merchant, novice, owned
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def key_ware() -> Ware:
    ware = Ware.objects.get(item__code="bronze-key")
    ware.price = 250
    ware.save()
    return ware


def crowns_copper() -> int:
    return balances_of(crown()).get(kind("copper"), 0)


# --- The shop ---------------------------------------------------------------------------


def test_the_coin_goes_to_the_crown_and_the_key_to_the_buyer(key_ware, audit) -> None:
    buyer, before = merchant(), crowns_copper()
    buy_ware(dynasty=buyer, ware=key_ware, count=3, price=250, key="k")
    assert owned(buyer) == {"copper": 250, "bronze-key": 3}
    assert crowns_copper() == before + 750
    audit()


def test_a_second_click_buys_nothing_more_even_at_another_price(key_ware) -> None:
    buyer = merchant()
    first = buy_ware(dynasty=buyer, ware=key_ware, count=1, price=250, key="k")
    Ware.objects.update(price=300)
    assert buy_ware(dynasty=buyer, ware=key_ware, count=1, price=250, key="k") == first
    assert owned(buyer) == {"copper": 750, "bronze-key": 1}


def test_two_buyers_may_use_the_same_key(key_ware) -> None:
    for buyer in (merchant(), merchant()):
        buy_ware(dynasty=buyer, ware=key_ware, count=1, price=250, key="k")
        assert owned(buyer)["bronze-key"] == 1


def test_a_key_of_another_purchase_is_refused(key_ware) -> None:
    buyer = merchant()
    buy_ware(dynasty=buyer, ware=key_ware, count=1, price=250, key="k")
    with pytest.raises(KeyReused):
        buy_ware(dynasty=buyer, ware=key_ware, count=2, price=250, key="k")


def test_who_saw_another_price_is_shown_the_new_one(key_ware) -> None:
    with pytest.raises(errors.PriceChanged) as refusal:
        buy_ware(dynasty=merchant(), ware=key_ware, count=1, price=200, key="k")
    assert refusal.value.price == 250


@pytest.mark.parametrize("count", [0, -1, 1001])
def test_no_odd_count_is_sold(key_ware, count: int) -> None:
    buyer = merchant(copper=10**6)
    with pytest.raises(errors.UnfitAmount):
        buy_ware(dynasty=buyer, ware=key_ware, count=count, price=250, key="k")


def test_what_is_off_the_shelves_is_not_sold(key_ware) -> None:
    Ware.objects.update(on_sale=False)
    with pytest.raises(errors.NotOnSale):
        buy_ware(dynasty=merchant(), ware=key_ware, count=1, price=250, key="k")


def test_who_has_too_little_gets_nothing(key_ware) -> None:
    buyer = merchant()
    with pytest.raises(NotEnough):
        buy_ware(dynasty=buyer, ware=key_ware, count=5, price=250, key="k")
    assert owned(buyer) == {"copper": 1000}


@pytest.mark.parametrize("state", [{"fallen": True}, {"held": True}])
def test_only_who_stands_buys_and_exchanges(key_ware, state) -> None:
    nobody = DynastyFactory(**state)
    with pytest.raises(errors.NotStanding):
        buy_ware(dynasty=nobody, ware=key_ware, count=1, price=250, key="k")
    with pytest.raises(errors.NotStanding):
        exchange(dynasty=nobody, get=kind("silver"), count=1, pay=kind("copper"), price=11, key="k")


# --- The mint ---------------------------------------------------------------------------


def silver_for_copper(dynasty, *, count: int, price: int, key: str = "k") -> Transfer:
    terms = {"get": kind("silver"), "count": count, "pay": kind("copper"), "price": price}
    return exchange(dynasty=dynasty, key=key, **terms)


def test_the_mint_gives_at_mint_values_and_the_fee_is_the_crowns(audit) -> None:
    dynasty, before = merchant(), crowns_copper()
    silver_for_copper(dynasty, count=49, price=500)
    assert owned(dynasty) == {"copper": 500, "silver": 49}
    assert crowns_copper() == before + 10
    audit()


def test_a_second_click_exchanges_nothing_more_even_at_another_value() -> None:
    dynasty = novice()
    first = silver_for_copper(dynasty, count=49, price=500)
    set_mint_value(kind=kind("silver"), value=20, reason="A hard winter.")
    assert silver_for_copper(dynasty, count=49, price=500) == first
    assert owned(dynasty) == {"copper": 500, "silver": 49}


def test_a_changed_value_between_look_and_word_is_refused_with_the_new_price() -> None:
    set_mint_value(kind=kind("silver"), value=20, reason="A hard winter.")
    with pytest.raises(errors.PriceChanged) as refusal:
        silver_for_copper(merchant(), count=49, price=500)
    assert refusal.value.price == 1000


def test_a_changed_fee_is_refused_with_the_new_price() -> None:
    amend_charter(changes={"mint_fee_percent": 50}, reason="War.", author=None)
    with pytest.raises(errors.PriceChanged) as refusal:
        silver_for_copper(merchant(), count=10, price=103)
    assert refusal.value.price == 200


def test_without_a_fee_the_crown_gets_nothing(audit) -> None:
    amend_charter(changes={"mint_fee_percent": 0}, reason="Peace.", author=None)
    before = crowns_copper()
    silver_for_copper(merchant(), count=10, price=100)
    assert crowns_copper() == before
    audit()


@pytest.mark.parametrize(
    ("get", "pay"), [("bronze-key", "copper"), ("copper", "bronze-key"), ("copper", "copper")]
)
def test_items_and_a_kind_for_itself_are_not_exchanged(get: str, pay: str) -> None:
    with pytest.raises(errors.NotExchanged):
        exchange(dynasty=merchant(), get=kind(get), count=1, pay=kind(pay), price=1, key="k")


@pytest.mark.parametrize("count", [0, -5, 10**12 + 1, 10**30])
def test_no_odd_amount_is_exchanged(count: int) -> None:
    with pytest.raises(errors.UnfitAmount):
        silver_for_copper(merchant(), count=count, price=1)


def test_nobody_exchanges_what_he_has_not() -> None:
    with pytest.raises(NotEnough):
        silver_for_copper(merchant(), count=99, price=1011)
