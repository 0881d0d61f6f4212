"""Deadlines: how long the seats that are due may think."""

from datetime import datetime, timedelta

from tournaments import arena
from tournaments.announcements.models import Tournament

REMINDER_SHARE = 0.8
MOST_CLOCKS = 8
PLAIN = "turn"


def set_clock(tournament: Tournament, clock: arena.Clock, now: datetime) -> None:
    """Set the deadline of the turn that opens now.

    While a game's clock has the same key its deadline runs on, and a key that comes back goes
    on with the time it had left. A plain turn always begins anew.
    """
    if clock.key == tournament.clock and tournament.deadline is not None:
        return
    left = dict(tournament.times_left)
    _put_away(tournament, left, now)
    span = left.pop(clock.key, tournament.turn_seconds)
    tournament.times_left = dict(list(left.items())[-MOST_CLOCKS:])
    tournament.clock = clock.key
    tournament.deadline = now + timedelta(seconds=span)
    tournament.remind_at = None
    if tournament.pace == Tournament.Pace.SLOW:
        tournament.remind_at = now + timedelta(seconds=span * REMINDER_SHARE)


def _put_away(tournament: Tournament, left: dict[str, int], now: datetime) -> None:
    """Keep what a clock of the game's own had left, in case it comes back."""
    is_plain = tournament.clock.startswith(f"{PLAIN} ")
    if tournament.clock and not is_plain and tournament.deadline is not None:
        left[tournament.clock] = max(0, round((tournament.deadline - now).total_seconds()))
