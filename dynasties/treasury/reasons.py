"""Why wealth moves: every code has its words, and every room or floor registers its own."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class UnknownReason(Exception):
    """A posting with a code that nobody gave words to."""


@dataclass(frozen=True)
class Reason:
    """A code, its words, and how much of the rest the statement of account shows."""

    code: str
    words: Promise | str
    shows_note: bool = False
    names_others: bool = False
    sealed: bool = False


_reasons: dict[str, Reason] = {}


def tells_why(
    code: str,
    words: Promise | str,
    *,
    shows_note: bool = False,
    names_others: bool = False,
    sealed: bool = False,
) -> str:
    """Register a reason and return its code.

    `shows_note`: the dynasties concerned read the posting's note as well. `names_others`:
    they read with which other dynasties they shared the posting. `sealed`: how much it was
    is for its owner alone, and the chancery does not read it either.
    """
    if code in _reasons:
        raise ValueError(f"Registered twice: {code}")
    _reasons[code] = Reason(code, words, shows_note, names_others, sealed)
    return code


def known_reason(code: str) -> Reason:
    """The reason of this code; raises UnknownReason."""
    try:
        return _reasons[code]
    except KeyError:
        raise UnknownReason(code) from None


def reason_for(code: str) -> Reason:
    """The reason of this code; of one that is no longer registered, the bare code."""
    return _reasons.get(code) or Reason(code, code)


def all_reasons() -> tuple[Reason, ...]:
    return tuple(_reasons.values())


def sealed_reasons() -> list[str]:
    """The codes of the reasons whose amounts are for their owner alone."""
    return [reason.code for reason in _reasons.values() if reason.sealed]


GRANT = tells_why("grant", _("Founding grant"))
ESCHEAT = tells_why("escheat", _("Fell to the crown"))
CORRECTION = tells_why("correction", _("Correction"), shows_note=True)
MINT = tells_why("mint", _("Gift of the crown"), shows_note=True)
