"""States and records: whole, frozen, and the same bytes for ever."""

from collections.abc import Sequence
from typing import Any

from games.kit.codec import dumps, loads
from games.kit.errors import BadRecord, Refusal
from games.kit.protocol import AnyGame, Viewer
from games.kit.replay import Record, replay
from games.kit.rng import HashRng
from tests.games.harness import Entry, as_lists, assert_plain, refusal
from tests.games.promises.parts import CHANCE, look, told
from tests.games.spoiling import JUNK, spoiled_anywhere


def states_survive_their_encoding(entry: Entry) -> None:
    game = entry.game
    for playing in entry.playings:
        for state in playing.states:
            data = game.encode(state)
            assert_plain(data)
            again = read_back(game, data)
            assert again == state
            assert dumps(game.encode(again)) == dumps(data)


def read_back(game: AnyGame, data: Any) -> Any:
    """A state that the game wrote itself."""
    written = loads(dumps(data))
    assert refusal(BadRecord, game.decode, written) is None, "it can't read what it wrote"
    return game.decode(written)


def a_decoded_state_goes_on_alike(entry: Entry) -> None:
    """What is not encoded must not matter: the same orders lead to the same bytes."""
    for playing in entry.playings:
        for number, step in enumerate(playing.steps):
            state = read_back(entry.game, entry.game.encode(step.before))
            rng = HashRng(playing.seed, str(number))
            again = entry.game.resolve(state, step.orders, rng)
            assert told(entry.game, again, playing) == told(entry.game, step.resolution, playing)


def bad_states_are_bad_records(entry: Entry) -> None:
    """A spoiled state is refused, or else it is one: read as it stands, and playable."""
    game = entry.game
    for number, playing in enumerate(entry.playings):
        state = playing.states[len(playing.states) // 2] if number % 2 else playing.last
        data = as_lists(game.encode(state))
        for bad in (*JUNK, *spoiled_anywhere(data, CHANCE.under(f"bad {number}"))):
            check_bad_state(game, bad, playing.viewers)
    assert refusal(BadRecord, game.decode, {}), "a state out of nothing"


def check_bad_state(game: AnyGame, data: Any, viewers: Sequence[Viewer]) -> None:
    if refusal(BadRecord, game.decode, data) is None:
        state = game.decode(data)
        assert dumps(game.encode(state)) == dumps(data), "it was read as something else"
        refusal(Refusal, live_on, game, state, viewers)


def live_on(game: AnyGame, state: Any, viewers: Sequence[Viewer]) -> None:
    """All that a site would do with a state that it has read back."""
    game.outcome(state)
    for viewer in viewers:
        look(game, state, viewer)
    if due := game.due(state):
        game.clock(state)
        rng = CHANCE.under("live on")
        game.resolve(state, {seat: game.default(state, seat) for seat in due}, rng)
        game.resolve(state, {}, rng)


def resolve_leaves_its_arguments_alone(entry: Entry) -> None:
    """A state is frozen, and so is what was ordered: resolving twice is resolving once."""
    for playing in entry.playings:
        for number, step in enumerate(playing.steps):
            state = read_back(entry.game, entry.game.encode(step.before))
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
