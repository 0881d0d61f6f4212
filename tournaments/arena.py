"""Where tournaments meet games: the only module of this floor that speaks to `games`.

A `Position` is a battle between two turns. It is made from what the database keeps, never
changes, and knows nothing of accounts, money or time. Everything that leaves the arena for
somebody's eyes has gone through the game's own gates.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from games.battle import battlefields
from games.battle.battlefields import fairness, keys
from games.battle.battlefields.field import Battlefield
from games.battle.bots import BOTS
from games.battle.drawing import BadDrawing
from games.kit import grids, replay
from games.kit.codec import Json, JsonObject, dumps, loads
from games.kit.errors import BadOptions, BadRecord, Forbidden, Refusal, Unreadable
from games.kit.options import read_options
from games.kit.protocol import AnyGame, Clock, Order, Outcome, is_complete
from games.kit.replay import Record
from games.kit.rng import HashRng, fingerprint
from games.kit.sentences import Sentence
from games.registry import GAMES

__all__ = [
    "BOTS",
    "BadDrawing",
    "BadOptions",
    "BadRecord",
    "Battlefield",
    "Clock",
    "Closing",
    "Faulty",
    "Forbidden",
    "Json",
    "JsonObject",
    "Order",
    "Outcome",
    "Position",
    "Record",
    "Refusal",
    "Sentence",
    "Unreadable",
    "begin",
    "complete_options",
    "draw_seed",
    "fingerprint",
    "game_keys",
    "is_fair",
    "options_schema",
    "read_battlefield",
    "replayed",
    "resume",
    "seats_under",
    "shipped_battlefields",
    "tile_name",
    "version_of",
]

Orders: TypeAlias = Mapping[str, Order]
"""What seats ordered, in the order of receipt."""


class Faulty(Exception):
    """The engine failed where it may not: not by refusing, but by breaking."""


@dataclass(frozen=True, slots=True)
class Closing:
    """What a closed turn led to: the next position, and what happened on the way."""

    after: "Position"
    events: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """A battle between two turns."""

    game: AnyGame
    state: Any
    seed: str
    turn: int
    """How many turns have been closed; the open one has this number, counted from 0."""

    # --- What the site asks --------------------------------------------------------

    def due(self) -> tuple[str, ...]:
        """The seats that are waited for; nobody once it is over."""
        return self.game.due(self.state)

    def living(self, seats: Sequence[str]) -> tuple[str, ...]:
        """Of these seats those that are still in it, due or not."""
        due = self.due()
        return tuple(seat for seat in seats if seat in due or not self._is_out(seat))

    def _is_out(self, seat: str) -> bool:
        try:
            self.game.check(self.state, seat, self.game.default(self.state, seat))
        except Refusal as refusal:
            return refusal.code == "out"
        except Exception:  # a game need not know what a seat that is not due would do
            return False
        return False

    def clock(self) -> Clock:
        return self.game.clock(self.state)

    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def read(self, seat: str, data: Json) -> Order:
        """The order, if this seat may give it now. Raises Unreadable or Forbidden."""
        order: Order = self.game.parse(data)
        self.game.check(self.state, seat, order)
        return order

    def default(self, seat: str) -> Order:
        """What a silent seat does."""
        order: Order = self.game.default(self.state, seat)
        return order

    def is_complete(self, orders: Orders) -> bool:
        return is_complete(self.game, self.state, orders)

    def close(self, orders: Orders) -> Closing:
        """Resolve the open turn. Raises Faulty, with the engine's own error as its cause."""
        try:
            done = replay.close(self.game, self.state, orders, self.seed, self.turn)
        except Exception as broken:
            raise Faulty(f"{self.game.key} {self.game.version}") from broken
        after = Position(self.game, done.state, self.seed, self.turn + 1)
        return Closing(after, tuple(done.events))

    def written(self) -> str:
        """The state as it is kept."""
        return dumps(self.game.encode(self.state))

    # --- What eyes may see -----------------------------------------------------------

    def scene(self, viewer: str | None, *, over: bool = False) -> JsonObject:
        return self.game.scene(self.game.view(self.state, viewer, over)).to_json()

    def choices(self, viewer: str | None, *, over: bool = False) -> list[JsonObject]:
        """What the viewer may order, as the live protocol says it."""
        if viewer is None or over:
            return []
        return [
            _choice(each) for each in self.game.choices(self.game.view(self.state, viewer, over))
        ]

    def report(
        self, events: Sequence[Any], viewer: str | None, *, over: bool = False
    ) -> list[JsonObject]:
        return list(self.game.report(self.state, events, viewer, over))

    def tell(
        self, events: Sequence[Any], viewer: str | None, *, over: bool = False
    ) -> list[Sentence]:
        return list(self.game.tell(self.state, events, viewer, over))

    def ask_bot(self, level: str, seat: str, *, salt: str) -> JsonObject:
        """What a bot of this level orders for a seat that is due; it sees that seat's view only.

        Its chance has a salt of its own: what it rolls tells nothing about the game's seed.
        """
        view = self.game.view(self.state, seat)
        if self.game.key == "battle":
            rng = HashRng(salt, f"{self.turn} {seat}")
            return BOTS[level].choose(view, rng).to_json()
        order: Order = self.game.sample(self.state, seat, HashRng(salt, f"{self.turn} {seat}"))
        return order.to_json()


