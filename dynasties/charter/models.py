from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dynasties.history import History

MOST = 2**31 - 1


class Number(models.PositiveIntegerField):
    """A whole number of the charter, within limits that make sense."""

    def __init__(self, *args: Any, low: int = 0, high: int = MOST, **kwargs: Any) -> None:
        self.low, self.high = low, high
        kwargs["validators"] = [MinValueValidator(low), MaxValueValidator(high)]
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, Any, dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        kwargs.pop("validators", None)
        return name, path, args, {**kwargs, "low": self.low, "high": self.high}


class Charter(History):
    """One version of the world's numbers. The newest is in force; none is ever changed.

    To change a number is to write a new version, with a reason: so the history of changes
    is the table itself.
    """

    founding_grant = Number(
        _("founding grant"), default=1000, high=1_000_000, help_text=_("Copper for a new dynasty.")
    )
    mint_fee_percent = Number(_("fee of the mint"), default=2, high=50, help_text=_("In percent."))
    offer_days = Number(
        _("longest life of an offer"), default=14, low=1, high=90, help_text=_("In days.")
    )
    decay_after_days = Number(
        _("decay begins after"),
        default=30,
        low=1,
        high=3650,
        help_text=_("Days without a serious tournament."),
    )
    decay_percent = Number(
        _("decay"), default=1, high=100, help_text=_("Percent of an emperor's reputation, a day.")
    )
    decay_minimum = Number(
        _("least decay"), default=1, high=1000, help_text=_("Points of reputation, a day.")
    )
    honour_stake = Number(
        _("stake of honour"),
        default=5,
        low=1,
        high=1_000_000,
        help_text=_("Points of reputation from each, where a tournament names no other stake."),
    )
    gift_reputation = Number(
        _("gift of reputation"),
        default=10,
        high=1_000_000,
        help_text=_("Points for the winner, where a tournament for a gift names no others."),
    )
    live_turn_seconds = Number(
        _("live turn"), default=30, low=10, high=300, help_text=_("In seconds.")
    )
    chest_least = Number(
        _("emptiest chest"), default=100, low=1, high=1_000_000, help_text=_("In copper coins.")
    )
    chest_most = Number(
        _("fullest chest"), default=1000, low=1, high=1_000_000, help_text=_("In copper coins.")
    )
    generosity = Number(
        _("generosity"),
        default=10,
        high=1_000_000,
        help_text=_("Points for the fullest chest that was captured, and off for the emptiest."),
    )
    reason = models.CharField(_("reason"), max_length=200)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )
    written_at = models.DateTimeField(_("written"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("charter")
        verbose_name_plural = _("charter")
        ordering: ClassVar[list[str]] = ["-pk"]

    def __str__(self) -> str:
        return f"{self.pk}"

    def clean(self) -> None:
        """Refuse numbers that can't hold together."""
        if self.chest_least > self.chest_most:
            raise ValidationError(
                {"chest_most": _("The fullest chest holds less than the emptiest.")}
            )
