"""What services tell the live sockets. All of it leaves after the commit, as a hint."""

from datetime import datetime
from typing import Any

from django.utils.crypto import salted_hmac

from dynasties.notices.hints import EVERYBODY, hint_topic

PROTOCOL_VERSION = 1
WORLD = EVERYBODY


def frame(type_: str, **content: Any) -> dict[str, Any]:
    """Build a frame of the live protocol (docs/live-protocol.md)."""
    return {"v": PROTOCOL_VERSION, "type": type_, **content}


def session_mark(session_key: str) -> str:
    """Name a session without giving it away: the key itself never leaves the database."""
    return salted_hmac("dynasties.notices.live", session_key, algorithm="sha256").hexdigest()[:32]


def tell(topic: str, content: dict[str, Any]) -> None:
    """Send one frame to every socket that follows `topic`, on every node."""
    hint_topic(topic, {"type": "frame", "topic": topic, "frame": content})


def tell_pulse(*, at: datetime) -> None:
    """Let every process tell its sockets the time and how many people are about."""
    hint_topic(WORLD, {"type": "pulse", "at": at.isoformat()})


def end_session(*, session_key: str) -> None:
    """Close the sockets that were opened with this session."""
    hint_topic(WORLD, {"type": "end", "session": session_mark(session_key)})


def renew_session(*, session_key: str) -> None:
    """Let the sockets of a session connect again: it goes on under another key."""
    hint_topic(WORLD, {"type": "renew", "session": session_mark(session_key)})


def end_user(*, user_id: int) -> None:
    """Close all sockets of this account, whatever session opened them."""
    hint_topic(WORLD, {"type": "end", "user": user_id})
