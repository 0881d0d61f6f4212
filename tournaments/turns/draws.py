"""Draws by agreement: everybody who is still in it has to want one, in one and the same turn."""

from collections.abc import Sequence

from django.db import transaction

from dynasties.clock import database_now
from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.announcements.news import tell_change
from tournaments.errors import NotRunning, NotSeated, OutOfIt, TooLate, WrongTurn
from tournaments.turns.closing import close_turns
from tournaments.turns.endings import all_want_a_draw
from tournaments.turns.locks import lock_running
from tournaments.turns.positions import position_of


def offer_draw(*, seat: int, turn: int) -> None:
    """Offer a draw, or accept one: when all who are still in it want it in one turn, it is over.

    Everybody sees who offers; bots always agree. Whoever offers twice has offered once.
    Raises Refused.
    """
    number = _note_offer(seat, turn)
    if number is not None:
        close_turns([number])


@transaction.atomic
def _note_offer(seat: int, turn: int) -> int | None:
    """Write the offer down; the number of the tournament if everybody has agreed by it."""
    row = Seat.objects.filter(pk=seat).first()
    if row is None:
        raise NotSeated
    tournament = lock_running([row.tournament_id]).get(row.tournament_id)
    if tournament is None or tournament.deadline is None:
        raise NotRunning
    if type(turn) is not int or turn != tournament.turn:
        raise WrongTurn
    if database_now() >= tournament.deadline:
        raise TooLate
    seats, position = list(tournament.seats.all()), position_of(tournament)
    if row.name not in _living(seats, position):
        raise OutOfIt
    mine = next(each for each in seats if each.pk == row.pk)
    if mine.draw_turn != turn:
        _write(tournament, mine)
    return tournament.pk if all_want_a_draw(tournament, seats, position) else None


def _living(seats: Sequence[Seat], position: arena.Position) -> tuple[str, ...]:
    return position.living([each.name for each in seats])


def _write(tournament: Tournament, seat: Seat) -> None:
    seat.draw_turn = tournament.turn
    seat.save(update_fields=["draw_turn"])
    tournament.version += 1
    tournament.save(update_fields=["version"])
    tell_change(tournament)
