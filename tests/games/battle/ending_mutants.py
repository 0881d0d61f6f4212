"""Known wrong variants of what comes after a turn is resolved.

Each is put into the engine in place of the right one, as those of `mutants` are.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import add
from typing import Any

from games.battle import encoding, ending, game, goals
from games.battle.events import Forfeited
from games.battle.game import Battle
from games.battle.pieces import EMPEROR, Piece
from games.battle.rules import Goal
from games.battle.state import Find, Loss, State, Verdict
from games.battle.turn import Turn
from games.kit.protocol import Seat
from tests.games.battle.mutants import Mutant, Patch

Judge = Callable[[Goal, Turn, State], Iterable[Seat | None]]


# --- What a state carries on --------------------------------------------------------------------


def forgetting(part: str) -> Mutant:
    """Only what was added to this part in the last turn is kept."""

    def mutant(patch: Patch) -> None:
        judge, conclude = ending.judge, ending.conclude

        def forget(turn: Turn, state: State) -> State:
            earlier = len(getattr(turn.before, part))
            return replace(state, **{part: getattr(state, part)[earlier:]})

        patch.setattr(ending, "judge", lambda turn, state: judge(turn, forget(turn, state)))
        patch.setattr(game, "conclude", lambda turn: forget(turn, conclude(turn)))

    mutant.__name__ = f"earlier_{part}_are_forgotten"
    return mutant


def writing_nothing_of(part: str) -> Mutant:
    """This part of a state is written as it was in the beginning."""

    def mutant(patch: Patch) -> None:
        right = encoding.encode
        fresh = State.__dataclass_fields__[part].default
        patch.setattr(encoding, "encode", lambda state: {**right(state), part: fresh})

    mutant.__name__ = f"{part}_are_not_written"
    return mutant


def pieces_of_empty_seats_stay(patch: Patch) -> None:
    right = Battle.setup

    def setup(self: Battle, *args: Any) -> State:
        state = right(self, *args)
        return replace(state, pieces=state.field.pieces)

    patch.setattr(Battle, "setup", setup)


def chests_of_empty_seats_stay(patch: Patch) -> None:
    right = Battle.setup

    def setup(self: Battle, *args: Any) -> State:
        state = right(self, *args)
        return replace(state, items=state.field.items)

    patch.setattr(Battle, "setup", setup)


# --- Items --------------------------------------------------------------------------------------


def things_are_found_after_forfeits(patch: Patch) -> None:
    pick_up, count, forfeit = ending.pick_up, ending.count_absences, ending.forfeit
    early: dict[str, Any] = {}

    def last(turn: Turn) -> tuple[Find, ...]:
        early["absences"] = count(turn)
        early["leaving"] = forfeit(turn, early["absences"])
        return pick_up(turn)

    patch.setattr(ending, "pick_up", last)
    patch.setattr(ending, "count_absences", lambda turn: early["absences"])
    patch.setattr(ending, "forfeit", lambda turn, absences: early["leaving"])


def found_things_are_left_lying(patch: Patch) -> None:
    patch.setattr(ending, "left_lying", lambda items, finds: items)


def anybody_picks_up(patch: Patch) -> None:
    right = ending.pick_up

    def pick_up(turn: Turn) -> tuple[Find, ...]:
        before = turn.before
        turn.before = replace(before, options=replace(before.options, pickup="any"))
        finds = right(turn)
        turn.before = before
        return finds

    patch.setattr(ending, "pick_up", pick_up)


def taken_pawns_count_as_losses(patch: Patch) -> None:
    def losses(turn: Turn) -> tuple[Loss, ...]:
        return tuple(
            Loss(turn.number, take.piece, take.loser, take.taker, take.by) for take in turn.takes
        )

    patch.setattr(ending, "losses", losses)


# --- Absences and forfeits ----------------------------------------------------------------------


def absences_are_never_reset(patch: Patch) -> None:
    right = ending.count_absences

    def count(turn: Turn) -> tuple[int, ...]:
        now = right(turn) or (0,) * len(turn.before.seats)
        before = turn.before.absences or (0,) * len(turn.before.seats)
        times = tuple(map(max, now, before))
        return times if any(times) else ()

    patch.setattr(ending, "count_absences", count)


def seats_that_are_out_are_missed(patch: Patch) -> None:
    right = ending.count_absences

    def count(turn: Turn) -> tuple[int, ...]:
        out = set(turn.before.seats) - set(turn.before.left())
        times = right(turn) or (0,) * len(turn.before.seats)
        times = tuple(map(add, times, (seat in out for seat in turn.before.seats)))
        return times if any(times) else ()

    patch.setattr(ending, "count_absences", count)


def a_fourth_absence_is_waited_for(patch: Patch) -> None:
    patch.setattr(ending, "ABSENCES_TO_FORFEIT", 4)


def a_former_emperor_is_withdrawn_too(patch: Patch) -> None:
    def withdraw(turn: Turn, seat: Seat) -> None:
        own = turn.before.field.emperors[seat]
        piece = turn.pieces.get(own)
        stays = piece is not None and piece.seat == seat
        if stays:
            del turn.pieces[own]
        turn.events.append(Forfeited(seat, own if stays else None))

    patch.setattr(ending, "withdraw_emperor", withdraw)


def captives_are_withdrawn_too(patch: Patch) -> None:
    right = ending.withdraw_emperor

    def withdraw(turn: Turn, seat: Seat) -> None:
        right(turn, seat)
        for piece in list(turn.pieces.values()):
            if piece.seat == seat and piece.kind == EMPEROR:
                del turn.pieces[piece.id]

    patch.setattr(ending, "withdraw_emperor", withdraw)


# --- Goals and the limit ------------------------------------------------------------------------


def judged_by(kind: str, judge: Judge) -> Mutant:
    """One goal is judged otherwise."""

    def mutant(patch: Patch) -> None:
        patch.setattr(goals, "JUDGES", {**goals.JUDGES, kind: judge})

    mutant.__name__ = judge.__name__
    return mutant


def last_emperor_of_seats_that_left(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    crowned = set(state.with_emperor())
    return crowned if len(crowned) == 1 else ()


def neutral_superiors_count(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    before = turn.before
    return (
        take.taker
        for take in turn.takes
        if take.kind == EMPEROR
        and before.own_emperor(take.taker)
        and before.highest_xp(take.loser) > before.highest_xp(take.taker)
    )


def superiors_count_without_an_emperor(
    goal: Goal, turn: Turn, state: State
) -> Iterable[Seat | None]:
    before = turn.before
    return (
        take.taker
        for take in turn.takes
        if take.kind == EMPEROR
        and take.loser is not None
        and before.highest_xp(take.loser) > before.highest_xp(take.taker)
    )


def captives_strike(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    return (
        take.taker
        for take in turn.takes
        if take.kind == take.by_kind == EMPEROR
        and take.loser is not None
        and take.loser == state.field.opposites.get(take.taker)
    )


def pawns_strike(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    return (
        take.taker
        for take in turn.takes
        if take.kind == EMPEROR
        and take.loser is not None
        and take.loser == state.field.opposites.get(take.taker)
    )


def only_new_treasure_counts(goal: Goal, turn: Turn, state: State) -> Iterable[Seat | None]:
    return (find.seat for find in state.finds if find.turn == turn.number)


def captives_count_as_own(patch: Patch) -> None:
    def own_emperor(state: State, seat: Seat) -> Piece | None:
        return next((p for p in state.pieces if p.seat == seat and p.kind == EMPEROR), None)

    patch.setattr(State, "own_emperor", own_emperor)


def the_limit_comes_one_turn_later(patch: Patch) -> None:
    right = ending.judge

    def judge(turn: Turn, state: State) -> Verdict | None:
        verdict = right(turn, state)
        early = state.turn == state.options.turn_limit
        return None if verdict and verdict.reason == "turn-limit" and early else verdict

    patch.setattr(ending, "judge", judge)


def strength_is_counted_in_heads(patch: Patch) -> None:
    right = goals.strengths

    def strengths(state: State) -> dict[Seat, tuple[int, int]]:
        return {seat: (count, 0) for seat, (count, _) in right(state).items()}

    patch.setattr(goals, "strengths", strengths)


def strength_is_counted_in_xp(patch: Patch) -> None:
    right = goals.strengths

    def strengths(state: State) -> dict[Seat, tuple[int, int]]:
        return {seat: (0, xp) for seat, (_, xp) in right(state).items()}

    patch.setattr(goals, "strengths", strengths)


WRONG_ENDINGS: tuple[Mutant, ...] = (
    *(forgetting(part) for part in ("forfeited", "losses", "finds")),
    *(
        writing_nothing_of(part)
        for part in ("items", "turn", "absences", "forfeited", "losses", "finds", "verdict")
    ),
    pieces_of_empty_seats_stay,
    chests_of_empty_seats_stay,
    things_are_found_after_forfeits,
    found_things_are_left_lying,
    anybody_picks_up,
    taken_pawns_count_as_losses,
    absences_are_never_reset,
    seats_that_are_out_are_missed,
    a_fourth_absence_is_waited_for,
    a_former_emperor_is_withdrawn_too,
    captives_are_withdrawn_too,
    judged_by("last-emperor", last_emperor_of_seats_that_left),
    judged_by("take-superior", neutral_superiors_count),
    judged_by("take-superior", superiors_count_without_an_emperor),
    judged_by("emperor-strike", captives_strike),
    judged_by("emperor-strike", pawns_strike),
    judged_by("treasure", only_new_treasure_counts),
    captives_count_as_own,
    the_limit_comes_one_turn_later,
    strength_is_counted_in_heads,
    strength_is_counted_in_xp,
)
"""What the comparison with the model of a whole battle must catch."""
