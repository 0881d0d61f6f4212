"""Health says that the process answers; readiness says, part by part, what can't work."""

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.urls import reverse
from django.utils import timezone

from dynasties.vitals import selectors
from dynasties.vitals.models import Heartbeat
from dynasties.vitals.services import TIMETABLE, record_heartbeat


def test_health_asks_nothing_of_the_database(client) -> None:
    answer = client.get(reverse("healthz"))
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
class TestReadiness:
    def test_ready_when_every_part_answers(self, client) -> None:
        record_heartbeat()
        answer = client.get(reverse("readyz"))
        assert answer.status_code == 200
        assert answer.json() == {
            "ready": True,
            "database": "ok",
            "timetable": "ok",
            "channel_layer": "ok",
        }

    def test_not_ready_before_the_timetable_has_run(self, client) -> None:
        answer = client.get(reverse("readyz"))
        assert answer.status_code == 503
        assert "has not run yet" in answer.json()["timetable"]

    def test_not_ready_when_the_timetable_has_stopped(self, client) -> None:
        Heartbeat.objects.create(duty=TIMETABLE, at=timezone.now() - timedelta(minutes=2))
        answer = client.get(reverse("readyz"))
        assert answer.status_code == 503
        assert "silent for 12" in answer.json()["timetable"]

    def test_not_ready_when_the_channel_layer_is_away(self, client, monkeypatch) -> None:
        class Away:
            async def group_send(self, group: str, message: dict) -> None:
                raise ConnectionError

        record_heartbeat()
        monkeypatch.setattr(selectors, "get_channel_layer", Away)
        answer = client.get(reverse("readyz"))
        assert answer.status_code == 503
        assert answer.json()["channel_layer"] == "does not answer (ConnectionError)"

    def test_not_ready_when_the_database_is_away(self, client, monkeypatch) -> None:
        def away() -> float:
            raise DatabaseError("password of the database: secret")

        monkeypatch.setattr(selectors, "heartbeat_age", away)
        answer = client.get(reverse("readyz"))
        assert answer.status_code == 503
        assert answer.json()["database"] == "does not answer (DatabaseError)"
        assert b"secret" not in answer.content


@pytest.mark.django_db
class TestMetrics:
    TOKEN = "a-token-that-nobody-will-guess"

    def test_without_a_token_in_the_settings_there_are_none(self, client, settings) -> None:
        settings.METRICS_TOKEN = ""
        assert client.get(reverse("metrics")).status_code == 404
        answer = client.get(reverse("metrics"), headers={"Authorization": "Bearer "})
        assert answer.status_code == 404

    def test_a_wrong_token_learns_nothing(self, client, settings) -> None:
        settings.METRICS_TOKEN = self.TOKEN
        answer = client.get(reverse("metrics"), headers={"Authorization": "Bearer wrong-ñ"})
        assert answer.status_code == 404

    def test_the_token_opens_them(self, client, settings) -> None:
        settings.METRICS_TOKEN = self.TOKEN
        record_heartbeat()
        answer = client.get(reverse("metrics"), headers={"Authorization": f"Bearer {self.TOKEN}"})
        assert answer.status_code == 200
        text = answer.content.decode()
        for name in ("timetable_age_seconds 0.", "letters_waiting 0.0", "django_http_requests"):
            assert name in text
