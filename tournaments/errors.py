"""What this floor will not do: a stable code for programs, and a sentence for the one who asked."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Refused(Exception):
    """It was not done, and nothing has changed."""

    code = "refused"
    words: str | Promise = _("This can't be done.")

    def __init__(self, **facts: Any) -> None:
        super().__init__(facts)
        self.facts = facts

    def __str__(self) -> str:
        return str(self.words) % self.facts if self.facts else str(self.words)


# --- Announcing ---------------------------------------------------------------------------


class UnfitTerms(Refused):
    """Terms that no tournament can have; `field` is the one that is wrong."""

    code = "unfit-terms"
    words = _("%(why)s")

    def __init__(self, field: str, why: str | Promise) -> None:
        super().__init__(field=field, why=why)
        self.field = field


class TooManyOpen(Refused):
    code = "too-many-open"
    words = _("You have announced enough tournaments for now: let one of them begin first.")


class CrownOnly(Refused):
    code = "crown-only"
    words = _("Only the crown gives gifts.")


# --- Entering -----------------------------------------------------------------------------


class NotOpen(Refused):
    code = "not-open"
    words = _("Nobody can enter this tournament now.")


class Full(Refused):
    code = "full"
    words = _("All seats are taken.")


class NotInvited(Refused):
    code = "not-invited"
    words = _("This tournament is for those who were invited.")


class TrainingOnly(Refused):
    code = "training-only"
    words = _("Guests play in training. Found a dynasty to fight for more.")


class NotYourEmperor(Refused):
    code = "not-your-emperor"
    words = _("This emperor is not yours to send.")


class Away(Refused):
    code = "away"
    words = _("He is not at rest: an emperor is in one place at a time.")


class SeatedAlready(Refused):
    code = "seated-already"
    words = _("You have a seat in this tournament already.")


class TooLowly(Refused):
    code = "too-lowly"
    words = _("He needs a reputation of at least %(least)d.")


class TooFamed(Refused):
    code = "too-famed"
    words = _("His reputation may be %(most)d at most.")


class NoKey(Refused):
    code = "no-key"
    words = _("Your treasury lacks the key to this battlefield: %(key)s.")


class Poor(Refused):
    code = "poor"
    words = _("Your treasury lacks %(short)d of what this costs: %(kind)s.")


class UnfitChest(Refused):
    code = "unfit-chest"
    words = _("Put between %(least)d and %(most)d copper coins into your chest.")


class NotSeated(Refused):
    code = "not-seated"
    words = _("You have no seat in this tournament.")


class BegunAlready(Refused):
    code = "begun-already"
    words = _("It has begun: whoever wants to leave now has to resign.")


# --- Ordering -----------------------------------------------------------------------------


class NotRunning(Refused):
    code = "not-running"
    words = _("This tournament is not being fought now.")


class WrongTurn(Refused):
    code = "wrong-turn"
    words = _("That turn is over.")


class TooLate(Refused):
    code = "too-late"
    words = _("The deadline of this turn has passed.")


class OutOfIt(Refused):
    code = "out"
    words = _("Nobody waits for you in this turn.")


ORDER_WORDS = {
    "not-an-order": _("This is no order of this game."),
    "over": _("This battle is over."),
    "no-such-seat": _("Nobody sits there in this battle."),
    "out": _("You are out of this battle."),
    "no-such-piece": _("There is no such piece on the board."),
    "not-yours": _("This piece does not obey you."),
    "too-far": _("This piece does not reach so far."),
    "off-board": _("That is no tile of this battlefield."),
    "same-tile": _("It stands there already; hold instead."),
    "not-straight": _("That tile is not in its row or column."),
    "hole": _("The board breaks on the way there."),
    "blocked": _("Another piece stands in the way."),
    "own-piece": _("A piece of your own stands there."),
}
"""What a game refuses, in words that can be translated: its own sentences are English."""


class BadOrder(Refused):
    """The game refuses the order; its own code and sentence are passed on."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__()
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        if (get_language() or "en").startswith("en"):
            return self.sentence
        return str(ORDER_WORDS.get(self.code, self.sentence))
