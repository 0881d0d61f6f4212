"""What may be ordered, how it is read, and what is refused."""

from collections.abc import Sequence
from typing import Any

from games.kit.codec import dumps, loads
from games.kit.errors import Forbidden, Unreadable
from games.kit.protocol import AnyGame, Choice
from tests.games.harness import Entry, as_lists, assert_plain, filled, offers, refusal
from tests.games.promises.parts import CHANCE, all_steps, defaults, parsed
from tests.games.spoiling import JUNK, spoiled

FILLINGS = 20
"""So often a choice with several fields is filled in by chance; once at least it must fit."""


def samples_and_defaults_are_allowed(entry: Entry) -> None:
    for playing in entry.playings:
        for number, state in enumerate(playing.states):
            for seat in entry.game.due(state):
                rng = CHANCE.under(f"{number} {seat}")
                for order in (entry.game.default(state, seat), entry.game.sample(state, seat, rng)):
                    refused = refusal(Forbidden, entry.game.check, state, seat, order)
                    assert refused is None, f"{order} of {seat}: {refused}"


def orders_are_read_as_they_are_written(entry: Entry) -> None:
    game = entry.game
    for step in all_steps(entry):
        for order in (*step.orders.values(), *defaults(game, step.before)):
            assert type(order.interrupts) is bool
            assert_plain(order.to_json())
            assert game.parse(order.to_json()) == order
            assert game.parse(loads(dumps(order.to_json()))) == order


def choices_are_allowed_and_complete(entry: Entry) -> None:
    """All that is offered may be ordered, and whatever a sample orders was offered."""
    for playing in entry.playings:
        for state in playing.some_states():
            assert entry.game.choices(entry.game.view(state, None)) == ()
            for seat in playing.announcement.seats:
                check_choices(entry.game, state, seat)


def check_choices(game: AnyGame, state: Any, seat: str) -> None:
    choices = game.choices(game.view(state, seat))
    for choice in choices:
        assert choice.label
        check_choice(game, state, seat, choice)
    if seat in game.due(state):
        sample = game.sample(state, seat, CHANCE.under("choices")).to_json()
        assert any(offers(choice, sample) for choice in choices), f"{sample} was not offered"


def check_choice(game: AnyGame, state: Any, seat: str, choice: Choice) -> None:
    """Fields may depend on each other in ways that only the game can judge: some filling fits."""
    refused = None
    for number in range(FILLINGS if len(choice.fields) > 1 else 1):
        data = filled(choice, CHANCE.under(f"{choice.label} {number}"))
        order = parsed(game, data)
        assert as_lists(order.to_json()) == as_lists(data), "it was read as something else"
        assert seat in game.due(state) or order.interrupts
        refused = refusal(Forbidden, game.check, state, seat, order)
        if refused is None:
            return
    raise AssertionError(f"{choice} was offered: {refused}")


def junk_is_unreadable(entry: Entry) -> None:
    for step in all_steps(entry):
        for junk in (*JUNK, *(junk for o in step.orders.values() for junk in spoiled(o.to_json()))):
            check_junk(entry.game, step.before, step.seats, junk)


def check_junk(game: AnyGame, state: Any, seats: Sequence[str], junk: Any) -> None:
    """Whatever is sent is read, refused as unreadable, or refused as forbidden: never else."""
    if refusal(Unreadable, game.parse, junk) is None:
        order = game.parse(junk)
        assert as_lists(order.to_json()) == as_lists(junk), "it was read as something else"
        for seat in (*seats, "nobody's"):
            refusal(Forbidden, game.check, state, seat, order)


def orders_out_of_turn_are_forbidden(entry: Entry) -> None:
    """Who is not due may interrupt, and nothing else; who has no seat may do nothing at all."""
    for step in all_steps(entry):
        for order in (*step.orders.values(), *defaults(entry.game, step.before)):
            for seat in (*step.seats, "nobody's"):
                refused = refusal(Forbidden, entry.game.check, step.before, seat, order)
                is_due = seat in entry.game.due(step.before)
                known = seat in step.seats
                assert refused or (known and (is_due or order.interrupts))


def orders_after_the_end_are_forbidden(entry: Entry) -> None:
    for playing in entry.playings:
        for step in playing.some_steps():
            for seat, order in step.orders.items():
                assert refusal(Forbidden, entry.game.check, playing.last, seat, order)
        for viewer in playing.viewers:
            assert entry.game.choices(entry.game.view(playing.last, viewer)) == ()
