"""Wealth under contention: the last coin is spent once, and every coin is somewhere."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import pytest
from django.db import DatabaseError

from dynasties.accounts.services import ask_departure
from dynasties.audit import run_audit
from dynasties.houses.models import Dynasty
from dynasties.treasury import services
from dynasties.treasury.models import Account, Balance, Kind, Leg, Transfer
from dynasties.treasury.selectors import balances_of, kind
from dynasties.treasury.services import (
    Fallen,
    Move,
    NotEnough,
    account_of,
    crown,
    mint,
    open_escrow,
    post,
)
from tests.concurrency.rivals import all_at_once
from tests.factories import DynastyFactory
from tests.scale import figure

pytestmark = pytest.mark.django_db(transaction=True)
on_postgresql = pytest.mark.only_on("postgresql")
on_sqlite = pytest.mark.only_on("sqlite3")


def give(giver: Account, taker: Account, amount: int, *, key: str) -> Transfer:
    copper = kind("copper")
    moves = [Move(giver, copper, -amount), Move(taker, copper, amount)]
    return post(key=key, reason="mint", moves=moves)


def found_accounts(count: int) -> list[Account]:
    return [account_of(DynastyFactory()) for _ in range(count)]


# --- The last coin --------------------------------------------------------------------------


def race_for_the_last_coin(rivals: int) -> list[object]:
    """Everybody takes the one coin of one account at the same moment; return how each fared."""
    [rich, *takers] = found_accounts(5)
    give(rich, crown(), 999, key="all but one")
    deeds = [
        lambda number=number: give(rich, takers[number % 4], 1, key=f"last coin {number}")
        for number in range(rivals)
    ]
    return all_at_once(deeds)


def check_one_got_it(ends: list[object]) -> None:
    won = [end for end in ends if isinstance(end, Transfer)]
    lost = [end for end in ends if isinstance(end, NotEnough)]
    assert (len(won), len(lost)) == (1, len(ends) - 1)
    assert run_audit() == []


@on_postgresql
def test_of_64_rivals_one_gets_the_last_coin() -> None:
    check_one_got_it(race_for_the_last_coin(64))


@on_sqlite
def test_of_8_rivals_one_gets_the_last_coin() -> None:
    check_one_got_it(race_for_the_last_coin(8))


def hold_nothing(*, places: Iterable[services.Place]) -> services.Held:
    """Wrong: reads balances as they are, and leaves others to do the same."""
    found = Balance.objects.filter(services._at(places))
    held = {(each.account_id, each.kind_id): each for each in found}
    time.sleep(0.05)
    return held


def write_back(net: services.Net, held: services.Held) -> None:
    """Wrong: writes what it made of what it had read."""
    for place, move in net.items():
        Balance.objects.filter(pk=held[place].pk).update(amount=held[place].amount + move.amount)


@on_postgresql
@pytest.mark.unaudited
def test_to_read_check_and_write_back_is_found_out(monkeypatch) -> None:
    monkeypatch.setattr(services, "hold_balances", warm(hold_nothing))
    monkeypatch.setattr(services, "_move", write_back)
    ends = race_for_the_last_coin(64)
    with pytest.raises(AssertionError):
        check_one_got_it(ends)


@on_postgresql
@pytest.mark.unaudited
def test_without_a_lock_the_database_still_refuses_the_overdraft(monkeypatch) -> None:
    """The CHECK is the last line: nobody is served twice, though some get no clear answer."""
    monkeypatch.setattr(services, "hold_balances", warm(hold_nothing))
    ends = race_for_the_last_coin(64)
    assert Counter(type(end) for end in ends)[Transfer] == 1
    assert any(isinstance(end, DatabaseError) for end in ends)
    assert not Balance.objects.filter(amount__lt=0, is_mint=False).exists()


def warm(hold: Callable[..., services.Held]) -> Callable[..., services.Held]:
    """The wrong way of holding, once the balances are there."""
    right = services.hold_balances

    def hold_after_making(*, places: Iterable[services.Place]) -> services.Held:
        places = list(places)
        if Balance.objects.filter(services._at(places)).count() < len(set(places)):
            return right(places=places)
        return hold(places=places)

    return hold_after_making


# --- A retry never acts twice ----------------------------------------------------------------


def post_each_five_times(postings: int) -> None:
    giver, taker = found_accounts(2)
    for number in range(postings):
        ends = all_at_once([lambda n=number: give(giver, taker, 1, key=f"retry {n}")] * 5)
        assert {end.pk for end in ends} == {ends[0].pk}
    assert balances_of(taker)[kind("copper")] == 1000 + postings
    assert Leg.objects.filter(account=taker).count() == 1 + postings


@on_postgresql
def test_the_same_posting_five_times_at_once_is_one() -> None:
    post_each_five_times(figure(100, soak=2_000))


@on_sqlite
def test_the_same_posting_five_times_at_once_is_one_on_sqlite() -> None:
    post_each_five_times(5)


@on_postgresql
def test_two_postings_of_one_key_at_once_are_one_and_a_refusal() -> None:
    """Of other accounts, so that no lock makes them wait: the key itself must."""
    first, second, third, fourth = found_accounts(4)
    for number in range(20):
        ends = all_at_once(
            [
                lambda n=number: give(first, second, 1, key=f"same {n}"),
                lambda n=number: give(third, fourth, 1, key=f"same {n}"),
            ]
        )
        assert {type(end) for end in ends} == {Transfer, services.KeyReused}


@on_postgresql
def test_an_account_that_many_open_at_once_is_one() -> None:
    ends = all_at_once([lambda: open_escrow(purpose="fair")] * 6)
    assert {end.pk for end in ends} == {Account.objects.get(purpose="fair").pk}


# --- Nobody waits in a circle ------------------------------------------------------------------


def give_to_and_fro(rounds: int) -> list[object]:
    """Six people move wealth around the same three accounts in all directions."""
    accounts = found_accounts(3)
    ways = [*pairwise([*accounts, *accounts[:1]]), *pairwise([*accounts[::-1], accounts[-1]])]

    def walk(number: int) -> None:
        giver, taker = ways[number % len(ways)]
        for step in range(rounds):
            give(giver, taker, 1, key=f"walk {number} {step}")

    return all_at_once([lambda n=number: walk(n) for number in range(6)])


@on_postgresql
def test_opposite_transfers_never_deadlock() -> None:
    assert give_to_and_fro(figure(25, soak=2_000)) == [None] * 6


@on_postgresql
@pytest.mark.unaudited
def test_to_lock_giver_before_taker_is_found_out(monkeypatch) -> None:
    """Wrong: each locks in an order of his own."""

    def hold_in_another_order(*, places: services.Net) -> services.Held:
        given_first = sorted(places, key=lambda place: places[place].amount)
        held = {}
        for place in given_first:
            held |= right(places=[place])
            time.sleep(0.01)
        return held

    right = services.hold_balances
    monkeypatch.setattr(services, "hold_balances", hold_in_another_order)
    ends = give_to_and_fro(3)
    assert any("deadlock" in str(end) for end in ends)


# --- A dynasty that falls meanwhile ---------------------------------------------------------


@on_postgresql
def test_what_comes_to_a_dynasty_while_it_falls_is_refused_or_inherited() -> None:
    """In a kind that it never had, too: there is no balance yet that could be locked."""
    gold = kind("gold")
    for number in range(figure(10, soak=500)):
        giver, taker = found_accounts(2)
        stock = [Move(mint(), gold, -1), Move(giver, gold, 1)]
        post(key=f"stock {number}", reason="mint", moves=stock)
        gift = [Move(giver, gold, -1), Move(taker, gold, 1)]
        ruler = Dynasty.objects.select_related("ruler").get(pk=taker.dynasty_id).ruler
        ends = all_at_once(
            [
                lambda: ask_departure(user=ruler),  # noqa: B023
                lambda: post(key=f"gift {number}", reason="mint", moves=gift),  # noqa: B023
            ]
        )
        assert ends[0] is True
        assert isinstance(ends[1], Transfer | Fallen)
        assert balances_of(taker) == {}


# --- Every coin is somewhere ----------------------------------------------------------------


class Merchant:
    """Moves wealth at random, and sends one posting in five again, as a bad line would.

    A movement is so much of one kind that went from one account to another.
    """

    def __init__(self, name: int, places: list[Account], kinds: list[Kind]) -> None:
        self.dice = random.Random(name)
        self.name, self.places, self.kinds = name, places, kinds
        self.tried = self.made = self.refused = 0

    def trade(self, movements: int) -> None:
        while self.made < movements:
            posting = self.think_of_a_posting()
            try:
                post(**posting)
                self.made += len(posting["moves"]) // 2
                if self.dice.random() < 0.2:
                    post(**posting)
            except NotEnough:
                self.refused += 1

    def think_of_a_posting(self) -> dict[str, Any]:
        self.tried += 1
        pair = self.dice.sample(self.places, 2)
        kinds = self.dice.sample(self.kinds, self.dice.randint(3, 4))
        moves = [move for each in kinds for move in self.movement(each, pair)]
        return {"key": f"merchant {self.name} {self.tried}", "reason": "mint", "moves": moves}

    def movement(self, chosen: Kind, pair: list[Account]) -> list[Move]:
        giver, taker = self.dice.sample(pair, 2)
        amount = self.dice.randint(1, 60)
        return [Move(giver, chosen, -amount), Move(taker, chosen, amount)]


def move_at_random(movements: int, *, merchants: int) -> None:
    kinds = [kind(code) for code in ("copper", "silver", "gold", "ruby")]
    places = [*found_accounts(12), crown(), open_escrow(purpose="fair")]
    stock = [(place, each) for place in places for each in kinds[1:]]
    moves = [m for place, each in stock for m in (Move(place, each, 300), Move(mint(), each, -300))]
    post(key="stock", reason="mint", moves=moves)
    before = totals()
    traders = [Merchant(name, [*places, mint()][name % 2 :], kinds) for name in range(merchants)]
    share = -(-movements // merchants)
    ends = all_at_once([lambda m=each: m.trade(share) for each in traders])
    assert ends == [None] * merchants
    assert sum(each.made for each in traders) >= movements
    assert any(each.refused for each in traders), "the limits must be met to prove anything"
    assert Leg.objects.count() > 2 * movements
    assert totals() == before == dict.fromkeys(before, 0)
    assert run_audit() == []


def totals() -> dict[str, int]:
    """Of each kind, what all accounts hold together."""
    sums: Counter[str] = Counter()
    for balance in Balance.objects.select_related("kind"):
        sums[balance.kind.code] += balance.amount
    return dict(sums)


@on_postgresql
def test_random_movements_at_the_same_time_conserve_every_kind() -> None:
    move_at_random(figure(10_000, soak=500_000), merchants=6)


@on_sqlite
def test_random_movements_at_the_same_time_conserve_every_kind_on_sqlite() -> None:
    move_at_random(figure(400, soak=20_000), merchants=4)
