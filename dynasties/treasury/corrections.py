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


@transaction.atomic
def counter_transfer(*, transfer: Transfer, note: str, author: AbstractBaseUser | None) -> Transfer:
    """Take a transfer back by its exact opposite, once.

    Raises AlreadyCountered, NotEnough (somebody has spent it), Fallen, and ValidationError
    for a missing note.
    """
    why = _demand(note)
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

    Raises Fallen, KeyReused, and ValidationError for a missing note, an amount below 1 or
    the mint itself, which can't owe itself anything.
    """
    why = _demand(note)
    if amount < 1 or account.holder == Account.Holder.MINT:
        raise ValidationError(_("The mint makes something, for somebody else."))
    moves = [Move(mint(), kind, -amount), Move(account, kind, amount)]
    return post(key=f"mint {key}", reason=reasons.MINT, moves=moves, note=why, author=author)


def _demand(note: str) -> str:
    why = note.strip()
    if not why:
        raise ValidationError({"note": _("Say why: it stays in the history.")})
    return why
