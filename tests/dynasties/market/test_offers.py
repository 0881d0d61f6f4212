"""Offers between dynasties: settled exactly once, and nothing is lost on the way."""

from datetime import timedelta

import pytest
from django.utils import timezone
from zeal import zeal_context

from dynasties.accounts.services import ask_departure
from dynasties.charter.services import amend_charter
from dynasties.houses.models import Dynasty
from dynasties.market import errors, services
from dynasties.market.models import Offer
from dynasties.market.services import (
    accept_offer,
    expire_due_offers,
    recall_offer,
    withdraw_offer,
)
from dynasties.market.tasks import expire_offers
from dynasties.treasury.models import Balance, Transfer
from dynasties.treasury.selectors import balances_of
from dynasties.treasury.services import KeyReused, NotEnough, crown
from tests.dynasties.market.cast import (
    DAY,
    endow,
    merchant,
    offered,
    overdue,
    owned,
    wealth,
)
from tests.factories import AdminFactory, DynastyFactory

pytestmark = pytest.mark.django_db

State = Offer.State


@pytest.fixture
def maker() -> Dynasty:
    return merchant()


@pytest.fixture
def taker() -> Dynasty:
    return merchant(silver=20)


def in_escrow(offer: Offer) -> dict[str, int]:
    return {kind.code: amount for kind, amount in balances_of(offer.escrow).items()}


# --- Making -----------------------------------------------------------------------------


def test_what_is_given_lies_in_escrow_from_the_first_moment(maker, audit) -> None:
    endow(maker, ruby=2, bronze_key=1)
    gives = wealth(copper=300, ruby=2, bronze_key=1)
    offer = offered(maker, gives=gives, wants=wealth(gold=4, emerald=1))
    assert owned(maker) == {"copper": 700}
    assert in_escrow(offer) == {"copper": 300, "ruby": 2, "bronze-key": 1}
    assert [(part.kind.code, part.amount) for part in offer.wants] == [("gold", 4), ("emerald", 1)]
    audit()


def test_the_same_request_again_is_the_same_offer(maker) -> None:
    first = offered(maker, key="k")
    assert offered(maker, key="k") == first
    assert owned(maker) == {"copper": 900}
    withdraw_offer(offer=first, dynasty=maker)
    assert offered(maker, key="k") == first
    assert owned(maker) == {"copper": 1000}


@pytest.mark.parametrize(
    "terms", [{"gives": {"copper": 99}}, {"wants": {"gold": 1}}, {"to": "somebody"}]
)
def test_the_same_key_with_other_terms_is_refused(maker, terms) -> None:
    offered(maker, key="k")
    other = {
        name: merchant() if name == "to" else wealth(**amounts) for name, amounts in terms.items()
    }
    with pytest.raises(KeyReused):
        offered(maker, key="k", **other)


def test_the_same_key_for_another_time_is_refused(maker) -> None:
    offered(maker, key="k", lasts=DAY)
    with pytest.raises(KeyReused):
        offered(maker, key="k", lasts=2 * DAY)


def test_an_offer_of_nothing_for_nothing_is_none(maker) -> None:
    with pytest.raises(errors.EmptyOffer):
        offered(maker, gives={}, wants={})


def test_an_offer_never_gives_and_wants_the_same(maker) -> None:
    with pytest.raises(errors.SameOnBothSides):
        offered(maker, gives=wealth(copper=5), wants=wealth(copper=6))


@pytest.mark.parametrize("amount", [0, -1, 10**12 + 1])
def test_no_odd_amount_is_offered(maker, amount: int) -> None:
    with pytest.raises(errors.UnfitAmount):
        offered(maker, gives=wealth(copper=amount))


def test_nobody_offers_what_he_has_not(maker, audit) -> None:
    with pytest.raises(NotEnough):
        offered(maker, gives=wealth(copper=1001))
    assert not Offer.objects.exists()
    audit()


def test_an_offer_goes_to_another_who_stands(maker) -> None:
    for wrong in (maker, DynastyFactory(fallen=True), DynastyFactory(held=True)):
        with pytest.raises(errors.UnfitAddressee):
            offered(maker, to=wrong)


def test_an_offer_lasts_no_longer_than_the_charter_says(maker) -> None:
    amend_charter(changes={"offer_days": 3}, reason="A short summer.", author=None)
    for wrong in (timedelta(0), -DAY, 3 * DAY + timedelta(seconds=1)):
        with pytest.raises(errors.UnfitTime):
            offered(maker, lasts=wrong)
    offer = offered(maker, lasts=3 * DAY)
    assert offer.expires_at - offer.made_at == 3 * DAY


