"""What was said in a training that has left no trace: remembered for as long as its last sight.

Nobody reads it again. Without it an insult in the last turn could never be reported.
"""

from contextlib import suppress
from typing import Any

from django.core.cache import cache
from django.db import transaction
from redis.exceptions import RedisError

from tournaments.announcements.models import Tournament
from tournaments.chat.selectors import lines
from tournaments.chat.witness import testimony
from tournaments.consequences.afterglow import GLOW_SECONDS

MOST_ECHOES = 200


def remember_echoes(tournament: Tournament) -> None:
    """Keep the last lines of a training that is about to be deleted, once it is."""
    last = lines().filter(room__tournament=tournament).order_by("-pk")[:MOST_ECHOES]
    told = [testimony(line, line.room.name) for line in last]
    if told:
        kept = {"title": tournament.title, "lines": told[::-1]}
        transaction.on_commit(lambda: _keep(tournament.code, kept), robust=True)


def echoes_of(code: str) -> dict[str, Any]:
    """Title and lines of a training that is gone; nothing if it is forgotten."""
    with suppress(RedisError):
        kept: dict[str, Any] | None = cache.get(_key(code))
        return kept or {}
    return {}


def _keep(code: str, kept: dict[str, Any]) -> None:
    with suppress(RedisError):
        cache.set(_key(code), kept, timeout=GLOW_SECONDS)


def _key(code: str) -> str:
    return f"echoes:{code}"
