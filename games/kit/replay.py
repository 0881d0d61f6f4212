"""The record is the game: who sat where, what was announced, the seed and every order.

It replays to the same states and events for ever; stored states are only a cache of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.kit.codec import Json, JsonObject, dumps, is_whole, loads
from games.kit.errors import BadRecord, Refusal
from games.kit.options import sequence
from games.kit.protocol import AnyGame, Order, Resolution, Seat
from games.kit.rng import HashRng

START = "start"
"""The label of the chance that goes into a setup; turns are labelled by their number."""


@dataclass(frozen=True, slots=True)
class Record:
    """What replays a tournament. `turns` holds, for each, the orders in order of receipt."""

    game: str
    version: int
    seats: tuple[Seat, ...]
    options: JsonObject
    seed: str
    turns: tuple[tuple[tuple[Seat, JsonObject], ...], ...] = ()

    def dumps(self) -> str:
        """The record as canonical JSON."""
        return dumps(
            {
                "game": self.game,
                "version": self.version,
                "seats": self.seats,
                "options": self.options,
                "seed": self.seed,
                "turns": [[[seat, order] for seat, order in turn] for turn in self.turns],
            }
        )

    @classmethod
    def loads(cls, text: str | bytes) -> "Record":
        """Read what `dumps` wrote. Raises BadRecord."""
        try:
            return _read(loads(text))
        except ValueError as bad:
            raise BadRecord(f"This is no record: {bad}.") from None

    def with_turn(self, orders: Mapping[Seat, Order]) -> "Record":
        """The record with one turn more."""
        turn = tuple((seat, order.to_json()) for seat, order in orders.items())
        return Record(
            self.game, self.version, self.seats, self.options, self.seed, (*self.turns, turn)
        )


def _read(data: Json) -> Record:
    """The record that was written so. Raises ValueError."""
    match data:
        case {
            "game": str(game),
            "version": int(version),
            "seats": [*seats],
            "options": Mapping() as options,
            "seed": str(seed),
            "turns": [*turns],
            **rest,
        } if is_whole(version) and not rest:
            names = tuple(seat for seat in seats if isinstance(seat, str))
            if len(names) == len(seats):
                return Record(game, version, names, options, seed, tuple(map(_turn, turns)))
    raise ValueError("it has game, version, seats, options, seed and turns")


def _turn(data: Json) -> tuple[tuple[Seat, JsonObject], ...]:
    return tuple(_given(item) for item in sequence(data))


def _given(item: Json) -> tuple[Seat, JsonObject]:
    match item:
        case [str(seat), Mapping() as order]:
            return seat, order
    raise ValueError("an order in it is a seat and an object")


def start(game: AnyGame, seats: Sequence[Seat], options: JsonObject, seed: str) -> Any:
    """The state in which a tournament with this seed begins."""
    return game.setup(seats, options, HashRng(seed, START))


def close(
    game: AnyGame, state: Any, orders: Mapping[Seat, Order], seed: str, turn: int
) -> Resolution[Any]:
    """Resolve the turn of this number, counted from 0, with the chance that belongs to it."""
    return game.resolve(state, orders, HashRng(seed, str(turn)))


def replay(game: AnyGame, record: Record) -> Iterator[Resolution[Any]]:
    """The start, then what each turn led to. Raises BadRecord at what can't have happened."""
    if (record.game, record.version) != (game.key, game.version):
        raise BadRecord(
            f"This is a record of {record.game} {record.version}, not of {game.key} {game.version}."
        )
    try:
        state = start(game, record.seats, record.options, record.seed)
        yield Resolution(state)
        for number, turn in enumerate(record.turns):
            if not game.due(state):
                raise BadRecord("It goes on after its end.")
            orders = _orders(game, state, turn)
            resolution = close(game, state, orders, record.seed, number)
            yield resolution
            state = resolution.state
    except Refusal as refusal:
        raise BadRecord(refusal.sentence) from refusal


def _orders(game: AnyGame, state: Any, turn: Sequence[tuple[Seat, Json]]) -> dict[Seat, Order]:
    orders: dict[Seat, Order] = {}
    for seat, data in turn:
        if seat in orders:
            raise BadRecord(f"{seat} has two orders in one turn.")
        order = game.parse(data)
        game.check(state, seat, order)
        orders[seat] = order
    return orders
