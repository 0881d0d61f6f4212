from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

# Modules that register something just by being imported.
REGISTERING = (
    "accounts.invariants",
    "accounts.receivers",
    "accounts.tasks",
    "charter.invariants",
    "chronicle.invariants",
    "chronicle.receivers",
    "chronicle.tellings",
    "houses.invariants",
    "market.invariants",
    "market.reasons",
    "market.receivers",
    "market.tasks",
    "notices.tasks",
    "relations.invariants",
    "relations.receivers",
    "treasury.invariants",
    "treasury.receivers",
    "treasury.words",
    "vitals.metrics",
    "vitals.receivers",
    "vitals.tasks",
)


class DynastiesConfig(AppConfig):
    name = "dynasties"
    verbose_name = _("Dynasties")

    def ready(self) -> None:
        for module in REGISTERING:
            import_module(f"dynasties.{module}")
