"""How a line is written: plain text that shows everything it holds."""

import re
import unicodedata

from dynasties.houses.names import MOST_MARKS, without_hidden
from tournaments.chat.errors import TooLong, Unspeakable

LONGEST_LINE = 500
# Nobody types more than this by honest means; what follows need not look at it.
LONGEST_INPUT = 4 * LONGEST_LINE

_SPACES = re.compile(r"\s+")


def clean_line(text: object, *, longest: int = LONGEST_LINE) -> str:
    """The words as they are kept, on one line. Raises Unspeakable, TooLong.

    What nobody can see is left out rather than refused: an emoji often brings some of it.
    """
    if not isinstance(text, str):
        raise Unspeakable
    if len(text) > LONGEST_INPUT:
        raise TooLong(most=longest)
    words = _tidy(text)
    if len(words) > longest:
        raise TooLong(most=longest)
    if not words or all(unicodedata.category(each)[0] in "MZ" for each in words):
        raise Unspeakable
    return words


def _tidy(text: str) -> str:
    spaced = _SPACES.sub(" ", text)
    shown = unicodedata.normalize("NFKC", without_hidden(spaced))
    # Again: what is taken apart by NFKC may hold spaces of its own.
    gathered = _SPACES.sub(" ", without_hidden(shown)).strip(" ")
    return unicodedata.normalize("NFC", _without_piles(gathered))


def _without_piles(text: str) -> str:
    """Without the marks that would spill over the lines above and below."""
    kept: list[str] = []
    pile = 0
    for each in text:
        pile = pile + 1 if unicodedata.category(each) in {"Mn", "Mc", "Me"} else 0
        if pile <= MOST_MARKS:
            kept.append(each)
    return "".join(kept)
