"""What is sealed: amounts that are for their owner alone, and balances that would tell them."""

import pytest
from django.test import Client
from django.urls import reverse

from dynasties.treasury import reasons
from dynasties.treasury.flows import wealth_that_flowed
from dynasties.treasury.models import Account, Balance, Leg
from dynasties.treasury.reasons import Reason
from dynasties.treasury.seals import (
    amount_of,
    has_sealed_balance,
    is_sealed,
    kinds_under_seal,
    note_sealed_balances,
    note_sealed_legs,
)
from dynasties.treasury.selectors import kind, wealth_in_circulation
from dynasties.treasury.services import Move, account_of, mint, open_escrow, post
from tests.factories import AdminFactory, DynastyFactory

pytestmark = pytest.mark.django_db

SECRET = 613


@pytest.fixture(autouse=True)
def under_seal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reason that is known in these tests only."""
    known = {**reasons._reasons, "hidden": Reason("hidden", "Hidden", sealed=True)}
    monkeypatch.setattr(reasons, "_reasons", known)


@pytest.fixture
def house() -> Account:
    return account_of(DynastyFactory(name="House of Ash"))


def move(key: str, giver: Account, receiver: Account, *, amount: int = SECRET) -> None:
    copper = kind("copper")
    moves = [Move(giver, copper, -amount), Move(receiver, copper, amount)]
    post(key=key, reason="hidden", moves=moves)


def sealed_accounts() -> set[str]:
    noted = note_sealed_balances(Balance.objects.select_related("account"))
    return {each.account.purpose for each in noted if is_sealed(each)}


def test_nothing_is_sealed_where_nothing_moved_under_seal(house: Account) -> None:
    assert sealed_accounts() == set()
    assert kinds_under_seal() == set()
    assert not any(row.is_sealed for row in wealth_in_circulation())


def test_balances_are_sealed_while_it_lies_in_escrow_and_open_afterwards(house: Account) -> None:
    other = account_of(DynastyFactory())
    escrow = open_escrow(purpose="chest of Ash")
    move("in", house, escrow)
    copper = kind("copper")
    assert sealed_accounts() == {house.purpose, escrow.purpose}
    assert has_sealed_balance(account=house, kind_id=copper.pk)
    assert not has_sealed_balance(account=other, kind_id=copper.pk)
    assert kinds_under_seal() == {copper.pk}
    move("back", escrow, house)
    assert sealed_accounts() == set()
    assert kinds_under_seal() == set()


def test_another_kind_in_the_same_accounts_is_not_sealed(house: Account) -> None:
    ruby, escrow = kind("ruby"), open_escrow(purpose="chest of Ash")
    post(key="gift", reason="mint", moves=[Move(mint(), ruby, -3), Move(house, ruby, 3)])
    move("in", house, escrow)
    noted = note_sealed_balances(Balance.objects.filter(account=house)).select_related("kind")
    assert {each.kind.code: is_sealed(each) for each in noted} == {"copper": True, "ruby": False}


def test_no_balance_after_tells_what_went_before_it_under_seal(house: Account) -> None:
    move("in", house, open_escrow(purpose="chest of Ash"))
    move("more", mint(), house, amount=5)
    legs = note_sealed_legs(Leg.objects.filter(account=house))
    assert all(leg.hides_after for leg in legs)
    assert [amount_of(leg) for leg in legs.order_by("pk")] == ["1,000", "sealed", "sealed"]


def test_flows_tell_that_something_moved_and_not_how_much(house: Account) -> None:
    move("in", house, open_escrow(purpose="chest of Ash"))
    (copper,) = (flow for flow in wealth_that_flowed() if flow.kind.code == "copper")
    told = {str(stream.words): (stream.moved, stream.percent) for stream in copper.streams}
    assert told == {"Founding grant": (1000, 100.0), "Hidden": (None, 0.0)}


def test_no_page_of_the_ledger_tells_a_sealed_amount(house: Account, client: Client) -> None:
    escrow = open_escrow(purpose="chest of Ash")
    move("in", house, escrow)
    client.force_login(AdminFactory())
    transfer = Leg.objects.filter(account=escrow).get().transfer_id
    pages = [
        reverse("admin:dynasties_account_changelist"),
        reverse("admin:dynasties_account_circulation"),
        reverse("admin:dynasties_account_change", args=[house.pk]),
        reverse("admin:dynasties_account_change", args=[escrow.pk]),
        reverse("admin:dynasties_transfer_changelist"),
        reverse("admin:dynasties_transfer_change", args=[transfer]),
        reverse("admin:dynasties_transfer_counter", args=[transfer]),
    ]
    for page in pages:
        told = client.get(page).content.decode()
        assert "sealed" in told, page
        assert str(SECRET) not in told, page
        assert str(1000 - SECRET) not in told, page


def test_who_takes_a_grant_back_does_not_learn_a_sealed_balance(
    house: Account, client: Client
) -> None:
    client.force_login(AdminFactory())
    grant = post(
        key="gift",
        reason="mint",
        moves=[Move(mint(), kind("copper"), -900), Move(house, kind("copper"), 900)],
    )
    move("in", house, open_escrow(purpose="chest of Ash"), amount=1900 - 77)
    url = reverse("admin:dynasties_transfer_counter", args=[grant.pk])
    told = client.post(url, {"note": "a mistake"}).content.decode()
    assert "has not enough of it now" in told
    for secret in (77, 900 - 77):
        assert f"{secret} ×" not in told
