"""The promise of a game: all that the site, the bots and the tools ever ask of one.

The site never asks whether a game is simultaneous or alternating. It asks who is `due` (all,
some, one, or nobody once it is over), gathers their orders in secret, and calls `resolve`.
A game is pure: the same arguments give the same answer, for ever, on every machine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from games.kit.codec import Json, JsonObject
from games.kit.options import Option
from games.kit.rng import Rng
from games.kit.scene import Scene
from games.kit.sentences import Sentence

Seat: TypeAlias = str
"""A place in a tournament: `a`, `b`, … in Battle, `white` and `black` elsewhere."""

Viewer: TypeAlias = "Seat | None"
"""Whose eyes: a seat's, or a bystander's (None)."""


class Order(Protocol):
    """What a seat wants. Frozen; equal if it asks for the same."""

    @property
    def interrupts(self) -> bool:
        """Whether it is carried out at once, without waiting for the others who are due.

        Those are then asked again: to be interrupted is no absence. A seat that is not due
        may give interrupting orders only.
        """

    def to_json(self) -> JsonObject:
        """What `parse` reads back as this order: always an object."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended. No winner is a draw; several share the victory.

    `ranks` has every seat, 1 for the best, equals equal. `facts` are what the world needs
    to draw its consequences, in whole numbers, texts, lists and objects.
    """

    winners: tuple[Seat, ...]
    reason: str
    ranks: Mapping[Seat, int]
    facts: JsonObject


@dataclass(frozen=True, slots=True)
class Clock:
    """What a due seat's time is counted by.

    While `key` stays the same the deadline runs on, however many orders are resolved; `kind`
    says which of the announced times it is: `turn`, or a game's own, such as `answer`. A key
    that comes back goes on with the time it had left. Whoever lets a `fatal` one run out has
    lost; with any other, silence has its default.
    """

    key: str
    kind: str = "turn"
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an order that the player still has to fill in.

    `number`: a whole number from `low` to `high`. `one`: one of `options`. `some`: a list of
    `low` to `high` different ones of `options`. A dot in `name` leads into an object of the
    order: `give.wood`. What is `optional` may be left out.
    """

    name: str
    kind: str
    low: int = 0
    high: int = 0
    options: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be ordered now: send `order`, with each of `fields` put into it.

    A board offers it when `piece` is picked up and dropped on `tile`; where those are empty it
    is a button, named by `label`, a stable code that the site has words for.
    """

    order: JsonObject
    label: str
    piece: str = ""
    tile: str = ""
    fields: tuple[Field, ...] = ()


S = TypeVar("S")
"""A game's state: frozen, whole, with all secrets. It never leaves the server."""
O = TypeVar("O", bound=Order)  # noqa: E741
V = TypeVar("V")
"""What one pair of eyes may know of a state."""


@dataclass(frozen=True, slots=True)
class Resolution(Generic[S]):
    """What `resolve` gives: the next state, and what happened on the way to it, in order.

    Events are the game's own frozen values; `Game.report` says who may know what of them.
    """

    state: S
    events: tuple[Any, ...] = ()


class Game(Protocol[S, O, V]):
    """A set of rules. Raises `Refusal`s for what people send, and nothing else."""

    @property
    def key(self) -> str:
        """Its name in records and addresses, for ever."""

    @property
    def version(self) -> int:
        """Grows whenever an old record would replay otherwise."""

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be announced, as a schema that forms are made of."""

    def seats(self, options: JsonObject) -> tuple[Seat, ...]:
        """All seats that there can be under these options, in their order. Raises BadOptions."""

    def setup(self, seats: Sequence[Seat], options: JsonObject, rng: Rng) -> S:
        """The state in which it starts with these seats taken. Raises BadOptions."""

    def due(self, state: S) -> tuple[Seat, ...]:
        """The seats that are waited for. Nobody: it is over."""

    def clock(self, state: S) -> Clock:
        """Which clock runs for those who are due."""

    def parse(self, data: Json) -> O:
        """Read an order. Raises Unreadable."""

    def check(self, state: S, seat: Seat, order: O) -> None:
        """Raises Forbidden unless this seat may give this order now, due or not."""

    def default(self, state: S, seat: Seat) -> O:
        """What a seat does that stays silent when it is due; always allowed."""

    def resolve(self, state: S, orders: Mapping[Seat, O], rng: Rng) -> Resolution[S]:
        """Carry out checked orders, given in the order of their receipt.

        A due seat without one was absent, unless an order interrupts: its default is carried
        out, and the game may hold its absence against it.
        """

    def outcome(self, state: S) -> Outcome | None:
        """How it ended, or None while somebody is due."""

    def view(self, state: S, viewer: Viewer, over: bool = False) -> V:
        """What these eyes may know: the one gate. When it is over, everything is open.

        `over` says that the site has ended it by itself, which no state can know.
        """

    def report(
        self, state: S, events: Sequence[Any], viewer: Viewer, over: bool = False
    ) -> Sequence[JsonObject]:
        """What these eyes may know of the events that led to `state`: the gate once more.

        Each has `what`, its kind, and all that an animation needs.
        """

    def tell(
        self, state: S, events: Sequence[Any], viewer: Viewer, over: bool = False
    ) -> Sequence[Sentence]:
        """What `report` says, in words."""

    def scene(self, view: V) -> Scene:
        """How to draw a view."""

    def choices(self, view: V) -> tuple[Choice, ...]:
        """What the viewer may order. A bystander: nothing."""

    def sample(self, state: S, seat: Seat, rng: Rng) -> O:
        """Some allowed order of a due seat, every kind of order within reach of chance."""

    def encode(self, state: S) -> Json:
        """The whole state as canonical JSON; a cache of what a record replays to."""

    def decode(self, data: Json) -> S:
        """The state that was encoded. Raises BadRecord."""


AnyGame: TypeAlias = Game[Any, Any, Any]


def is_complete(game: Game[S, O, V], state: S, orders: Mapping[Seat, O]) -> bool:
    """Whether nobody needs to be waited for any more."""
    return any(order.interrupts for order in orders.values()) or all(
        seat in orders for seat in game.due(state)
    )
