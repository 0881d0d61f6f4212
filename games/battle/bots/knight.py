"""The knight: looks one turn ahead, and hopes for the best on average."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.battle.bots.judgement import worth
from games.battle.game import BATTLE
from games.battle.orders import HOLD, Move, Order, moves
from games.battle.pieces import EMPEROR
from games.battle.state import State
from games.battle.views import View
from games.kit.protocol import Seat
from games.kit.rng import Rng, choose, weigh

TAKES_EMPEROR, TAKES_PAWN, OTHERWISE = 16, 4, 1
"""How much likelier a reply is if it charges somebody: few can resist."""


@dataclass(frozen=True)
class Knight:
    """Tries each of its orders against the same few guesses at what the others will do.

    The same guesses for every order make the comparison fair though they are few. A knight is
    brave, not wise: it never asks what the others expect of it, so it can be lured.
    """

    simulations: int = 150

    def choose(self, view: View, rng: Rng) -> Order:
        state, seat = view.state, view.viewer
        if seat is None:
            return HOLD
        orders: list[Order] = [*moves(state, seat), HOLD]
        own = orders[: max(1, self.simulations)]
        guesses = [_guess(state, seat, rng) for _ in range(self.simulations // len(own))]
        totals = [sum(_tried(state, seat, order, guess) for guess in guesses) for order in own]
        best = max(totals)
        return choose(rng, [own[i] for i, total in enumerate(totals) if total == best])


def _tried(state: State, seat: Seat, order: Order, replies: Mapping[Seat, Order]) -> int:
    return worth(BATTLE.resolve(state, {**replies, seat: order}).state, seat)


def _guess(state: State, seat: Seat, rng: Rng) -> dict[Seat, Order]:
    """An order for each of the others."""
    return {rival: _reply(state, rival, rng) for rival in state.left() if rival != seat}


def _reply(state: State, seat: Seat, rng: Rng) -> Order:
    """Any order of a seat, likelier one that charges somebody."""
    options: list[Move] = moves(state, seat)
    charges = {
        piece.at: TAKES_EMPEROR if piece.kind == EMPEROR else TAKES_PAWN for piece in state.pieces
    }
    weights = [charges.get(move.to, OTHERWISE) for move in options]
    drawn = weigh(rng, [*weights, OTHERWISE])
    return options[drawn] if drawn < len(options) else HOLD
