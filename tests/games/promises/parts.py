"""What several promises are made of."""

from collections.abc import Callable
from typing import Any, TypeAlias

from games.kit.codec import Json, dumps
from games.kit.errors import Unreadable
from games.kit.protocol import AnyGame, Order, Resolution, Viewer
from games.kit.rng import HashRng
from tests.games.harness import Entry, Playing, Step, refusal

Promise: TypeAlias = Callable[[Entry], None]

CHANCE = HashRng("promises", "chance")


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
    return dumps([game.encode(after.state), reports, words(game, after, None)])


def words(game: AnyGame, after: Resolution[Any], viewer: Viewer, over: bool = False) -> Json:
    """What these eyes are told in words, as plain values."""
    return [
        [sentence.text, dict(sentence.values), sentence.event]
        for sentence in game.tell(after.state, after.events, viewer, over)
    ]
