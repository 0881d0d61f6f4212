"""The frames that tell of a tournament (docs/live-protocol.md), ready to be sent.

What is costly in a frame (the board, the story, the choices) is made once a process, version,
viewer and language. What changes without a version (who is there, how many are ready, the
reader's own order) is put in anew each time.
"""

import json
from collections.abc import Mapping
from typing import Any

import structlog
from django.utils import timezone, translation

from dynasties.notices.live import frame
from tournaments import arena
from tournaments.announcements.models import Tournament
from tournaments.live.attendance import Attendance, attendance
from tournaments.live.closings import closing_of
from tournaments.live.memory import Memory
from tournaments.live.sights import MOST_MISSED, Closed, Face, Sight
from tournaments.pages.stories import names_of, told
from tournaments.turns.mishaps import describe

__all__ = ["frames_since", "state_frame", "turn_frame", "written"]

log = structlog.get_logger(__name__)

# A board of a large battle is some 20 kB.
_costly: Memory[tuple[str, str, int, str | None, str], str] = Memory(1000)


def state_frame(sight: Sight, viewer: str | None, language: str) -> str:
    """How things stand, for the eyes of one seat or of a bystander (None)."""
    place = "state", sight.tournament.code, sight.tournament.version, viewer, language
    costly = _costly.recall(place) or _costly.keep(place, written(_board(sight, viewer)))
    with translation.override(language):
        return _joined(frame("state", **_standing(sight, viewer)), costly)


def turn_frame(sight: Sight, turn: Closed, viewer: str | None, language: str) -> str:
    """What closing a turn led to. Raises BadRecord or Faulty if it can't be told any more."""
    place = "turn", sight.tournament.code, turn.version, viewer, language
    with translation.override(language):
        costly = _costly.recall(place)
        if costly is None:
            costly = _costly.keep(place, written(_story(sight, turn, viewer)))
        standing = _standing(sight, viewer)
        if turn.version != sight.tournament.version:
            standing |= _back_then(turn)
        return _joined(frame("turn", **standing), costly)


def frames_since(sight: Sight, since: int | None, viewer: str | None, language: str) -> list[str]:
    """What somebody has missed who knows a version: the turns since, or how things stand.

    None knows nothing. Nothing is missed by whoever knows the latest version.
    """
    latest = sight.tournament.version
    if since == latest:
        return []
    if since is None or since > latest:
        return [state_frame(sight, viewer, language)]
    turns = [turn for turn in sight.turns if turn.version > since]
    if len(turns) > MOST_MISSED:
        return [state_frame(sight, viewer, language)]
    try:
        frames = [turn_frame(sight, turn, viewer, language) for turn in turns]
    except (arena.Refusal, arena.Faulty, Tournament.DoesNotExist) as trouble:
        log.error("turn_not_told", code=sight.tournament.code, **describe(trouble))
        return [state_frame(sight, viewer, language)]
    if not turns or turns[-1].version != latest:
        frames.append(state_frame(sight, viewer, language))
    return frames


def written(content: Mapping[str, Any]) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


def _joined(light: Mapping[str, Any], costly: str) -> str:
    """One object of both; the costly part stays the text that it is."""
    return f"{written(light)[:-1]},{costly[1:]}"


# --- What changes without a version ----------------------------------------------------------


def _standing(sight: Sight, viewer: str | None) -> dict[str, Any]:
    row = sight.tournament
    there, due = attendance(row.code), sight.due()
    return {
        "version": row.version,
        "at": timezone.now().isoformat(),
        "code": row.code,
        "title": row.title,
        "kind": row.type,
        "state": row.state,
        "turn": row.turn,
        "deadline": row.deadline.isoformat() if row.deadline else None,
        "turn_seconds": row.turn_seconds,
        "seats": [_seat(sight, face, due, there) for face in sight.faces],
        "you": viewer,
        "order": sight.given.get(viewer) if viewer else None,
        "ready": sight.ready,
        "of": len(due),
        "ending": row.ending,
        "winners": row.winners,
        "seed_mark": row.seed_mark,
        "seed": row.seed if row.is_over else None,
        "watchers": there.watchers,
    }


def _seat(sight: Sight, face: Face, due: tuple[str, ...], there: Attendance) -> dict[str, Any]:
    return {
        "seat": face.seat,
        "who": face.who,
        "dynasty": face.house,
        "bot": bool(face.bot),
        "absences": face.absences,
        "due": face.seat in due,
        "draw": sight.is_running and face.draw_turn == sight.tournament.turn,
        "here": face.seat in there.here,
    }


def _back_then(turn: Closed) -> dict[str, Any]:
    """What was otherwise after a turn that others have followed."""
    return {
        "version": turn.version,
        "state": "running",
        "turn": turn.number + 1,
        "deadline": None,
        "order": None,
        "ready": None,
        "ending": "",
        "winners": [],
    }


# --- What is costly --------------------------------------------------------------------------


def _board(sight: Sight, viewer: str | None) -> dict[str, Any]:
    position = sight.position()
    if position is None:
        return {"scene": None, "choices": []}
    return _seen(sight, position, viewer)


def _seen(sight: Sight, position: arena.Position, viewer: str | None) -> dict[str, Any]:
    row = sight.tournament
    is_open = sight.is_running and position.turn == row.turn
    return {
        "scene": position.scene(viewer, over=row.is_over),
        "choices": position.choices(viewer) if is_open else [],
    }


def _story(sight: Sight, turn: Closed, viewer: str | None) -> dict[str, Any]:
    closing, over = closing_of(sight, turn), sight.tournament.is_over
    after = closing.after
    names = names_of({face.seat: face.who for face in sight.faces})
    return {
        **_seen(sight, after, viewer),
        "closed": turn.number,
        "report": after.report(closing.events, viewer, over=over),
        "story": [
            {"text": told(sentence, names), "event": sentence.event}
            for sentence in after.tell(closing.events, viewer, over=over)
        ],
        "orders": turn.orders,
    }
