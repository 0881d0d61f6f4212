"""What another process makes of a game: run with another hash seed, it must be the same.

`python -m tests.games.replaying` reads one record per line and writes, for each, the digests of
what it replays to. With names of entries as arguments it plays them instead.
"""

import hashlib
import sys
from collections.abc import Iterable
from typing import Any

from games.kit.codec import dumps
from games.kit.protocol import AnyGame, Resolution
from games.kit.replay import Record, replay
from tests.games.harness import Playing
from tests.games.promises import look, told


def digests(game: AnyGame, resolutions: Iterable[Resolution[Any]], start: Any) -> list[str]:
    """The start, then every turn: states and events, to the byte."""
    return [
        digest(dumps([game.encode(it.state), game.report(it.state, it.events, None)]))
        for it in (Resolution(start), *resolutions)
    ]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def seen(playing: Playing) -> str:
    """All that anybody sees, is told and may order in a whole tournament, as one digest."""
    game = playing.game
    looks = [
        look(game, state, viewer) for state in playing.some_states() for viewer in playing.viewers
    ]
    turns = [told(game, step.resolution, playing) for step in playing.steps]
    outcome = game.outcome(playing.last)
    assert outcome is not None
    end = dumps([outcome.winners, outcome.reason, list(outcome.ranks.items()), outcome.facts])
    return digest("\n".join([playing.record.dumps(), *turns, *looks, end]))


def main(names: list[str]) -> None:
    from tests.games.entries import find, game_of

    for name in names:
        print(dumps([seen(playing) for playing in find(name).playings]))
    for line in () if names else sys.stdin:
        record = Record.loads(line)
        game = game_of(record.game)
        first, *turns = replay(game, record)
        print(dumps(digests(game, turns, first.state)))


if __name__ == "__main__":
    main(sys.argv[1:])
