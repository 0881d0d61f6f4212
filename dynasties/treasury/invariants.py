"""What must hold of wealth at any time, to the last coin."""

from collections.abc import Iterable

from django.db import connection
from django.db.models import (
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Window,
)
from django.db.models.functions import Coalesce, Lag

from dynasties.audit import invariant
from dynasties.charter.selectors import charter_at
from dynasties.chronicle.models import Entry
from dynasties.houses.models import Dynasty
from dynasties.treasury.guards import guards_of
from dynasties.treasury.models import Account, Balance, Kind, Leg, MintValue, Transfer
from dynasties.treasury.reasons import GRANT, all_reasons

MINT = Account.Holder.MINT


# --- Nothing is lost, nothing is made ----------------------------------------------------


@invariant("What leaves accounts in a transfer arrives in others, kind by kind.")
def transfers_that_do_not_sum_to_zero() -> Iterable[str]:
    sums = Leg.objects.order_by().values("transfer", "kind").annotate(total=Sum("amount"))
    return (f"Transfer {row['transfer']}" for row in sums.exclude(total=0))


@invariant("A transfer moves something.")
def transfers_without_legs() -> Iterable[Transfer]:
    return Transfer.objects.exclude(Exists(Leg.objects.filter(transfer=OuterRef("pk"))))


@invariant("Over all accounts, each kind sums to zero: the mint owes what all others hold.")
def kinds_that_do_not_sum_to_zero() -> Iterable[str]:
    sums = Balance.objects.order_by().values("kind").annotate(total=Sum("amount"))
    return (f"Kind {row['kind']}" for row in sums.exclude(total=0))


@invariant("A balance is the sum of its legs.")
def balances_that_differ_from_their_legs() -> Iterable[Balance]:
    own = Leg.objects.filter(account=OuterRef("account"), kind=OuterRef("kind")).order_by()
    total = own.values("account").annotate(total=Sum("amount")).values("total")
    entered = Coalesce(Subquery(total, output_field=IntegerField()), 0)
    return Balance.objects.alias(entered=entered).exclude(amount=F("entered"))


@invariant("Every leg has a balance that it counts in.")
def legs_without_a_balance() -> Iterable[Leg]:
    own = Balance.objects.filter(account=OuterRef("account"), kind=OuterRef("kind"))
    return Leg.objects.exclude(Exists(own))


@invariant("Each leg begins where the one before it ended.")
def legs_that_do_not_follow() -> Iterable[Leg]:
    before = Window(Lag("after"), partition_by=["account", "kind"], order_by=F("pk").asc())
    began = F("after") - F("amount")
    return Leg.objects.annotate(began=began, ended=Coalesce(before, 0)).exclude(began=F("ended"))


@invariant("The newest leg of a balance says what it holds.")
def newest_legs_that_differ_from_the_balance() -> Iterable[Balance]:
    own = Leg.objects.filter(account=OuterRef("account"), kind=OuterRef("kind"))
    newest = Subquery(own.order_by("-pk").values("after")[:1])
    return Balance.objects.alias(said=Coalesce(newest, 0)).exclude(amount=F("said"))


@invariant("No balance is negative but the mint's, and no leg ever left one so.")
def overdrafts() -> Iterable[Balance | Leg]:
    yield from Balance.objects.filter(amount__lt=0).exclude(account__holder=MINT)
    yield from Leg.objects.filter(after__lt=0).exclude(account__holder=MINT)


@invariant("The mint's balances, and no others, may be negative.")
def balances_that_take_themselves_for_the_mints() -> Iterable[Balance]:
    return Balance.objects.filter(
        Q(is_mint=True) & ~Q(account__holder=MINT) | Q(is_mint=False) & Q(account__holder=MINT)
    )


# --- Why it moved ------------------------------------------------------------------------


@invariant("A counter-posting is the exact opposite of what it takes back.")
def counter_postings_that_are_no_opposites() -> Iterable[Transfer]:
    countering = Transfer.objects.filter(counters__isnull=False)
    legs = countering.prefetch_related("legs", "counters__legs")
    return (each for each in legs.iterator(chunk_size=1000) if not _is_opposite(each))


