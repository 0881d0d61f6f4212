"""The explicit list of games, key to game. A game is on the site once it stands here."""

from collections.abc import Mapping
from types import MappingProxyType

from games.battle.game import BATTLE
from games.kit.protocol import AnyGame

GAMES: Mapping[str, AnyGame] = MappingProxyType({game.key: game for game in (BATTLE,)})
