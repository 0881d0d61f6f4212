"""Every invariant of the treasury is broken by something, and then says so."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.utils import timezone

from dynasties.audit import all_invariants, run_audit
from dynasties.charter.services import amend_charter
from dynasties.chronicle.models import Entry
from dynasties.houses.models import Dynasty
from dynasties.treasury import reasons
from dynasties.treasury.kinds import set_mint_value
from dynasties.treasury.models import Account, Balance, Kind, Leg, Transfer
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import Move, account_of, crown, mint, open_escrow, post
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db


def transfer(key: str = "odd", **more: object) -> Transfer:
    fields = {"reason": "mint", "made_at": timezone.now(), **more}
    return Transfer.objects.create(key=key, **fields)


def leg(account: Account, amount: int, after: int, *, code: str = "copper", **more) -> Leg:
    of = more.get("of") or transfer(f"odd {Transfer.objects.count()}")
    return Leg.objects.create(
        transfer=of, account=account, kind=kind(code), amount=amount, after=after
    )


def house() -> Account:
    return account_of(DynastyFactory())


def make_a_coin_of_nothing() -> None:
    leg(house(), 1, 1001)


def post_nothing() -> None:
    transfer()


def forge_a_balance() -> None:
    Balance.objects.filter(account=house()).update(amount=5000)


def lose_a_balance() -> None:
    Balance.objects.filter(account=house()).delete()


def tell_another_balance_than_before() -> None:
    account = house()
    both = transfer()
    leg(account, 5, 77, of=both)
    leg(crown(), -5, -5, of=both)


def overdraw_the_crown() -> None:
    Balance.objects.create(account=crown(), kind=kind("gold"), amount=-5, is_mint=True)


def take_oneself_for_the_mint() -> None:
    Balance.objects.filter(account=house()).update(is_mint=True)


def counter_with_something_else() -> None:
    account, copper = house(), kind("copper")
    grant = Transfer.objects.get(reason="grant")
    moves = [Move(account, copper, -5), Move(mint(), copper, 5)]
    post(key="half", reason="correction", moves=moves, counters=grant)


def move_for_a_whim() -> None:
    transfer(reason="whim")


def keep_a_change_from_its_owner() -> None:
    house()
    Entry._base_manager.filter(kind="wealth-changed").delete()


def take_the_guards_away() -> None:
    on = " ON dynasties_leg" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER leg_is_append_only{on}")


def open_without_an_account() -> None:
    dynasty = DynastyFactory(held=True)
    Dynasty.objects.filter(pk=DynastyFactory().pk).update(opened_at=timezone.now())
    ruler = Dynasty.objects.exclude(pk=dynasty.pk).get().ruler
    Dynasty.objects.exclude(pk=dynasty.pk).update(ruler=None, opened_at=None)
    Dynasty.objects.filter(pk=dynasty.pk).update(ruler=ruler, opened_at=timezone.now())


def give_an_account_to_the_unopened() -> None:
    dynasty = DynastyFactory(held=True)
    Account.objects.create(holder="dynasty", dynasty=dynasty, purpose=f"dynasty {dynasty.pk}")


def grant_twice() -> None:
    account, copper = house(), kind("copper")
    moves = [Move(mint(), copper, -5), Move(account, copper, 5)]
    post(key="again", reason=reasons.GRANT, moves=moves)


def let_a_fallen_dynasty_own_something() -> None:
    dynasty = DynastyFactory(fallen=True)
    account = Account.objects.get(dynasty=dynasty)
    Balance.objects.filter(account=account, kind=kind("copper")).update(amount=5)


def open_an_escrow_for_nothing() -> None:
    open_escrow(purpose="")


def mistake_an_account() -> None:
    Account.objects.filter(pk=house().pk).update(purpose="dynasty 0")


def change_a_value_behind_the_history() -> None:
    Kind.objects.filter(code="ruby").update(mint_value=7)


def add_a_kind_without_a_history() -> None:
    Kind.objects.create(code="tin", family="coin", name_en="tin", name_es="estaño")


def debase_copper() -> None:
    Kind.objects.filter(code="copper").update(mint_value=2)


CASES: list[tuple[Callable[[], None], str]] = [
    (
        make_a_coin_of_nothing,
        "What leaves accounts in a transfer arrives in others, kind by kind.",
    ),
    (post_nothing, "A transfer moves something."),
    (
        forge_a_balance,
        "Over all accounts, each kind sums to zero: the mint owes what all others hold.",
    ),
    (forge_a_balance, "A balance is the sum of its legs."),
    (lose_a_balance, "Every leg has a balance that it counts in."),
    (tell_another_balance_than_before, "Each leg begins where the one before it ended."),
    (forge_a_balance, "The newest leg of a balance says what it holds."),
    (overdraw_the_crown, "No balance is negative but the mint's, and no leg ever left one so."),
    (take_oneself_for_the_mint, "The mint's balances, and no others, may be negative."),
    (
        counter_with_something_else,
        "A counter-posting is the exact opposite of what it takes back.",
    ),
    (move_for_a_whim, "Every reason for a transfer has its words."),
    (keep_a_change_from_its_owner, "Every change of a dynasty's wealth is told to it, once."),
    (take_the_guards_away, "The database itself refuses to rewrite the ledger."),
    (open_without_an_account, "A dynasty that stands has an account."),
    (
        open_without_an_account,
        "A dynasty gets its founding grant, unless the charter gave none, and only once.",
    ),
    (
        give_an_account_to_the_unopened,
        "A dynasty that the world does not know yet has no account.",
    ),
    (
        grant_twice,
        "A dynasty gets its founding grant, unless the charter gave none, and only once.",
    ),
    (let_a_fallen_dynasty_own_something, "A fallen dynasty owns nothing."),
    (
        open_an_escrow_for_nothing,
        "Every account says what it is for: the crown, the mint, its dynasty, an escrow.",
    ),
    (
        mistake_an_account,
        "Every account says what it is for: the crown, the mint, its dynasty, an escrow.",
    ),
    (change_a_value_behind_the_history, "A kind's mint value is the newest of its history."),
    (add_a_kind_without_a_history, "A kind's mint value is the newest of its history."),
    (debase_copper, "There is copper, and it is worth one copper: all mint values are told in it."),
]


@pytest.mark.parametrize(("misdeed", "sentence"), CASES)
def test_the_audit_finds(misdeed: Callable[[], None], sentence: str) -> None:
    assert sentence in {each.sentence for each in all_invariants()}
    assert run_audit() == []
    misdeed()
    assert sentence in {breach.sentence for breach in run_audit()}


def test_a_busy_and_honest_treasury_is_sound(audit: Callable[[], None]) -> None:
    first, second, copper = house(), house(), kind("copper")
    moves = [Move(first, copper, -5), Move(second, copper, 5)]
    gift = post(key="gift", reason="mint", moves=moves)
    back = [Move(first, copper, 5), Move(second, copper, -5)]
    post(key="back", reason="correction", moves=back, counters=gift)
    set_mint_value(kind=kind("ruby"), value=None, reason="Too rare")
    DynastyFactory(fallen=True)
    amend_charter(changes={"founding_grant": 0}, reason="Hard times", author=None)
    assert not Leg.objects.filter(account=house()).exists()
    audit()
