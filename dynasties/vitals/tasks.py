from celery import shared_task

from dynasties.vitals import services


@shared_task
def beat() -> None:
    services.record_heartbeat()
