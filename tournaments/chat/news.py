"""What leaves when somebody has spoken, after the commit: a hint that names the line, no more."""

from dynasties.notices.hints import hint_topic
from tournaments.announcements.news import topic_of
from tournaments.chat.models import Line


def tell_said(code: str, line: Line, room: str) -> None:
    """Say that there is a line: whoever may read it fetches it."""
    topic = topic_of(code)
    hint_topic(
        topic,
        {"type": "said", "topic": topic, "code": code, "room": room, "number": line.number},
    )
