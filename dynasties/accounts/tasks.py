"""Regular duties. Each may run late, twice or at the same time as itself."""

from celery import shared_task

from dynasties.accounts import services


@shared_task
def complete_departures() -> None:
    services.complete_due_departures()


@shared_task
def clear_unopened() -> None:
    services.clear_unopened()


@shared_task
def clear_sessions() -> None:
    services.clear_ended_sessions()
    services.clear_lost_guests()
