from celery import shared_task

from dynasties.notices import letters, services
from dynasties.notices.hints import hint_task


@shared_task
def announce_due() -> None:
    services.announce_due_proclamations()


@shared_task
def send_letters() -> None:
    if letters.send_due_letters() == letters.LETTERS_A_ROUND:
        hint_task(send_letters)  # more may wait behind a full round
