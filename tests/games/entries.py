"""Everything that goes through the harness: the registered games, the toys, and their mutants."""

from functools import cache

from games.kit.protocol import AnyGame
from games.registry import GAMES
from tests.games.announcements import ANNOUNCEMENTS, TWINS
from tests.games.harness import Entry
from tests.games.toys import mutants
from tests.games.toys.camps import CAMPS_ENTRY
from tests.games.toys.parley import PARLEY_ENTRY

TOYS = {entry.game.key: entry for entry in (CAMPS_ENTRY, PARLEY_ENTRY)}


@cache
def find(name: str) -> Entry:
    """The entry of a game, a toy or a mutant."""
    if name in TOYS:
        return TOYS[name]
    if name in mutants.ENTRIES:
        return mutants.ENTRIES[name]
    return Entry(GAMES[name], ANNOUNCEMENTS[name], TWINS.get(name))


def game_of(key: str) -> AnyGame:
    return find(key).game


NAMES = (*GAMES, *TOYS)
