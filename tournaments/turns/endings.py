"""How a tournament ends: by its game, by agreement, or because nobody is there any more."""

from collections.abc import Sequence

from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.consequences.verdicts import Ending

__all__ = [
    "ABSENCES_TO_FORFEIT",
    "AGREED",
    "ALL_ABSENT",
    "SUBSTITUTE",
    "Ending",
    "all_want_a_draw",
    "judge",
]

# As in the rules of Battle, which forfeits a seat by itself; the site acts on training here.
ABSENCES_TO_FORFEIT = 3
AGREED = "agreed"
ALL_ABSENT = "all-absent"
# Whoever deserts a training battle leaves his seat to one who knows how to play.
SUBSTITUTE = "knight"


def judge(
    tournament: Tournament, living: Sequence[Seat], due: Sequence[str], absent: Sequence[Seat]
) -> Ending | None:
    """Whether the site ends it before the turn is resolved; puts bots into deserted seats.

    All seats absent, and one of them for the last time: it is abandoned, or the one who was
    away for a turn less than the other would win by it.
    """
    deserted = [seat for seat in absent if seat.absences + 1 >= ABSENCES_TO_FORFEIT]
    if deserted and not _somebody_is_there(living, due, absent):
        return Ending.draw(ALL_ABSENT)
    if tournament.is_training:
        for seat in deserted:
            seat.bot = SUBSTITUTE
    return None


def all_want_a_draw(
    tournament: Tournament, seats: Sequence[Seat], position: arena.Position
) -> bool:
    """Whether somebody has asked for a draw in this turn and nobody who is in it is against it."""
    asking = {seat.name for seat in seats if seat.draw_turn == tournament.turn}
    if not asking:
        return False
    agreeing = asking | {seat.name for seat in seats if seat.bot}
    return agreeing.issuperset(position.living([seat.name for seat in seats]))


def _somebody_is_there(living: Sequence[Seat], due: Sequence[str], absent: Sequence[Seat]) -> bool:
    """Whether any person still plays: bots don't play on by themselves.

    Who is not due can't be absent, but may have gone as well when it was last his turn.
    """
    away = {seat.pk for seat in absent}
    return any(
        seat.is_human and seat.pk not in away and (seat.name in due or not seat.absences)
        for seat in living
    )
