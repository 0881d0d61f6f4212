from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from dynasties.history import History
from dynasties.houses.models import Dynasty
from dynasties.treasury.models import Account, Kind, Transfer


class Ware(models.Model):
    """An item that the crown sells, and its price."""

    item = models.OneToOneField(
        Kind,
        verbose_name=_("item"),
        on_delete=models.PROTECT,
        limit_choices_to={"family": "item"},
        related_name="ware",
    )
    price = models.PositiveIntegerField(_("price"), validators=[MinValueValidator(1)])
    coin = models.ForeignKey(
        Kind,
        verbose_name=_("in"),
        on_delete=models.PROTECT,
        limit_choices_to={"mint_value__isnull": False},
        related_name="+",
    )
    words_en = models.CharField(_("description in English"), max_length=200, blank=True)
    words_es = models.CharField(_("description in Spanish"), max_length=200, blank=True)
    on_sale = models.BooleanField(_("on sale"), default=True)

    class Meta:
        verbose_name = _("ware")
        verbose_name_plural = _("wares")

    def __str__(self) -> str:
        return str(self.item)

    def get_absolute_url(self) -> str:
        return reverse("market_ware", args=[self.item.code])

    @property
    def words(self) -> str:
        """Its description in the reader's language."""
        return self.words_es if (get_language() or "").startswith("es") else self.words_en


class WarePrice(History):
    """When a ware got its price, from whom and why: a history, never edited."""

    ware = models.ForeignKey(
        Ware, verbose_name=_("ware"), on_delete=models.CASCADE, related_name="prices"
    )
    was = models.PositiveIntegerField(_("price before"), null=True, blank=True)
    was_coin = models.ForeignKey(
        Kind,
        verbose_name=_("in, before"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    price = models.PositiveIntegerField(_("price"))
    coin = models.ForeignKey(Kind, verbose_name=_("in"), on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(_("reason"), max_length=200)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    set_at = models.DateTimeField(_("set"), default=timezone.now)

    class Meta:
        verbose_name = _("price of a ware")
        verbose_name_plural = _("prices of wares")
        ordering: ClassVar[list[str]] = ["-pk"]

    def __str__(self) -> str:
        return f"{self.pk}"


class Offer(models.Model):
    """Wealth for wealth, to one dynasty or to whoever comes first. Settled exactly once.

    What is given lies in escrow from the moment the offer is made.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        WITHDRAWN = "withdrawn", _("withdrawn")
        EXPIRED = "expired", _("expired")

    maker = models.ForeignKey(
        Dynasty, verbose_name=_("made by"), on_delete=models.PROTECT, related_name="offers"
    )
    to = models.ForeignKey(
        Dynasty,
        verbose_name=_("made to"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="offers_received",
        help_text=_("Empty: to all."),
    )
    # Its address. A number would tell everybody how many offers passed between two others.
    code = models.UUIDField(_("code"), default=uuid4, unique=True, editable=False)
    key = models.CharField(_("key"), max_length=120, unique=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    taker = models.ForeignKey(
        Dynasty,
        verbose_name=_("accepted by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="offers_accepted",
    )
    escrow = models.OneToOneField(
        Account,
        verbose_name=_("escrow"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Where lies what is given; empty if that is nothing."),
    )
    settlement = models.OneToOneField(
        Transfer,
        verbose_name=_("settlement"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="settled_offer",
        help_text=_("The posting that emptied the escrow."),
    )

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        ordering: ClassVar[list[str]] = ["-made_at", "-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["expires_at"], name="offer_due", condition=models.Q(state="open")),
            models.Index(
                fields=["-made_at", "-id"],
                name="offer_open_to_all",
                condition=models.Q(state="open", to__isnull=True),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("made_at")),
                name="offer_expires_after_it_is_made",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(state="open", settled_at__isnull=True)
                    | (~models.Q(state="open") & models.Q(settled_at__isnull=False))
                ),
                name="offer_settled_has_its_time",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(state="accepted", taker__isnull=False)
                    | (~models.Q(state="accepted") & models.Q(taker__isnull=True))
                ),
                name="offer_accepted_has_its_taker",
            ),
            models.CheckConstraint(
                condition=models.Q(to__isnull=True) | ~models.Q(to=models.F("maker")),
                name="offer_not_to_oneself",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("offer", args=[self.code])

    @property
    def gives(self) -> "list[OfferPart]":
        """What is given, in the order of lists."""
        return self._parts(OfferPart.Side.GIVES)

    @property
    def wants(self) -> "list[OfferPart]":
        """What is wanted for it, in the order of lists."""
        return self._parts(OfferPart.Side.WANTS)

    @property
    def is_overdue(self) -> bool:
        """Whether its time seems over. For pages only: who settles it asks the database."""
        return self.state == self.State.OPEN and self.expires_at <= timezone.now()

    def _parts(self, side: str) -> "list[OfferPart]":
        # From all parts, which pages have fetched beforehand.
        parts = [part for part in self.parts.all() if part.side == side]
        return sorted(parts, key=lambda part: (part.kind.rank, part.kind.code))


class OfferPart(models.Model):
    """So much of a kind, on one side of an offer."""

    class Side(models.TextChoices):
        GIVES = "gives", _("gives")
        WANTS = "wants", _("wants")

    offer = models.ForeignKey(Offer, on_delete=models.CASCADE, related_name="parts")
    side = models.CharField(_("side"), max_length=5, choices=Side.choices)
    kind = models.ForeignKey(Kind, verbose_name=_("kind"), on_delete=models.PROTECT)
    amount = models.BigIntegerField(_("amount"), validators=[MinValueValidator(1)])

    class Meta:
        verbose_name = _("part of an offer")
        verbose_name_plural = _("parts of an offer")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["offer", "side", "kind"], name="offer_part_once"),
            models.CheckConstraint(
                condition=models.Q(amount__gt=0), name="offer_part_is_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"
