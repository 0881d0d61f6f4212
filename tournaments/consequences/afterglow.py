"""Training leaves no trace: when it is over, every row of it goes.

Those who watch see the end in the frame that tells it. Whoever comes a moment later finds it in
the cache, for a few minutes: what everybody could see, and nothing else.
"""

from contextlib import suppress
from typing import Any

from django.core.cache import cache
from django.db import transaction
from redis.exceptions import RedisError

from tournaments.announcements.models import Seat, Tournament
from tournaments.announcements.news import tell_change

GLOW_SECONDS = 600


def leave_no_trace(tournament: Tournament) -> None:
    """Delete a training tournament and all that belongs to it; keep its last sight for a while."""
    sight = last_sight(tournament)
    code = tournament.code
    transaction.on_commit(lambda: _keep(code, sight), robust=True)
    tell_change(tournament)
    Tournament.objects.filter(pk=tournament.pk).delete()


def glimpse(code: str) -> dict[str, Any] | None:
    """How a training tournament ended that is gone by now, as long as it is remembered."""
    with suppress(RedisError):
        sight: dict[str, Any] | None = cache.get(_key(code))
        return sight
    return None


def last_sight(tournament: Tournament) -> dict[str, Any]:
    """What a passer-by could see of it in the end: the position, and the turns that led to it."""
    faces = tournament.seats.select_related("emperor", "dynasty", "guest").order_by("place")
    turns = tournament.turns.order_by("number").values_list("number", "version", "orders")
    return {
        "code": tournament.code,
        "title": tournament.title,
        "game": tournament.game,
        "game_version": tournament.game_version,
        "options": tournament.options,
        "turn_seconds": tournament.turn_seconds,
        "state": tournament.state,
        "version": tournament.version,
        "turn": tournament.turn,
        "position": tournament.position,
        "seed": tournament.seed,
        "winners": tournament.winners,
        "ending": tournament.ending,
        "seats": [[seat.name, seat.who] for seat in faces],
        "faces": [_face(seat) for seat in faces],
        "turns": [list(turn) for turn in turns],
    }


def _face(seat: Seat) -> dict[str, Any]:
    """Who sat there, in no particular language."""
    house = seat.dynasty
    return {
        "seat": seat.name,
        "emperor": seat.emperor.full_name if seat.emperor else "",
        "lodging": seat.guest.lodging if seat.guest else "",
        "house": {"name": house.name, "url": house.get_absolute_url()} if house else None,
        "bot": seat.bot,
        "absences": seat.absences,
    }


def _keep(code: str, sight: dict[str, Any]) -> None:
    with suppress(RedisError):
        cache.set(_key(code), sight, timeout=GLOW_SECONDS)


def _key(code: str) -> str:
    return f"afterglow:{code}"
