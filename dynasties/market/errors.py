"""What the market will not do. As text, each says why, to the one who asked."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


class Refused(Exception):
    """The market will not do it, and nothing has changed."""

    words = gettext_lazy("The market can't do this.")

    def __str__(self) -> str:
        return str(self.words)


class NotStanding(Refused):
    """A dynasty that has fallen, or is not open yet, neither gives nor takes."""

    words = gettext_lazy("Only dynasties that stand can trade.")


class EmptyOffer(Refused):
    words = gettext_lazy("An offer gives something or wants something.")


class SameOnBothSides(Refused):
    words = gettext_lazy("An offer can't give and want the same kind of wealth.")


class UnfitAmount(Refused):
    words = gettext_lazy("That amount can't be traded.")


class UnfitAddressee(Refused):
    words = gettext_lazy("An offer goes to another dynasty that stands, or to all.")


class Unwelcome(Refused):
    """The one to whom the offer would go has blocked its maker."""

    words = gettext_lazy("This dynasty takes no offers of yours.")


class UnfitTime(Refused):
    """An offer would last for no time, or for longer than the charter allows."""

    def __init__(self, *, most_days: int) -> None:
        super().__init__(most_days)
        self.most_days = most_days

    def __str__(self) -> str:
        return ngettext(
            "An offer may last for %(days)d day at most.",
            "An offer may last for %(days)d days at most.",
            self.most_days,
        ) % {"days": self.most_days}


class TooManyOffers(Refused):
    words = gettext_lazy("You have too many open offers. Withdraw one first.")


class TooManyToday(Refused):
    words = gettext_lazy("You have made too many offers today. Come back tomorrow.")


class Settled(Refused):
    words = gettext_lazy("This offer is no longer open.")


class Expired(Refused):
    words = gettext_lazy("This offer has expired.")


class OwnOffer(Refused):
    words = gettext_lazy("You can't accept an offer of your own.")


class NotForYou(Refused):
    words = gettext_lazy("This offer is not yours to accept or to withdraw.")


class GrantBound(Refused):
    """A dynasty that was never tried would give its founding grant away."""

    def __init__(self, *, grant: int, left: int) -> None:
        super().__init__(grant, left)
        self.grant, self.left = grant, left

    def __str__(self) -> str:
        return _(
            "Until your first serious tournament your founding grant can't be given away: this "
            "would leave you with wealth worth %(left)d copper at the mint, and %(grant)d must "
            "stay with you."
        ) % {"left": self.left, "grant": self.grant}


class NotOnSale(Refused):
    words = gettext_lazy("The crown does not sell this at the moment.")


class NotExchanged(Refused):
    words = gettext_lazy("The mint exchanges two different kinds that have a mint value.")


class PriceChanged(Refused):
    """The price is no longer the one that was shown; `price` is the new one."""

    def __init__(self, *, price: int) -> None:
        super().__init__(price)
        self.price = price

    words = gettext_lazy("The price has changed. Look at the new one before you confirm.")
