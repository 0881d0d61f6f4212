"""Plays any game by chance, through the protocol alone; what `promises` then looks at.

A game comes into the harness as an `Entry`: what to announce, and, if it keeps secrets, how to
make twins: two resolutions that some eyes must not be able to tell apart.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games.kit import replay
from games.kit.codec import JsonObject
from games.kit.errors import Refusal
from games.kit.protocol import AnyGame, Choice, Order, Resolution, Seat, Viewer, is_complete
from games.kit.replay import Record
from games.kit.rng import HashRng, Rng, choose, shuffle


@dataclass(frozen=True)
class Announcement:
    """What a tournament is announced with, who takes part, and how long it can be at most."""

    options: JsonObject
    seats: tuple[Seat, ...]
    longest: int = 2_000


@dataclass(frozen=True)
class Twin:
    """Two resolutions that differ only in what these viewers may not know yet."""

    one: Resolution[Any]
    other: Resolution[Any]
    blind: tuple[Viewer, ...]


@dataclass(frozen=True, eq=False)
class Entry:
    """A game in the harness."""

    game: AnyGame
    announcements: tuple[Announcement, ...]
    twins: Callable[[AnyGame, Any, Rng], Iterable[Twin]] | None = None
    seeds: int = 3

    @cached_property
    def playings(self) -> tuple["Playing", ...]:
        """Some tournaments of each announcement, played to the end."""
        return tuple(
            play(self.game, announcement, f"{self.game.key} {number}")
            for announcement in self.announcements
            for number in range(self.seeds)
        )


@dataclass(frozen=True)
class Step:
    """One turn: the state before, the orders, and what they led to."""

    before: Any
    orders: Mapping[Seat, Order]
    resolution: Resolution[Any]
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Playing:
    """A tournament that was played."""

    game: AnyGame
    announcement: Announcement
    seed: str
    start: Any
    steps: tuple[Step, ...]
    record: Record = field(repr=False)

    @property
    def last(self) -> Any:
        return self.steps[-1].resolution.state if self.steps else self.start

    @property
    def states(self) -> list[Any]:
        return [self.start, *(step.resolution.state for step in self.steps)]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (None, *self.announcement.seats)

    def some_states(self, about: int = 12) -> list[Any]:
        """The first state, the last, and some in between."""
        return some(self.states, about)

    def some_steps(self, about: int = 12) -> list[Step]:
        return some(self.steps, about)


def some(items: Sequence[Any], about: int) -> list[Any]:
    """Some of many, evenly spread, the first and the last among them."""
    if len(items) <= about:
        return list(items)
    return [*items[: -1 : -(-len(items) // about)], items[-1]]


def play(game: AnyGame, announcement: Announcement, seed: str) -> Playing:
    """A tournament of random orders, with people who are away or interrupt now and then."""
    seats, options = announcement.seats, announcement.options
    state = start = replay.start(game, seats, options, seed)
    record = Record(game.key, game.version, seats, options, seed)
    steps: list[Step] = []
    while game.due(state):
        assert len(steps) < announcement.longest, "it does not end"
        rng = HashRng(f"the players of {seed}", str(len(steps)))
        orders = gather(game, state, seats, rng, seed)
        resolution = replay.close(game, state, dict(orders), seed, len(steps))
        record = record.with_turn(orders)
        steps.append(Step(state, orders, resolution, seats))
        state = resolution.state
    return Playing(game, announcement, seed, start, tuple(steps), record)


def gather(
    game: AnyGame, state: Any, seats: Sequence[Seat], rng: Rng, seed: str
) -> dict[Seat, Order]:
    """The orders of one turn, in an order of receipt, until nobody is waited for."""
    orders: dict[Seat, Order] = {}
    due = list(game.due(state))
    shuffle(rng, due)
    for seat in due:
        interrupted = rng.number(1, 30) == 1 and interrupt(game, state, seats, rng)
        if interrupted:
            orders.update(interrupted)
        elif not is_away(seat, seed, rng):
            orders[seat] = game.sample(state, seat, rng.under(seat))
        if is_complete(game, state, orders):
            break
    return orders


def is_away(seat: Seat, seed: str, rng: Rng) -> bool:
    """Everybody is away now and then; in some tournaments there is one who hardly ever comes."""
    lazy = HashRng(seed, f"lazy {seat}").number(1, 6) == 1
    return rng.number(1, 3 if lazy else 20) <= (2 if lazy else 1)


def interrupt(game: AnyGame, state: Any, seats: Sequence[Seat], rng: Rng) -> dict[Seat, Order]:
    """An interrupting order of any seat, due or not, if the game has such orders."""
    found = [
        (seat, order)
        for seat in seats
        for choice in game.choices(game.view(state, seat))
        if not choice.fields and (order := game.parse(choice.order)).interrupts
    ]
    return dict([choose(rng, found)]) if found else {}


# --- What the promises are made of --------------------------------------------------------------


def refusal(kind: type[Refusal], call: Callable[..., Any], *args: Any) -> Refusal | None:
    """The refusal that the call ends with, if any. Whatever else it raises is a breach."""
    refused: Refusal | None = None
    try:
        call(*args)
    except kind as no:
        refused = no
    except Exception as wrong:
        raise AssertionError(f"{kind.__name__} was due, not {wrong!r}") from wrong
    assert refused is None or (refused.code and refused.sentence.strip()), "a refusal says why"
    return refused


def assert_plain(value: Any, where: str = "here") -> None:
    """Whole numbers, texts, lists and objects only: no fraction, no set, no game's own value."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            assert type(key) is str, f"{where}: {key!r} is no key"
            assert_plain(item, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            assert_plain(item, f"{where}[{number}]")
    else:
        assert value is None or type(value) in (bool, int, str), f"{where}: {value!r}"


def filled(choice: Choice, rng: Rng) -> JsonObject:
    """The order of a choice, with something put into each of its fields."""
    order: dict[str, Any] = dict(choice.order)
    for part in choice.fields:
        if not (part.optional and rng.number(0, 1)):
            put(order, part.name.split("."), fill(part, rng))
    return order


def put(order: dict[str, Any], path: list[str], value: Any) -> None:
    """Put a value where a dotted name leads."""
    *way, last = path
    for step in way:
        order = order.setdefault(step, {})
    order[last] = value


def fill(part: Any, rng: Rng) -> Any:
    if part.kind == "number":
        return rng.number(part.low, part.high)
    if part.kind == "one":
        return choose(rng, part.options)
    assert part.kind == "some", f"{part.kind} is no kind of field"
    options = list(part.options)
    shuffle(rng, options)
    return options[: rng.number(part.low, part.high)]


def offers(choice: Choice, order: JsonObject) -> bool:
    """Whether an order is this choice, its fields filled in somehow."""
    parts = {part.name: part for part in choice.fields}
    given = {name: value for name, value in leaves(order) if name in parts}
    rest = {name: value for name, value in leaves(order) if name not in parts}
    filled_in = all(part.optional or name in given for name, part in parts.items())
    fits = all(fits_in(parts[name], value) for name, value in given.items())
    return filled_in and fits and rest == dict(leaves(choice.order))


def leaves(order: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """What an order says, each with its dotted name."""
    for key, value in order.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{name}{key}.")
        else:
            yield f"{name}{key}", as_lists(value)


def fits_in(part: Any, value: Any) -> bool:
    if part.kind == "number":
        return type(value) is int and part.low <= value <= part.high
    if part.kind == "one":
        return value in part.options
    inside = all(tile in part.options for tile in value)
    return inside and part.low <= len(set(value)) == len(value) <= part.high


def as_lists(value: Any) -> Any:
    """JSON knows no tuples."""
    if isinstance(value, Mapping):
        return {key: as_lists(item) for key, item in value.items()}
    return [as_lists(item) for item in value] if isinstance(value, list | tuple) else value
