"""What every bot promises."""

from typing import Protocol

from games.battle.orders import Order
from games.battle.views import View
from games.kit.rng import Rng


class Bot(Protocol):
    """Somebody who plays a seat. The same view and the same chance give the same order."""

    @property
    def simulations(self) -> int:
        """How many turns it may try out for one order: its budget, counted and never timed."""

    def choose(self, view: View, rng: Rng) -> Order:
        """An allowed order of the viewer, who must be due."""