def test_nobody_buries_the_market(maker, monkeypatch) -> None:
    monkeypatch.setattr(services, "MOST_OPEN_OFFERS", 2)
    monkeypatch.setattr(services, "MOST_OFFERS_A_DAY", 3)
    first, _second = offered(maker), offered(maker)
    with pytest.raises(errors.TooManyOffers):
        offered(maker)
    withdraw_offer(offer=first, dynasty=maker)
    withdraw_offer(offer=offered(maker), dynasty=maker)
    with pytest.raises(errors.TooManyToday):
        offered(maker)


@pytest.mark.parametrize("state", [{"fallen": True}, {"held": True}])
def test_only_who_stands_offers_and_accepts(maker, state) -> None:
    nobody, offer = DynastyFactory(**state), offered(maker)
    with pytest.raises(errors.NotStanding):
        offered(nobody, gives={})
    with pytest.raises(errors.NotStanding):
        accept_offer(offer=offer, dynasty=nobody)


# --- Accepting --------------------------------------------------------------------------


def test_a_trade_moves_both_sides_at_once(maker, taker, audit) -> None:
    endow(maker, bronze_key=1)
    gives = wealth(copper=100, bronze_key=1)
    offer = offered(maker, gives=gives)
    done = accept_offer(offer=offer, dynasty=taker)
    assert (done.state, done.taker) == (State.ACCEPTED, taker)
    assert owned(maker) == {"copper": 900, "silver": 5}
    assert owned(taker) == {"copper": 1100, "silver": 15, "bronze-key": 1}
    assert in_escrow(done) == {}
    assert done.settled_at == done.settlement.made_at
    audit()


def test_who_accepts_twice_pays_once(maker, taker) -> None:
    offer = offered(maker)
    accept_offer(offer=offer, dynasty=taker)
    assert accept_offer(offer=offer, dynasty=taker).taker == taker
    assert owned(taker) == {"copper": 1100, "silver": 15}


def test_the_second_taker_is_too_late(maker, taker) -> None:
    offer, second = offered(maker), merchant(silver=20)
    accept_offer(offer=offer, dynasty=taker)
    with pytest.raises(errors.Settled):
        accept_offer(offer=offer, dynasty=second)
    assert owned(second) == {"copper": 1000, "silver": 20}


def test_nobody_accepts_his_own_offer(maker) -> None:
    endow(maker, silver=5)
    with pytest.raises(errors.OwnOffer):
        accept_offer(offer=offered(maker), dynasty=maker)


def test_only_the_addressee_accepts(maker, taker) -> None:
    offer = offered(maker, to=taker)
    with pytest.raises(errors.NotForYou):
        accept_offer(offer=offer, dynasty=merchant(silver=20))
    assert accept_offer(offer=offer, dynasty=taker).state == State.ACCEPTED


def test_who_cannot_pay_gets_nothing(maker, audit) -> None:
    offer, poor = offered(maker), merchant(silver=4)
    with pytest.raises(NotEnough):
        accept_offer(offer=offer, dynasty=poor)
    offer.refresh_from_db()
    assert offer.state == State.OPEN
    assert in_escrow(offer) == {"copper": 100}
    audit()


def test_an_offer_that_wants_nothing_is_a_gift(maker, taker, audit) -> None:
    accept_offer(offer=offered(maker, wants={}), dynasty=taker)
    assert (owned(maker)["copper"], owned(taker)["copper"]) == (900, 1100)
    audit()


def test_an_offer_that_gives_nothing_has_no_escrow(maker, taker, audit) -> None:
    plea = offered(maker, gives={})
    assert plea.escrow is None
    accept_offer(offer=plea, dynasty=taker)
    assert owned(maker) == {"copper": 1000, "silver": 5}
    other = offered(maker, gives={})
    assert withdraw_offer(offer=other, dynasty=maker).settlement is None
    audit()


def test_an_overdue_offer_is_refused_even_if_no_task_has_run(maker, taker, audit) -> None:
    offer = overdue(offered(maker))
    with pytest.raises(errors.Expired):
        accept_offer(offer=offer, dynasty=taker)
    assert owned(taker) == {"copper": 1000, "silver": 20}
    offer.refresh_from_db()
    assert offer.state == State.OPEN
    audit()


# --- Withdrawing and expiring -----------------------------------------------------------


