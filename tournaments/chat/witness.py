"""A line as a witness tells it: with all that moderators need and no page shows."""

from typing import Any

from tournaments.chat.models import Line


def testimony(line: Line, room: str) -> dict[str, Any]:
    """What was said, where, when and by whom, as it is kept when the line is gone."""
    return {
        "room": room,
        "number": line.number,
        "who": line.who,
        "seat": line.seat.name if line.seat else "",
        "house": line.dynasty.name if line.dynasty else "",
        "dynasty": line.dynasty_id,
        "guest": str(line.guest_id) if line.guest_id else None,
        "text": line.text,
        "at": line.said_at.isoformat(),
    }
