"""Health says that the process answers; readiness says, part by part, what can't work."""

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from dynasties.vitals import selectors
from dynasties.vitals.models import Heartbeat
from dynasties.vitals.services import TIMETABLE, record_heartbeat


def test_health_asks_nothing_of_the_database(client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.parametrize("probe", ["/healthz", "/readyz", "/metrics"])
class TestProbes:
    def test_they_may_be_asked_by_any_inner_address(self, probe, client, db, settings) -> None:
        settings.METRICS_TOKEN = "a-token-that-nobody-will-guess"
        bearer = f"Bearer {settings.METRICS_TOKEN}"
        answer = client.get(probe, headers={"Host": "web-a:8000", "Authorization": bearer})
        assert answer.status_code in {200, 503}

    def test_they_are_only_asked(self, probe, client) -> None:
        assert client.post(probe).status_code == 405


def test_no_page_may_be_asked_for_under_a_foreign_name(client, db) -> None:
    assert client.get("/", headers={"Host": "web-a:8000"}).status_code == 400


@pytest.mark.django_db
class TestReadiness:
    def test_ready_when_every_part_answers(self, client) -> None:
        record_heartbeat()
        answer = client.get("/readyz")
        assert answer.status_code == 200
        assert answer.json() == {
            "ready": True,
            "database": "ok",
            "timetable": "ok",
            "channel_layer": "ok",
        }

    def test_not_ready_before_the_timetable_has_run(self, client) -> None:
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert "has not run yet" in answer.json()["timetable"]

    def test_not_ready_when_the_timetable_has_stopped(self, client) -> None:
        Heartbeat.objects.create(duty=TIMETABLE, at=timezone.now() - timedelta(minutes=2))
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert "silent for 12" in answer.json()["timetable"]

    def test_not_ready_when_the_channel_layer_is_away(self, client, monkeypatch) -> None:
        class Away:
            async def group_send(self, group: str, message: dict) -> None:
                raise ConnectionError

        record_heartbeat()
        monkeypatch.setattr(selectors, "get_channel_layer", Away)
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["channel_layer"] == "does not answer (ConnectionError)"

    def test_not_ready_when_the_database_is_away(self, client, monkeypatch) -> None:
        def away() -> float:
            raise DatabaseError("password of the database: secret")

        monkeypatch.setattr(selectors, "heartbeat_age", away)
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["database"] == "does not answer (DatabaseError)"
        assert b"secret" not in answer.content


@pytest.mark.django_db
class TestMetrics:
    TOKEN = "a-token-that-nobody-will-guess"

    def test_the_process_s_own_are_shown_while_the_database_is_away(
        self, client, settings, monkeypatch
    ) -> None:
        def away() -> float:
            raise DatabaseError

        settings.METRICS_TOKEN = self.TOKEN
        monkeypatch.setattr("dynasties.vitals.metrics.heartbeat_age", away)
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {self.TOKEN}"})
        assert answer.status_code == 200
        assert "python_info" in answer.content.decode()

    def test_without_a_token_in_the_settings_there_are_none(self, client, settings) -> None:
        settings.METRICS_TOKEN = ""
        assert client.get("/metrics").status_code == 404
        answer = client.get("/metrics", headers={"Authorization": "Bearer "})
        assert answer.status_code == 404

    def test_a_wrong_token_learns_nothing(self, client, settings) -> None:
        settings.METRICS_TOKEN = self.TOKEN
        answer = client.get("/metrics", headers={"Authorization": "Bearer wrong-ñ"})
        assert answer.status_code == 404

    def test_the_token_opens_them(self, client, settings) -> None:
        settings.METRICS_TOKEN = self.TOKEN
        record_heartbeat()
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {self.TOKEN}"})
        assert answer.status_code == 200
        text = answer.content.decode()
        for name in ("timetable_age_seconds 0.", "letters_waiting 0.0", "django_http_requests"):
            assert name in text
