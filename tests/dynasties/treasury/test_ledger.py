"""Every movement of wealth: once, in balance, never below zero, never rewritten."""

import pytest
from django.db import DatabaseError, connection, transaction

from dynasties.accounts.services import ask_departure
from dynasties.chronicle.models import Entry
from dynasties.history import HistoryIsWritten
from dynasties.treasury.models import Account, Balance, Leg, Transfer
from dynasties.treasury.reasons import UnknownReason
from dynasties.treasury.selectors import balances_of, kind, wealth_in_copper
from dynasties.treasury.services import (
    Fallen,
    KeyReused,
    Move,
    NotEnough,
    account_of,
    crown,
    hold_balances,
    mint,
    open_escrow,
    post,
)
from tests.factories import AdminFactory, DynastyFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> Account:
    """The account of a dynasty with nothing but its founding grant: 1,000 copper."""
    return account_of(DynastyFactory())


@pytest.fixture
def other() -> Account:
    return account_of(DynastyFactory())


def give(giver: Account, taker: Account, amount: int, *, key: str = "gift", **more) -> Transfer:
    copper = kind("copper")
    moves = [Move(giver, copper, -amount), Move(taker, copper, amount)]
    return post(key=key, reason=more.pop("reason", "mint"), moves=moves, **more)


def copper_of(account: Account) -> int:
    return balances_of(account).get(kind("copper"), 0)


def test_what_leaves_one_account_arrives_in_the_other(house, other, audit) -> None:
    transfer = give(house, other, 300)
    assert (copper_of(house), copper_of(other)) == (700, 1300)
    legs = {leg.account: (leg.amount, leg.after) for leg in transfer.legs.all()}
    assert legs == {house: (-300, 700), other: (300, 1300)}
    audit()


def test_several_kinds_move_at_once_or_not_at_all(house, other, audit) -> None:
    copper, ruby = kind("copper"), kind("ruby")
    moves = [Move(house, copper, -10), Move(other, copper, 10)]
    swap = [*moves, Move(other, ruby, -1), Move(house, ruby, 1)]
    with pytest.raises(NotEnough) as refused:
        post(key="swap", reason="mint", moves=swap)
    assert (refused.value.account, refused.value.kind, refused.value.short) == (other, ruby, 1)
    assert copper_of(house) == 1000
    post(key="ruby", reason="mint", moves=[Move(mint(), ruby, -1), Move(other, ruby, 1)])
    post(key="swap", reason="mint", moves=swap)
    assert balances_of(house) == {copper: 990, ruby: 1}
    assert wealth_in_copper(house) == 990 + ruby.mint_value
    audit()


def test_moves_of_one_account_and_kind_are_one_leg(house, other) -> None:
    copper = kind("copper")
    moves = [Move(house, copper, -7), Move(house, copper, 3), Move(other, copper, 4)]
    transfer = post(key="net", reason="mint", moves=moves)
    assert sorted(leg.amount for leg in transfer.legs.all()) == [-4, 4]


@pytest.mark.parametrize("amounts", [(-5, 4), (5, 0), (0, 0), (1.0, -1.0), (True, -1), ("5", -5)])
def test_what_does_not_sum_to_zero_in_whole_units_is_refused(house, other, amounts) -> None:
    copper = kind("copper")
    moves = [Move(account, copper, n) for account, n in zip((house, other), amounts, strict=True)]
    with pytest.raises(ValueError, match=r"amount|arrive|moves"):
        post(key="crooked", reason="mint", moves=moves)
    assert not Transfer.objects.filter(key="crooked").exists()


def test_one_kind_can_not_pay_for_another(house, other) -> None:
    moves = [Move(house, kind("copper"), -5), Move(other, kind("gold"), 5)]
    with pytest.raises(ValueError, match="arrive"):
        post(key="alchemy", reason="mint", moves=moves)


def test_a_reason_without_words_is_refused(house, other) -> None:
    with pytest.raises(UnknownReason):
        give(house, other, 1, reason="whim")


def test_nobody_can_give_a_coin_more_than_he_has(house, other, audit) -> None:
    with pytest.raises(NotEnough) as refused:
        give(house, other, 1001)
    assert refused.value.short == 1
    give(house, other, 1000)
    assert copper_of(house) == 0
    audit()


def test_the_crown_has_no_more_credit_than_anybody(house) -> None:
    with pytest.raises(NotEnough):
        give(crown(), house, 1)


def test_an_amount_beyond_all_measure_is_refused(house) -> None:
    with pytest.raises(ValueError, match="amount"):
        give(mint(), house, 10**15 + 1)


def test_a_balance_refuses_to_be_negative_even_behind_our_back(house) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        Balance.objects.filter(account=house).update(amount=-1)
    Balance.objects.filter(account=mint()).update(amount=-1000)


