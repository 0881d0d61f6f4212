"""Broken toys, each with the promise that must catch it."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.kit.errors import Forbidden
from games.kit.protocol import Choice, Clock, Outcome, Resolution, Viewer
from games.kit.rng import Rng
from games.kit.scene import Cell, Scene
from tests.games import promises
from tests.games.harness import Entry
from tests.games.promises import Promise
from tests.games.toys import camps, parley
from tests.games.toys.camps import Camps
from tests.games.toys.parley import Parley

CAUGHT_BY: dict[type, Promise] = {}


def caught_by(promise: Promise) -> Any:
    def note(mutant: type) -> type:
        CAUGHT_BY[mutant] = promise
        return mutant

    return note


# --- Ends ---------------------------------------------------------------------------------------


@caught_by(promises.nobody_is_due_exactly_when_it_is_over)
class NeverEnds(Parley):
    def _next(self, state: Any) -> Any:
        return replace(state, phase="roll", offer=None)


@caught_by(promises.nobody_is_due_exactly_when_it_is_over)
class KnowsTheWinnerTooEarly(Parley):
    def outcome(self, state: Any) -> Outcome | None:
        return super().outcome(replace(state, turn=state.turn + 1))


@caught_by(promises.a_clock_runs_for_those_who_are_due)
class LetsAnAnswerCostTheAskersTime(Parley):
    def clock(self, state: Any) -> Clock:
        return super().clock(replace(state, offer=None))


@caught_by(promises.an_outcome_ranks_every_seat)
class ForgetsTheLast(Parley):
    def outcome(self, state: Any) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, ranks=dict([*outcome.ranks.items()][:-1]))


@caught_by(promises.an_outcome_ranks_every_seat)
class RanksTheWinnerSecond(Parley):
    def outcome(self, state: Any) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, ranks={s: 3 - r for s, r in outcome.ranks.items()})


@caught_by(promises.whoever_is_interrupted_is_still_due)
class TakesAnInterruptionForAbsence(Parley):
    def resolve(self, state: Any, orders: Mapping[str, Any], rng: Rng) -> Resolution[Any]:
        after = super().resolve(state, orders, rng)
        (due,) = self.due(state)
        return after if due in orders else Resolution(self._next(after.state), after.events)


# --- Orders -------------------------------------------------------------------------------------


@caught_by(promises.samples_and_defaults_are_allowed)
class SamplesWhatItHasNot(Parley):
    def sample(self, state: Any, seat: str, rng: Rng) -> Any:
        rich = replace(state, coins=tuple(n + 20 for n in state.coins))
        return super().sample(rich, seat, rng)


@caught_by(promises.samples_and_defaults_are_allowed)
class GivesAwayWhatItHasNot(Parley):
    def default(self, state: Any, seat: str) -> Any:
        if state.phase != "offer":
            return super().default(state, seat)
        return self.parse({"offer": {"to": next(s for s in state.seats if s != seat), "coins": 99}})


@caught_by(promises.orders_are_read_as_they_are_written)
class OrdersTheSameInOtherWords(Parley):
    def sample(self, state: Any, seat: str, rng: Rng) -> Any:
        return parley.Order(super().sample(state, seat, rng).data * 2)


@caught_by(promises.choices_are_allowed_and_complete)
class ReadsEveryAnswerAsNo(Parley):
    def parse(self, data: Any) -> Any:
        return super().parse(parley.NO if data == parley.YES else data)


@caught_by(promises.choices_are_allowed_and_complete)
class OffersWhatIsForbidden(Parley):
    def choices(self, view: Any) -> tuple[Choice, ...]:
        found = super().choices(view)
        return found and (*found, Choice(parley.YES, "yes"))


@caught_by(promises.choices_are_allowed_and_complete)
class DoesNotOfferToPass(Parley):
    def choices(self, view: Any) -> tuple[Choice, ...]:
        return tuple(c for c in super().choices(view) if c.label != "pass")


@caught_by(promises.choices_are_allowed_and_complete)
class LetsBystandersPlay(Parley):
    def choices(self, view: Any) -> tuple[Choice, ...]:
        return super().choices(replace(view, viewer=view.viewer or "ann"))


@caught_by(promises.junk_is_unreadable)
class StumblesOverJunk(Parley):
    def parse(self, data: Any) -> Any:
        return super().parse({**data})


@caught_by(promises.junk_is_unreadable)
class ReadsWhatIsNotThere(Parley):
    def parse(self, data: Any) -> Any:
        return super().parse(parley.PASS if data == {} else data)


@caught_by(promises.junk_is_unreadable)
class StumblesOverForeignTiles(Camps):
    def check(self, state: Any, seat: str, order: Any) -> None:
        camps.tile_named(order.to_json().get("go", "A1"))
        super().check(state, seat, order)


@caught_by(promises.orders_out_of_turn_are_forbidden)
class LetsAnybodyAnswer(Parley):
    def check(self, state: Any, seat: str, order: Any) -> None:
        super().check(state, next(iter(self.due(state)), seat), order)


@caught_by(promises.orders_out_of_turn_are_forbidden)
class StumblesOverStrangers(Camps):
    def check(self, state: Any, seat: str, order: Any) -> None:
        camps.SIDES.index(seat)
        super().check(state, seat, order)


@caught_by(promises.orders_after_the_end_are_forbidden)
class LetsLosersResignAgain(Camps):
    def check(self, state: Any, seat: str, order: Any) -> None:
        super().check(replace(state, verdict=None), seat, order)


# --- States and records -------------------------------------------------------------------------


@caught_by(promises.states_survive_their_encoding)
class ForgetsTheMines(Camps):
    def encode(self, state: Any) -> Any:
        return {**super().encode(state), "mines": ()}


@caught_by(promises.states_survive_their_encoding)
class WritesFractions(Camps):
    def encode(self, state: Any) -> Any:
        return {**super().encode(state), "steps": state.steps / 1}


@caught_by(promises.states_survive_their_encoding)
class WritesSets(Parley):
    def encode(self, state: Any) -> Any:
        return {**super().encode(state), "shut": set(state.shut)}


@caught_by(promises.a_decoded_state_goes_on_alike)
class RemembersMoreThanItWrites(Camps):
    """Equal states that are not alike: the mines are compared by nobody and written nowhere."""

    def encode(self, state: Any) -> Any:
        return {**super().encode(state), "mines": ["A3", "A3"] if state.mines else []}

    def decode(self, data: Any) -> Any:
        return super().decode({**data, "mines": ["C1", "C5"] if data["mines"] else []})


@caught_by(promises.bad_states_are_bad_records)
class StumblesOverBadStates(Camps):
    def decode(self, data: Any) -> Any:
        return camps.State(**{**data, "camps": tuple(data["camps"])})


@caught_by(promises.resolve_leaves_its_arguments_alone)
class EatsItsOrders(Parley):
    def resolve(self, state: Any, orders: Any, rng: Rng) -> Resolution[Any]:
        after = super().resolve(state, orders, rng)
        orders.clear()
        return after


@caught_by(promises.resolve_leaves_its_arguments_alone)
class ChangesItsState(Camps):
    def resolve(self, state: Any, orders: Mapping[str, Any], rng: Rng) -> Resolution[Any]:
        after = super().resolve(state, orders, rng)
        object.__setattr__(state, "steps", after.state.steps)
        return after


@caught_by(promises.looking_changes_nothing)
class CountsItsVisitors(Camps):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        object.__setattr__(state, "limit", state.limit + 1)
        return super().view(state, viewer, over)


@caught_by(promises.a_record_replays_to_the_same_bytes)
class KeepsDiceOfItsOwn(Parley):
    dice = itertools.count(1)

    def _roll(self, state: Any, seat: str, data: Any, rng: Rng) -> Resolution[Any]:
        die = next(self.dice)
        return Resolution(
            self._pay(replace(state, phase="offer"), seat, die), (("roll", seat, die),)
        )


# --- What is seen -------------------------------------------------------------------------------


@caught_by(promises.reports_are_plain_and_say_what)
class DoesNotSayWhat(Parley):
    def report(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        return [{**event, "what": ""} for event in super().report(state, events, viewer, over)]


@caught_by(promises.scenes_can_be_drawn)
class DrawsOneFigureTwice(Camps):
    def scene(self, view: Any) -> Scene:
        scene = super().scene(view)
        return replace(scene, figures=scene.figures * 2)


@caught_by(promises.scenes_can_be_drawn)
class DrawsBesideTheBoard(Camps):
    def scene(self, view: Any) -> Scene:
        scene = super().scene(view)
        return replace(scene, figures=tuple(replace(f, tile="Z9") for f in scene.figures))


@caught_by(promises.scenes_can_be_drawn)
class DrawsCellsOverEachOther(Camps):
    def scene(self, view: Any) -> Scene:
        scene = super().scene(view)
        return replace(scene, cells=tuple(Cell(cell.tile, 0, cell.y) for cell in scene.cells))


@caught_by(promises.scenes_can_be_drawn)
class HasNoWords(Camps):
    def scene(self, view: Any) -> Scene:
        return replace(super().scene(view), text=" ")


@caught_by(promises.twins_look_alike)
class ShowsEveryPurse(Parley):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        return parley.View(viewer, state)


@caught_by(promises.twins_look_alike)
class ShowsTheMinesToBystanders(Camps):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        return super().view(state, viewer, over) if viewer else camps.View(viewer, state)


@caught_by(promises.twins_look_alike)
class TellsWhatWasRolled(Parley):
    def report(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        return [{"what": what, "seat": seat, "more": more} for what, seat, *more in events]


@caught_by(promises.twins_look_alike)
class WarnsOfMines(Camps):
    """The view is clean, but what it refuses is not."""

    def check(self, state: Any, seat: str, order: Any) -> None:
        super().check(state, seat, order)
        if order.to_json().get("go") in state.mines:
            raise Forbidden("mine", "Better not.")


@caught_by(promises.twins_look_alike)
class RefusesInAWordThatTells(Parley):
    def _check_offer(self, state: Any, seat: str, data: Any) -> None:
        try:
            super()._check_offer(state, seat, data)
        except Forbidden as no:
            raise Forbidden(no.code, f"{no.sentence} All have {sum(state.coins)} coins.") from no


@caught_by(promises.twins_look_alike)
class AsksOnlyTheRich(Parley):
    def due(self, state: Any) -> tuple[str, ...]:
        due = super().due(state)
        return due if sum(state.coins) % 2 else due and (state.seats[0],)


# --- Options ------------------------------------------------------------------------------------


@caught_by(promises.options_are_described)
class DescribesItselfInSets(Parley):
    @property
    def options(self) -> Any:  # type: ignore[override]
        class Vague(parley.OneOf):
            def describe(self) -> Any:
                return {**super().describe(), "values": set(self.values)}

        return (Vague("purse", ("empty", "full"), default="empty"),)


@caught_by(promises.bad_options_are_named)
class IgnoresUnknownOptions(Parley):
    def seats(self, options: Any) -> tuple[str, ...]:
        known = {option.name for option in self.options}
        return super().seats({name: value for name, value in options.items() if name in known})


@caught_by(promises.bad_options_are_named)
class TakesAnyNumberOfRounds(Parley):
    def seats(self, options: Any) -> tuple[str, ...]:
        return super().seats({**options, "rounds": 3})


@caught_by(promises.only_seats_that_there_are_can_be_taken)
class SeatsStrangers(Camps):
    def setup(self, seats: Sequence[str], options: Any, rng: Rng) -> Any:
        return super().setup(camps.SIDES, options, rng)


# --- Only another process can catch these -------------------------------------------------------


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


MUTANTS: tuple[tuple[type, Promise], ...] = tuple(CAUGHT_BY.items())
