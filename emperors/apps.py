from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

# Modules that register something just by being imported.
REGISTERING = (
    "decay_invariants",
    "departures",
    "export",
    "invariants",
    "reasons",
    "receivers",
    "tasks",
    "tellings",
)


class EmperorsConfig(AppConfig):
    name = "emperors"
    verbose_name = _("Emperors")

    def ready(self) -> None:
        for module in REGISTERING:
            import_module(f"emperors.{module}")
