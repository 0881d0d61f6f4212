"""Alphabets that a name may be written in, and letters of theirs that look like others.

Python knows a character's category but not its script, so the scripts of living
languages are listed here by their blocks. What is not listed (runes, phonetic
signs, mathematical letters, ...) has no place in a name: it serves to imitate.
"""

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache

# Scripts that are written together count as one.
JAPANESE = "Japanese"
HAN = "Han"
KOREAN = "Korean"
TOGETHER = ({HAN, JAPANESE}, {HAN, KOREAN})

BLOCKS: dict[str, tuple[tuple[int, int], ...]] = {
    # With the few letters of African and Azerbaijani alphabets that live among the phonetic signs.
    "Latin": (
        (0x41, 0x5A),
        (0x61, 0x7A),
        (0xC0, 0xD6),
        (0xD8, 0xF6),
        (0xF8, 0x183),
        (0x186, 0x18C),
        (0x18E, 0x195),
        (0x197, 0x1A5),
        (0x1A7, 0x1BA),
        (0x1C4, 0x24F),
        (0x253, 0x254),
        (0x256, 0x257),
        (0x259, 0x259),
        (0x25B, 0x25B),
        (0x263, 0x263),
        (0x268, 0x268),
        (0x289, 0x289),
        (0x1E00, 0x1EFF),
    ),
    "Greek": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
    "Cyrillic": ((0x400, 0x45F), (0x48A, 0x52F)),
    "Armenian": ((0x531, 0x587),),
    "Hebrew": ((0x591, 0x5C7), (0x5D0, 0x5F2)),
    "Arabic": ((0x620, 0x63F), (0x641, 0x65F), (0x670, 0x6D3), (0x6D5, 0x6D5), (0x6EE, 0x6FF)),
    "Thaana": ((0x780, 0x7B1),),
    "Devanagari": ((0x900, 0x97F),),
    "Bengali": ((0x980, 0x9FE),),
    "Gurmukhi": ((0xA01, 0xA75),),
    "Gujarati": ((0xA81, 0xAFF),),
    "Oriya": ((0xB01, 0xB71),),
    "Tamil": ((0xB82, 0xBD7),),
    "Telugu": ((0xC00, 0xC63),),
    "Kannada": ((0xC80, 0xCF3),),
    "Malayalam": ((0xD00, 0xD7F),),
    "Sinhala": ((0xD81, 0xDDF),),
    "Thai": ((0xE01, 0xE4E),),
    "Lao": ((0xE81, 0xEDF),),
    "Tibetan": ((0xF40, 0xFBC),),
    "Myanmar": ((0x1000, 0x109D),),
    "Georgian": ((0x10A0, 0x10FE), (0x1C90, 0x1CBF)),
    KOREAN: ((0x1100, 0x115E), (0x1161, 0x11FF), (0xAC00, 0xD7A3)),
    "Ethiopic": ((0x1200, 0x135F),),
    "Khmer": ((0x1780, 0x17B3), (0x17B6, 0x17D3)),
    HAN: (
        (0x3005, 0x3007),
        (0x3400, 0x4DBF),
        (0x4E00, 0x9FFF),
        (0xF900, 0xFAD9),
        (0x20000, 0x323AF),
    ),
    JAPANESE: (
        (0x3041, 0x3096),
        (0x3099, 0x309A),
        (0x309D, 0x309E),
        (0x30A1, 0x30FA),
        (0x30FC, 0x30FE),
    ),
}
_RANGES = sorted((low, high, script) for script, block in BLOCKS.items() for low, high in block)
_STARTS = [low for low, _high, _script in _RANGES]

# Accents that Latin, Greek and Cyrillic letters share.
COMMON_MARKS = range(0x300, 0x345)
TAKING_COMMON_MARKS = {"Latin", "Greek", "Cyrillic"}

# Small letters (keys are folded to lower case) and the Latin ones they are mistaken for. A
# Cyrillic small letter is its capital made smaller, so one entry serves both.
_LATIN_LOOKS = {
    **dict(zip("авгԁеһнісјкмоӏрԛѕтуүѵԝхҽ", "abrdehhicjkmolpqstyyvwxe", strict=True)),
    **dict(zip("αβγεζηικμνορστυχω", "abyeznikmvopotuxw", strict=True)),
    **dict(zip("աօսհոռցգզքտ", "wouhnngqqft", strict=True)),
    **dict(zip("ჿყ", "oy", strict=True)),
    "ӕ": "ae",
    "ы": "bl",
    "ю": "lo",
}
# Letters within one script, or in scripts written together, that are drawn alike.
_TWINS = {
    **dict(zip("يىكہھ", "ییکهه", strict=True)),
    **dict(zip("へニカロエタトハー", "ヘ二力口工夕卜八一", strict=True)),
}
# Latin letters with a look of their own that no decomposition gives.
_LATIN_ODDITIES = {
    "ı": "i",
    "ȷ": "j",
    "æ": "ae",
    "œ": "oe",
    "ĳ": "ij",
    "þ": "p",
    "ð": "d",
    "ŋ": "n",
    "ə": "e",
    "ǝ": "e",
    "ɛ": "e",
    "ɔ": "o",
    "ɣ": "y",
    "ƣ": "o",
    "ĸ": "k",
    "ȣ": "ou",
    "0": "o",
    "1": "l",
}
LOOKALIKES = _LATIN_LOOKS | _TWINS | _LATIN_ODDITIES
_LATIN_WITH_SOMETHING = re.compile(r"LATIN SMALL LETTER ([A-Z]) WITH ")


def script_of(character: str) -> str | None:
    """The script that a letter or mark belongs to; None if names are not written with it."""
    code = ord(character)
    index = bisect_right(_STARTS, code) - 1
    if index < 0:
        return None
    _low, high, script = _RANGES[index]
    return script if code <= high else None


def are_one_alphabet(scripts: set[str]) -> bool:
    """Tell whether one language is written with all of `scripts`."""
    return len(scripts) <= 1 or any(scripts <= together for together in TOGETHER)


@lru_cache(maxsize=4096)
def look_of(character: str) -> str:
    """What a small letter looks like: itself, or a plainer letter it is mistaken for."""
    if character in LOOKALIKES:
        return LOOKALIKES[character]
    with_something = _LATIN_WITH_SOMETHING.match(unicodedata.name(character, ""))
    return with_something[1].lower() if with_something else character
