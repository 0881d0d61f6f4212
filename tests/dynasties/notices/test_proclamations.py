"""A proclamation is on every page while it lasts, and announced to open pages exactly once."""

from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone, translation

from dynasties.notices import hints
from dynasties.notices.models import Proclamation
from dynasties.notices.selectors import proclamations_in_force
from dynasties.notices.services import announce_due_proclamations, announce_proclamation

pytestmark = pytest.mark.django_db


def proclaim(*, starts_in: int = 0, lasts: int = 60) -> Proclamation:
    starts_at = timezone.now() + timedelta(minutes=starts_in)
    return Proclamation.objects.create(
        text_en="The gates are open.",
        text_es="Las puertas están abiertas.",
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=lasts),
    )


@pytest.fixture
def published(monkeypatch) -> list[dict]:
    """What went to the sockets."""
    sent: list[dict] = []
    monkeypatch.setattr(hints, "_send_message", lambda topic, message: sent.append(message))
    return sent


def test_it_is_in_force_between_its_start_and_its_end() -> None:
    proclamation = proclaim(starts_in=10, lasts=10)
    assert not proclamations_in_force().exists()
    with time_machine.travel(proclamation.starts_at + timedelta(seconds=1)):
        assert proclamations_in_force().get() == proclamation
    with time_machine.travel(proclamation.ends_at + timedelta(seconds=1)):
        assert not proclamations_in_force().exists()


def test_it_speaks_the_readers_language() -> None:
    proclamation = proclaim()
    assert str(proclamation) == "The gates are open."
    with translation.override("es"):
        assert str(proclamation) == "Las puertas están abiertas."


def test_it_is_announced_once_however_often_the_task_runs(
    published, django_capture_on_commit_callbacks
) -> None:
    proclamation = proclaim()
    with django_capture_on_commit_callbacks(execute=True):
        assert announce_due_proclamations() == 1
        assert announce_due_proclamations() == 0
        assert not announce_proclamation(proclamation=proclamation)
    (message,) = published
    assert message["frame"]["text"]["es"] == "Las puertas están abiertas."


def test_one_for_later_or_long_past_is_not_announced(published) -> None:
    proclaim(starts_in=10)
    proclaim(starts_in=-30, lasts=10)
    assert announce_due_proclamations() == 0


def test_one_that_ends_before_it_starts_cannot_exist() -> None:
    with pytest.raises(IntegrityError):
        proclaim(lasts=-1)


def test_staff_publish_it_in_the_admin_and_open_pages_hear_it(
    admin_client, published, django_capture_on_commit_callbacks
) -> None:
    now = timezone.now()
    fields = {
        "text_en": "War!",
        "text_es": "¡Guerra!",
        "starts_at_0": (now - timedelta(minutes=1)).strftime("%Y-%m-%d"),
        "starts_at_1": (now - timedelta(minutes=1)).strftime("%H:%M:%S"),
        "ends_at_0": (now + timedelta(days=1)).strftime("%Y-%m-%d"),
        "ends_at_1": now.strftime("%H:%M:%S"),
    }
    with django_capture_on_commit_callbacks(execute=True):
        answer = admin_client.post(reverse("admin:dynasties_proclamation_add"), fields)
    assert answer.status_code == 302
    assert [message["frame"]["text"]["en"] for message in published] == ["War!"]
    assert Proclamation.objects.get().author.is_staff


def test_an_end_before_the_start_is_an_error_on_the_form_not_a_fault(admin_client) -> None:
    fields = {
        "text_en": "War!",
        "text_es": "¡Guerra!",
        "starts_at_0": "2026-02-02",
        "starts_at_1": "10:00:00",
        "ends_at_0": "2026-02-01",
        "ends_at_1": "10:00:00",
    }
    answer = admin_client.post(reverse("admin:dynasties_proclamation_add"), fields)
    assert answer.status_code == 200
    assert b"must end after it starts" in answer.content


def test_staff_cannot_read_letters(admin_client) -> None:
    from dynasties.notices.models import Letter

    letter = Letter.objects.create(to="ada@example.org", subject="Code", body="It is 123456.")
    listed = admin_client.get(reverse("admin:dynasties_letter_changelist"))
    shown = admin_client.get(reverse("admin:dynasties_letter_change", args=[letter.pk]))
    for page in (listed, shown):
        assert page.status_code == 200
        assert b"123456" not in page.content
        assert b"ada@example.org" not in page.content