def test_what_is_withdrawn_comes_back_once(maker, audit) -> None:
    offer = offered(maker)
    for _time in range(2):
        assert withdraw_offer(offer=offer, dynasty=maker).state == State.WITHDRAWN
    assert owned(maker) == {"copper": 1000}
    audit()


def test_only_the_maker_withdraws(maker, taker) -> None:
    offer = offered(maker, to=taker)
    with pytest.raises(errors.NotForYou):
        withdraw_offer(offer=offer, dynasty=taker)


def test_what_was_accepted_cannot_be_withdrawn(maker, taker) -> None:
    offer = offered(maker)
    accept_offer(offer=offer, dynasty=taker)
    with pytest.raises(errors.Settled):
        withdraw_offer(offer=offer, dynasty=maker)
    assert owned(maker) == {"copper": 900, "silver": 5}


def test_what_was_withdrawn_cannot_be_accepted(maker, taker) -> None:
    offer = offered(maker)
    withdraw_offer(offer=offer, dynasty=maker)
    with pytest.raises(errors.Settled):
        accept_offer(offer=offer, dynasty=taker)


def test_the_sweep_returns_what_is_overdue_and_nothing_else(maker, audit) -> None:
    late, early = overdue(offered(maker)), offered(maker)
    expire_offers()
    late.refresh_from_db()
    early.refresh_from_db()
    assert (late.state, early.state) == (State.EXPIRED, State.OPEN)
    assert owned(maker) == {"copper": 900}
    assert expire_due_offers() == 0
    audit()


def test_an_offer_that_fails_to_expire_holds_up_no_other(maker, monkeypatch) -> None:
    first, second = overdue(offered(maker)), overdue(offered(maker))
    expire = services.expire_offer

    def fail_for_the_first(*, offer: Offer) -> bool:
        if offer == first:
            raise RuntimeError
        return expire(offer=offer)

    monkeypatch.setattr(services, "expire_offer", fail_for_the_first)
    assert expire_due_offers() == 1
    second.refresh_from_db()
    assert second.state == State.EXPIRED


def test_an_overdue_offer_that_its_maker_withdraws_has_expired(maker, audit) -> None:
    assert withdraw_offer(offer=overdue(offered(maker)), dynasty=maker).state == State.EXPIRED
    assert owned(maker) == {"copper": 1000}
    audit()


def test_an_office_withdraws_with_a_reason_that_is_kept(maker) -> None:
    clerk, offer = AdminFactory(), offered(maker)
    assert recall_offer(offer=offer, reason="Against the law.", author=clerk)
    assert not recall_offer(offer=offer, reason="Once more.", author=clerk)
    returned = Transfer.objects.get(key=f"offer {offer.pk} settled")
    assert (returned.note, returned.author) == ("Against the law.", clerk)
    assert owned(maker) == {"copper": 1000}


# --- Falling ----------------------------------------------------------------------------


def test_the_offers_of_a_falling_dynasty_are_withdrawn_first(maker, taker, audit) -> None:
    offers = [offered(maker), offered(maker, gives=wealth(copper=50)), offered(maker, gives={})]
    before = balances_of(crown())
    assert ask_departure(user=maker.ruler)
    assert {each.state for each in Offer.objects.filter(pk__in=[o.pk for o in offers])} == {
        State.WITHDRAWN
    }
    assert not Balance.objects.filter(account__offer__isnull=False).exclude(amount=0).exists()
    gained = {k.code: n - before.get(k, 0) for k, n in balances_of(crown()).items()}
    assert gained["copper"] == 1000
    with pytest.raises(errors.NotStanding):
        accept_offer(offer=offers[0], dynasty=taker)
    audit()


def test_a_fall_with_many_offers_asks_not_for_one_after_the_other(maker) -> None:
    for _number in range(3):
        offered(maker)
    with zeal_context():
        assert ask_departure(user=maker.ruler)


def test_an_offer_to_a_fallen_dynasty_waits_for_its_maker(maker, taker, audit) -> None:
    offer = offered(maker, to=taker)
    assert ask_departure(user=taker.ruler)
    audit()
    assert withdraw_offer(offer=offer, dynasty=maker).state == State.WITHDRAWN
    assert owned(maker) == {"copper": 1000}


def test_the_time_that_judges_is_the_time_that_is_written(maker, taker) -> None:
    offer = offered(maker)
    before = timezone.now()
    done = accept_offer(offer=offer, dynasty=taker)
    assert before - timedelta(seconds=1) <= done.settled_at < done.expires_at
