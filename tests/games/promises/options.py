"""What can be announced."""

from typing import Any

from games.kit.errors import BadOptions
from games.kit.protocol import AnyGame
from games.kit.rng import HashRng
from tests.games.harness import Entry, as_lists, assert_plain, refusal
from tests.games.spoiling import JUNK


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
