"""A toy: hexagons, a secret set-up of both at once, then turns, a secret mine, giving up any time.

Each side camps on a tile of its edge and buries a mine. Then they walk in turn, one step each.
Whoever steps on the other's mine loses; whoever steps on the other wins; twelve steps are a draw.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.kit.codec import is_whole
from games.kit.errors import BadOptions, BadRecord, Forbidden, Unreadable
from games.kit.grids import HEX_STEPS, Tile, hex_distance, name, tile_named
from games.kit.options import Whole, read_options
from games.kit.protocol import AnyGame, Choice, Clock, Field, Outcome, Resolution, Viewer
from games.kit.rng import Rng, choose
from games.kit.scene import Cell, Figure, Mark, Scene
from games.kit.sentences import Sentence
from tests.games.harness import Announcement, Entry, Twin

SIDES = ("south", "north")
TILES = tuple(
    (x, y) for y in range(5) for x in range(5) if hex_distance((x, y), (2, 2)) <= 2
)  # fmt: skip
EDGES = {
    side: tuple(name(t) for t in TILES if t[1] == y) for side, y in zip(SIDES, (4, 0), strict=True)
}


@dataclass(frozen=True)
class Order:
    data: tuple[tuple[str, Any], ...]

    @property
    def interrupts(self) -> bool:
        return "resign" in dict(self.data)

    def to_json(self) -> dict[str, Any]:
        return dict(self.data)


@dataclass(frozen=True)
class State:
    steps: int = 0
    limit: int = 12
    camps: tuple[str, ...] = ()
    mines: tuple[str, ...] = ()
    verdict: tuple[str, str] | None = None


@dataclass(frozen=True)
class View:
    viewer: Viewer
    state: State


class Camps:
    key = "camps"
    version = 1
    options = (Whole("limit", 1, 99, default=12),)

    def seats(self, options: Any) -> tuple[str, ...]:
        read_options(self.options, options)
        return SIDES

    def setup(self, seats: Sequence[str], options: Any, rng: Rng) -> State:
        if set(seats) != set(self.seats(options)):
            raise BadOptions("seats", "this is a game for two")
        return State(limit=int(str(read_options(self.options, options)["limit"])))

    def due(self, state: State) -> tuple[str, ...]:
        if state.verdict:
            return ()
        return (SIDES[state.steps % 2],) if state.camps else SIDES

    def clock(self, state: State) -> Clock:
        return Clock(f"step {state.steps}" if state.camps else "set-up")

    def parse(self, data: Any) -> Order:
        match data:
            case {"camp": str(), "mine": str()} | {"go": str()} | {"resign": True}:
                if len(data) == (2 if "camp" in data else 1):
                    return Order(tuple(sorted(data.items())))
        raise Unreadable("not-an-order", "Camp with a mine, go or resign.")

    def check(self, state: State, seat: str, order: Order) -> None:
        if state.verdict or seat not in SIDES:
            raise Forbidden("not-playing", "You do not play, or it is over.")
        if not any(order.to_json() in self._filled(choice) for choice in self._all(state, seat)):
            raise Forbidden("not-now", "You may not do this now.")

    def default(self, state: State, seat: str) -> Order:
        return self.parse(next(self._filled(self._all(state, seat)[0])))

    def resolve(self, state: State, orders: Mapping[str, Order], rng: Rng) -> Resolution[State]:
        given = {seat: order.to_json() for seat, order in orders.items()}
        for seat in SIDES:
            if "resign" in given.get(seat, ()):
                return self._end(state, SIDES[1 - SIDES.index(seat)], "resign", (("resign", seat),))
        for seat in self.due(state):
            given.setdefault(seat, self.default(state, seat).to_json())
        if not state.camps:
            mines = tuple(given[seat]["mine"] for seat in SIDES)
            after = replace(state, camps=tuple(given[seat]["camp"] for seat in SIDES), mines=mines)
            return Resolution(after, (("camps", *after.camps), ("buried", *mines)))
        return self._walk(state, given)

    def _walk(self, state: State, given: Mapping[str, Any]) -> Resolution[State]:
        me, other = state.steps % 2, 1 - state.steps % 2
        to = given[SIDES[me]]["go"]
        camps = tuple(to if side == me else state.camps[side] for side in (0, 1))
        after = replace(state, camps=camps, steps=state.steps + 1)
        events = (("step", SIDES[me], to),)
        if to == state.mines[other]:
            return self._end(after, SIDES[other], "mine", events)
        if to == state.camps[other]:
            return self._end(after, SIDES[me], "caught", events)
        return (
            self._end(after, "", "limit", events)
            if after.steps >= state.limit
            else Resolution(after, events)
        )

    def _end(self, state: State, winner: str, reason: str, events: Any) -> Resolution[State]:
        return Resolution(replace(state, verdict=(winner, reason)), (*events, ("end", reason)))

    def outcome(self, state: State) -> Outcome | None:
        if state.verdict is None:
            return None
        winner, reason = state.verdict
        ranks = {side: 1 if winner in ("", side) else 2 for side in SIDES}
        return Outcome((winner,) if winner else (), reason, ranks, {"steps": state.steps})

    def view(self, state: State, viewer: Viewer, over: bool = False) -> View:
        """A mine is its owner's secret as long as it goes on."""
        hidden = (
            m if over or state.verdict or viewer == s else ""
            for s, m in zip(SIDES, state.mines, strict=False)
        )
        return View(viewer, replace(state, mines=tuple(hidden)))

    def report(
        self, state: State, events: Sequence[Any], viewer: Viewer, over: bool = False
    ) -> list[dict[str, Any]]:
        return [
            {
                "what": what,
                "about": about if what != "buried" else self.view(state, viewer, over).state.mines,
            }
            for what, *about in events
        ]

    def tell(
        self, state: State, events: Sequence[Any], viewer: Viewer, over: bool = False
    ) -> list[Sentence]:
        told = self.report(state, events, viewer, over)
        return [Sentence("%(it)s.", {"it": str(it)}, number) for number, it in enumerate(told)]

    def scene(self, view: View) -> Scene:
        camps = tuple(
            Figure(side, "camp", side, tile)
            for side, tile in zip(SIDES, view.state.camps, strict=False)
        )
        mines = tuple(Mark("mine", tile) for tile in view.state.mines if tile)
        cells = tuple(Cell(name(tile), *tile) for tile in TILES)
        return Scene("hex", cells, camps, mines, (), f"{view.state.camps} {view.state.mines}")

    def choices(self, view: View) -> tuple[Choice, ...]:
        return () if view.viewer is None else self._all(view.state, view.viewer)

    def _all(self, state: State, seat: str) -> tuple[Choice, ...]:
        if state.verdict:
            return ()
        found = []
        if not state.camps:
            own = EDGES[seat]
            found = [
                Choice({"camp": t}, "camp", "", t, (Field("mine", "one", options=own),))
                for t in own
            ]
        elif seat in self.due(state):
            at = tile_named(state.camps[SIDES.index(seat)])
            found = [Choice({"go": t}, "go", seat, t) for t in self._beside(at)]
        return (*found, Choice({"resign": True}, "resign"))

    def _beside(self, at: Tile) -> list[str]:
        tiles = [(at[0] + dx, at[1] + dy) for dx, dy in HEX_STEPS]
        return [name(tile) for tile in tiles if tile in TILES]

    def _filled(self, choice: Choice) -> Iterator[dict[str, Any]]:
        for mine in choice.fields[0].options if choice.fields else ("",):
            yield {**choice.order, "mine": mine} if mine else dict(choice.order)

    def sample(self, state: State, seat: str, rng: Rng) -> Order:
        *choices, _ = self._all(state, seat)
        return self.parse(
            choose(rng, [data for choice in choices for data in self._filled(choice)])
        )

    def encode(self, state: State) -> Any:
        return {name: getattr(state, name) for name in State.__dataclass_fields__}

    def decode(self, data: Any) -> State:
        match data:
            case {"steps": steps, "limit": limit, "camps": [*camps], "mines": [*mines],
                  "verdict": None | [str(), str()] as verdict, **rest} if not rest:  # fmt: skip
                tiles = [name(tile) for tile in TILES]
                placed = len(camps) == len(mines) in (0, 2) and all(
                    tile in tiles for tile in (*camps, *mines)
                )
                counted = all(is_whole(n) and n >= 0 for n in (steps, limit))
                if placed and counted and (verdict is None or verdict[0] in ("", *SIDES)):
                    won = verdict and (verdict[0], verdict[1])
                    return State(steps, limit, tuple(camps), tuple(mines), won)
        raise BadRecord("this is no state of camps")


def twins(game: AnyGame, state: Any, rng: Rng) -> Iterator[Twin]:
    """The same with one side's mine elsewhere: the other and bystanders must see no difference."""
    if state.camps and not state.verdict:
        for side, seat in enumerate(SIDES):
            moved = list(state.mines)
            moved[side] = next(tile for tile in EDGES[seat] if tile != state.mines[side])
            other = replace(state, mines=tuple(moved))
            events = (("buried", *state.mines),), (("buried", *moved),)
            yield Twin(
                Resolution(state, events[0]), Resolution(other, events[1]), (None, SIDES[1 - side])
            )


CAMPS = Camps()
ANNOUNCEMENTS = (Announcement({}, SIDES, 40), Announcement({"limit": 5}, SIDES, 40))
CAMPS_ENTRY = Entry(CAMPS, ANNOUNCEMENTS, twins, seeds=12)
