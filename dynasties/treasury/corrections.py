"""What staff may do to wealth: never rewrite, only post, and never without saying why."""

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from dynasties.treasury import reasons
from dynasties.treasury.models import Account, Kind, Transfer
from dynasties.treasury.services import Move, mint, post


class AlreadyCountered(Exception):
    """The transfer was taken back before."""


class HeldInEscrow(Exception):
    """An escrow has a part in the transfer: whoever opened it settles it, and nobody else."""


class FoundingGrant(Exception):
    """A grant counts as paid for ever, so it can't be taken back."""


@transaction.atomic
def counter_transfer(*, transfer: Transfer, note: str, author: AbstractBaseUser | None) -> Transfer:
    """Take a transfer back by its exact opposite, once.

    Raises HeldInEscrow, FoundingGrant, AlreadyCountered, NotEnough (somebody has spent it),
    Fallen, and ValidationError for a missing note.
    """
    why = _demand(note)
    _refuse_for_ever(transfer)
    if Transfer.objects.filter(counters=transfer).exists():
        raise AlreadyCountered
    legs = transfer.legs.select_related("account", "kind")
    return post(
        key=f"counter {transfer.pk}",
        reason=reasons.CORRECTION,
        moves=[Move(leg.account, leg.kind, -leg.amount) for leg in legs],
        note=why,
        author=author,
        counters=transfer,
    )


def may_be_countered(transfer: Transfer) -> bool:
    """Whether there is a way back, as far as one can tell beforehand."""
    try:
        _refuse_for_ever(transfer)
    except (HeldInEscrow, FoundingGrant):
        return False
    return not Transfer.objects.filter(counters=transfer).exists()


def _refuse_for_ever(transfer: Transfer) -> None:
    # What a counter-posting put into an escrow, or took out, its owner would never settle.
    if transfer.legs.filter(account__holder=Account.Holder.ESCROW).exists():
        raise HeldInEscrow
    if transfer.reason == reasons.GRANT:
        raise FoundingGrant


GRANTED_TO = (Account.Holder.DYNASTY, Account.Holder.CROWN)


@transaction.atomic
def grant_from_mint(
    *,
    key: str,
    account: Account,
    kind: Kind,
    amount: int,
    note: str,
    author: AbstractBaseUser | None,
) -> Transfer:
    """Make new wealth and give it to an account, once for each key.

    Raises Fallen, KeyReused, and ValidationError for a missing note, an amount below 1, the
    mint itself, which can't owe itself anything, or an escrow, which nobody could empty again.
    """
    why = _demand(note)
    if amount < 1:
        raise ValidationError({"amount": _("The mint makes at least one of something.")})
    if account.holder not in GRANTED_TO:
        raise ValidationError(
            _("Only dynasties and the crown are granted wealth: an escrow can't be.")
        )
    moves = [Move(mint(), kind, -amount), Move(account, kind, amount)]
    return post(key=f"mint {key}", reason=reasons.MINT, moves=moves, note=why, author=author)


def _demand(note: str) -> str:
    why = note.strip()
    if not why:
        raise ValidationError({"note": _("Say why: it stays in the history.")})
    return why
