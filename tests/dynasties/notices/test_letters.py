"""Letters are stored with what they tell, sent once, and leave nothing behind."""

import smtplib
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.core.mail import EmailMultiAlternatives, get_connection, send_mail
from django.db import transaction
from django.utils import timezone

from dynasties.notices.letters import GIVE_UP_AFTER, LEASE, claim, send_due_letters, send_letter
from dynasties.notices.models import Letter
from dynasties.notices.tasks import send_letters

pytestmark = pytest.mark.django_db
OUTBOX = "dynasties.notices.letters.OutboxBackend"


@pytest.fixture(autouse=True)
def real_outbox(settings) -> None:
    """pytest-django replaces the mail backend; here it is the one to test."""
    settings.EMAIL_BACKEND = OUTBOX
    settings.LETTER_TRANSPORT = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []


@pytest.fixture
def hints(monkeypatch) -> list[str]:
    """The tasks that a worker was asked to run."""
    asked: list[str] = []
    monkeypatch.setattr(send_letters, "apply_async", lambda args: asked.append("send_letters"))
    return asked


def write(subject: str = "Your code", to: str = "ada@example.org") -> None:
    send_mail(subject, "It is 123456.", None, [to])


def test_a_letter_waits_for_the_commit(hints, django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        write()
        assert hints == []
        assert mail.outbox == []
        assert Letter.objects.count() == 1
    assert hints == ["send_letters"]


def test_a_letter_about_something_rolled_back_was_never_written(hints) -> None:
    with transaction.atomic():
        write()
        transaction.set_rollback(True)
    assert not Letter.objects.exists()


def test_a_sent_letter_is_forgotten(hints) -> None:
    write()
    assert send_due_letters() == 1
    assert [message.subject for message in mail.outbox] == ["Your code"]
    assert not Letter.objects.exists()


def test_both_texts_and_headers_arrive(hints) -> None:
    message = EmailMultiAlternatives(
        "News", "plain", to=["ada@example.org"], headers={"List-Unsubscribe": "<https://x.example>"}
    )
    message.attach_alternative("<p>rich</p>", "text/html")
    message.send()
    send_due_letters()
    (sent,) = mail.outbox
    assert sent.body == "plain"
    assert sent.alternatives[0][0] == "<p>rich</p>"
    assert sent.extra_headers["List-Unsubscribe"] == "<https://x.example>"


def test_recipients_do_not_learn_of_each_other(hints) -> None:
    send_mail("News", "text", None, ["ada@example.org", "ben@example.org"])
    send_due_letters()
    assert sorted(message.to for message in mail.outbox) == [
        ["ada@example.org"],
        ["ben@example.org"],
    ]


def test_a_letter_that_a_worker_has_claimed_is_not_sent_by_another(hints, settings) -> None:
    write()
    letter = Letter.objects.get()
    rival = Letter.objects.get()
    with get_connection(settings.LETTER_TRANSPORT) as transport:
        assert send_letter(letter, transport=transport)
        assert not send_letter(rival, transport=transport)
    assert len(mail.outbox) == 1


def test_a_letter_reached_late_in_a_slow_round_is_still_claimed_for_long_enough(hints) -> None:
    write()
    letter = Letter.objects.get()
    with time_machine.travel(timezone.now() + LEASE * 3):
        assert claim(letter)
        assert Letter.objects.get().due_at > timezone.now() + LEASE / 2


def test_a_letter_that_cannot_be_sent_holds_up_no_other(hints) -> None:
    write(subject="Impossible", to="no\nbody@example.org")
    write(subject="Possible")
    assert send_due_letters() == 1
    assert [message.subject for message in mail.outbox] == ["Possible"]


def test_letters_stay_due_while_nobody_answers_at_the_mail_server(hints, settings) -> None:
    settings.LETTER_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    write()
    assert send_due_letters() == 0
    assert Letter.objects.get().tries == 0


def test_a_letter_that_could_not_be_sent_is_tried_again_later(hints, monkeypatch) -> None:
    def refuse(*args: object) -> None:
        raise smtplib.SMTPServerDisconnected

    write()
    backend = "django.core.mail.backends.locmem.EmailBackend.send_messages"
    with monkeypatch.context() as trouble:
        trouble.setattr(backend, refuse)
        assert send_due_letters() == 0
    assert send_due_letters() == 0
    with time_machine.travel(timezone.now() + LEASE + timedelta(seconds=1)):
        assert send_due_letters() == 1


def test_a_letter_too_old_to_matter_is_dropped(hints) -> None:
    write()
    with time_machine.travel(timezone.now() + GIVE_UP_AFTER + timedelta(seconds=1)):
        assert send_due_letters() == 0
    assert not Letter.objects.exists()


def test_a_broker_that_is_down_costs_the_caller_nothing(
    monkeypatch, django_capture_on_commit_callbacks
) -> None:
    def down(args: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(send_letters, "apply_async", down)
    with django_capture_on_commit_callbacks(execute=True):
        write()
    assert Letter.objects.count() == 1


def test_the_task_says_nothing_of_what_a_letter_holds(
    monkeypatch, django_capture_on_commit_callbacks
) -> None:
    asked: list[tuple] = []
    monkeypatch.setattr(send_letters, "apply_async", lambda args: asked.append(args))
    with django_capture_on_commit_callbacks(execute=True):
        write()
    assert asked == [()]
