"""The battlefields that come with the game, each a text file that anybody can draw.

The head of a file says `name`, `idea` and, where seats face each other, `opposites`; after an
empty line comes the drawing.
"""

from functools import cache
from importlib.resources import files

from games.battle.battlefields.field import Battlefield, read

__all__ = ["Battlefield", "UnknownBattlefield", "keys", "load", "read"]

_SUFFIX = ".txt"


class UnknownBattlefield(KeyError):
    """No battlefield of this key comes with the game."""

    def __str__(self) -> str:
        return f"there is no battlefield {self.args[0]!r}; there are {', '.join(keys())}"


@cache
def keys() -> tuple[str, ...]:
    """What the battlefields are called in options and addresses, in alphabetical order."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


@cache
def load(key: str) -> Battlefield:
    """The battlefield of this key. Raises UnknownBattlefield."""
    if key not in keys():
        raise UnknownBattlefield(key)
    return read(files(__name__).joinpath(key + _SUFFIX).read_text("utf-8"))