# --- Once -----------------------------------------------------------------------------


def test_the_same_posting_twice_is_one(house, other, audit) -> None:
    first, again = give(house, other, 600), give(house, other, 600, note="once more")
    assert first == again
    assert (copper_of(house), copper_of(other)) == (400, 1600)
    assert Entry.objects.filter(kind="wealth-changed", owner=house.dynasty).count() == 2
    audit()


@pytest.mark.parametrize("change", [{"amount": 2}, {"reason": "grant"}, {"taker": "crown"}])
def test_another_posting_under_the_same_key_is_refused(house, other, change) -> None:
    give(house, other, 1)
    asked = {"amount": 1, "reason": "mint", "taker": other} | change
    taker = crown() if asked["taker"] == "crown" else asked["taker"]
    with pytest.raises(KeyReused):
        give(house, taker, asked["amount"], reason=asked["reason"])
    assert copper_of(house) == 999


def test_a_refused_posting_may_be_tried_again_under_its_key(house, other) -> None:
    with pytest.raises(NotEnough):
        give(house, other, 1500)
    give(other, house, 500, key="help")
    give(house, other, 1500)
    assert copper_of(house) == 0


def test_what_a_caller_had_done_before_a_refusal_stands(house, other) -> None:
    with transaction.atomic():
        give(house, other, 1, key="before")
        with pytest.raises(NotEnough):
            give(house, other, 5000, key="too much")
    assert copper_of(house) == 999


# --- For ever ---------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Transfer, Leg])
def test_no_row_of_the_ledger_is_changed_or_deleted(house, model) -> None:
    row = model.objects.first()
    misdeeds = (
        row.save,
        row.delete,
        lambda: model.objects.update(pk=0),
        lambda: model.objects.all().delete(),
        lambda: model.objects.bulk_update([row], ["id"]),
        lambda: model.objects.bulk_create(
            [row], update_conflicts=True, unique_fields=["id"], update_fields=["id"]
        ),
    )
    for misdeed in misdeeds:
        with pytest.raises(HistoryIsWritten):
            misdeed()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE dynasties_leg SET amount = amount + 1",
        'UPDATE dynasties_leg SET "after" = 5',
        "UPDATE dynasties_transfer SET reason = 'whim'",
        "UPDATE dynasties_transfer SET note = 'x', author_id = NULL",
        "DELETE FROM dynasties_leg",
        "DELETE FROM dynasties_transfer",
    ],
)
def test_the_database_itself_refuses_to_rewrite_the_ledger(house, statement) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_a_posting_outlives_its_author(house, other) -> None:
    AdminFactory()
    author = AdminFactory()
    transfer = give(house, other, 1, author=author)
    assert ask_departure(user=author)
    transfer.refresh_from_db()
    assert transfer.author_id is None
    assert transfer.note == ""


# --- Accounts ------------------------------------------------------------------------------


def test_the_mint_owes_what_all_others_hold(house, other) -> None:
    give(house, crown(), 5)
    held = Balance.objects.exclude(account=mint())
    assert balances_of(mint()) == {kind("copper"): -sum(each.amount for each in held)}


def test_an_escrow_is_opened_once_for_its_purpose(house) -> None:
    escrow = open_escrow(purpose="offer 12")
    assert open_escrow(purpose="offer 12") == escrow
    assert escrow.holder == "escrow"


def test_no_escrow_takes_the_place_of_another_account(house) -> None:
    crown()
    with pytest.raises(ValueError, match="Another kind"):
        open_escrow(purpose="crown")


def test_locks_are_taken_in_one_order_and_make_what_is_missing(house, other) -> None:
    places = [(other.pk, kind("gold").pk), (house.pk, kind("gold").pk)]
    with transaction.atomic():
        held = hold_balances(places=[*places, *places])
    assert list(held) == sorted(places)
    assert [each.amount for each in held.values()] == [0, 0]


# --- The first and the last posting of a dynasty -------------------------------------------


def test_what_a_dynasty_owned_falls_to_the_crown(house, other, audit) -> None:
    ruby = kind("ruby")
    post(key="ruby", reason="mint", moves=[Move(mint(), ruby, -2), Move(house, ruby, 2)])
    assert ask_departure(user=house.dynasty.ruler)
    assert balances_of(house) == {}
    assert balances_of(crown()) == {kind("copper"): 1000, ruby: 2}
    audit()


def test_what_is_due_to_a_fallen_dynasty_is_the_crowns(house, other, audit) -> None:
    dynasty = house.dynasty
    assert ask_departure(user=dynasty.ruler)
    with pytest.raises(Fallen):
        give(other, house, 5)
    heir = account_of(dynasty)
    assert heir == crown()
    give(other, heir, 5)
    audit()
