"""Positions that this process remembers: reading one costs more than closing a turn of it.

A position never changes once its turn is committed, so that nothing here grows stale.
"""

from collections import OrderedDict
from threading import Lock

from tournaments import arena
from tournaments.announcements.models import Tournament

MOST_REMEMBERED = 2000

_remembered: OrderedDict[tuple[int, int], arena.Position] = OrderedDict()
_lock = Lock()


def position_of(tournament: Tournament) -> arena.Position:
    """The position of a tournament that has begun, as of the row's `turn`. Raises BadRecord."""
    # The seed tells whether it is the same tournament: a test's database begins again from 1.
    known = recall(tournament.pk, tournament.turn, seed=tournament.seed)
    if known is not None:
        return known
    position = arena.resume(
        game=tournament.game,
        written=tournament.position,
        seed=tournament.seed,
        turn=tournament.turn,
    )
    remember(tournament.pk, position)
    return position


def recall(number: int, turn: int, *, seed: str) -> arena.Position | None:
    """The position of a tournament before a turn, if this process still remembers it."""
    with _lock:
        known = _remembered.get((number, turn))
    return known if known is not None and known.seed == seed else None


def remember(number: int, position: arena.Position) -> None:
    """Keep a position that is committed, or about to be read from what is."""
    with _lock:
        _remembered[number, position.turn] = position
        while len(_remembered) > MOST_REMEMBERED:
            _remembered.popitem(last=False)
