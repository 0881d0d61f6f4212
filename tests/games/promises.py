"""What the protocol promises of every game, one function each. Fails with AssertionErrors only."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from games.kit.codec import dumps, loads
from games.kit.errors import BadOptions, BadRecord, Forbidden, Unreadable
from games.kit.protocol import AnyGame, Order, Viewer
from games.kit.replay import Record, replay
from games.kit.rng import HashRng
from tests.games.harness import (
    JUNK,
    Entry,
    Playing,
    Step,
    Twin,
    as_lists,
    assert_plain,
    filled,
    offers,
    refusal,
    spoiled,
)

Promise: TypeAlias = Callable[[Entry], None]

CHANCE = HashRng("promises", "chance")


# --- Who is due, and how it ends ----------------------------------------------------------------


def nobody_is_due_exactly_when_it_is_over(entry: Entry) -> None:
    for playing in entry.playings:
        for state in playing.states:
            due = entry.game.due(state)
            assert len(set(due)) == len(due)
            assert set(due) <= set(playing.announcement.seats)
            assert bool(due) == (entry.game.outcome(state) is None)


def a_clock_runs_for_those_who_are_due(entry: Entry) -> None:
    """A clock that runs on does so for the same seats: nobody inherits another's lost time."""
    for playing in entry.playings:
        clocks: dict[str, tuple[str, ...]] = {}
        for state in playing.states:
            due = entry.game.due(state)
            if due:
                clock = entry.game.clock(state)
                assert clock.key
                assert clock.kind
                assert clocks.setdefault(clock.key, due) == due


def an_outcome_ranks_every_seat(entry: Entry) -> None:
    for playing in entry.playings:
        outcome = entry.game.outcome(playing.last)
        assert outcome is not None
        assert outcome.reason
        assert set(outcome.ranks) == set(playing.announcement.seats)
        best = {seat for seat, rank in outcome.ranks.items() if rank == 1}
        assert best, "somebody must be first, all of them in a draw"
        assert all(rank >= 1 for rank in outcome.ranks.values())
        assert not outcome.winners or set(outcome.winners) == best
        assert_plain([outcome.winners, outcome.reason, outcome.ranks, outcome.facts])


def whoever_is_interrupted_is_still_due(entry: Entry) -> None:
    """An interrupting order is nobody's absence: the others are asked again, if it goes on."""
    for step in all_steps(entry):
        if any(order.interrupts for order in step.orders.values()):
            silent = set(entry.game.due(step.before)) - set(step.orders)
            due = entry.game.due(step.resolution.state)
            assert not due or silent <= set(due)


# --- Orders -------------------------------------------------------------------------------------


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
        data = filled(choice, CHANCE.under(choice.label))
        order = parsed(game, data)
        assert as_lists(order.to_json()) == as_lists(data), "it was read as something else"
        refused = refusal(Forbidden, game.check, state, seat, order)
        # Fields may depend on each other in ways that only the game can judge.
        assert refused is None or len(choice.fields) > 1, f"{data} was offered: {refused}"
        assert seat in game.due(state) or order.interrupts
    if seat in game.due(state):
        sample = game.sample(state, seat, CHANCE.under("choices")).to_json()
        assert any(offers(choice, sample) for choice in choices), f"{sample} was not offered"


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


# --- States and records -------------------------------------------------------------------------


def states_survive_their_encoding(entry: Entry) -> None:
    game = entry.game
    for playing in entry.playings:
        for state in playing.states:
            data = game.encode(state)
            assert_plain(data)
            again = game.decode(loads(dumps(data)))
            assert again == state
            assert dumps(game.encode(again)) == dumps(data)


def a_decoded_state_goes_on_alike(entry: Entry) -> None:
    """What is not encoded must not matter: the same orders lead to the same bytes."""
    for playing in entry.playings:
        for number, step in enumerate(playing.steps):
            state = entry.game.decode(loads(dumps(entry.game.encode(step.before))))
            rng = HashRng(playing.seed, str(number))
            again = entry.game.resolve(state, step.orders, rng)
            assert told(entry.game, again, playing) == told(entry.game, step.resolution, playing)


def bad_states_are_bad_records(entry: Entry) -> None:
    for playing in entry.playings:
        data = entry.game.encode(playing.last)
        for junk in (*JUNK, *spoiled(data)):
            refusal(BadRecord, entry.game.decode, junk)
        assert refusal(BadRecord, entry.game.decode, {}), "a state out of nothing"