def _choice(choice: Any) -> JsonObject:
    return {
        "order": choice.order,
        "label": choice.label,
        "piece": choice.piece,
        "tile": choice.tile,
        "fields": [
            {
                "name": field.name,
                "kind": field.kind,
                "low": field.low,
                "high": field.high,
                "options": field.options,
                "optional": field.optional,
            }
            for field in choice.fields
        ],
    }


# --- Beginning and going on -----------------------------------------------------------


def begin(*, game: str, seats: Sequence[str], options: JsonObject, seed: str) -> Position:
    """The position in which a tournament starts. Raises BadOptions."""
    rules = GAMES[game]
    return Position(rules, replay.start(rules, seats, options, seed), seed, 0)


def resume(*, game: str, written: str, seed: str, turn: int) -> Position:
    """The position that was kept. Raises BadRecord."""
    try:
        rules = GAMES[game]
        return Position(rules, rules.decode(loads(written)), seed, turn)
    except ValueError as bad:
        raise BadRecord(str(bad)) from None


def replayed(record: Record) -> Iterator[Closing]:
    """The start, then what each turn led to. Raises BadRecord at what can't have happened."""
    if record.game not in GAMES:
        raise BadRecord(f"There is no game {record.game}.")
    rules = GAMES[record.game]
    for number, done in enumerate(replay.replay(rules, record)):
        yield Closing(Position(rules, done.state, record.seed, number), tuple(done.events))


def draw_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(16)


# --- What can be announced --------------------------------------------------------------


def game_keys() -> tuple[str, ...]:
    return tuple(GAMES)


def version_of(game: str) -> int:
    return GAMES[game].version


def options_schema(game: str) -> list[JsonObject]:
    """What can be announced of a game, as forms need it."""
    return [option.describe() for option in GAMES[game].options]


def complete_options(game: str, options: JsonObject) -> dict[str, Json]:
    """The options with every default written out, as they are announced. Raises BadOptions."""
    rules = GAMES[game]
    complete = read_options(rules.options, options)
    rules.seats(complete)
    return complete


def seats_under(game: str, options: JsonObject) -> tuple[str, ...]:
    """All seats that there can be under these options. Raises BadOptions."""
    return GAMES[game].seats(options)


def tile_name(x: int, y: int) -> str:
    """What a tile is called in words, as on the board."""
    return grids.name((x, y))


def read_battlefield(text: str) -> Battlefield:
    """The battlefield that is drawn. Raises BadDrawing, which says where it is wrong."""
    return battlefields.read(text)


@lru_cache(maxsize=256)
def is_fair(drawn: Battlefield) -> bool:
    """Whether the shape of a battlefield treats all its seats alike."""
    return fairness.is_fair(drawn)


@lru_cache(maxsize=1)
def shipped_battlefields() -> Mapping[str, Battlefield]:
    """Those that come with the game, by their key."""
    return {key: battlefields.load(key) for key in keys()}
