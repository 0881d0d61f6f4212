"""Who is there: seats that are connected and how many watch, on all nodes.

Ephemeral: every node tells its own again and again, and one that falls silent is forgotten.
"""

import time
from collections.abc import Mapping
from threading import Lock
from typing import Any, NamedTuple

MEMORY_SECONDS = 12


class Attendance(NamedTuple):
    """Which seats are connected, in order, and how many others watch."""

    here: tuple[str, ...] = ()
    watchers: int = 0


_lock = Lock()
_nodes: dict[str, tuple[float, Mapping[str, Attendance]]] = {}


def note(node: str, told: Mapping[str, Attendance]) -> None:
    """Remember what a node tells of all tournaments that it follows."""
    with _lock:
        _nodes[node] = (time.monotonic(), told)


def forget(node: str) -> None:
    with _lock:
        _nodes.pop(node, None)


def attendance(code: str) -> Attendance:
    """Who attends a tournament, as far as the nodes have told lately."""
    oldest = time.monotonic() - MEMORY_SECONDS
    with _lock:
        for node in [node for node, (at, _told) in _nodes.items() if at < oldest]:
            del _nodes[node]
        found = [told[code] for _at, told in _nodes.values() if code in told]
    here = sorted({seat for each in found for seat in each.here})
    return Attendance(tuple(here), sum(each.watchers for each in found))


def to_message(told: Mapping[str, Attendance]) -> dict[str, Any]:
    return {code: [list(each.here), each.watchers] for code, each in told.items()}


def from_message(told: Mapping[Any, Any]) -> dict[str, Attendance]:
    """What another node tells; what can't be read of it is left out."""
    found = {}
    for code, each in told.items():
        match code, each:
            case str(), [list(here), int(watchers)]:
                found[code] = Attendance(tuple(map(str, here)), watchers)
    return found
