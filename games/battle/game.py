"""Battle behind the protocol of every game."""

from collections.abc import Mapping, Sequence

from games.battle import encoding, orders, rules, scenes, words
from games.battle.ending import conclude
from games.battle.events import Event, to_json
from games.battle.orders import HOLD, RESIGN, Order
from games.battle.outcomes import outcome
from games.battle.stages import RESOLUTION, run
from games.battle.state import State
from games.battle.turn import Turn
from games.battle.views import View
from games.kit.codec import Json, JsonObject
from games.kit.errors import BadOptions
from games.kit.grids import name
from games.kit.options import Option
from games.kit.protocol import Choice, Clock, Outcome, Resolution, Seat, Viewer
from games.kit.rng import Rng, choose
from games.kit.scene import Scene
from games.kit.sentences import Sentence


class Battle:
    """Emperors and pawns, one secret order a seat and turn, all resolved at once."""

    key = "battle"
    version = 1
    options: tuple[Option, ...] = rules.OPTIONS

    def seats(self, options: JsonObject) -> tuple[Seat, ...]:
        return rules.read(options).battlefield.seats

    def setup(self, seats: Sequence[Seat], options: JsonObject, rng: Rng) -> State:
        """A battle on its first turn. The pieces of seats that nobody took stay away."""
        announced = rules.read(options)
        field = announced.battlefield
        taken = tuple(seat for seat in field.seats if seat in seats)
        if len(taken) < len(seats) or len(taken) < 2:
            raise BadOptions(
                "seats", f"{', '.join(seats)}: take two or more of {', '.join(field.seats)}"
            )
        return State(
            options=announced,
            seats=taken,
            pieces=tuple(piece for piece in field.pieces if piece.seat in taken),
            items=tuple(item for item in field.items if item.seat is None or item.seat in taken),
        )

    def due(self, state: State) -> tuple[Seat, ...]:
        return () if state.verdict else state.left()

    def clock(self, state: State) -> Clock:
        return Clock(f"turn {state.turn + 1}")

    def parse(self, data: Json) -> Order:
        return orders.parse(data)

    def check(self, state: State, seat: Seat, order: Order) -> None:
        orders.check(state, seat, order)

    def default(self, state: State, seat: Seat) -> Order:
        """A silent seat holds."""
        return HOLD

    def resolve(
        self, state: State, orders: Mapping[Seat, Order], rng: Rng | None = None
    ) -> Resolution[State]:
        """Carry out the orders of one turn. Nothing in it is left to chance."""
        turn = Turn(state, orders)
        run(turn, RESOLUTION)
        after = conclude(turn)
        return Resolution(after, tuple(turn.events))

    def outcome(self, state: State) -> Outcome | None:
        return outcome(state)

    def view(self, state: State, viewer: Viewer, over: bool = False) -> View:
        return View(viewer, state)

    def report(
        self, state: State, events: Sequence[Event], viewer: Viewer, over: bool = False
    ) -> list[JsonObject]:
        """All of them, for everyone: they are told when the turn is over, never before."""
        return [to_json(event) for event in events]

    def tell(
        self, state: State, events: Sequence[Event], viewer: Viewer, over: bool = False
    ) -> list[Sentence]:
        return words.tell(events, state.options.rules)

    def scene(self, view: View) -> Scene:
        return scenes.scene(view)

    def choices(self, view: View) -> tuple[Choice, ...]:
        seat = view.viewer
        if seat is None or seat not in self.due(view.state):
            return ()
        moves = (
            Choice(move.to_json(), "move", piece=move.piece, tile=name(move.to))
            for move in orders.moves(view.state, seat)
        )
        return (*moves, Choice(HOLD.to_json(), "hold"), Choice(RESIGN.to_json(), "resign"))

    def sample(self, state: State, seat: Seat, rng: Rng) -> Order:
        """Any move, or now and then a hold. Giving up is left to those who mean it."""
        moves: list[Order] = [*orders.moves(state, seat), HOLD]
        return choose(rng, moves)

    def encode(self, state: State) -> Json:
        return encoding.encode(state)

    def decode(self, data: Json) -> State:
        return encoding.decode(data)


BATTLE = Battle()
