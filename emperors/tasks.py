"""Regular duties. Each may run late, twice or at the same time as itself."""

from celery import shared_task

from dynasties.notices.hints import hint_task
from emperors import decay


@shared_task
def apply_decay() -> None:
    if decay.apply_due_decay() == decay.DAYS_A_ROUND:
        hint_task(apply_decay)  # more days may wait behind a full round
