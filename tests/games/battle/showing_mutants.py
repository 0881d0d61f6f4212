"""Known wrong variants of what the world is told of a battle, and of how it is drawn.

Each is put into the engine in place of the right one, as those of `mutants` are.
"""

from dataclasses import replace
from typing import Any

from games.battle import outcomes, scenes
from games.battle.pieces import EMPEROR
from games.battle.state import State
from games.kit.protocol import Seat
from games.kit.scene import Tray
from tests.games.battle.mutants import Mutant, Patch

# --- What is told of the end --------------------------------------------------------------------


def the_first_taker_is_remembered(patch: Patch) -> None:
    right = outcomes._fate

    def fate(state: State, seat: Seat) -> Any:
        return right(replace(state, losses=state.losses[::-1]), seat)

    patch.setattr(outcomes, "_fate", fate)


def only_emperors_are_held(patch: Patch) -> None:
    right = outcomes._fate

    def fate(state: State, seat: Seat) -> Any:
        emperors = tuple(piece for piece in state.pieces if piece.kind == EMPEROR)
        return right(replace(state, pieces=emperors), seat)

    patch.setattr(outcomes, "_fate", fate)


def who_left_is_ranked_by_strength(patch: Patch) -> None:
    right = outcomes._ranks
    patch.setattr(outcomes, "_ranks", lambda state, w: right(replace(state, forfeited=()), w))


def ranks_count_heads_only(patch: Patch) -> None:
    right = outcomes.strengths

    def strengths(state: State) -> dict[Seat, tuple[int, int]]:
        return {seat: (count, 0) for seat, (count, _) in right(state).items()}

    patch.setattr(outcomes, "strengths", strengths)


def equals_leave_no_gap(patch: Patch) -> None:
    right = outcomes._ranks

    def ranks(state: State, winners: tuple[Seat, ...]) -> dict[Seat, int]:
        found = right(state, winners)
        order = sorted(set(found.values()))
        return {seat: 1 + order.index(rank) for seat, rank in found.items()}

    patch.setattr(outcomes, "_ranks", ranks)


def losers_are_equal(patch: Patch) -> None:
    right = outcomes._ranks

    def ranks(state: State, winners: tuple[Seat, ...]) -> dict[Seat, int]:
        return {seat: min(rank, 2) for seat, rank in right(state, winners).items()}

    patch.setattr(outcomes, "_ranks", ranks)


# --- What is drawn ------------------------------------------------------------------------------


def trays_show_what_was_lost(patch: Patch) -> None:
    right = scenes._tray

    def tray(state: State, seat: Seat) -> Tray:
        turned = tuple(loss._replace(taker=loss.loser or "") for loss in state.losses)
        return right(replace(state, losses=turned), seat)

    patch.setattr(scenes, "_tray", tray)


def trays_forget_the_finds(patch: Patch) -> None:
    right = scenes._tray
    patch.setattr(scenes, "_tray", lambda state, seat: right(replace(state, finds=()), seat))


def trays_show_everybodys_finds(patch: Patch) -> None:
    right = scenes._tray

    def tray(state: State, seat: Seat) -> Tray:
        return right(replace(state, finds=tuple(f._replace(seat=seat) for f in state.finds)), seat)

    patch.setattr(scenes, "_tray", tray)


def targets_are_always_shown(patch: Patch) -> None:
    def targets(state: State) -> Any:
        return {seat: at for seat, at in state.field.targets.items() if seat in state.seats}

    patch.setattr(scenes, "_targets", targets)


def targets_of_empty_seats_are_shown(patch: Patch) -> None:
    right = scenes._targets
    patch.setattr(scenes, "_targets", lambda state: right(state) and state.field.targets)


WRONG_SHOWINGS: tuple[Mutant, ...] = (
    the_first_taker_is_remembered,
    only_emperors_are_held,
    who_left_is_ranked_by_strength,
    ranks_count_heads_only,
    equals_leave_no_gap,
    losers_are_equal,
    trays_show_what_was_lost,
    trays_forget_the_finds,
    trays_show_everybodys_finds,
    targets_are_always_shown,
    targets_of_empty_seats_are_shown,
)
"""What the comparison with the model of a whole battle must catch too."""
