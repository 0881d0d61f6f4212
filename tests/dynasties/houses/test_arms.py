"""Coats of arms."""

import pytest
from django.template.loader import render_to_string

from dynasties.houses.arms import COLOURS, METALS, PARTITIONS, Arms, arms_of
from tests.factories import name_number

GOLDEN = Arms(
    field="azure",
    figure="bend",
    figure_tincture="or",
    charge="sword",
    charge_tincture="sable",
    small=True,
)
NAMES = [name_number(number) for number in range(2_000)]


def is_metal(tincture: str) -> bool:
    assert tincture in METALS + COLOURS
    return tincture in METALS


def test_a_name_bears_the_same_arms_for_ever() -> None:
    """Written down once: a change here repaints every shield of the world."""
    assert arms_of("House of Ashdown") == GOLDEN


def test_a_charge_is_never_like_on_like() -> None:
    for name in NAMES:
        arms = arms_of(name)
        ground = arms.figure_tincture if arms.small else arms.field
        assert is_metal(arms.charge_tincture) != is_metal(ground)


def test_a_band_is_never_like_on_like() -> None:
    for name in NAMES:
        arms = arms_of(name)
        if arms.figure not in PARTITIONS:
            assert is_metal(arms.figure_tincture) != is_metal(arms.field)


def test_a_parted_shield_shows_two_colours() -> None:
    for name in NAMES:
        arms = arms_of(name)
        if arms.figure in PARTITIONS:
            assert arms.field != arms.figure_tincture


def test_neighbours_can_be_told_apart() -> None:
    assert len({arms_of(name) for name in NAMES[:100]}) > 90


@pytest.mark.parametrize("name", NAMES[:40])
def test_arms_are_decoration_to_a_screen_reader(name: str) -> None:
    assert 'aria-hidden="true"' in render_to_string("houses/arms.html", {"arms": arms_of(name)})
