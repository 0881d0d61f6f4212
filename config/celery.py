"""The Celery application and the timetable of the world's periodic tasks.

Tasks carry hints and identifiers, never facts: each one reads the database for
what is due, so a lost, late or doubled task does no harm.
"""

import os
from typing import Any

from celery import Celery, signals
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("emperors")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


@signals.setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Receiving this signal stops Celery from replacing the logging of our settings."""
