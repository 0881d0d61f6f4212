"""Bots: they think in a worker, see what their seat sees, and order by the way of everybody.

A bot orders as soon as a turn is open and waits for nobody, so that what it does can't depend
on what anybody else does in that turn.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from time import monotonic

import structlog
from django.utils.crypto import salted_hmac

from dynasties.clock import database_now
from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.turns.mishaps import describe
from tournaments.turns.models import Order
from tournaments.turns.positions import position_of
from tournaments.turns.services import Accepted, Wish, submit_orders

log = structlog.get_logger(__name__)

MOST_AT_ONCE = 200
# How many turns one task plays in which nobody but bots is waited for.
MOST_TURNS_ALONE = 50
# A web process thinks for bots only when no worker has done so for this long, and not for long.
WORKER_IS_DEAD = timedelta(seconds=5)
SPARE_SECONDS = 0.5


def think(*, number: int, turn: int) -> int:
    """Order for every bot that is waited for in this turn; return how many orders were kept.

    Where only bots are left they play on, so that such a battle is soon over.
    """
    kept = 0
    for open_turn in range(turn, turn + MOST_TURNS_ALONE):
        tournament = Tournament.objects.filter(pk=number, state=Tournament.State.RUNNING).first()
        if tournament is None or tournament.turn != open_turn:
            break
        kept += _order(tournament)
    return kept


def think_for_all() -> int:
    """Order for bots whose hint was lost; return how many orders were kept."""
    return sum(think(number=each.pk, turn=each.turn) for each in _forgotten())


def think_for_want_of_a_worker() -> int:
    """The same in a web process, where thinking slows pages down: late, and a little at a time."""
    began, kept, now = monotonic(), 0, database_now()
    for tournament in _forgotten():
        if _waits_long(tournament, now):
            kept += _order(tournament)
        if monotonic() - began > SPARE_SECONDS:
            break
    return kept


def _forgotten() -> Iterable[Tournament]:
    """Tournaments in which a bot has not ordered, those that are due first at the head."""
    idle = Seat.objects.exclude(bot="").filter(order=None)
    running = Tournament.objects.filter(state=Tournament.State.RUNNING)
    return list(
        running.filter(pk__in=idle.values("tournament")).order_by("deadline")[:MOST_AT_ONCE]
    )


def _waits_long(tournament: Tournament, now: datetime) -> bool:
    if tournament.deadline is None:
        return False
    opened = tournament.deadline - timedelta(seconds=tournament.turn_seconds)
    return now - opened >= min(WORKER_IS_DEAD, (tournament.deadline - opened) / 2)


def _order(tournament: Tournament) -> int:
    wishes = [
        Wish(seat.pk, tournament.turn, _choose(tournament, seat), by_bot=True)
        for seat in _idle(tournament)
    ]
    return sum(isinstance(answer, Accepted) for answer in submit_orders(wishes)) if wishes else 0


def _idle(tournament: Tournament) -> Iterable[Seat]:
    try:
        due = position_of(tournament).due()
    except Exception as broken:  # whoever closes the turn counts the fault
        log.warning("bot_lost", tournament=tournament.pk, **describe(broken))
        return []
    ordered = Order.objects.filter(tournament=tournament, turn=tournament.turn)
    idle = tournament.seats.exclude(bot="").exclude(pk__in=ordered.values("seat"))
    return [seat for seat in idle if seat.name in due]


def _choose(tournament: Tournament, seat: Seat) -> arena.Json:
    """What the bot wants; one that breaks holds, and holds nobody up."""
    position = position_of(tournament)
    try:
        return position.ask_bot(seat.bot, seat.name, salt=_salt(tournament))
    except Exception as broken:
        log.error("bot_failed", tournament=tournament.pk, **describe(broken))
        return position.default(seat.name).to_json()


def _salt(tournament: Tournament) -> str:
    """A bot's own chance: the same when it is asked again, and nothing that anybody can guess."""
    return salted_hmac("tournaments.bots", tournament.code, algorithm="sha256").hexdigest()
