"""A resolved turn in plain sentences: what happened, and why each piece ended where it did.

All templates there are stand in `TEXTS`, for the site to translate.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from games.battle.events import (
    Charged,
    Clashed,
    Ended,
    Event,
    Forfeited,
    Grew,
    Landed,
    Met,
    Missed,
    Orphaned,
    PickedUp,
    Pushed,
    Returned,
    Sprang,
    Tolled,
    Took,
)
from games.battle.pieces import CHEST
from games.battle.rules import Rules
from games.kit.grids import Tile, name
from games.kit.sentences import Sentence, Value, gettext_noop

TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "moved": gettext_noop("%(piece)s moved from %(origin)s to %(at)s."),
        "came-down": gettext_noop("%(piece)s came down on %(at)s."),
        # Conflicts
        "rollback": gettext_noop("%(pieces)s met at %(at)s and were rolled back."),
        "bounce": gettext_noop("%(pieces)s met at %(at)s and bounced."),
        "rollback-first": gettext_noop(
            "%(pieces)s met at %(at)s: %(stays)s went on, for its order came first, "
            "while %(others)s went home."
        ),
        "bounce-first": gettext_noop(
            "%(pieces)s met at %(at)s: %(stays)s went on, for its order came first, "
            "while %(others)s bounced."
        ),
        "rollback-precedence": gettext_noop(
            "%(pieces)s met at %(at)s: %(stays)s went on, for an emperor who "
            "springs back has precedence, while %(others)s went home."
        ),
        "bounce-precedence": gettext_noop(
            "%(pieces)s met at %(at)s: %(stays)s went on, for an emperor who "
            "springs back has precedence, while %(others)s bounced."
        ),
        # Takes: who took whom, and what became of it
        "pawn-pawn-convert": gettext_noop(
            "%(by)s took %(piece)s at %(at)s; %(piece)s now obeys %(taker)s."
        ),
        "pawn-emperor-convert": gettext_noop(
            "%(by)s took the emperor %(piece)s at %(at)s; %(piece)s now obeys %(taker)s."
        ),
        "pawn-emperor-remove": gettext_noop(
            "%(by)s took the emperor %(piece)s at %(at)s; "
            "%(piece)s left the board, and %(by)s has its tile."
        ),
        "pawn-emperor-demote": gettext_noop(
            "%(by)s took the emperor %(piece)s at %(at)s; %(piece)s is now a pawn of %(taker)s."
        ),
        "pawn-emperor-demote-veteran": gettext_noop(
            "%(by)s took the emperor %(piece)s at %(at)s; "
            "%(piece)s is now a pawn of %(taker)s, and keeps the emperor's xp."
        ),
        "emperor-pawn-convert": gettext_noop(
            "The emperor %(by)s took %(piece)s at %(at)s; %(piece)s now obeys %(taker)s."
        ),
        "emperor-emperor-convert": gettext_noop(
            "The emperor %(by)s took the emperor %(piece)s at %(at)s; "
            "%(piece)s now obeys %(taker)s."
        ),
        "emperor-emperor-remove": gettext_noop(
            "The emperor %(by)s took the emperor %(piece)s at %(at)s; "
            "%(piece)s left the board, and %(by)s has its tile."
        ),
        "emperor-emperor-demote": gettext_noop(
            "The emperor %(by)s took the emperor %(piece)s at %(at)s; "
            "%(piece)s is now a pawn of %(taker)s."
        ),
        "emperor-emperor-demote-veteran": gettext_noop(
            "The emperor %(by)s took the emperor %(piece)s at "
            "%(at)s; %(piece)s is now a pawn of %(taker)s, and keeps the emperor's xp."
        ),
        "toll": gettext_noop("%(piece)s paid the toll: its xp fell from %(xp)s to 1."),
        "toll-of-nothing": gettext_noop("%(piece)s was to pay the toll, but had no xp to lose."),
        "pushed": gettext_noop("%(by)s pushed %(piece)s on to %(to)s and stayed on %(origin)s."),
        # Springs: to where it stays, or towards where something else will happen
        "sprang": gettext_noop("%(piece)s sprang back to %(to)s."),
        "sprang-past": gettext_noop("%(piece)s sprang back past %(past)s to %(to)s."),
        "sprang-towards": gettext_noop("%(piece)s sprang back towards %(to)s."),
        "sprang-past-towards": gettext_noop("%(piece)s sprang back past %(past)s towards %(to)s."),
        "found": gettext_noop(
            "%(piece)s found %(other)s back on %(aim)s and sprang back further, to %(to)s."
        ),
        "found-towards": gettext_noop(
            "%(piece)s found %(other)s back on %(aim)s and sprang back further, towards %(to)s."
        ),
        "found-home": gettext_noop(
            "%(piece)s found %(other)s back on %(aim)s and nothing free before it, "
            "so it returned home to %(at)s."
        ),
        "home": gettext_noop("%(piece)s returned home to %(at)s."),
        "home-past": gettext_noop(
            "%(piece)s found no free tile on its way and returned home to %(at)s."
        ),
        # Once nobody is in the air
        "grew": gettext_noop("%(pieces)s gained 1 xp."),
        "grew-each": gettext_noop("%(pieces)s gained 1 xp each."),
        "orphans-join": gettext_noop(
            "%(seat)s has no emperor left: %(to)s now commands %(pieces)s."
        ),
        "orphans-neutral": gettext_noop(
            "%(seat)s has no emperor left: nobody commands %(pieces)s any more."
        ),
        "orphans-vanish": gettext_noop("%(seat)s has no emperor left: %(pieces)s left the board."),
        "left-neutral": gettext_noop("Nobody commands %(pieces)s any more."),
        "left-vanish": gettext_noop("%(pieces)s left the board."),
        "treasure": gettext_noop("%(piece)s picked up the treasure at %(at)s."),
        "chest": gettext_noop("%(piece)s picked up a chest at %(at)s."),
        "chest-of": gettext_noop("%(piece)s picked up the chest of %(owner)s at %(at)s."),
        # Seats
        "missed": gettext_noop("%(seat)s gave no order in time, so it held."),
        "missed-again": gettext_noop(
            "%(seat)s gave no order in time, so it held, %(times)s times in a row now."
        ),
        "resigned": gettext_noop(
            "%(seat)s gave up; %(emperor)s left the board, neither taken nor dead."
        ),
        "resigned-bare": gettext_noop("%(seat)s gave up."),
        "forfeited": gettext_noop(
            "%(seat)s was absent too often and is out; %(emperor)s left the board, "
            "neither taken nor dead."
        ),
        "forfeited-bare": gettext_noop("%(seat)s was absent too often and is out."),
        # Goals, and the end
        "opposite-square": gettext_noop("%(seat)s met a goal: its emperor stands on its target."),
        "last-emperor": gettext_noop("%(seat)s met a goal: it alone has an emperor left."),
        "survive": gettext_noop(
            "%(seat)s met a goal: it survived, with its emperor and enough pieces."
        ),
        "take-superior": gettext_noop(
            "%(seat)s met a goal: it took an emperor of more xp than its own had."
        ),
        "emperor-strike": gettext_noop("%(seat)s met a goal: its emperor took the one opposite."),
        "treasure-goal": gettext_noop("%(seat)s met a goal: it has the treasure."),
        "won": gettext_noop("The battle is over: %(winners)s won."),
        "shared": gettext_noop("The battle is over: %(winners)s share the victory."),
        "draw": gettext_noop("The battle is over: nobody is left, so it is a draw."),
        "won-at-limit": gettext_noop(
            "The last turn is over: %(winners)s is the strongest and won."
        ),
        "shared-at-limit": gettext_noop(
            "The last turn is over: %(winners)s are equally strong and share the victory."
        ),
    }
)
"""Every template, by a stable code."""


def tell(events: Iterable[Event], rules: Rules) -> list[Sentence]:
    """The sentences that tell a whole turn, in the order in which it happened.

    `events` are all events of one turn. What goes without saying is not said: a piece that set
    out is told of where it lands, one rolled back in the conflict that sent it home, and one that
    sprang back is not told to have landed where it sprang to.
    """
    story = _Story(tuple(events), rules)
    sentences = []
    for index, event in enumerate(story.events):
        story.index = index
        told = TELLERS[type(event)](story, event)
        story.remember(event)
        if told is not None:
            code, values = told
            sentences.append(Sentence(TEXTS[code], MappingProxyType(values), index))
    return sentences


# --- What a teller has to remember --------------------------------------------------------------

_Told: TypeAlias = tuple[str, dict[str, Value]]
"""The code of a template, and its values."""


class _Story:
    """A turn as far as it has been told: what each piece in the air did last, and who came home."""

    def __init__(self, events: tuple[Event, ...], rules: Rules) -> None:
        self.events = events
        self.rolls_back = rules.conflict.startswith("rollback")
        self.first_stays = rules.conflict.endswith("-and-stay")
        self.index = 0
        self.charges: dict[str, Charged] = {}
        self.aims: dict[str, Tile] = {}
        self.last: dict[str, Event] = {}
        self.returned: dict[Tile, str] = {}
        self.absent: set[str] = set()
        self.left: set[str] = set()

    def remember(self, event: Event) -> None:
        for piece in _flyers(event):
            self.last[piece] = event
        match event:
            case Charged(piece, _, to):
                self.charges[piece] = event
                self.aims[piece] = to
            case Sprang(_, piece, _, to):
                self.aims[piece] = to
            case Returned(_, piece, at):
                self.returned[at] = piece
            case Missed(seat, _):
                self.absent.add(seat)
            case Forfeited(seat, _):
                self.left.add(seat)

    def lands_next(self, piece: str) -> bool:
        """Whether the next thing that this piece does is to land."""
        ahead = self.events[self.index + 1 :]
        return isinstance(next((e for e in ahead if piece in _flyers(e)), None), Landed)

    def who_is_back(self, piece: str) -> str | None:
        """Who came home to the tile that a springing piece aimed at, if that is why it goes on.

        Nobody else can stand there: a piece springs only to where nobody stands, nobody lands or
        is pushed where somebody aims, and so only a piece that returns home can be in its way.
        """
        last = self.last[piece]
        went_on = isinstance(last, Clashed) and last.stays == piece
        is_found = went_on or isinstance(last, Sprang)
        return self.returned.get(self.aims[piece]) if is_found else None


_FLYERS: Mapping[type, Callable[[Any], tuple[str, ...]]] = MappingProxyType(
    {
        Charged: lambda event: (event.piece,),
        Clashed: lambda event: event.pieces,
        Took: lambda event: (event.by,),
        Pushed: lambda event: (event.by,),
        Sprang: lambda event: (event.piece,),
        Landed: lambda event: (event.piece,),
        Returned: lambda event: (event.piece,),
    }
)


def _flyers(event: Event) -> tuple[str, ...]:
    """The pieces in the air that did, or suffered, what an event tells."""
    flyers = _FLYERS.get(type(event))
    return flyers(event) if flyers else ()


def _between(one: Tile, other: Tile) -> tuple[str, ...]:
    """The names of the tiles strictly between two of one row or column, from the first on."""
    (x, y), (to_x, to_y) = one, other
    length = abs(to_x - x) + abs(to_y - y)
    step_x, step_y = (to_x - x) // length, (to_y - y) // length
    return tuple(name((x + step_x * far, y + step_y * far)) for far in range(1, length))


# --- One teller for each kind of event ----------------------------------------------------------


def _charged(story: _Story, event: Charged) -> None:
    """Told by what comes of it."""


def _landed(story: _Story, event: Landed) -> _Told | None:
    if not isinstance(story.last[event.piece], Charged | Clashed):
        return None
    charge = story.charges[event.piece]
    if event.at != charge.to:
        return "came-down", {"piece": event.piece, "at": name(event.at)}
    values = {"piece": event.piece, "origin": name(charge.origin), "at": name(event.at)}
    return "moved", {**values}


def _clashed(story: _Story, event: Clashed) -> _Told:
    policy = "rollback" if story.rolls_back else "bounce"
    values: dict[str, Value] = {"pieces": event.pieces, "at": name(event.at)}
    if event.stays is None:
        return policy, values
    is_first = story.first_stays and event.stays == event.pieces[0]
    others = tuple(piece for piece in event.pieces if piece != event.stays)
    why = "first" if is_first else "precedence"
    return f"{policy}-{why}", {**values, "stays": event.stays, "others": others}


def _took(story: _Story, event: Took) -> _Told:
    return f"{event.by_kind}-{event.kind}-{event.fate}", {
        "by": event.by,
        "piece": event.piece,
        "at": name(event.at),
        "taker": event.taker,
    }


def _tolled(story: _Story, event: Tolled) -> _Told:
    if event.xp == 1:
        return "toll-of-nothing", {"piece": event.piece}
    return "toll", {"piece": event.piece, "xp": event.xp}


def _pushed(story: _Story, event: Pushed) -> _Told:
    values = {"by": event.by, "piece": event.piece}
    return "pushed", {**values, "origin": name(event.origin), "to": name(event.to)}


def _sprang(story: _Story, event: Sprang) -> _Told:
    towards = "" if story.lands_next(event.piece) else "-towards"
    values: dict[str, Value] = {"piece": event.piece, "to": name(event.to)}
    other = story.who_is_back(event.piece)
    if other is not None:
        return f"found{towards}", {**values, "other": other, "aim": name(event.origin)}
    past = _between(event.origin, event.to)
    if past:
        return f"sprang-past{towards}", {**values, "past": past}
    return f"sprang{towards}", values


def _returned(story: _Story, event: Returned) -> _Told | None:
    last = story.last[event.piece]
    if story.rolls_back and isinstance(last, Clashed) and last.stays != event.piece:
        return None
    values: dict[str, Value] = {"piece": event.piece, "at": name(event.at)}
    other = story.who_is_back(event.piece)
    aim = story.aims[event.piece]
    if other is not None:
        return "found-home", {**values, "other": other, "aim": name(aim)}
    return ("home-past" if _between(aim, event.at) else "home"), values


def _grew(story: _Story, event: Grew) -> _Told:
    return ("grew" if len(event.pieces) == 1 else "grew-each"), {"pieces": event.pieces}


def _orphaned(story: _Story, event: Orphaned) -> _Told:
    fate = "vanish" if event.gone else "neutral"
    if event.seat in story.left:
        return f"left-{fate}", {"pieces": event.pieces}
    values: dict[str, Value] = {"seat": event.seat, "pieces": event.pieces}
    if event.to is not None:
        return "orphans-join", {**values, "to": event.to}
    return f"orphans-{fate}", values


def _picked_up(story: _Story, event: PickedUp) -> _Told:
    values: dict[str, Value] = {"piece": event.piece, "at": name(event.at)}
    if event.kind == CHEST and event.owner is not None:
        return "chest-of", {**values, "owner": event.owner}
    return event.kind, values


def _missed(story: _Story, event: Missed) -> _Told:
    if event.times == 1:
        return "missed", {"seat": event.seat}
    return "missed-again", {"seat": event.seat, "times": event.times}


def _forfeited(story: _Story, event: Forfeited) -> _Told:
    code = "forfeited" if event.seat in story.absent else "resigned"
    if event.emperor is None:
        return f"{code}-bare", {"seat": event.seat}
    return code, {"seat": event.seat, "emperor": event.emperor}


def _met(story: _Story, event: Met) -> _Told:
    return ("treasure-goal" if event.goal == "treasure" else event.goal), {"seat": event.seat}


def _ended(story: _Story, event: Ended) -> _Told:
    if not event.winners:
        return "draw", {}
    code = "won" if len(event.winners) == 1 else "shared"
    at_limit = "-at-limit" if event.reason == "turn-limit" else ""
    return f"{code}{at_limit}", {"winners": event.winners}


TELLERS: Mapping[type, Callable[[_Story, Any], _Told | None]] = MappingProxyType(
    {
        Charged: _charged,
        Landed: _landed,
        Clashed: _clashed,
        Returned: _returned,
        Took: _took,
        Tolled: _tolled,
        Pushed: _pushed,
        Sprang: _sprang,
        Grew: _grew,
        Orphaned: _orphaned,
        PickedUp: _picked_up,
        Missed: _missed,
        Forfeited: _forfeited,
        Met: _met,
        Ended: _ended,
    }
)
"""What tells each kind of event; None where it goes without saying."""
