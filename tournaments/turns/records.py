"""Records: what replays a tournament to the same bytes, for ever."""

from tournaments import arena
from tournaments.announcements.models import Tournament


class NotOverError(Exception):
    """A tournament's record, with its seed, is open once it is over."""


def record_of(tournament: Tournament) -> arena.Record:
    """The record of a tournament that is over. Raises NotOverError."""
    if not tournament.is_over or tournament.began_at is None:
        raise NotOverError
    return _record(tournament)


def replays_to_what_was_kept(tournament: Tournament) -> bool:
    """Whether the record leads to the very position that was kept. Raises BadRecord."""
    written = ""
    for step in arena.replayed(_record(tournament)):
        written = step.after.written()
    return written == tournament.position


def final_position(tournament: Tournament) -> arena.Position | None:
    """The position that was kept, None if nobody can read it any more."""
    try:
        return arena.resume(
            game=tournament.game,
            written=tournament.position,
            seed=tournament.seed,
            turn=tournament.turn,
        )
    except (arena.BadRecord, KeyError):
        return None


def _record(tournament: Tournament) -> arena.Record:
    turns = tournament.turns.order_by("number").values_list("orders", flat=True)
    return arena.Record(
        game=tournament.game,
        version=tournament.game_version,
        seats=tuple(seat.name for seat in tournament.seats.order_by("place")),
        options=tournament.options,
        seed=tournament.seed,
        turns=tuple(tuple((seat, order) for seat, order in turn) for turn in turns),
    )
