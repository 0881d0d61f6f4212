"""What the world hears of tournaments, after the commit: hints that name a tournament, no more."""

from collections.abc import Iterable

from dynasties.notices.hints import hint_topics
from tournaments.announcements.models import Tournament


def topic_of(code: str) -> str:
    """The channel layer's name for those who follow a tournament."""
    return f"tournament.{code}"


def tell_change(tournament: Tournament) -> None:
    """Say that something public has changed: whoever follows it looks for what."""
    tell_changes([tournament])


def tell_changes(tournaments: Iterable[Tournament]) -> None:
    """The same of many, in one message."""
    hint_topics([_change(tournament) for tournament in tournaments])


def _change(tournament: Tournament) -> tuple[str, dict[str, object]]:
    topic = topic_of(tournament.code)
    return topic, {
        "type": "tournament",
        "topic": topic,
        "code": tournament.code,
        "version": tournament.version,
    }
