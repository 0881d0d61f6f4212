"""Metrics that live in the database, read when they are asked for."""

from collections.abc import Iterable

from django.db import Error as DatabaseError
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from dynasties.notices.models import Letter
from dynasties.vitals.selectors import heartbeat_age


class WorldCollector(Collector):
    """The timetable's age and the letters that wait."""

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Nothing in advance: registering must not ask the database."""
        return ()

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Nothing while the database is away: the process's own metrics matter most then."""
        try:
            age, letters = heartbeat_age(), Letter.objects.count()
        except DatabaseError:
            return
        yield GaugeMetricFamily(
            "timetable_age_seconds",
            "Seconds since the periodic tasks last ran; absent before the first time.",
            value=age,
        )
        yield GaugeMetricFamily("letters_waiting", "Letters not sent yet.", value=letters)


REGISTRY.register(WorldCollector())
