"""What workers do on this floor: sweeps of what is due in the database."""

from celery import shared_task

from tournaments.announcements.services import announce_from_templates, open_due
from tournaments.seating.desertion import clear_seats_of_nobody
from tournaments.seating.services import start_due
from tournaments.turns.deadlines import close_complete, close_overdue
from tournaments.turns.letters import remind_due


@shared_task
def close_turns_overdue() -> None:
    close_overdue()


@shared_task
def close_turns_left_open() -> None:
    close_complete()


@shared_task
def open_and_start() -> None:
    """Open what is announced; start, or cancel, what is due."""
    open_due()
    start_due()


@shared_task
def announce_again() -> None:
    announce_from_templates()


@shared_task
def clear_seats() -> None:
    clear_seats_of_nobody()


@shared_task
def remind() -> None:
    remind_due()
