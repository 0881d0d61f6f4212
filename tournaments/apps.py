from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

# Modules that register something just by being imported.
REGISTERING = (
    "bots.receivers",
    "bots.tasks",
    "chat.export",
    "chat.invariants",
    "chat.receivers",
    "consequences.tellings",
    "invariants",
    "reasons",
    "receivers",
    "seating.receivers",
    "tasks",
    "turns.receivers",
)


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        for module in REGISTERING:
            import_module(f"tournaments.{module}")
