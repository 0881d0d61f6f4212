"""What changes a dynasty: founding, opening, words on its shield, fall."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from dynasties.houses.names import clean_motto, clean_name, name_key, name_slug
from dynasties.houses.signals import dynasty_falling, dynasty_fell, dynasty_opened

LONGEST_SLUG_STEM = 50
# Enough for dynasties whose names differ in script or accents only, and for a race among them.
MOST_SLUG_TRIES = 50


class NameTakenError(Exception):
    """Another dynasty bears the name, or one that looks like it."""


def found_dynasty(
    *, ruler: AbstractBaseUser, name: str, motto: str = "", at: datetime | None = None
) -> Dynasty:
    """Found the dynasty of `ruler`. It stays unopened until the ruler's address is verified.

    Raises ValidationError for a name that can't be, NameTakenError for one that is taken.
    """
    return _found(ruler=ruler, name=name, motto=motto, at=at)


def hold_name(*, name: str) -> Dynasty:
    """Keep a name as a real sign-up would, for one that must only look real."""
    return _found(ruler=None, name=name, motto="")


@transaction.atomic
def open_dynasty(*, ruler: AbstractBaseUser, at: datetime | None = None) -> bool:
    """Open the ruler's dynasty to the world; False if there is none, or it was open."""
    now = at or timezone.now()
    unopened = Dynasty.objects.unopened().filter(ruler_id=ruler.pk)
    if not unopened.update(opened_at=now):
        return False
    house = Dynasty.objects.get(ruler_id=ruler.pk)
    dynasty_opened.send(sender=Dynasty, dynasty=house, at=now)
    return True


@transaction.atomic
def change_motto(*, dynasty: Dynasty, motto: str) -> None:
    """Write another motto ("" for none) on the shield; ValidationError if it can't be."""
    dynasty.motto = clean_motto(motto)
    dynasty.save(update_fields=["motto"])


@transaction.atomic
def rename_dynasty(*, dynasty: Dynasty, name: str) -> None:
    """Give a dynasty another name and address, as moderation asks for at times.

    Raises ValidationError for a name that can't be, NameTakenError for one that is taken.
    """
    dynasty.name = clean_name(name)
    dynasty.name_key = name_key(dynasty.name)
    others = Dynasty.objects.exclude(pk=dynasty.pk)
    for _attempt in range(MOST_SLUG_TRIES):
        if others.filter(name_key=dynasty.name_key).exists():
            break
        dynasty.slug = _free_slug(dynasty.name, except_for=dynasty)
        with suppress(IntegrityError), transaction.atomic():
            dynasty.save(update_fields=["name", "name_key", "slug"])
            return
    raise NameTakenError


@transaction.atomic
def let_dynasty_fall(*, ruler: AbstractBaseUser) -> None:
    """End the rule of `ruler`: an open dynasty becomes history, an unopened one never was.

    Locks, in this order: the dynasty, then what the receivers of `dynasty_falling` need
    (standings and emperors, open offers, balances), then nothing more. Its time is the
    database's, read once the dynasty is locked.
    """
    Dynasty.objects.unopened().filter(ruler_id=ruler.pk).delete()
    # Not its key yet: who merely refers to it, and holds what a receiver will wait for, can go on.
    house = Dynasty.objects.select_for_update(no_key=True).filter(ruler_id=ruler.pk).first()
    if house is None:
        return
    now = database_now()
    dynasty_falling.send(sender=Dynasty, dynasty=house, at=now)
    house.ruler, house.fallen_at = None, now
    house.save(update_fields=["ruler", "fallen_at"])
    dynasty_fell.send(sender=Dynasty, dynasty=house, at=house.fallen_at)


@transaction.atomic
def clear_held_names(*, now: datetime | None = None) -> int:
    """Free the names that were only held, once their time is over; return how many."""
    held = Dynasty.objects.unopened().filter(ruler=None, founded_at__lt=unopened_since(now))
    return held.delete()[1].get(Dynasty._meta.label, 0)


def unopened_since(now: datetime | None = None) -> datetime:
    """Dynasties founded before this and still unopened have had their time."""
    return (now or timezone.now()) - timedelta(days=settings.UNOPENED_HOUSE_DAYS)


@transaction.atomic
def _found(
    *, ruler: AbstractBaseUser | None, name: str, motto: str, at: datetime | None = None
) -> Dynasty:
    clean, words = clean_name(name), clean_motto(motto)
    key = name_key(clean)
    for _attempt in range(MOST_SLUG_TRIES):
        if Dynasty.objects.filter(name_key=key).exists():
            break
        try:
            # A savepoint: the sign-up around this must be able to go on after a lost race.
            with transaction.atomic():
                return Dynasty.objects.create(
                    ruler_id=ruler.pk if ruler else None,
                    name=clean,
                    name_key=key,
                    slug=_free_slug(clean),
                    motto=words,
                    founded_at=at or timezone.now(),
                )
        except IntegrityError:
            if ruler and Dynasty.objects.filter(ruler_id=ruler.pk).exists():
                raise
    raise NameTakenError


def _free_slug(name: str, *, except_for: Dynasty | None = None) -> str:
    stem = name_slug(name)[:LONGEST_SLUG_STEM]
    others = Dynasty.objects.filter(slug__startswith=stem)
    if except_for:
        others = others.exclude(pk=except_for.pk)
    taken = set(others.values_list("slug", flat=True))
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (stem, *numbered) if slug not in taken)
