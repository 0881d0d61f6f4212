"""What leaves when orders come in, after the commit."""

from collections.abc import Iterable

from dynasties.notices.hints import hint_topics
from tournaments.announcements.models import Tournament
from tournaments.announcements.news import topic_of


def tell_ready(counts: Iterable[tuple[Tournament, int]]) -> None:
    """How many seats have ordered: never which. Not numbered: it may be lost without harm."""
    hint_topics([_ready(tournament, count) for tournament, count in counts])


def _ready(tournament: Tournament, count: int) -> tuple[str, dict[str, object]]:
    topic = topic_of(tournament.code)
    return topic, {
        "type": "ready",
        "topic": topic,
        "code": tournament.code,
        "turn": tournament.turn,
        "count": count,
    }
