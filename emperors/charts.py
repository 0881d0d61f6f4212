"""Reputation over time as a drawing: plain geometry, for a picture that stretches with its page.

The words stand beside it as text, so that they stay as large as all others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

WIDTH, HEIGHT = 600, 200
# More steps than this nobody can see.
MOST_STEPS = 300


class Change(Protocol):
    """What a curve is made of."""

    @property
    def at(self) -> datetime: ...
    @property
    def after(self) -> int: ...
    @property
    def change(self) -> int: ...


class Point(NamedTuple):
    at: datetime
    value: int


@dataclass(frozen=True)
class Chart:
    """A curve of steps from `start` to `end`; `top` is the round figure at its upper edge."""

    line: str
    area: str
    top: int
    start: Point
    end: Point
    highest: int
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def middle(self) -> float:
        """What the line halfway up stands for: a whole number, or one and a half."""
        return self.top / 2 if self.top % 2 else self.top // 2


def draw(
    changes: Sequence[Change], *, until: datetime, since: datetime | None = None
) -> Chart | None:
    """The chart of some changes, oldest first, up to a moment; None if there are none.

    With `since`, a curve that rises from nothing begins there.
    """
    if not changes:
        return None
    points = [_beginning(changes[0], since), *_points(changes)]
    end = Point(max(until, points[-1].at), points[-1].value)
    highest = max(point.value for point in points)
    top = round_up(highest)
    line = _steps(_thinned(points, end), points[0], end, top)
    return Chart(line, f"{line}V{HEIGHT}H0Z", top, points[0], end, highest)


def round_up(value: int) -> int:
    """The next figure of one digit and noughts, or of one digit and a five: 2, 10, 25, 300."""
    unit = 1
    while unit * 10 < value:
        unit *= 10
    steps = (unit * tenths // 10 for tenths in (10, 15, 20, 25, 30, 40, 50, 60, 80, 100))
    return next((step for step in steps if step >= max(value, 1) and step > 0), max(value, 1))


def _beginning(first: Change, since: datetime | None) -> Point:
    before = first.after - first.change
    return Point(min(since, first.at) if since and not before else first.at, before)


def _points(changes: Iterable[Change]) -> Iterable[Point]:
    """Times never run back, however late a change was written down."""
    last: datetime | None = None
    for change in changes:
        last = max(last, change.at) if last else change.at
        yield Point(last, change.after)


def _thinned(points: Sequence[Point], end: Point) -> list[Point]:
    """One point for each stretch of time that can be told from the next: its last."""
    span = (end.at - points[0].at).total_seconds() or 1
    kept = {
        int((point.at - points[0].at).total_seconds() / span * MOST_STEPS): point
        for point in points[1:]
    }
    return [points[0], *kept.values(), end]


def _steps(points: Sequence[Point], start: Point, end: Point, top: int) -> str:
    span = (end.at - start.at).total_seconds() or 1
    path = f"M0 {_height_of(start.value, top)}"
    for point in points[1:]:
        across = round((point.at - start.at).total_seconds() / span * WIDTH, 1)
        path += f"H{across:g}V{_height_of(point.value, top):g}"
    return path


def _height_of(value: int, top: int) -> float:
    return round(HEIGHT - value / top * HEIGHT, 1)