def resolve_leaves_its_arguments_alone(entry: Entry) -> None:
    """A state is frozen, and so is what was ordered: resolving twice is resolving once."""
    for playing in entry.playings:
        for number, step in enumerate(playing.steps):
            state = entry.game.decode(entry.game.encode(step.before))
            orders = dict(step.orders)
            before = dumps(entry.game.encode(state))
            rngs = (HashRng(playing.seed, str(number)) for _ in "12")
            results = [entry.game.resolve(state, orders, rng) for rng in rngs]
            assert dumps(entry.game.encode(state)) == before
            assert list(orders.items()) == list(step.orders.items())
            assert [told(entry.game, result, playing) for result in results] == [
                told(entry.game, step.resolution, playing)
            ] * 2


def looking_changes_nothing(entry: Entry) -> None:
    for playing in entry.playings:
        for state in playing.some_states():
            before = dumps(entry.game.encode(state))
            for viewer in playing.viewers:
                look(entry.game, state, viewer)
            assert dumps(entry.game.encode(state)) == before


def a_record_replays_to_the_same_bytes(entry: Entry) -> None:
    for playing in entry.playings:
        assert_plain(loads(playing.record.dumps()))
        record = Record.loads(playing.record.dumps())
        assert record.dumps() == playing.record.dumps()
        first, *turns = replay(entry.game, record)
        assert dumps(entry.game.encode(first.state)) == dumps(entry.game.encode(playing.start))
        assert [told(entry.game, turn, playing) for turn in turns] == [
            told(entry.game, step.resolution, playing) for step in playing.steps
        ]


# --- What is seen -------------------------------------------------------------------------------


def reports_are_plain_and_say_what(entry: Entry) -> None:
    for playing in entry.playings:
        for step in playing.some_steps():
            for viewer in playing.viewers:
                after = step.resolution
                report = entry.game.report(after.state, after.events, viewer)
                assert_plain(report)
                assert all(type(event["what"]) is str and event["what"] for event in report)


def scenes_can_be_drawn(entry: Entry) -> None:
    for playing in entry.playings:
        for state in playing.some_states():
            for viewer in playing.viewers:
                check_scene(entry.game, entry.game.view(state, viewer))


def check_scene(game: AnyGame, view: Any) -> None:
    scene = game.scene(view)
    assert_plain(scene.to_json())
    assert scene.grid in ("square", "hex")
    assert scene.text.strip()
    tiles = [cell.tile for cell in scene.cells]
    assert len(set(tiles)) == len(tiles)
    assert len({(cell.x, cell.y) for cell in scene.cells}) == len(tiles)
    ids = [figure.id for figure in scene.figures]
    assert len(set(ids)) == len(ids)
    places = [thing.tile for thing in (*scene.figures, *scene.marks)]
    assert set(places) <= set(tiles), "something lies beside the board"
    for choice in game.choices(view):
        assert choice.piece in {"", *ids}
        assert choice.tile in {"", *tiles}


def twins_look_alike(entry: Entry) -> None:
    """Two runs that differ in what somebody may not know are the same to his eyes."""
    if entry.twins is None:
        return
    met = 0
    for playing in entry.playings:
        for number, state in enumerate(playing.states):
            for twin in entry.twins(entry.game, state, CHANCE.under(f"twins {number}")):
                met += 1
                assert entry.game.encode(twin.one.state) != entry.game.encode(twin.other.state)
                for viewer in twin.blind:
                    check_twins(entry.game, twin, viewer, playing.announcement.seats)
    assert met, "no twins were made"


def check_twins(game: AnyGame, twin: Twin, viewer: Viewer, seats: Sequence[str]) -> None:
    one, other = twin.one, twin.other
    assert game.due(one.state) == game.due(other.state)
    assert game.outcome(one.state) == game.outcome(other.state)
    assert look(game, one.state, viewer) == look(game, other.state, viewer)
    reports = [dumps(game.report(it.state, it.events, viewer)) for it in (one, other)]
    assert reports[0] == reports[1]
    if viewer is not None:
        tried = attempts(game, one.state, seats)
        assert heard(game, one.state, viewer, tried) == heard(game, other.state, viewer, tried)


