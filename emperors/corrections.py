"""Reputation corrected by hand: a change like any other, once for each key, never without why."""

from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from emperors import reasons
from emperors.crown import one_deed
from emperors.models import Correction, Emperor, ReputationChange
from emperors.reputation import change_reputation


class KeyReusedError(Exception):
    """The key belongs to another correction of this emperor."""


def correct_reputation(
    *, emperor: Emperor, change: int, reason: str, key: UUID, author: AbstractBaseUser | None
) -> tuple[Correction, bool]:
    """Give or take reputation by hand; the correction, and whether it was made just now.

    The same key again finds the correction made, and changes nothing. Raises KeyReusedError for
    the same key with other terms, ValidationError without a reason, NotAliveError, UntriedError.
    """
    why = _demand(reason)
    with one_deed(emperors=[emperor]) as held:
        # Asked once he is held: the same correction, if under way, has been waited for.
        made = Correction.objects.filter(emperor_id=emperor.pk, key=key).first()
        if made is not None:
            _insist_on_the_same(made, change, why)
            return made, False
        applied = change_reputation(
            emperor=emperor, change=change, reason=reasons.CORRECTION, at=held.at
        )
        changes = ReputationChange.objects.filter(emperor_id=emperor.pk).order_by("-pk")
        made = Correction.objects.create(
            emperor_id=emperor.pk,
            key=key,
            asked=change,
            change=changes.first() if applied else None,
            reason=why,
            author_id=author.pk if author else None,
            at=held.at,
        )
    return made, True


def _demand(reason: str) -> str:
    why = reason.strip()
    if not why:
        raise ValidationError({"reason": _("Say why: it stays in the history.")})
    return why


def _insist_on_the_same(made: Correction, asked: int, reason: str) -> None:
    if (made.asked, made.reason) != (asked, reason):
        raise KeyReusedError
