"""Django looks here for the models of the app; each room keeps its own."""

from tournaments.announcements.models import Invitation, Seat, Template, Tournament
from tournaments.chat.models import Line, Mute, Report, Room, Silence
from tournaments.fields.models import Battlefield
from tournaments.turns.models import Order, Outage, Turn, Watch

__all__ = [
    "Battlefield",
    "Invitation",
    "Line",
    "Mute",
    "Order",
    "Outage",
    "Report",
    "Room",
    "Seat",
    "Silence",
    "Template",
    "Tournament",
    "Turn",
    "Watch",
]
