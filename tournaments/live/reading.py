"""Reading what clients send, over a socket or HTTP: nothing of it can be trusted."""

import json
from typing import Any, TypeAlias

from dynasties.notices.sockets import Refused

LONGEST_REF = 64
Content: TypeAlias = dict[str, Any]


def readable_ref(content: Content) -> str | int | None:
    """What the client calls its frame, to be sent back; None if it is nothing to send back."""
    ref = content.get("ref")
    if isinstance(ref, str) and len(ref) <= LONGEST_REF and sendable(ref) == ref:
        return ref
    return ref if type(ref) is int and abs(ref) < 2**53 else None


def readable_turn(content: Content) -> int:
    turn = content.get("turn")
    if type(turn) is not int or not 0 <= turn < 2**31:
        raise Refused("unreadable", "Say which turn it is for: the number of the open one.")
    return turn


def sendable(text: str) -> str:
    """The text without halves of characters, which no frame can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def refuse_what_cannot_be_sent_back(content: Content) -> None:
    try:
        written = json.dumps(content, ensure_ascii=False)
    except RecursionError:
        raise Refused("unreadable", "This frame is too deep.") from None
    if sendable(written) != written or "\x00" in written or "\\u0000" in written:
        raise Refused("unreadable", "There are characters in this frame that are none.")
