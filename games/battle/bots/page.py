"""The page: plays anything that is allowed."""

from dataclasses import dataclass

from games.battle.game import BATTLE
from games.battle.orders import HOLD, Order
from games.battle.views import View
from games.kit.rng import Rng


@dataclass(frozen=True)
class Page:
    """No thought at all. It is the yardstick, and the first opponent of a beginner."""

    simulations: int = 0

    def choose(self, view: View, rng: Rng) -> Order:
        return BATTLE.sample(view.state, view.viewer, rng) if view.viewer else HOLD
