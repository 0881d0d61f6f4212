"""The explicit list of games, key to game. A game is on the site once it stands here."""

from collections.abc import Mapping
from types import MappingProxyType

GAMES: Mapping[str, object] = MappingProxyType({})
