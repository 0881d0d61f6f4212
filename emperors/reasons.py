"""Why reputation changes: codes that are kept, and the words they are shown with.

Floors above register their own: `reason("chests", _("the chests of a battlefield"))`.
"""

from collections.abc import Collection, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dynasties.chronicle.kinds import vocabulary

Words = str | Promise

_words: dict[str, Words] = {}


def reason(code: str, words: Words) -> str:
    """Register the words for a code; return the code."""
    if code in _words:
        raise ValueError(f"Registered twice: {code}")
    _words[code] = words
    return code


def words_of(code: str) -> Words:
    """The words for a code; the code itself if nobody registered it."""
    return _words.get(code, code)


def _words_of(codes: Collection[str]) -> Mapping[str, Words]:
    return {code: _words[code] for code in codes if code in _words}


vocabulary("reputation", _words_of)

GIFT = reason("gift", _("prize of a gift tournament"))
HONOUR = reason("honour", _("stakes of a tournament of honour"))
CORRECTION = reason("correction", _("correction by the chancery"))
DECAY = reason("decay", _("no serious tournament for long"))
DIED = reason("died", _("death in the palace"))
FELL = reason("fell", _("fall of the dynasty"))
SLAIN = reason("slain", _("death in battle"))
SPOILS = reason("spoils", _("reputation of the slain"))
CAPTURED = reason("captured", _("capture"))
CEDED = reason("ceded", _("cession"))
