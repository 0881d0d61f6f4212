"""A toy: dice, phases, a question that another seat must answer, and secrets in what happens.

In turn, each seat rolls one die for coins that only it sees, then offers some of them to another,
who says yes or no. A standing policy of any seat, changed at any time, says no for it at once.
After the last round the most coins win.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from games.kit.codec import is_whole
from games.kit.errors import BadOptions, BadRecord, Forbidden, Unreadable
from games.kit.options import OneOf, Whole, read_options
from games.kit.protocol import AnyGame, Choice, Clock, Field, Outcome, Resolution, Viewer
from games.kit.rng import HashRng, Rng, choose
from games.kit.scene import Cell, Figure, Scene, Tray
from games.kit.sentences import Sentence
from tests.games.harness import Announcement, Entry, Twin, filled

SEATS = ("ann", "bob", "cat")
PASS, YES, NO = {"pass": True}, {"answer": True}, {"answer": False}


@dataclass(frozen=True)
class Order:
    data: tuple[tuple[str, Any], ...]

    @property
    def interrupts(self) -> bool:
        return "policy" in dict(self.data)

    def to_json(self) -> dict[str, Any]:
        return dict(self.data)


@dataclass(frozen=True)
class State:
    seats: tuple[str, ...]
    last_turn: int
    coins: tuple[int, ...]
    shut: tuple[str, ...] = ()
    turn: int = 0
    phase: str = "roll"
    offer: tuple[str, int] | None = None


@dataclass(frozen=True)
class View:
    viewer: Viewer
    state: State
    """With None for every number of coins that these eyes may not know."""


class Parley:
    key = "parley"
    version = 1
    options = (
        Whole("rounds", 1, 20, default=3),
        OneOf("purse", ("empty", "full"), default="empty"),
    )

    def seats(self, options: Any) -> tuple[str, ...]:
        read_options(self.options, options)
        return SEATS

    def setup(self, seats: Sequence[str], options: Any, rng: Rng) -> State:
        values: dict[str, Any] = read_options(self.options, options)
        if len(seats) < 2 or not set(seats) <= set(SEATS):
            raise BadOptions("seats", "two or three of ann, bob and cat")
        purse = 9 if values["purse"] == "full" else 0
        return State(tuple(seats), values["rounds"] * len(seats), (purse,) * len(seats))

    def due(self, state: State) -> tuple[str, ...]:
        if state.turn >= state.last_turn:
            return ()
        return (state.offer[0] if state.offer else self._active(state),)

    def _active(self, state: State) -> str:
        return state.seats[state.turn % len(state.seats)]

    def clock(self, state: State) -> Clock:
        """The time of a turn stands still while somebody else must answer."""
        if state.offer:
            return Clock(f"answer {state.turn}", "answer")
        return Clock(f"turn {state.turn}")

    def parse(self, data: Any) -> Order:
        match data:
            case {"roll": True} | {"pass": True} | {"answer": bool()} | {"policy": "shut" | "open"}:
                if len(data) == 1:
                    return Order(tuple(data.items()))
            case {"offer": {"to": str(to), "coins": int(coins), **more}}:
                if type(coins) is int and not more and len(data) == 1:
                    return Order((("offer", {"to": to, "coins": coins}),))
        raise Unreadable("not-an-order", "Roll, offer, pass, answer or set your policy.")

    def check(self, state: State, seat: str, order: Order) -> None:
        if not self.due(state) or seat not in state.seats:
            raise Forbidden("not-playing", "You do not play, or it is over.")
        data = order.to_json()
        if "offer" in data:
            self._check_offer(state, seat, data["offer"])
        elif data not in [choice.order for choice in self._all(state, seat)]:
            raise Forbidden("not-now", "You may not do this now.")

    def _check_offer(self, state: State, seat: str, data: Any) -> None:
        if seat not in self.due(state) or state.phase != "offer":
            raise Forbidden("not-now", "You may not offer anything now.")
        if data["to"] not in state.seats or data["to"] == seat:
            raise Forbidden("nobody", f"There is no {data['to']} to offer anything to.")
        if not 1 <= data["coins"] <= state.coins[state.seats.index(seat)]:
            raise Forbidden("too-much", "You have no such number of coins.")

    def default(self, state: State, seat: str) -> Order:
        return self.parse({"roll": {"roll": True}, "offer": PASS, "answer": NO}[state.phase])

    def resolve(self, state: State, orders: Mapping[str, Order], rng: Rng) -> Resolution[State]:
        policies = {s: o.to_json()["policy"] for s, o in orders.items() if o.interrupts}
        if policies:
            shut = {
                s
                for s in state.seats
                if policies.get(s, "shut" if s in state.shut else "") == "shut"
            }
            after = replace(state, shut=tuple(sorted(shut)))
            return Resolution(after, tuple(("policy", *item) for item in policies.items()))
        (seat,) = self.due(state)
        data = orders.get(seat, self.default(state, seat)).to_json()
        return getattr(self, f"_{state.phase}")(state, seat, data, rng)

    def _roll(self, state: State, seat: str, data: Any, rng: Rng) -> Resolution[State]:
        die = rng.number(1, 6)
        return Resolution(
            self._pay(replace(state, phase="offer"), seat, die), (("roll", seat, die),)
        )

    def _offer(self, state: State, seat: str, data: Any, rng: Rng) -> Resolution[State]:
        if "offer" not in data or data["offer"]["to"] in state.shut:
            return Resolution(self._next(state), (("no-deal", seat),))
        to, coins = data["offer"]["to"], data["offer"]["coins"]
        offered = replace(state, phase="answer", offer=(to, coins))
        return Resolution(offered, (("offer", seat, to, coins),))

    def _answer(self, state: State, seat: str, data: Any, rng: Rng) -> Resolution[State]:
        assert state.offer
        coins = state.offer[1] if data["answer"] else 0
        after = self._pay(self._pay(state, seat, coins), self._active(state), -coins)
        return Resolution(self._next(after), (("answer", seat, bool(coins)),))

    def _pay(self, state: State, seat: str, coins: int) -> State:
        return replace(
            state,
            coins=tuple(
                n + coins * (s == seat) for s, n in zip(state.seats, state.coins, strict=True)
            ),
        )

    def _next(self, state: State) -> State:
        return replace(state, turn=state.turn + 1, phase="roll", offer=None)

    def outcome(self, state: State) -> Outcome | None:
        if self.due(state):
            return None
        ranks = {
            s: 1 + sum(n > mine for n in state.coins)
            for s, mine in zip(state.seats, state.coins, strict=True)
        }
        winners = tuple(seat for seat in state.seats if ranks[seat] == 1)
        return Outcome(winners, "coins", ranks, {"coins": state.coins})

    def view(self, state: State, viewer: Viewer, over: bool = False) -> View:
        known = tuple(
            n if over or viewer == s or not self.due(state) else -1
            for s, n in zip(state.seats, state.coins, strict=True)
        )
        return View(viewer, replace(state, coins=known))

    def report(
        self, state: State, events: Sequence[Any], viewer: Viewer, over: bool = False
    ) -> list[dict[str, Any]]:
        """Who rolled is told to all, what to whoever rolled."""
        open_to_all = over or not self.due(state)
        return [
            {
                "what": what,
                "seat": seat,
                "more": more if what != "roll" or viewer == seat or open_to_all else [],
            }
            for what, seat, *more in events
        ]

    def tell(
        self, state: State, events: Sequence[Any], viewer: Viewer, over: bool = False
    ) -> list[Sentence]:
        told = self.report(state, events, viewer, over)
        return [Sentence("%(it)s.", {"it": str(it)}, number) for number, it in enumerate(told)]

    def scene(self, view: View) -> Scene:
        seats, coins = view.state.seats, view.state.coins
        purses = [(("coins", n),) if n >= 0 else () for n in coins]
        return Scene(
            "square",
            tuple(Cell(seat, x, 0) for x, seat in enumerate(seats)),
            tuple(Figure(seat, "trader", seat, seat) for seat in seats),
            (),
            tuple(Tray("purse", s, (), c) for s, c in zip(seats, purses, strict=True)),
            f"{view.state}",
        )

    def choices(self, view: View) -> tuple[Choice, ...]:
        return self._all(view.state, view.viewer) if view.viewer and self.due(view.state) else ()

    def _all(self, state: State, seat: str) -> tuple[Choice, ...]:
        found = [Choice({"policy": word}, word) for word in ("shut", "open")]
        if seat not in self.due(state):
            return tuple(found)
        if state.phase == "roll":
            return (*found, Choice({"roll": True}, "roll"))
        if state.phase == "answer":
            return (*found, Choice(YES, "yes"), Choice(NO, "no"))
        others = tuple(other for other in state.seats if other != seat)
        rich = state.coins[state.seats.index(seat)]
        fields = (
            Field("offer.to", "one", options=others),
            Field("offer.coins", "number", 1, rich),
        )
        return (
            *found,
            Choice(PASS, "pass"),
            *([Choice({}, "offer", fields=fields)] if rich > 0 else []),
        )

    def sample(self, state: State, seat: str, rng: Rng) -> Order:
        own = [choice for choice in self._all(state, seat) if "policy" not in choice.order]
        return self.parse(filled(choose(rng, own), rng))

    def encode(self, state: State) -> Any:
        return asdict(state)

    def decode(self, data: Any) -> State:
        match data:
            case {"seats": [*seats], "last_turn": last, "coins": [*coins], "shut": [*shut],
                  "turn": turn, "phase": "roll" | "offer" | "answer" as phase,
                  "offer": None | [str(), int()] as offer, **rest} if not rest:  # fmt: skip
                seated = all(is_among(group, SEATS) for group in (seats, shut)) and len(seats) > 1
                counted = all(is_whole(n) and n >= 0 for n in (last, turn, *coins))
                asked = (phase == "answer") == (offer is not None)
                if seated and counted and asked and len(coins) == len(seats):
                    state = State(tuple(seats), last, tuple(coins), tuple(shut), turn, phase)
                    return replace(state, offer=offer and self._asked(state, *offer))
        raise BadRecord("this is no state of parley")

    def _asked(self, state: State, to: str, coins: int) -> tuple[str, int]:
        if to not in state.seats or to == self._active(state) or not is_whole(coins):
            raise BadRecord("nobody could have offered this")
        return to, coins


def is_among(group: list[Any], seats: tuple[str, ...]) -> bool:
    return all(seat in seats and group.count(seat) == 1 for seat in group)


def twins(game: AnyGame, state: Any, rng: Rng) -> Iterator[Twin]:
    """Another purse of somebody's, and another roll: all but its owner must see no difference."""
    if not game.due(state):
        return
    for seat in state.seats:
        blind = (None, *(other for other in state.seats if other != seat))
        richer = PARLEY._pay(state, seat, 1)
        yield Twin(Resolution(state), Resolution(richer), blind)
    if state.phase == "roll":
        rolls = [game.resolve(state, {}, HashRng("roll", str(number))) for number in range(20)]
        others = (None, *(seat for seat in state.seats if seat not in game.due(state)))
        yield Twin(rolls[0], next(r for r in rolls if r.state != rolls[0].state), others)


PARLEY = Parley()
ANNOUNCEMENTS = (Announcement({"purse": "full"}, ("ann", "bob"), 200), Announcement({}, SEATS, 200))
PARLEY_ENTRY = Entry(PARLEY, ANNOUNCEMENTS, twins, seeds=6)
