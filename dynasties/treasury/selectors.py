"""What may be known of wealth."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet, Sum
from django.db.models.functions import Coalesce

from dynasties.houses.models import Dynasty
from dynasties.treasury.models import Account, Balance, Kind, Leg, Transfer
from dynasties.treasury.seals import kinds_under_seal


def kind(code: str) -> Kind:
    """The kind of this code; raises Kind.DoesNotExist."""
    found = Kind.objects.filter(code=code).first()
    if found is None:
        raise Kind.DoesNotExist(code)
    return found


def balances_of(account: Account) -> dict[Kind, int]:
    """What lies in an account, in the order of lists; without kinds of which there is nothing."""
    held = Balance.objects.filter(account=account).exclude(amount=0).select_related("kind")
    return {each.kind: each.amount for each in held.order_by("kind__rank", "kind__code")}


def wealth_of(dynasty: Dynasty) -> dict[Kind, int]:
    """What a dynasty owns; nothing before it has opened, nothing after its fall."""
    account = Account.objects.filter(dynasty=dynasty).first()
    return balances_of(account) if account else {}


def wealth_in_copper(account: Account) -> int:
    """What lies in an account at mint values; what the mint does not exchange counts as 0."""
    return sum(amount * (each.mint_value or 0) for each, amount in balances_of(account).items())


def founding_grant_of(dynasty: Dynasty) -> int:
    """How much copper the dynasty was granted when it opened."""
    granted = Leg.objects.filter(transfer__key=f"grant dynasty {dynasty.pk}", amount__gt=0)
    total: int = granted.aggregate(total=Coalesce(Sum("amount"), 0))["total"]
    return total


@dataclass(frozen=True)
class Circulation:
    """How much of one kind there is, and where; `minted` is what the mint has made of it.

    `is_sealed`: something of it lies in escrow that only its owner may count, so that neither
    the escrow nor the dynasties can be told by themselves.
    """

    kind: Kind
    dynasties: int
    crown: int
    escrow: int
    minted: int
    is_sealed: bool = False

    @property
    def total(self) -> int:
        return self.dynasties + self.crown + self.escrow

    @property
    def worth(self) -> int | None:
        """All of it at its mint value, in copper."""
        return None if self.kind.mint_value is None else self.total * self.kind.mint_value


def wealth_in_circulation() -> list[Circulation]:
    """Every kind of wealth, and who holds how much of it."""
    rows = Balance.objects.order_by().values_list("kind", "account__holder")
    held = {(kind_id, holder): n for kind_id, holder, n in rows.annotate(n=Sum("amount"))}
    holder, under_seal = Account.Holder, kinds_under_seal()
    return [
        Circulation(
            kind=each,
            dynasties=held.get((each.pk, holder.DYNASTY), 0),
            crown=held.get((each.pk, holder.CROWN), 0),
            escrow=held.get((each.pk, holder.ESCROW), 0),
            minted=-held.get((each.pk, holder.MINT), 0),
            is_sealed=each.pk in under_seal,
        )
        for each in Kind.objects.all()
    ]


@dataclass(frozen=True)
class StatementFilter:
    """Which movements a statement of account shows; None for all."""

    kind: Kind | None = None
    reason: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def statement(dynasty: Dynasty, chosen: StatementFilter | None = None) -> QuerySet[Leg]:
    """The movements of a dynasty's wealth, newest first, from `since` to before `until`."""
    chosen = chosen or StatementFilter()
    conditions = {
        "kind": chosen.kind,
        "transfer__reason": chosen.reason,
        "transfer__made_at__gte": chosen.since,
        "transfer__made_at__lt": chosen.until,
    }
    asked = {name: value for name, value in conditions.items() if value is not None}
    legs: QuerySet[Leg] = Leg.objects.filter(account__dynasty=dynasty, **asked)
    return legs.select_related("transfer", "kind").order_by("-pk")


def reasons_met(dynasty: Dynasty) -> list[str]:
    """The codes of all reasons for which the dynasty's wealth ever moved."""
    met = Transfer.objects.filter(legs__account__dynasty=dynasty)
    return list(met.order_by("reason").values_list("reason", flat=True).distinct())
