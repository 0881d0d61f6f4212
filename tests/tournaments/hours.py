"""Time in tests of turns: deadlines are moved in the database, the clock itself never."""

from datetime import datetime, timedelta
from typing import Any

from dynasties.clock import database_now
from tests.tournaments.lists import announced, filled
from tournaments.announcements.models import Seat, Tournament
from tournaments.turns.models import Watch
from tournaments.turns.positions import position_of
from tournaments.turns.watch import ONLY

HOLD: dict[str, Any] = {"hold": True}
RESIGN: dict[str, Any] = {"resign": True}


def ago(**span: float) -> datetime:
    return database_now() - timedelta(**span)


def ahead(**span: float) -> datetime:
    return database_now() + timedelta(**span)


def begun(type_: str = "honour", field: str = "duel", **terms: Any) -> Tournament:
    """A tournament whose first turn is open."""
    tournament = announced(type_, field, **terms)
    filled(tournament)
    return tournament


def seats_of(tournament: Tournament) -> list[Seat]:
    return list(tournament.seats.order_by("place"))


def let_time_pass(tournament: Tournament, **span: float) -> None:
    """Let the open turn be over since `span`, or since a moment ago."""
    moment = ago(**(span or {"seconds": 1}))
    Tournament.objects.filter(pk=tournament.pk).update(deadline=moment)
    tournament.refresh_from_db()


def let_start(tournament: Tournament) -> None:
    """Let its time have come."""
    Tournament.objects.filter(pk=tournament.pk).update(
        opens_at=ago(minutes=2), starts_at=ago(seconds=1)
    )
    tournament.refresh_from_db()


def silent_since(**span: float) -> datetime:
    """Let the last web process have been heard of so long ago."""
    moment = ago(**span)
    Watch.objects.update_or_create(pk=ONLY, defaults={"seen_at": moment})
    return moment


def a_move(tournament: Tournament, seat: Seat) -> dict[str, Any]:
    """The first move of a piece that the seat may order."""
    choices = position_of(tournament).choices(seat.name)
    return dict(next(each["order"] for each in choices if each["piece"]))
