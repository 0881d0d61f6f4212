"""Broken toys, each with the promise that must catch it, and two that only another process can."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.kit.rng import Rng
from games.kit.scene import Scene
from tests.games.harness import Entry
from tests.games.promises import Promise
from tests.games.toys import camps, order_mutants, parley, sight_mutants, state_mutants
from tests.games.toys.camps import Camps
from tests.games.toys.catching import CAUGHT_BY
from tests.games.toys.parley import Parley


class FollowsTheHashSeed(Parley):
    """Goes round in the order of a set."""

    def setup(self, seats: Sequence[str], options: Any, rng: Rng) -> Any:
        return super().setup(list(set(seats)), options, rng)


class DrawsInTheOrderOfASet(Camps):
    def scene(self, view: Any) -> Scene:
        scene = super().scene(view)
        return replace(scene, cells=tuple(set(scene.cells)))


def entry_of(mutant: type) -> Entry:
    toy: Any = camps if issubclass(mutant, Camps) else parley
    return Entry(mutant(), toy.ANNOUNCEMENTS, toy.twins, seeds=6)


HASHING = (FollowsTheHashSeed, DrawsInTheOrderOfASet)
ENTRIES: dict[str, Entry] = {mutant.__name__: entry_of(mutant) for mutant in HASHING}


WHOLE = (order_mutants, state_mutants, sight_mutants)
"""Where they are: to import them is to note them."""

MUTANTS: tuple[tuple[type, Promise], ...] = tuple(CAUGHT_BY.items())
