"""The market under contention: an offer is settled once, by whoever is first, and in time."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Thread

import pytest
from django.db import connection, transaction
from django.utils import timezone

from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from dynasties.market import services
from dynasties.market.crown import buy_ware, exchange
from dynasties.market.errors import (
    Expired,
    GrantBound,
    Settled,
)
from dynasties.market.models import Offer, Ware
from dynasties.market.services import accept_offer, expire_due_offers, withdraw_offer
from dynasties.treasury.models import Transfer
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import NotEnough, account_of, hold_balances
from tests.concurrency.rivals import all_at_once
from tests.concurrency.soundness import check_world, check_world_after, kinds_of
from tests.dynasties.market.cast import (
    allow_many_offers,
    merchant,
    novice,
    offered,
    owned,
    wealth,
)
from tests.scale import figure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]

ROUNDS = figure(8, soak=500)
State = Offer.State


@pytest.fixture(autouse=True)
def a_long_day(monkeypatch) -> None:
    allow_many_offers(monkeypatch)


@pytest.fixture
def maker() -> Dynasty:
    return merchant(copper=1_000_000)


@contextmanager
def waiting(deed: Callable[[], object]) -> Iterator[list[object]]:
    """Begin a deed in another thread, and leave only when it is over; it may have to wait."""
    ends: list[object] = []

    def act() -> None:
        try:
            ends.append(deed())
        except Exception as error:
            ends.append(error)
        finally:
            connection.close()

    thread = Thread(target=act)
    thread.start()
    try:
        yield ends
    finally:
        thread.join()


def until_somebody_waits() -> None:
    """Return once another session of this database waits for a lock."""
    asked = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    for _attempt in range(200):
        with connection.cursor() as cursor:
            cursor.execute(asked)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits")


# --- One offer, several takers ----------------------------------------------------------------


def test_of_two_takers_one_gets_the_offer(maker) -> None:
    takers = [merchant(silver=10_000) for _ in range(2)]
    for number in range(ROUNDS):
        offer = offered(maker, gives=wealth(copper=1), wants=wealth(silver=1))
        ends = all_at_once([lambda t=t, o=offer: accept_offer(offer=o, dynasty=t) for t in takers])
        assert kinds_of(ends) == {Offer: 1, Settled: 1}, number
        check_world_after(number)
    assert owned(maker)["silver"] == ROUNDS


def test_of_sixteen_takers_one_gets_the_offer(maker) -> None:
    takers = [merchant(silver=1) for _ in range(16)]
    offer = offered(maker, wants=wealth(silver=1))
    ends = all_at_once([lambda t=t: accept_offer(offer=offer, dynasty=t) for t in takers])
    assert kinds_of(ends) == {Offer: 1, Settled: 15}
    check_world()


def test_the_same_request_five_times_at_once_acts_once(maker) -> None:
    taker, ware = merchant(silver=10_000), Ware.objects.get(item__code="bronze-key")
    for number in range(ROUNDS):
        before = owned(maker)["copper"]
        made = all_at_once([lambda n=number: offered(maker, key=f"same {n}")] * 5)
        assert {each.pk for each in made} == {made[0].pk}
        assert owned(maker)["copper"] == before - 100
        taken = all_at_once([lambda o=made[0]: accept_offer(offer=o, dynasty=taker)] * 5)
        assert [each.taker for each in taken] == [taker] * 5
        once_more = offered(maker)
        back = all_at_once([lambda o=once_more: withdraw_offer(offer=o, dynasty=maker)] * 5)
        assert kinds_of(back) == {Offer: 5}
        bought = all_at_once(
            [
                lambda n=number: buy_ware(
                    dynasty=maker, ware=ware, count=1, price=ware.price, key=f"same {n}"
                )
            ]
            * 5
        )
        assert {each.pk for each in bought} == {bought[0].pk}
        check_world_after(number)
    assert owned(maker)["silver"] == 5 * ROUNDS
    assert owned(maker)["bronze-key"] == ROUNDS
    assert owned(taker) == {"copper": 1000 + 100 * ROUNDS, "silver": 10_000 - 5 * ROUNDS}


def test_the_same_exchange_five_times_at_once_is_one() -> None:
    dynasty = merchant(copper=1_000_000)
    terms = {"get": kind("silver"), "count": 49, "pay": kind("copper"), "price": 500}
    for number in range(ROUNDS):
        ends = all_at_once([lambda n=number: exchange(dynasty=dynasty, key=f"s {n}", **terms)] * 5)
        assert {each.pk for each in ends} == {ends[0].pk}
    assert owned(dynasty) == {"copper": 1_001_000 - 500 * ROUNDS, "silver": 49 * ROUNDS}
    check_world()


# --- Accept against withdraw against expiry ---------------------------------------------------


def let_end_in(offer: Offer, seconds: float) -> None:
    ends = database_now() + timedelta(seconds=seconds)
    Offer.objects.filter(pk=offer.pk).update(made_at=ends - timedelta(hours=1), expires_at=ends)


# From overdue to far from it: however slow the machine, some races are decided by the clock.
HASTE = (-0.01, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 60)


def test_accept_against_withdraw_against_expiry_has_one_end(maker) -> None:
    taker, ends_seen = merchant(silver=10_000), Counter[str]()
    for number in range(2 * ROUNDS):
        offer = offered(maker)
        let_end_in(offer, HASTE[number % len(HASTE)])
        before = owned(maker)["copper"], owned(taker)["silver"]
        ends = all_at_once(
            [
                lambda o=offer: accept_offer(offer=o, dynasty=taker),
                lambda o=offer: withdraw_offer(offer=o, dynasty=maker),
                expire_due_offers,
            ]
        )
        assert {type(end) for end in ends} <= {Offer, Settled, Expired, int}, ends
        expire_due_offers()
        offer.refresh_from_db()
        ends_seen[offer.state] += 1
        paid = before[1] - owned(taker)["silver"]
        back = owned(maker)["copper"] - before[0]
        assert (paid, back) == ((5, 0) if offer.state == State.ACCEPTED else (0, 100))
        check_world_after(number)
    assert len(ends_seen) > 1, "the race must have more than one end to prove anything"


def test_accept_against_withdraw_has_one_end(maker) -> None:
    taker = merchant(silver=10_000)
    for _number in range(ROUNDS):
        offer = offered(maker)
        ends = all_at_once(
            [
                lambda o=offer: accept_offer(offer=o, dynasty=taker),
                lambda o=offer: withdraw_offer(offer=o, dynasty=maker),
            ]
        )
        assert kinds_of(ends) == {Offer: 1, Settled: 1}
    check_world()


def test_sweeps_at_the_same_moment_return_everything_once(maker) -> None:
    for _round in range(figure(2, soak=5)):
        for _number in range(20):
            let_end_in(offered(maker), -1)
        assert sum(all_at_once([expire_due_offers] * 4)) == 20
    assert owned(maker)["copper"] == 1_001_000
    check_world()


# --- The clock is read after the last lock -----------------------------------------------------


def accept_while_the_balance_is_held(maker: Dynasty) -> tuple[Offer, list[object]]:
    """The taker comes in time, but waits for his own silver until the offer is overdue."""
    taker = merchant(silver=5)
    offer = offered(maker)
    let_end_in(offer, 0.6)
    place = (account_of(taker).pk, kind("silver").pk)
    with (
        waiting_for_balance(place),
        waiting(lambda: accept_offer(offer=offer, dynasty=taker)) as ends,
    ):
        until_somebody_waits()
        time.sleep(0.8)
        release.set()
    offer.refresh_from_db()
    return offer, ends


release = Event()


@contextmanager
def waiting_for_balance(place: tuple[int, int]) -> Iterator[None]:
    """Hold one balance in another session until `release` is set."""
    release.clear()
    held = Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                hold_balances(places=[place])
                held.set()
                release.wait(10)
        finally:
            connection.close()

    thread = Thread(target=hold)
    thread.start()
    held.wait(10)
    try:
        yield
    finally:
        release.set()
        thread.join()


def check_too_late(offer: Offer, ends: list[object]) -> None:
    assert [type(end) for end in ends] == [Expired]
    assert offer.state == State.OPEN


def test_who_waits_for_a_lock_until_it_is_overdue_is_too_late(maker) -> None:
    check_too_late(*accept_while_the_balance_is_held(maker))
    assert expire_due_offers() == 1
    check_world()


@pytest.mark.unaudited
def test_a_clock_read_before_the_locks_is_found_out(maker, monkeypatch) -> None:
    """Wrong: judged by the time at which the taker came."""
    right = services.post

    def post_stamped_early(**posting: object) -> Transfer:
        came_at: datetime = timezone.now()
        transfer = right(**posting)  # type: ignore[arg-type]
        transfer.made_at = came_at
        return transfer

    monkeypatch.setattr(services, "post", post_stamped_early)
    offer, ends = accept_while_the_balance_is_held(maker)
    with pytest.raises(AssertionError):
        check_too_late(offer, ends)


@pytest.mark.unaudited
def test_an_offer_that_is_not_locked_is_found_out(maker, monkeypatch) -> None:
    """Wrong: reads the offer as it is, and settles what another settles.

    Even so nothing is paid twice: whatever ends an offer has one key in the ledger.
    """
    monkeypatch.setattr(services, "hold_standing", lambda *dynasties: list(dynasties))
    monkeypatch.setattr(services, "hold_dynasties", lambda **_: {})

    def look(offer: Offer) -> Offer:
        found = Offer.objects.get(pk=offer.pk)
        time.sleep(0.05)
        return found

    monkeypatch.setattr(services, "_hold", look)
    takers = [merchant(silver=5) for _ in range(2)]
    offer = offered(maker)
    ends = all_at_once([lambda t=t: accept_offer(offer=offer, dynasty=t) for t in takers])
    assert kinds_of(ends) != {Offer: 1, Settled: 1}
    assert sum(owned(t).get("silver", 0) for t in takers) == 5


# --- The last coin, and the grant ---------------------------------------------------------------


def test_two_offers_never_spend_the_last_coin_twice() -> None:
    for _number in range(ROUNDS):
        poor = merchant(ruby=1)
        terms = {"gives": wealth(ruby=1), "wants": {}}
        ends = all_at_once([lambda p=poor, t=terms: offered(p, **t)] * 2)
        assert kinds_of(ends) == {Offer: 1, NotEnough: 1}
        assert "ruby" not in owned(poor)
    check_world()


def test_two_offers_never_take_the_last_coin_of_their_taker_twice(maker) -> None:
    for _number in range(ROUNDS):
        poor = merchant(ruby=1)
        offers = [offered(maker, wants=wealth(ruby=1)) for _ in range(2)]
        ends = all_at_once([lambda o=o, p=poor: accept_offer(offer=o, dynasty=p) for o in offers])
        assert kinds_of(ends) == {Offer: 1, NotEnough: 1}
        for offer in Offer.objects.filter(state=State.OPEN):
            withdraw_offer(offer=offer, dynasty=maker)
    check_world()


def test_two_offers_at_once_never_give_the_grant_away() -> None:
    """Of two kinds, so that no balance makes them wait for each other."""
    for _number in range(ROUNDS):
        young = novice(silver=10)
        ends = all_at_once(
            [
                lambda y=young: offered(y, gives=wealth(silver=10), wants={}),
                lambda y=young: offered(y, gives=wealth(copper=100), wants={}),
            ]
        )
        assert kinds_of(ends) == {Offer: 1, GrantBound: 1}
    check_world()


@pytest.mark.unaudited
def test_a_grant_checked_without_the_lock_is_found_out(monkeypatch) -> None:
    """Wrong: two offers of two kinds do not see each other."""
    monkeypatch.setattr(services, "hold_standing", lambda *dynasties: list(dynasties))
    right = services.keep_grant

    def keep_slowly(*, dynasty: Dynasty) -> None:
        right(dynasty=dynasty)
        time.sleep(0.1)

    monkeypatch.setattr(services, "keep_grant", keep_slowly)
    young = novice(silver=10)
    ends = all_at_once(
        [
            lambda: offered(young, gives=wealth(silver=10), wants={}),
            lambda: offered(young, gives=wealth(copper=100), wants={}),
        ]
    )
    assert kinds_of(ends) != {Offer: 1, GrantBound: 1}
