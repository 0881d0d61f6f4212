"""What an official sees of a tournament: what everybody may know, and nothing else.

Orders of the open turn and contents of chests are not read at all; seed and position not
before the end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments import arena
from tournaments.announcements.models import Invitation, Seat, Tournament
from tournaments.announcements.option_words import options_in_words
from tournaments.fields.preview import Board, preview
from tournaments.pages.words import ending_words, facts_of
from tournaments.turns.models import Turn

TURNS_A_PAGE = 50


@dataclass(frozen=True)
class ToldTurn:
    """A closed turn: who ordered what, in the order of receipt."""

    number: int
    closed_at: datetime
    orders: list[tuple[str, str]]


def sight_of(tournament: Tournament, before: int | None = None) -> dict[str, Any]:
    """All that the page of a tournament shows; turns from the newest on, or before one."""
    turns, older = _turns(tournament, before)
    ground = tournament.options.get("battlefield")
    return {
        "facts": facts_of(tournament),
        "rules": options_in_words(tournament.game, tournament.options),
        "board": _board(ground),
        "seats": _seats(tournament),
        "free_seats": _free(tournament),
        "invitations": _invitations(tournament),
        "turns": turns,
        "older": older,
        "ending": ending_words(tournament.ending) if tournament.ending else "",
        "seed": tournament.seed if tournament.is_over else "",
        "has_record": tournament.is_over and tournament.began_at is not None,
    }


def _board(drawing: Any) -> Board | None:
    return preview(drawing).board if isinstance(drawing, str) else None


def _seats(tournament: Tournament) -> list[Seat]:
    seats = tournament.seats.select_related("emperor", "emperor__founder", "dynasty", "guest")
    return list(seats.defer("chest").order_by("place"))


def _free(tournament: Tournament) -> list[str]:
    taken = set(tournament.seats.values_list("name", flat=True))
    return [name for name in tournament.seat_names if name not in taken]


def _invitations(tournament: Tournament) -> list[Invitation]:
    return list(tournament.guests.select_related("dynasty").order_by("sent_at", "pk"))


def _turns(tournament: Tournament, before: int | None) -> tuple[list[ToldTurn], int | None]:
    """A page of closed turns, newest first, and the number to go on from."""
    closed = tournament.turns.filter(number__lt=tournament.turn).order_by("-number")
    if before is not None:
        closed = closed.filter(number__lt=before)
    rows = list(closed[: TURNS_A_PAGE + 1])
    told = [_told(turn) for turn in rows[:TURNS_A_PAGE]]
    return told, told[-1].number if len(rows) > TURNS_A_PAGE else None


def _told(turn: Turn) -> ToldTurn:
    orders = [(seat, order_in_words(order)) for seat, order in turn.orders]
    return ToldTurn(turn.number, turn.closed_at, orders)


def order_in_words(order: Any) -> str:
    """An order as it was given, without brackets and quotes; a tile by its name."""
    if isinstance(order, Mapping):
        return " ".join(_part_in_words(name, part) for name, part in order.items())
    if isinstance(order, list | tuple):
        is_tile = len(order) == 2 and all(type(part) is int and part >= 0 for part in order)
        return arena.tile_name(*order) if is_tile else ", ".join(map(order_in_words, order))
    return str(order)


def _part_in_words(name: str, part: Any) -> str:
    """What is simply so is said by its name: hold, resign."""
    return name if part is True else order_in_words(part)
