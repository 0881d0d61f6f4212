from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from dynasties.history import History
from dynasties.houses.models import Dynasty


class Kind(models.Model):
    """A kind of wealth: a coin, a gem, a bar, or an item such as a key. A row, not code."""

    class Family(models.TextChoices):
        COIN = "coin", _("coins")
        GEM = "gem", _("gemstones")
        BAR = "bar", _("bars")
        ITEM = "item", _("items")

    code = models.CharField(
        _("code"),
        max_length=40,
        unique=True,
        validators=[RegexValidator(r"^[a-z][a-z0-9-]*\Z", _("Small letters, digits and dashes."))],
    )
    family = models.CharField(_("family"), max_length=8, choices=Family.choices)
    name_en = models.CharField(_("in English"), max_length=60)
    name_es = models.CharField(_("in Spanish"), max_length=60)
    mint_value = models.PositiveIntegerField(
        _("mint value"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("In copper coins; empty for what the mint does not exchange."),
    )
    rank = models.PositiveSmallIntegerField(_("place in lists"), default=100)

    class Meta:
        verbose_name = _("kind of wealth")
        verbose_name_plural = _("kinds of wealth")
        ordering: ClassVar[list[str]] = ["rank", "code"]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Its name in the reader's language."""
        return self.name_es if (get_language() or "").startswith("es") else self.name_en


class MintValue(History):
    """When a kind got its mint value, from whom and why: a history, never edited."""

    kind = models.ForeignKey(Kind, verbose_name=_("kind"), on_delete=models.CASCADE)
    value = models.PositiveIntegerField(_("mint value"), null=True)
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
        verbose_name = _("mint value")
        verbose_name_plural = _("mint values")
        ordering: ClassVar[list[str]] = ["-pk"]

    def __str__(self) -> str:
        return f"{self.pk}"


class Account(models.Model):
    """Where wealth lies: with a dynasty, the crown, the mint, or in escrow for a purpose."""

    class Holder(models.TextChoices):
        DYNASTY = "dynasty", _("dynasty")
        CROWN = "crown", _("crown")
        MINT = "mint", _("mint")
        ESCROW = "escrow", _("escrow")

    holder = models.CharField(_("holder"), max_length=8, choices=Holder.choices)
    dynasty = models.OneToOneField(
        Dynasty,
        verbose_name=_("dynasty"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="account",
    )
    purpose = models.CharField(
        _("purpose"),
        max_length=80,
        unique=True,
        help_text=_("What it is for, once in the world: “crown”, “offer 12”."),
    )
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)

    class Meta:
        verbose_name = _("treasury account")
        verbose_name_plural = _("treasury accounts")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=(
                    models.Q(holder="dynasty", dynasty__isnull=False)
                    | (~models.Q(holder="dynasty") & models.Q(dynasty__isnull=True))
                ),
                name="account_of_a_dynasty_names_it",
            ),
            models.UniqueConstraint(
                fields=["holder"],
                condition=models.Q(holder__in=["crown", "mint"]),
                name="account_one_crown_one_mint",
            ),
        ]

    def __str__(self) -> str:
        return self.purpose


class Balance(models.Model):
    """How much of a kind lies in an account. Only the mint's may be negative: it made the rest."""

    account = models.ForeignKey(Account, verbose_name=_("account"), on_delete=models.PROTECT)
    kind = models.ForeignKey(Kind, verbose_name=_("kind"), on_delete=models.PROTECT)
    amount = models.BigIntegerField(_("amount"), default=0)
    is_mint = models.BooleanField(_("of the mint"), default=False, editable=False)

    class Meta:
        verbose_name = _("balance")
        verbose_name_plural = _("balances")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "kind"], name="balance_one_a_kind"),
            models.CheckConstraint(
                condition=models.Q(amount__gte=0) | models.Q(is_mint=True),
                name="balance_never_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Transfer(History):
    """Wealth that moved, once: the same key again is the same transfer. Never changed."""

    key = models.CharField(_("key"), max_length=120, unique=True)
    reason = models.CharField(_("reason"), max_length=40)
    note = models.CharField(_("note"), max_length=200, blank=True)
    made_at = models.DateTimeField(_("made"))
    counters = models.OneToOneField(
        "self",
        verbose_name=_("takes back"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="countered_by",
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-made_at"], name="transfer_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Leg(History):
    """One side of a transfer: so much of a kind came to an account, or left it. Never changed."""

    transfer = models.ForeignKey(
        Transfer, verbose_name=_("transfer"), on_delete=models.PROTECT, related_name="legs"
    )
    account = models.ForeignKey(
        Account, verbose_name=_("account"), on_delete=models.PROTECT, related_name="legs"
    )
    kind = models.ForeignKey(Kind, verbose_name=_("kind"), on_delete=models.PROTECT)
    amount = models.BigIntegerField(_("amount"))
    after = models.BigIntegerField(_("balance after"))

    class Meta:
        verbose_name = _("leg")
        verbose_name_plural = _("legs")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["transfer", "account", "kind"], name="leg_one_an_account_and_kind"
            ),
            models.CheckConstraint(condition=~models.Q(amount=0), name="leg_moves_something"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["account", "-id"], name="leg_statement"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"
