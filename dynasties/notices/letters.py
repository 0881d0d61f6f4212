"""Letters: mail is stored with what it tells and sent after the commit, by a worker.

So a letter is never sent for something that was rolled back, a mail server that
is down holds up no page, and the time a page takes tells nobody whether an
address is known. A letter may, rarely, be sent twice; it is never lost for want of trying.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils import timezone

from dynasties.notices.hints import hint_task
from dynasties.notices.models import Letter

log = structlog.get_logger(__name__)

LETTERS_A_ROUND = 100
# Time that one try may take before another worker may try as well.
LEASE = timedelta(minutes=2)
GIVE_UP_AFTER = timedelta(days=2)


class OutboxBackend(BaseEmailBackend):
    """Django's mail backend that writes letters instead of sending them."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        from dynasties.notices.tasks import send_letters  # the task's module needs this one

        letters = [letter for message in email_messages for letter in letters_of(message)]
        Letter.objects.bulk_create(letters)
        hint_task(send_letters)
        return len(email_messages)


def letters_of(message: EmailMessage) -> list[Letter]:
    """One letter for each recipient of a Django message."""
    alternatives = getattr(message, "alternatives", [])
    html = next((content for content, kind in alternatives if kind == "text/html"), "")
    return [
        Letter(
            to=recipient,
            subject=" ".join(str(message.subject).split()),
            body=str(message.body),
            html=html,
            headers=dict(message.extra_headers),
        )
        for recipient in message.recipients()
    ]


def send_due_letters() -> int:
    """Send every letter that is due, each by one worker at a time; return how many were sent."""
    now = timezone.now()
    Letter.objects.filter(written_at__lt=now - GIVE_UP_AFTER).delete()
    due = Letter.objects.filter(due_at__lte=now).order_by("due_at")[:LETTERS_A_ROUND]
    return sum(send_letter(letter, now=now) for letter in due)


def send_letter(letter: Letter, *, now: datetime) -> bool:
    """Send one letter unless another worker has claimed it; tell whether it went out."""
    retry_at = now + LEASE * 2 ** min(letter.tries, 8)
    claimed = Letter.objects.filter(pk=letter.pk, due_at=letter.due_at).update(
        due_at=retry_at, tries=F("tries") + 1
    )
    if not claimed:
        return False
    try:
        message_of(letter).send()
    except OSError as error:  # smtplib's errors are OSErrors too: the server is away or refuses
        log.warning("letter_waits", letter=letter.pk, error=type(error).__name__)
        return False
    letter.delete()
    log.info("letter_sent", letter=letter.pk)
    return True


def message_of(letter: Letter) -> EmailMultiAlternatives:
    """The letter as a Django message, bound to the transport that really sends."""
    message = EmailMultiAlternatives(
        subject=letter.subject,
        body=letter.body,
        to=[letter.to],
        headers=letter.headers,
        connection=get_connection(settings.LETTER_TRANSPORT),
    )
    if letter.html:
        message.attach_alternative(letter.html, "text/html")
    return message
