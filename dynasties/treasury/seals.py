"""What the chancery does not read either: amounts that are for their owner alone.

An amount can be told from a balance as well, by what it was before: so the balances of an
account are sealed too, for as long as what left it under seal lies in escrow.
"""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from dynasties.treasury.models import Account, Balance, Leg
from dynasties.treasury.reasons import reason_for, sealed_reasons


def sealed_words() -> str:
    """What stands in the place of an amount."""
    return _("sealed")


def amount_of(leg: Leg, written: str = "{:,}") -> str:
    """The amount of a leg as staff may read it."""
    if reason_for(leg.transfer.reason).sealed:
        return sealed_words()
    return written.format(leg.amount)


def note_sealed_legs(legs: QuerySet[Leg]) -> QuerySet[Leg]:
    """Note at each leg whether its balance after would tell something (`hides_after`)."""
    sealed = Leg.objects.filter(
        account=OuterRef("account"), kind=OuterRef("kind"), transfer__reason__in=sealed_reasons()
    )
    return legs.select_related("transfer").annotate(hides_after=Exists(sealed))


def note_sealed_balances(balances: QuerySet[Balance]) -> QuerySet[Balance]:
    """Note at each balance whether it is sealed for now (`is_sealed`)."""
    waiting = _waiting(Q(account=OuterRef("account"), kind=OuterRef("kind")))
    return balances.annotate(is_sealed=Exists(waiting))


def is_sealed(balance: Any) -> bool:
    """Whether a balance that was noted so can't be shown now."""
    return bool(balance.is_sealed)


def has_sealed_balance(*, account: Account, kind_id: int) -> bool:
    return _waiting(Q(account=account, kind=kind_id)).exists()


def kinds_under_seal() -> set[int]:
    """The numbers of the kinds of which something lies in escrow under seal."""
    return set(_waiting(Q()).order_by().values_list("kind", flat=True).distinct())


def _waiting(which: Q) -> QuerySet[Leg]:
    """Legs of sealed transfers into or out of an escrow that is not empty yet."""
    in_escrow = Balance.objects.filter(
        account__holder=Account.Holder.ESCROW,
        account__legs__transfer=OuterRef("transfer"),
        kind=OuterRef("kind"),
        amount__gt=0,
    )
    return Leg.objects.filter(which, Exists(in_escrow), transfer__reason__in=sealed_reasons())
