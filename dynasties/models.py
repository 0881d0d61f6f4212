"""Django looks here for the models of the app; each room keeps its own."""

from dynasties.accounts.models import Departure, FalseStart, Guest, User
from dynasties.charter.models import Charter
from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.models import Dynasty
from dynasties.market.models import Offer, OfferPart, Ware, WarePrice
from dynasties.notices.models import Letter, Proclamation
from dynasties.relations.models import Block
from dynasties.treasury.models import Account, Balance, Kind, Leg, MintValue, Transfer
from dynasties.vitals.models import Heartbeat

__all__ = [
    "Account",
    "Balance",
    "Block",
    "Charter",
    "Departure",
    "Dynasty",
    "Entry",
    "FalseStart",
    "Guest",
    "Heartbeat",
    "Kind",
    "Leg",
    "Letter",
    "Mention",
    "MintValue",
    "Offer",
    "OfferPart",
    "Proclamation",
    "Transfer",
    "User",
    "Ware",
    "WarePrice",
]
