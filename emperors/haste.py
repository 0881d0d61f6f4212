"""How many emperors a dynasty has founded of late, the forgotten among them.

Who is forgotten leaves no row that could be counted: so births are counted in the cache too.
Without it, those who are remembered still count.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from dynasties.houses.models import Dynasty
from emperors.models import Emperor

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


class HasteError(Exception):
    """The dynasty has founded too many emperors of late; `most` of them may be in a `span`."""

    def __init__(self, most: int, span: timedelta) -> None:
        super().__init__(most, span)
        self.most, self.span = most, span


def refuse_haste(dynasty: Dynasty, now: datetime) -> None:
    """Raise HasteError for a dynasty that founds more than anybody could want."""
    founded = Emperor.objects.filter(founder=dynasty)
    for most, span in ((settings.EMPERORS_A_MINUTE, MINUTE), (settings.EMPERORS_A_DAY, DAY)):
        remembered = founded.filter(born_at__gt=now - span).count()
        if max(remembered, _counted(dynasty, span)) >= most:
            raise HasteError(most, span)


def count_birth(dynasty: Dynasty) -> None:
    """Count a birth, in spans that begin with their first one."""
    for span in (MINUTE, DAY):
        # A span may end between the two: then the birth was the last one in it.
        with suppress(RedisError, ValueError):
            cache.add(_key(dynasty, span), 0, timeout=span.total_seconds())
            cache.incr(_key(dynasty, span))


def _counted(dynasty: Dynasty, span: timedelta) -> int:
    with suppress(RedisError):
        return cache.get(_key(dynasty, span)) or 0
    return 0


def _key(dynasty: Dynasty, span: timedelta) -> str:
    return f"births:{dynasty.pk}:{span.total_seconds():.0f}"
