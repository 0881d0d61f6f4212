"""Regular duties. Each may run late, twice or at the same time as itself."""

from celery import shared_task

from dynasties.market import services


@shared_task
def expire_offers() -> None:
    services.expire_due_offers()
