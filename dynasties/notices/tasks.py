from celery import shared_task

from dynasties.notices import letters, services


@shared_task
def announce_due() -> None:
    services.announce_due_proclamations()


@shared_task
def send_letters() -> None:
    letters.send_due_letters()
