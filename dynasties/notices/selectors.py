from django.db.models import QuerySet
from django.utils import timezone

from dynasties.notices.models import Proclamation


def proclamations_in_force() -> QuerySet[Proclamation]:
    """What the crown has to say just now, newest first."""
    now = timezone.now()
    return Proclamation.objects.filter(starts_at__lte=now, ends_at__gt=now)
