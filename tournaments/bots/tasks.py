"""Where bots think. A task's arguments are numbers: what it carries tells nobody anything."""

from celery import shared_task

from tournaments.bots import services


@shared_task
def think(number: int, turn: int) -> None:
    services.think(number=number, turn=turn)


@shared_task
def wake_bots() -> None:
    services.think_for_all()
