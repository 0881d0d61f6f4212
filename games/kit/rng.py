"""Chance that can be checked afterwards: every number follows from seed, label and count.

The hash of the seed is shown when a tournament starts, the seed when it is over; from then on
anybody can draw the same numbers again. A saved state needs no generator to go on with.
"""

import hashlib
from collections.abc import MutableSequence, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Rng(Protocol):
    """Where a game's chance comes from. A game never makes one: it is handed one."""

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included; if they are equal, none is drawn."""

    def under(self, label: str) -> "Rng":
        """Chance for one purpose, independent of what is drawn for another."""


class HashRng:
    """The K-th number under a label is the head of SHA-256 of `SEED:LABEL:K`."""

    __slots__ = ("_drawn", "_label", "_prefix", "_seed")

    def __init__(self, seed: str | int, label: str) -> None:
        self._seed = seed
        self._label = label
        self._prefix = hashlib.sha256(_bytes(f"{seed}:{label}:"))
        self._drawn = 0

    def number(self, low: int, high: int) -> int:
        if low == high:
            return low
        digest = self._prefix.copy()
        digest.update(b"%d" % self._drawn)
        self._drawn += 1
        head = int.from_bytes(digest.digest()[:8], "big")
        return low + (head * (high - low + 1) >> 64)

    def under(self, label: str) -> "HashRng":
        return HashRng(self._seed, f"{self._label}:{label}")


def choose(rng: Rng, items: Sequence[Item]) -> Item:
    """One of `items`, each as likely as the others. There must be one."""
    return items[rng.number(0, len(items) - 1)]


def weigh(rng: Rng, weights: Sequence[int]) -> int:
    """The index of one of `weights`, drawn in proportion to them. Their sum must be positive."""
    mark = rng.number(1, sum(weights))
    for index, weight in enumerate(weights):
        mark -= weight
        if mark <= 0:
            return index
    raise ValueError("no weight is positive")


def shuffle(rng: Rng, items: MutableSequence[Item]) -> None:
    """Put `items` into any order, each as likely as the others."""
    for last in range(len(items) - 1, 0, -1):
        other = rng.number(0, last)
        items[last], items[other] = items[other], items[last]


def fingerprint(seed: str | int) -> str:
    """What is shown of a seed before the end, so that it can be checked once it is told."""
    return hashlib.sha256(_bytes(str(seed))).hexdigest()


def _bytes(text: str) -> bytes:
    """UTF-8, and something for what JSON can say and UTF-8 can't."""
    return text.encode("utf-8", "surrogatepass")
