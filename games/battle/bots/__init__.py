"""Those who play where nobody sits: each sees what a player sees, and counts its thoughts."""

from collections.abc import Mapping
from types import MappingProxyType

from games.battle.bots.bot import Bot
from games.battle.bots.knight import Knight
from games.battle.bots.page import Page
from games.battle.bots.regent import Regent

__all__ = ["BOTS", "Bot"]

BOTS: Mapping[str, Bot] = MappingProxyType({"page": Page(), "knight": Knight(), "regent": Regent()})
"""The bots that can be invited, from the weakest to the strongest."""
