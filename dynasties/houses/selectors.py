"""What may be known of dynasties."""

import unicodedata

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from dynasties.houses.models import Dynasty, DynastyQuerySet
from dynasties.houses.names import name_key, name_slug, searchable


def find_dynasties(*, query: str = "") -> DynastyQuerySet:
    """Public dynasties in order of name; with a query, those whose name looks as if it held it."""
    houses = Dynasty.objects.public().order_by("name", "pk")
    if not query.strip():
        return houses
    key = searchable(query)
    return houses.filter(name_key__contains=key) if key else houses.none()


def find_dynasty(*, slug: str) -> Dynasty | None:
    """The public dynasty at this address, or at what somebody may have meant by it."""
    houses = Dynasty.objects.public()
    meant = name_slug(unicodedata.normalize("NFKC", slug))
    return houses.filter(slug=slug).first() or houses.filter(slug=meant).first()


def newest_dynasties(*, limit: int) -> list[Dynasty]:
    """The standing dynasties that opened last."""
    return list(Dynasty.objects.public().filter(fallen_at=None).order_by("-opened_at")[:limit])


def count_dynasties() -> int:
    return Dynasty.objects.public().filter(fallen_at=None).count()


def dynasty_of(user: AbstractBaseUser | AnonymousUser) -> Dynasty | None:
    """The dynasty that the account rules, if any."""
    return Dynasty.objects.filter(ruler_id=user.pk).first() if user.pk else None


def is_name_taken(name: str) -> bool:
    """Tell whether a clean name, or one that looks like it, is borne or held by a dynasty."""
    return Dynasty.objects.filter(name_key=name_key(name)).exists()
