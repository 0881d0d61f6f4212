"""Known wrong consequences, each put in place of the right ones: the model must catch them."""

from collections.abc import Callable
from typing import Any

import pytest

from tournaments.consequences import purse, services, verdicts
from tournaments.consequences.verdicts import Death, Ending

Patch = pytest.MonkeyPatch
Mutant = Callable[[Patch], None]
MUTANTS: list[tuple[Mutant, tuple[str, ...]]] = []


def in_types(*types: str) -> Callable[[Mutant], Mutant]:
    """Note the types of tournament in which the mutant shows."""

    def note(mutant: Mutant) -> Mutant:
        MUTANTS.append((mutant, types))
        return mutant

    return note


def everywhere(patch: Patch, name: str, wrong: Any) -> None:
    """Put `wrong` wherever the name was imported."""
    for module in (verdicts, services, purse):
        if hasattr(module, name):
            patch.setattr(module, name, wrong)


@in_types("gift", "honour", "conquer")
def the_last_seat_gets_what_is_left_over(patch: Patch) -> None:
    right = verdicts.split
    everywhere(
        patch,
        "split",
        lambda amount, among: dict(reversed(right(amount, list(reversed(among))).items())),
    )


@in_types("gift", "honour", "conquer")
def what_is_left_over_is_lost(patch: Patch) -> None:
    everywhere(
        patch, "split", lambda amount, among: dict.fromkeys(among, amount // max(1, len(among)))
    )


@in_types("gift")
def winners_stand_in_the_order_of_the_game(patch: Patch) -> None:
    patch.setattr(services, "_winners", lambda seats, ending: list(ending.winners))


@in_types("honour")
def winners_pay_no_stake(patch: Patch) -> None:
    def changes(stakes: Any, winners: Any) -> Any:
        shares = verdicts.split(sum(stakes.values()), winners)
        return {seat: shares.get(seat, -stake) for seat, stake in stakes.items()}

    everywhere(patch, "honour_changes", changes)


@in_types("honour")
def stakes_are_whole_whatever_decay_took(patch: Patch) -> None:
    def honour(tournament: Any, people: Any, winners: Any) -> Any:
        stakes = dict.fromkeys(people, tournament.stake)
        return verdicts.honour_changes(stakes, winners)

    patch.setattr(services, "_honour", honour)


@in_types("conquer", "death")
def whoever_was_ever_taken_is_lost(patch: Patch) -> None:
    def captives(ending: Ending) -> Any:
        fates = ending.facts.get("emperors", {})
        return {
            seat: fate["held_by"] if fate["held_by"] != seat else fate["taken_by"]
            for seat, fate in fates.items()
            if fate["taken_by"] is not None
        }

    everywhere(patch, "captives", captives)


@in_types("conquer")
def whoever_took_him_last_keeps_him(patch: Patch) -> None:
    def captives(ending: Ending) -> Any:
        fates = ending.facts.get("emperors", {})
        return {
            seat: fate["taken_by"]
            for seat, fate in fates.items()
            if fate["taken_by"] is not None and fate["held_by"] != seat
        }

    everywhere(patch, "captives", captives)


@in_types("conquer")
def the_dead_change_hands_in_a_chain(patch: Patch) -> None:
    """Whoever holds a holder gets both."""
    right = verdicts.captives

    def captives(ending: Ending) -> Any:
        held = right(ending)
        return {seat: held.get(holder, holder) for seat, holder in held.items()}

    everywhere(patch, "captives", captives)


@in_types("death")
def the_first_death_comes_last(patch: Patch) -> None:
    right = verdicts.deaths
    everywhere(patch, "deaths", lambda ending: reversed(list(right(ending))))


@in_types("death")
def the_first_take_counts(patch: Patch) -> None:
    def deaths(ending: Ending) -> Any:
        held = verdicts.captives(ending)
        seen = set()
        for loss in ending.facts.get("taken", ()):
            seat = loss["emperor"][0]
            if seat in held and seat not in seen:
                seen.add(seat)
                yield Death(seat, loss["taker"] if loss["taker"] != seat else held[seat])

    everywhere(patch, "deaths", deaths)


@in_types("death")
def the_holder_inherits(patch: Patch) -> None:
    right = verdicts.deaths

    def deaths(ending: Ending) -> Any:
        held = verdicts.captives(ending)
        return (Death(seat, held[seat]) for seat, _heir in right(ending))

    everywhere(patch, "deaths", deaths)


@in_types("death")
def a_man_may_inherit_from_himself(patch: Patch) -> None:
    def deaths(ending: Ending) -> Any:
        held = verdicts.captives(ending)
        last: dict[str, str] = {}
        for loss in ending.facts.get("taken", ()):
            if loss["emperor"][0] in held:
                last.pop(loss["emperor"][0], None)
                last[loss["emperor"][0]] = loss["taker"]
        return (Death(*each) for each in last.items())

    everywhere(patch, "deaths", deaths)


@in_types("gift", "honour", "conquer", "death")
def ones_own_emperor_is_a_capture(patch: Patch) -> None:
    def captures(ending: Ending) -> Any:
        takers = [loss["taker"] for loss in ending.facts.get("taken", ())]
        return {taker: takers.count(taker) for taker in takers}

    everywhere(patch, "captures_of", captures)


@in_types("gift", "honour", "conquer", "death")
def a_chest_is_a_treasure(patch: Patch) -> None:
    def treasures(ending: Ending) -> Any:
        finders = [find["seat"] for find in ending.facts.get("found", ())]
        return {finder: finders.count(finder) for finder in finders}

    everywhere(patch, "treasures_of", treasures)


@in_types("gift", "honour")
def ones_own_chest_is_captured(patch: Patch) -> None:
    def captured(ending: Ending) -> Any:
        return {
            find["item"].removeprefix("chest-"): find["seat"]
            for find in ending.facts.get("found", ())
            if find["item"].startswith("chest-")
        }

    everywhere(patch, "captured_chests", captured)


@in_types("gift", "honour")
def chests_that_nobody_captured_are_remembered(patch: Patch) -> None:
    patch.setattr(services, "_seal_chests", lambda seats, ending: None)


@in_types("gift", "honour")
def the_first_of_equals_is_the_most_generous(patch: Patch) -> None:
    def first(contents: Any) -> Any:
        order = sorted(contents, key=contents.__getitem__)
        return (order[-1], order[0]) if order else (None, None)

    everywhere(patch, "generosity", first)


@in_types("gift", "honour")
def the_owner_keeps_a_captured_chest(patch: Patch) -> None:
    def chests(seats: Any, ending: Ending) -> Any:
        copper = purse.kind_of("copper")
        return {seat.name: {copper: seat.chest} for seat in seats if seat.chest}

    patch.setattr(purse, "_chests", chests)


@in_types("gift", "honour", "conquer", "death")
def in_a_draw_events_still_count(patch: Patch) -> None:
    right = services._settle_wealth

    def settle(tournament: Any, seats: Any, ending: Ending, at: Any) -> None:
        right(tournament, seats, ending, at)
        if ending.is_draw:
            services._reward(tournament, seats, services._people(seats), ending, at)

    patch.setattr(services, "_settle_wealth", settle)


@in_types("conquer")
def in_a_draw_the_taken_are_lost(patch: Patch) -> None:
    right = services._tell

    def tell(tournament: Any, people: Any, ending: Ending, at: Any) -> None:
        right(tournament, people, ending, at)
        if ending.is_draw:
            services._part(tournament, people, ending, at)

    patch.setattr(services, "_tell", tell)


@in_types("gift", "honour", "conquer")
def a_draw_keeps_what_was_paid(patch: Patch) -> None:
    patch.setattr(services, "give_all_back", lambda tournament, seats: None)
