"""How two play who choose at once: by mixing, so that neither can be read.

The table says what each pair of choices is worth to the first; the second wants it low.
"""

from typing import NamedTuple, TypeAlias

Table: TypeAlias = list[list[int]]


class Mix(NamedTuple):
    """How often each row was chosen of so many times, and what each choice came to in all."""

    times: int
    rows: list[int]
    gains: list[int]
    """What each row would have won against the columns that were chosen."""
    costs: list[int]
    """What each column would have lost to the rows that were chosen."""

    @property
    def value(self) -> int:
        """What the table is worth to the first, on average."""
        total = sum(count * gain for count, gain in zip(self.rows, self.gains, strict=True))
        return total // (self.times * self.times)

    def best_rows(self, count: int) -> list[int]:
        """The rows that do best against the other's mix, at most so many; of equals the first."""
        return sorted(range(len(self.gains)), key=lambda row: -self.gains[row])[:count]

    def best_columns(self, count: int) -> list[int]:
        """The columns that do best against the first one's mix."""
        return sorted(range(len(self.costs)), key=lambda column: self.costs[column])[:count]


def mix(table: Table, rounds: int) -> Mix:
    """Let both play the table over and over, each with the best answer to all that the other
    has chosen so far; how often each choice came up approaches an equilibrium.

    This is fictitious play. It needs nothing but sums of whole numbers, so it gives the same
    answer on every machine, and it is quick on tables as small as ours.
    """
    turned = [list(column) for column in zip(*table, strict=True)]
    rows, gains, costs = [0] * len(table), [0] * len(table), [0] * len(turned)
    sums = [sum(row) for row in table]
    row = sums.index(max(sums))
    for _ in range(rounds):
        rows[row] += 1
        costs = [cost + more for cost, more in zip(costs, table[row], strict=True)]
        answer = turned[costs.index(min(costs))]
        gains = [gain + more for gain, more in zip(gains, answer, strict=True)]
        row = gains.index(max(gains))
    return Mix(rounds, rows, gains, costs)
