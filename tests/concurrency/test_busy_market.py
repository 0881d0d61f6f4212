"""A busy market: trades in all directions, falls and new prices in the middle of them."""

from collections import Counter

import pytest

from dynasties.accounts.services import ask_departure
from dynasties.houses.models import Dynasty
from dynasties.market.crown import buy_ware, exchange
from dynasties.market.errors import NotStanding, PriceChanged, Settled
from dynasties.market.models import Offer, Ware
from dynasties.market.services import accept_offer, expire_due_offers, withdraw_offer
from dynasties.treasury.kinds import set_mint_value
from dynasties.treasury.models import Transfer
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import NotEnough
from tests.concurrency.rivals import all_at_once
from tests.concurrency.soundness import check_world, check_world_after
from tests.dynasties.market.cast import allow_many_offers, endow, merchant, offered, owned, wealth
from tests.scale import figure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]

ROUNDS = figure(8, soak=500)
State = Offer.State


@pytest.fixture(autouse=True)
def a_long_day(monkeypatch) -> None:
    allow_many_offers(monkeypatch)


def test_merchants_who_trade_in_all_directions_never_wait_in_a_circle() -> None:
    merchants = [merchant(silver=10_000, gold=10_000, copper=10_000) for _ in range(4)]
    before = Counter[str]()
    for each in merchants:
        before.update(owned(each))

    def trade(number: int) -> None:
        me, others = merchants[number % 4], [m for m in merchants if m != merchants[number % 4]]
        for step in range(figure(5, soak=100)):
            offered(me, gives=wealth(copper=3, gold=1), wants=wealth(silver=2), to=others[step % 3])
            for offer in Offer.objects.filter(state=State.OPEN, to=me)[:3]:
                try_to_accept(offer, me)

    # Each keeps a connection for long, and the pool has eight.
    ends = all_at_once([lambda n=number: trade(n) for number in range(6)])
    assert ends == [None] * 6
    check_world()
    for offer in Offer.objects.filter(state=State.OPEN):
        withdraw_offer(offer=offer, dynasty=offer.maker)
    after = Counter[str]()
    for each in merchants:
        after.update(owned(each))
    assert after == before


def try_to_accept(offer: Offer, dynasty: Dynasty) -> None:
    try:
        accept_offer(offer=offer, dynasty=dynasty)
    except (Settled, NotEnough):
        return


def test_a_fall_against_accepting_offering_and_withdrawing_leaves_nothing_behind() -> None:
    for number in range(ROUNDS):
        falling, other = merchant(silver=50), merchant(silver=50)
        offers = [offered(falling) for _ in range(2)]
        theirs = offered(other, gives=wealth(copper=7))
        ends = all_at_once(
            [
                lambda f=falling: ask_departure(user=f.ruler),
                lambda o=offers[0], t=other: accept_offer(offer=o, dynasty=t),
                lambda o=offers[1], f=falling: withdraw_offer(offer=o, dynasty=f),
                lambda f=falling: offered(f, gives=wealth(copper=5)),
                lambda o=theirs, f=falling: accept_offer(offer=o, dynasty=f),
            ]
        )
        assert ends[0] is True, ends
        assert {type(end) for end in ends[1:]} <= {Offer, NotStanding, Settled}, ends
        assert not Offer.objects.filter(maker=falling, state=State.OPEN).exists()
        assert owned(falling) == {}
        check_world_after(number)


def test_a_mint_value_that_changes_meanwhile_never_gives_the_old_price() -> None:
    dynasty = merchant(copper=1_000_000)
    terms = {"get": kind("silver"), "count": 49, "pay": kind("copper")}
    for number in range(ROUNDS):
        value, price = (20, 500) if number % 2 == 0 else (10, 1000)
        ends = all_at_once(
            [
                lambda n=number, p=price: exchange(dynasty=dynasty, key=f"{n}", price=p, **terms),
                lambda v=value: set_mint_value(kind=kind("silver"), value=v, reason="A race."),
            ]
        )
        assert type(ends[0]) in {Transfer, PriceChanged}, ends
        assert ends[1] is True
    check_world()


def test_wealth_is_conserved_through_a_busy_day() -> None:
    """Offers, trades, withdrawals, expiries, purchases and exchanges, all at once."""
    merchants = [merchant(silver=50_000, copper=200_000) for _ in range(6)]
    ware = Ware.objects.get(item__code="bronze-key")
    steps = figure(10, soak=400)

    def live(number: int) -> None:
        me = merchants[number]
        for step in range(steps):
            mine = offered(me, gives=wealth(copper=10), wants=wealth(silver=1))
            for offer in Offer.objects.filter(state=State.OPEN).exclude(maker=me)[:2]:
                try_to_accept(offer, me)
            if step % 3 == 0:
                endow(me, copper=1)
                buy_ware(dynasty=me, ware=ware, count=1, price=ware.price, key=f"{number} {step}")
            if step % 4 == 0:
                try_to_withdraw(mine, me)
            expire_due_offers()

    assert all_at_once([lambda n=number: live(n) for number in range(6)]) == [None] * 6
    check_world()


def try_to_withdraw(offer: Offer, dynasty: Dynasty) -> None:
    try:
        withdraw_offer(offer=offer, dynasty=dynasty)
    except Settled:
        return
