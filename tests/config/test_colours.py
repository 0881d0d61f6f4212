"""The colours of the site: words can be read, seats can be told apart, whatever the eye."""

import re
from itertools import combinations

import pytest

from config.environment import BASE_DIR

Colour = tuple[float, float, float]

SOURCE = (BASE_DIR / "static/css/tokens.css").read_text("utf-8")
# What follows the first media query is for other circumstances.
TOKENS = dict(re.findall(r"^\s+--([\w-]+):\s*(.+);$", SOURCE.split("@media")[0], re.MULTILINE))
SEATS = "abcdefgh"
GROUNDS = ("paper", "paper-raised", "paper-sunk")
READABLE = [
    *((ink, ground) for ink in ("ink", "ink-soft", "link", "accent") for ground in GROUNDS),
    *((ink, ground) for ink in ("gold", "good", "warn", "bad") for ground in GROUNDS[:2]),
    *((tone, f"{tone}-tint") for tone in ("good", "warn", "bad")),
    *(("ink", f"{tone}-tint") for tone in ("good", "warn", "bad")),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    *((f"seat-{seat}-ink", f"seat-{seat}") for seat in SEATS),
]


def colour(token: str, theme: str) -> Colour:
    """Red, green and blue of a token in a theme, each from 0 to 1."""
    both = re.findall(r"#([0-9a-f]{3,6})\b", TOKENS[token])
    digits = both[-1] if theme == "dark" else both[0]
    full = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    red, green, blue = (int(full[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def light(rgb: Colour) -> Colour:
    """How much light each part gives, where the code of a colour follows the eye."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return red, green, blue


def luminance(rgb: Colour) -> float:
    return weigh((0.2126, 0.7152, 0.0722), light(rgb))


def weigh(weights: Colour, parts: Colour) -> float:
    return sum(weight * part for weight, part in zip(weights, parts, strict=True))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), READABLE)
def test_words_stand_out_from_their_ground(ink: str, ground: str, theme: str) -> None:
    dim, bright = sorted(luminance(colour(token, theme)) for token in (ink, ground))
    assert (bright + 0.05) / (dim + 0.05) >= 4.5


# --- Seats, as eyes see them that lack one kind of cone (Machado, Oliveira, Fernandes 2009) ----

EYES: dict[str, tuple[Colour, Colour, Colour]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no long-wave cones": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no middle-wave cones": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no short-wave cones": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# A difference of 2 is just noticed side by side; 20 is another colour at a glance.
FARTHEST_ALIKE = 20


def seen(rgb: Colour, eye: str) -> Colour:
    """Where a colour lies in CIE L*a*b*, for this eye."""
    red, green, blue = (min(1, max(0, weigh(row, light(rgb)))) for row in EYES[eye])
    x = root(weigh((0.4124, 0.3576, 0.1805), (red, green, blue)) / 0.9505)
    y = root(weigh((0.2126, 0.7152, 0.0722), (red, green, blue)))
    z = root(weigh((0.0193, 0.1192, 0.9505), (red, green, blue)) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def root(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(("one", "other"), [*combinations(SEATS, 2)])
def test_seats_can_be_told_apart(one: str, other: str, eye: str) -> None:
    here, there = (seen(colour(f"seat-{seat}", "light"), eye) for seat in (one, other))
    difference = sum((a - b) ** 2 for a, b in zip(here, there, strict=True)) ** 0.5
    assert difference > FARTHEST_ALIKE
