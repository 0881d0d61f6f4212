"""Kinds of wealth: those that every world begins with, and what each is worth at the mint."""

from collections.abc import Callable
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from dynasties.treasury.models import Kind, MintValue


class First(NamedTuple):
    """A kind that the world begins with."""

    code: str
    family: Kind.Family
    name_en: str
    name_es: str
    mint_value: int | None


FIRST_KINDS = (
    First("copper", Kind.Family.COIN, "copper coin", "moneda de cobre", 1),
    First("silver", Kind.Family.COIN, "silver coin", "moneda de plata", 10),
    First("gold", Kind.Family.COIN, "gold coin", "moneda de oro", 100),
    First("ruby", Kind.Family.GEM, "ruby", "rubí", 1_000),
    First("emerald", Kind.Family.GEM, "emerald", "esmeralda", 800),
    First("sapphire", Kind.Family.GEM, "sapphire", "zafiro", 500),
    First("silver-bar", Kind.Family.BAR, "silver bar", "lingote de plata", 1_000),
    First("gold-bar", Kind.Family.BAR, "gold bar", "lingote de oro", 10_000),
    First("bronze-key", Kind.Family.ITEM, "bronze key", "llave de bronce", None),
)
STEP = 10

# Why a kind must keep a mint value, in words, or None if it need not.
Need = Callable[[Kind], str | None]
_needs: list[Need] = []


def needs_mint_value(need: Need) -> Need:
    """Register what is asked before a kind loses its mint value."""
    _needs.append(need)
    return need


@transaction.atomic
def install_first_kinds() -> int:
    """Add those first kinds that are missing; return how many. What an admin changed stays."""
    there = set(Kind.objects.values_list("code", flat=True))
    missing = [
        Kind(**first._asdict(), rank=STEP * place)
        for place, first in enumerate(FIRST_KINDS, start=1)
        if first.code not in there
    ]
    if missing:
        Kind.objects.bulk_create(missing)
        values = [
            MintValue(kind=each, value=each.mint_value, reason="As the world began.")
            for each in missing
        ]
        MintValue.objects.bulk_create(values)
    return len(missing)


@transaction.atomic
def add_kind(*, kind: Kind, reason: str, author: AbstractBaseUser | None = None) -> Kind:
    """Let a new kind of wealth into the world; ValidationError if it can't be."""
    _demand(reason)
    kind.full_clean()
    kind.save(force_insert=True)
    _remember(kind, reason, author)
    return kind


@transaction.atomic
def set_mint_value(
    *, kind: Kind, value: int | None, reason: str, author: AbstractBaseUser | None = None
) -> bool:
    """Let the mint exchange a kind at another value, None for not at all; False if it did so.

    ValidationError for a value below 1, without a reason, of copper, the measure of all, and
    for None if somebody needs the value (`needs_mint_value`).
    """
    _demand(reason)
    held = Kind.objects.select_for_update().get(pk=kind.pk)
    refuse_mint_value(kind=held, value=value)
    if held.mint_value == value:
        return False
    held.mint_value = value
    held.full_clean()
    held.save(update_fields=["mint_value"])
    _remember(held, reason, author)
    kind.mint_value = value
    return True


def refuse_mint_value(*, kind: Kind, value: int | None) -> None:
    """ValidationError if copper would not be worth 1, or a value go that somebody needs."""
    if kind.code == "copper" and value != 1:
        raise ValidationError({"mint_value": _("Copper is what all values are told in.")})
    words = [why for need in _needs if value is None and (why := need(kind))]
    if words:
        raise ValidationError({"mint_value": words})


def _demand(reason: str) -> None:
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: it stays in the history.")})


def _remember(kind: Kind, reason: str, author: AbstractBaseUser | None) -> None:
    MintValue.objects.create(
        kind=kind,
        value=kind.mint_value,
        reason=reason.strip(),
        author_id=author.pk if author else None,
    )
