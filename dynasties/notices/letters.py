"""Letters: mail is stored with what it tells and sent after the commit, by a worker.

So a letter is never sent for something that was rolled back, a mail server that
is down holds up no page, and the time a page takes tells nobody whether an
address is known. A letter may, rarely, be sent twice; it is never lost for want of trying.
"""

from collections.abc import Sequence
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils import timezone

from dynasties.notices.hints import hint_task
from dynasties.notices.models import Letter

log = structlog.get_logger(__name__)

# A round must end well within a task's time limit, also if every letter runs into a time-out.
LETTERS_A_ROUND = 15
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
    """Send letters that are due, each by one worker at a time; return how many went out."""
    give_up_old_letters()
    due = list(
        Letter.objects.filter(due_at__lte=timezone.now()).order_by("due_at")[:LETTERS_A_ROUND]
    )
    if not due:
        return 0
    try:
        with get_connection(settings.LETTER_TRANSPORT) as transport:
            return sum(send_letter(letter, transport=transport) for letter in due)
    except OSError as error:  # nobody is at home there: the letters stay due
        log.warning("mail_server_away", error=type(error).__name__)
        return 0


def give_up_old_letters() -> None:
    """Drop letters that are too old to matter to their reader."""
    old = Letter.objects.filter(written_at__lt=timezone.now() - GIVE_UP_AFTER)
    given_up = old.delete()[0]
    if given_up:
        log.error("letters_given_up", letters=given_up)


def send_letter(letter: Letter, *, transport: BaseEmailBackend) -> bool:
    """Send one letter unless another worker has claimed it; tell whether it went out."""
    number = letter.pk
    if not claim(letter):
        return False
    try:
        message_of(letter, transport=transport).send()
    except Exception as error:  # one that can't be sent must not hold up those behind it
        log.warning("letter_waits", letter=number, error=type(error).__name__)
        transport.close()  # it may be in no state to go on; the next letter opens it again
        return False
    letter.delete()
    log.info("letter_sent", letter=number)
    return True


def claim(letter: Letter) -> bool:
    """Put the letter off, longer each time, for everybody but us; False if somebody was quicker."""
    retry_at = timezone.now() + LEASE * 2 ** min(letter.tries, 8)
    mine = Letter.objects.filter(pk=letter.pk, due_at=letter.due_at)
    return bool(mine.update(due_at=retry_at, tries=F("tries") + 1))


def message_of(letter: Letter, *, transport: BaseEmailBackend) -> EmailMultiAlternatives:
    """The letter as a Django message, bound to the transport that really sends."""
    message = EmailMultiAlternatives(
        subject=letter.subject,
        body=letter.body,
        to=[letter.to],
        headers=letter.headers,
        connection=transport,
    )
    if letter.html:
        message.attach_alternative(letter.html, "text/html")
    return message
