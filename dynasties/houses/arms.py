"""Coats of arms: each dynasty bears its own from the day it is founded, and for ever.

They follow the rule of tincture, metal on colour or colour on metal, never like on
like: it was made so that shields can be told apart from afar.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

METALS = ("or", "argent")
COLOURS = ("gules", "azure", "vert", "purpure", "sable")
# Parted in two colours: a charge of metal stands out on both.
PARTITIONS = ("", "per-pale", "per-fess", "per-bend", "quarterly", "barry", "checky")
# Bands of metal that leave the middle free, and bands that run through it.
RIMS = ("chief", "bordure", "chevron")
BANDS = ("pale", "fess", "bend", "cross", "saltire")
CHARGES = (
    "crown",
    "tower",
    "mullet",
    "crescent",
    "fleur",
    "sun",
    "key",
    "sword",
    "rose",
    "mascle",
)

T = TypeVar("T")


@dataclass(frozen=True)
class Arms:
    """A shield: its field, a figure laid over it (or none), and a charge at its heart."""

    field: str
    figure: str
    figure_tincture: str
    charge: str
    charge_tincture: str
    small: bool


class Lots:
    """Choices that look like chance and are always the same for one subject."""

    def __init__(self, subject: str) -> None:
        self._digest = int.from_bytes(hashlib.sha256(subject.encode()).digest(), "big")

    def draw(self, choices: Sequence[T]) -> T:
        self._digest, index = divmod(self._digest, len(choices))
        return choices[index]


def arms_of(name: str) -> Arms:
    """Return the arms that the heralds draw from the name of a dynasty."""
    lots = Lots(f"arms of {name}")
    field, metal, charge = lots.draw(COLOURS), lots.draw(METALS), lots.draw(CHARGES)
    second = lots.draw([colour for colour in COLOURS if colour != field])
    figure = lots.draw(PARTITIONS + RIMS + BANDS)
    if figure in BANDS:
        return Arms(field, figure, metal, charge, second, small=True)
    if figure in RIMS:
        return Arms(field, figure, metal, charge, metal, small=False)
    return Arms(field, figure, second, charge, metal, small=False)
