"""The regent: asks what the others expect of it, looks two turns ahead, and mixes.

Where all choose at once, no order is best by itself: whatever can be foreseen can be met. So a
position is a table of own orders against the replies of the others, played by a mix that no
reply beats. The regent fills the table by judgement and keeps what does best on either side.
Each position that this can lead to is again a table, whose value is a better judgement than the
first. With these values the small table is played once more, and the order drawn from its mix.

The depth must be the same everywhere: a regent that followed only the likeliest lines deeper
compared what it knew well with what it hoped for, and wavered from hope to hope.
"""

from dataclasses import dataclass
from math import isqrt

from games.battle.bots.judgement import worth
from games.battle.bots.mixing import Mix, Table, mix
from games.battle.bots.prospects import promising, replies
from games.battle.game import BATTLE
from games.battle.orders import HOLD, Order
from games.battle.state import State
from games.battle.views import View
from games.kit.protocol import Seat
from games.kit.rng import Rng, weigh

KEPT = 5
"""How many orders on either side are looked at a turn further."""
WIDEST = 12
"""How many of each side there are in the first table, at most."""
ROUNDS = 20
"""How often a table is played for each of its orders."""
DROP = 8
"""What is chosen so many times less often than the favourite is a leftover of the search."""
WHIM = 10
"""How much better an order may look by mere mood: among equals, nobody knows which it will be."""


@dataclass(frozen=True)
class Regent:
    """A table of tables, and an order drawn from the mix."""

    simulations: int = 1050

    def choose(self, view: View, rng: Rng) -> Order:
        if view.viewer is None:
            return HOLD
        width = min(WIDEST, max(1, isqrt(self.simulations // 5)))
        first = _Fork(view.state, view.viewer, width, rng)
        left = self.simulations - width * width
        orders, table = first.looked_into(isqrt(left // (KEPT * KEPT)), rng)
        return orders[weigh(rng, _without_leftovers(_mix(table).rows))]


class _Fork:
    """A position in which all choose at once, and where that leads."""

    def __init__(self, state: State, seat: Seat, size: int, rng: Rng) -> None:
        self.seat = seat
        self.orders = promising(state, seat, size)
        joint = replies(state, seat, size, rng)
        self.after = [
            [BATTLE.resolve(state, {**reply, seat: order}).state for reply in joint]
            for order in self.orders
        ]
        self.mix = _mix([[worth(after, seat) for after in row] for row in self.after])

    def looked_into(self, size: int, rng: Rng) -> tuple[list[Order], Table]:
        """The orders that do best, and a table of them with all replies that do best.

        What a pair leads to is looked at as a fork of this size itself.
        """
        rows, columns = self.mix.best_rows(KEPT), self.mix.best_columns(KEPT)
        table = []
        for row in rows:
            whim = rng.number(0, WHIM)
            table.append([whim + self._value(self.after[row][c], size, rng) for c in columns])
        return [self.orders[row] for row in rows], table

    def _value(self, state: State, size: int, rng: Rng) -> int:
        """What a position is worth if all play on from it for a turn."""
        if size == 0 or state.verdict is not None or self.seat not in state.left():
            return worth(state, self.seat)
        return _Fork(state, self.seat, size, rng).mix.value


def _mix(table: Table) -> Mix:
    return mix(table, ROUNDS * len(table))


def _without_leftovers(counts: list[int]) -> list[int]:
    favourite = max(counts)
    return [count if count * DROP >= favourite else 0 for count in counts]
