"""Whatever a resolved turn leads to: items found, seats that forfeit, goals met, the end."""

from dataclasses import replace

from games.battle.aftermath import bequeath
from games.battle.events import Ended, Forfeited, Met, Missed, PickedUp
from games.battle.goals import met, strongest
from games.battle.orders import Resign
from games.battle.pieces import EMPEROR, Item
from games.battle.state import Find, Loss, State, Verdict
from games.battle.turn import Turn
from games.kit.protocol import Seat

ABSENCES_TO_FORFEIT = 3


def conclude(turn: Turn) -> State:
    """The state after a turn whose moves are resolved."""
    before = turn.before
    finds = pick_up(turn)
    absences = count_absences(turn)
    leaving = forfeit(turn, absences)
    state = State(
        before.options,
        before.seats,
        tuple(turn.pieces.values()),
        left_lying(before.items, finds),
        turn.number,
        absences,
        before.forfeited + leaving,
        before.losses + losses(turn),
        before.finds + finds,
    )
    verdict = judge(turn, state)
    if verdict is None:
        return state
    turn.events.append(Ended(*verdict))
    return replace(state, verdict=verdict)


def pick_up(turn: Turn) -> tuple[Find, ...]:
    """Whoever stands on an item now has it; pieces that obey nobody pick up nothing."""
    finds = []
    only_emperors = turn.before.options.pickup == "emperor"
    for item in turn.before.items:
        piece = turn.pieces.get(turn.standing.get(item.at, ""))
        if piece is None or piece.seat is None or (only_emperors and piece.kind != EMPEROR):
            continue
        finds.append(Find(turn.number, item.id, piece.seat, piece.id))
        turn.events.append(PickedUp(item.id, item.kind, piece.id, piece.seat, item.at, item.seat))
    return tuple(finds)


def left_lying(items: tuple[Item, ...], finds: tuple[Find, ...]) -> tuple[Item, ...]:
    """The items that nobody has picked up yet."""
    found = {find.item for find in finds}
    return tuple(item for item in items if item.id not in found) if found else items


def losses(turn: Turn) -> tuple[Loss, ...]:
    """The emperors that were taken in this turn, in the order in which it happened."""
    return tuple(
        Loss(turn.number, take.piece, take.loser, take.taker, take.by)
        for take in turn.takes
        if take.kind == EMPEROR
    )


def count_absences(turn: Turn) -> tuple[int, ...]:
    """Deadlines missed in a row, seat by seat. Whoever orders anything, or holds, is present."""
    before = turn.before
    silent = [seat for seat in before.seats if seat not in turn.orders]
    if silent:
        left = before.left()
        silent = [seat for seat in silent if seat in left]
    if not silent:
        return ()
    earlier = dict(zip(before.seats, before.absences, strict=False))
    times = tuple(earlier.get(seat, 0) + 1 if seat in silent else 0 for seat in before.seats)
    for seat, missed in zip(before.seats, times, strict=True):
        if missed:
            turn.events.append(Missed(seat, missed))
    return times


def forfeit(turn: Turn, absences: tuple[int, ...]) -> tuple[Seat, ...]:
    """Those who gave up, or were away too often, leave: their pieces become orphans."""
    too_often = [
        seat
        for seat, times in zip(turn.before.seats, absences, strict=False)
        if times >= ABSENCES_TO_FORFEIT
    ]
    resigned = [seat for seat, order in turn.orders.items() if isinstance(order, Resign)]
    leaving = tuple(seat for seat in turn.before.seats if seat in too_often or seat in resigned)
    for seat in leaving:
        withdraw_emperor(turn, seat)
        bequeath(turn, {seat: None})
    return leaving


def withdraw_emperor(turn: Turn, seat: Seat) -> None:
    """The emperor of a seat that forfeits leaves the board, neither taken nor dead."""
    own = turn.before.field.emperors[seat]
    piece = turn.pieces.get(own)
    stays = piece is not None and piece.kind == EMPEROR and piece.seat == seat
    if stays:
        del turn.pieces[own]
    turn.events.append(Forfeited(seat, own if stays else None))


def judge(turn: Turn, state: State) -> Verdict | None:
    """Whether it is over: by a goal, because nobody is left, or by the turn limit."""
    reasons = []
    winners = set()
    for goal in state.options.goals:
        for seat in met(goal, turn, state):
            turn.events.append(Met(seat, goal.kind))
            reasons.append(goal.kind)
            winners.add(seat)
    if reasons:
        return Verdict(tuple(seat for seat in state.seats if seat in winners), reasons[0])
    if not state.is_contested():
        return Verdict((), "nobody-left")
    if state.turn >= state.options.turn_limit:
        return Verdict(strongest(state), "turn-limit")
    return None
