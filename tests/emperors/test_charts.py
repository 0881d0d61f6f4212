"""The curve of reputation: steps, thinned to what can be seen, in round figures."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from emperors.charts import HEIGHT, MOST_STEPS, draw, round_up

DAWN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Change:
    at: datetime
    after: int
    change: int


def changes(*steps: tuple[int, int]) -> list[Change]:
    told, before = [], 0
    for day, after in steps:
        told.append(Change(DAWN + timedelta(days=day), after, after - before))
        before = after
    return told


def test_nothing_draws_nothing() -> None:
    assert draw([], until=DAWN) is None


def test_a_curve_goes_up_in_a_step_and_on_to_the_end() -> None:
    chart = draw(changes((0, 10), (5, 5)), until=DAWN + timedelta(days=10))
    assert chart is not None
    assert chart.line == f"M0 {HEIGHT:.1f}H0V0H300V100H600V100"
    assert (chart.top, chart.middle, chart.highest) == (10, 5, 10)
    assert (chart.start.value, chart.end.value) == (0, 5)


def test_a_curve_that_rises_from_nothing_begins_at_the_birth() -> None:
    chart = draw(changes((5, 10)), since=DAWN, until=DAWN + timedelta(days=10))
    assert chart is not None
    assert chart.line == f"M0 {HEIGHT:.1f}H300V0H600V0"


def test_a_later_part_of_a_long_curve_begins_where_it_stood() -> None:
    chart = draw([Change(DAWN, 60, 10)], until=DAWN)
    assert chart is not None
    assert chart.start.value == 50


def test_a_long_curve_has_no_more_steps_than_can_be_seen() -> None:
    many = changes(*((day, day % 90) for day in range(1, 5000)))
    chart = draw(many, until=many[-1].at)
    assert chart is not None
    assert chart.line.count("H") <= MOST_STEPS + 2


def test_times_that_run_back_are_drawn_forwards() -> None:
    chart = draw(changes((5, 10), (2, 20), (9, 5)), until=DAWN)
    assert chart is not None
    across = [float(part.split("V")[0]) for part in chart.line.split("H")[1:]]
    assert across == sorted(across)


@pytest.mark.parametrize(
    ("value", "top"),
    [(0, 1), (1, 1), (7, 8), (10, 10), (11, 15), (99, 100), (260, 300)],
)
def test_the_scale_ends_in_a_round_figure(value: int, top: int) -> None:
    assert round_up(value) == top


def test_no_figure_is_above_its_scale() -> None:
    assert all(round_up(value) >= value for value in range(3000))