@invariant("Every reason for a transfer has its words.")
def transfers_for_no_known_reason() -> Iterable[Transfer]:
    return Transfer.objects.exclude(reason__in=[reason.code for reason in all_reasons()])


@invariant("Every change of a dynasty's wealth is told to it, once.")
def dynasties_not_told_of_their_wealth() -> Iterable[str]:
    moved = _by_dynasty(
        Leg.objects.filter(account__dynasty__isnull=False), "account__dynasty", "transfer"
    )
    told = _by_dynasty(Entry.objects.filter(kind="wealth-changed"), "owner", "pk")
    return (f"Dynasty {number}" for number, _times in set(moved.items()) ^ set(told.items()))


@invariant("The database itself refuses to rewrite the ledger.")
def guards_that_are_missing() -> Iterable[str]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        there = {name for (name,) in cursor.fetchall()}
    return sorted(guards_of(connection.vendor) - there)


# --- Whose it is ---------------------------------------------------------------------------


@invariant("A dynasty that stands has an account.")
def standing_dynasties_without_an_account() -> Iterable[Dynasty]:
    return _standing().filter(account=None)


@invariant("A dynasty that the world does not know yet has no account.")
def accounts_of_unopened_dynasties() -> Iterable[Account]:
    return Account.objects.filter(dynasty__isnull=False, dynasty__opened_at=None)


@invariant("A dynasty gets its founding grant, unless the charter gave none, and only once.")
def dynasties_without_their_grant() -> Iterable[Dynasty]:
    granted = Leg.objects.filter(transfer__reason=GRANT, account__dynasty=OuterRef("pk"))
    legs = granted.order_by().values("account").annotate(n=Count("pk")).values("n")
    counted = Dynasty.objects.annotate(grants=Coalesce(Subquery(legs), 0))
    yield from counted.filter(grants__gt=1)
    # The account is opened when the grant is due, which may be after the dynasty opened.
    due = Coalesce("account__opened_at", "opened_at")
    for dynasty in counted.filter(grants=0, pk__in=_standing()).annotate(due=due):
        if charter_at(dynasty.due).founding_grant:
            yield dynasty


@invariant("A fallen dynasty owns nothing.")
def wealth_of_the_fallen() -> Iterable[Balance]:
    fallen = Balance.objects.filter(account__dynasty__fallen_at__isnull=False)
    return fallen.exclude(amount=0)


@invariant("Every account says what it is for: the crown, the mint, its dynasty, an escrow.")
def accounts_without_a_purpose() -> Iterable[Account]:
    for account in Account.objects.exclude(holder=Account.Holder.ESCROW).iterator():
        own = f"dynasty {account.dynasty_id}" if account.dynasty_id else account.holder
        if account.purpose != own:
            yield account
    yield from Account.objects.filter(holder=Account.Holder.ESCROW, purpose="")


# --- What it is worth ------------------------------------------------------------------------


@invariant("A kind's mint value is the newest of its history.")
def kinds_with_a_value_of_no_history() -> Iterable[Kind]:
    newest = MintValue.objects.filter(kind=OuterRef("pk")).order_by("-pk")
    kinds = Kind.objects.alias(
        noted=Exists(newest), said=Coalesce(Subquery(newest.values("value")[:1]), 0)
    )
    return kinds.exclude(Q(noted=True) & Q(said=Coalesce("mint_value", 0)))


@invariant("There is copper, and it is worth one copper: all mint values are told in it.")
def copper_that_is_no_measure() -> Iterable[str]:
    return [] if Kind.objects.filter(code="copper", mint_value=1).exists() else ["Kind copper"]


def _standing() -> QuerySet[Dynasty]:
    return Dynasty.objects.public().filter(fallen_at=None)


def _is_opposite(transfer: Transfer) -> bool:
    taken_back = transfer.counters.legs.all() if transfer.counters else ()
    opposite = {(leg.account_id, leg.kind_id, -leg.amount) for leg in taken_back}
    return opposite == {(leg.account_id, leg.kind_id, leg.amount) for leg in transfer.legs.all()}


def _by_dynasty(rows: QuerySet, dynasty: str, counted: str) -> dict[int, int]:
    numbers = rows.order_by().values_list(dynasty).annotate(n=Count(counted, distinct=True))
    return dict(numbers)
