"""Proclamations: written by staff, announced once."""

from django.db import transaction
from django.utils import timezone

from dynasties.notices.live import WORLD, frame, tell
from dynasties.notices.models import Proclamation


@transaction.atomic
def announce_due_proclamations() -> int:
    """Announce each proclamation that has begun and was not announced yet; return how many.

    The conditional update makes it once, however many workers look at the same time.
    """
    now = timezone.now()
    due = Proclamation.objects.filter(
        announced_at__isnull=True, starts_at__lte=now, ends_at__gt=now
    )
    return sum(announce_proclamation(proclamation=proclamation) for proclamation in due)


@transaction.atomic
def announce_proclamation(*, proclamation: Proclamation) -> bool:
    """Tell all open pages; False if that was done before."""
    fresh = Proclamation.objects.filter(pk=proclamation.pk, announced_at__isnull=True)
    if not fresh.update(announced_at=timezone.now()):
        return False
    tell(WORLD, proclamation_frame(proclamation))
    return True


def proclamation_frame(proclamation: Proclamation) -> dict[str, object]:
    return frame(
        "proclamation",
        id=proclamation.pk,
        text={"en": proclamation.text_en, "es": proclamation.text_es},
        ends_at=proclamation.ends_at.isoformat(),
    )
