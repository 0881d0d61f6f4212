"""What each closed turn led to, for those who were not there: made again from the record."""

from tournaments import arena
from tournaments.live.memory import Memory
from tournaments.live.sights import Closed, Sight
from tournaments.turns.positions import recall

_known: Memory[tuple[str, int], arena.Closing] = Memory(500)


def closing_of(sight: Sight, turn: Closed) -> arena.Closing:
    """What closing `turn` led to. Raises BadRecord or Faulty if it can't be made again."""
    place = sight.tournament.code, turn.number
    known = _known.recall(place)
    if known is not None:
        return known
    before = _before(sight, turn.number)
    orders = {seat: before.game.parse(order) for seat, order in turn.orders}
    return _known.keep(place, before.close(orders))


def _before(sight: Sight, number: int) -> arena.Position:
    """The position before a turn: remembered, or replayed from the start."""
    row = sight.tournament
    earlier = _known.recall((row.code, number - 1))
    if earlier is not None:
        return earlier.after
    remembered = recall(row.pk, number, seed=row.seed) if not sight.is_gone else None
    return remembered or _replayed(sight, number)


def _replayed(sight: Sight, number: int) -> arena.Position:
    position = None
    for step in arena.replayed(sight.record(before=number)):
        position = step.after
    if position is None or position.turn != number:
        raise arena.BadRecord(f"There is no turn {number} in this record.")
    return position
