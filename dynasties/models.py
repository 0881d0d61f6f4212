"""Django looks here for the models of the app; each room keeps its own."""

from dynasties.accounts.models import Departure, FalseStart, Guest, User
from dynasties.houses.models import Dynasty
from dynasties.notices.models import Letter, Proclamation
from dynasties.vitals.models import Heartbeat

__all__ = [
    "Departure",
    "Dynasty",
    "FalseStart",
    "Guest",
    "Heartbeat",
    "Letter",
    "Proclamation",
    "User",
]
