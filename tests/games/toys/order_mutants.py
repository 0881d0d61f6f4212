"""Toys that are broken in how they end, what may be ordered and what can be announced."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.kit.protocol import Choice, Clock, Outcome, Resolution
from games.kit.rng import Rng
from tests.games import promises
from tests.games.toys import camps, parley
from tests.games.toys.camps import Camps
from tests.games.toys.catching import caught_by
from tests.games.toys.parley import Parley

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


@caught_by(promises.choices_are_allowed_and_complete)
class AsksForMoreThanThereIs(Parley):
    """Two fields, and nothing that can be put into them is ever allowed."""

    def choices(self, view: Any) -> tuple[Choice, ...]:
        return tuple(
            replace(choice, fields=tuple(replace(f, low=f.high + 1, high=99) if f.high else f
                                         for f in choice.fields))
            for choice in super().choices(view)
        )  # fmt: skip


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