def attempts(game: AnyGame, state: Any, seats: Sequence[str]) -> list[Any]:
    """Whatever anybody might order here, his own affair or not."""
    return [
        parsed(game, filled(choice, CHANCE.under(f"try {number}")))
        for seat in seats
        for choice in game.choices(game.view(state, seat))
        for number in range(3)
    ]


def heard(game: AnyGame, state: Any, seat: str, tried: list[Any]) -> list[Any]:
    """What a seat hears when it tries all that: a refusal is an answer too."""
    found = [refusal(Forbidden, game.check, state, seat, order) for order in tried]
    return [refused and (refused.code, refused.sentence) for refused in found]


# --- Options ------------------------------------------------------------------------------------


def options_are_described(entry: Entry) -> None:
    names = [option.name for option in entry.game.options]
    assert len(set(names)) == len(names)
    for option in entry.game.options:
        assert_plain(option.describe())
        assert option.describe()["name"] == option.name
        if option.default is not None:
            assert as_lists(option.read(option.default)) == as_lists(option.default)


def bad_options_are_named(entry: Entry) -> None:
    for announcement in entry.announcements:
        for option in entry.game.options:
            refused = [
                named(entry.game, {**announcement.options, option.name: junk})
                for junk in (*JUNK, "x" * 100_000, [{"kind": "nonsense"}])
            ]
            assert set(refused) <= {None, option.name}, option.name
            assert option.name in refused, f"{option.name} takes anything"
        assert named(entry.game, {**announcement.options, "nonsense": 1}) == "nonsense"
        for name in announcement.options:
            rest = {key: value for key, value in announcement.options.items() if key != name}
            assert named(entry.game, rest) in (None, name)


def named(game: AnyGame, options: Any) -> str | None:
    """The option that is complained about, if any."""
    refused = refusal(BadOptions, game.seats, options)
    assert refused is None or isinstance(refused, BadOptions)
    return refused and refused.option


def only_seats_that_there_are_can_be_taken(entry: Entry) -> None:
    for announcement in entry.announcements:
        seats, options = entry.game.seats(announcement.options), announcement.options
        assert set(announcement.seats) <= set(seats)
        for wrong in ((), ("nobody's",), (*announcement.seats, "nobody's")):
            rng = HashRng("seats", "wrong")
            assert refusal(BadOptions, entry.game.setup, wrong, options, rng)


# --- Parts --------------------------------------------------------------------------------------


def all_steps(entry: Entry) -> list[Step]:
    return [step for playing in entry.playings for step in playing.some_steps(30)]


def defaults(game: AnyGame, state: Any) -> list[Order]:
    return [game.default(state, seat) for seat in game.due(state)]


def parsed(game: AnyGame, data: Any) -> Any:
    assert refusal(Unreadable, game.parse, data) is None, f"{data} was offered"
    return game.parse(data)


def look(game: AnyGame, state: Any, viewer: Viewer) -> str:
    """All that these eyes see of a state, as text."""
    view = game.view(state, viewer)
    choices = [
        [c.order, c.label, c.piece, c.tile, [[f.name, f.low, f.high, f.options] for f in c.fields]]
        for c in game.choices(view)
    ]
    return dumps([game.scene(view).to_json(), choices])


def told(game: AnyGame, after: Any, playing: Playing) -> str:
    """A resolution as text: the state, and what everybody is told of the way to it."""
    reports = [game.report(after.state, after.events, viewer) for viewer in playing.viewers]
    return dumps([game.encode(after.state), reports])


PROMISES: tuple[Promise, ...] = (
    nobody_is_due_exactly_when_it_is_over,
    a_clock_runs_for_those_who_are_due,
    an_outcome_ranks_every_seat,
    whoever_is_interrupted_is_still_due,
    samples_and_defaults_are_allowed,
    orders_are_read_as_they_are_written,
    choices_are_allowed_and_complete,
    junk_is_unreadable,
    orders_out_of_turn_are_forbidden,
    orders_after_the_end_are_forbidden,
    states_survive_their_encoding,
    a_decoded_state_goes_on_alike,
    bad_states_are_bad_records,
    resolve_leaves_its_arguments_alone,
    looking_changes_nothing,
    a_record_replays_to_the_same_bytes,
    reports_are_plain_and_say_what,
    scenes_can_be_drawn,
    twins_look_alike,
    options_are_described,
    bad_options_are_named,
    only_seats_that_there_are_can_be_taken,
)

__all__ = ["PROMISES", "Promise", "check_junk", "look", "told"]
