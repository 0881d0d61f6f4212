"""What every race must leave behind: a sound world."""

from collections import Counter

from dynasties.audit import run_audit
from tests.scale import figure


def check_world() -> None:
    """Nothing is lost or made: the audit knows what every escrow and every kind must hold."""
    assert run_audit() == []


def check_world_after(number: int) -> None:
    """After every round; in a soak now and then, because the audit reads the whole past."""
    if number % figure(1, soak=50) == 0:
        check_world()


def kinds_of(ends: list[object]) -> Counter[type]:
    return Counter(type(end) for end in ends)
