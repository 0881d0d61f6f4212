"""Who sees what of a battle."""

from dataclasses import dataclass

from games.battle.state import State
from games.kit.protocol import Viewer


@dataclass(frozen=True, slots=True)
class View:
    """A battle through one pair of eyes.

    A battlefield is open: every piece, its xp and every item is seen by all. What is secret
    never enters a state: orders reach `resolve` and nothing else, and what lies in a chest is
    known to the treasury alone.
    """

    viewer: Viewer
    state: State
