from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from dynasties.history import History
from dynasties.houses.models import Dynasty
from dynasties.houses.names import name_slug

LONGEST_NAME = 30


class Emperor(models.Model):
    """A person: born into the dynasty that founded him, in one place at a time, dead for ever.

    Whom he belongs to is told by his reigns; `dynasty` is where the open one is, so that the
    living of a dynasty can be counted without walking through history.
    """

    class Life(models.TextChoices):
        AT_REST = "at-rest", _("at rest")
        FIGHTING = "fighting", _("fighting")
        ATTENDING = "attending", _("attending")
        DEAD = "dead", _("dead")

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    name_key = models.CharField(_("name key"), max_length=120, editable=False)
    number = models.PositiveIntegerField(_("regnal number"), editable=False)
    # Foreign keys whose index would repeat the beginning of another have none of their own:
    # decay writes to every index of every row that it touches.
    founder = models.ForeignKey(
        Dynasty,
        verbose_name=_("born into"),
        on_delete=models.PROTECT,
        related_name="founded",
        db_index=False,
    )
    dynasty = models.ForeignKey(
        Dynasty,
        verbose_name=_("dynasty"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="emperors",
        db_index=False,
        help_text=_("Empty once he is dead."),
    )
    life = models.CharField(_("life"), max_length=10, choices=Life.choices, default=Life.AT_REST)
    place = models.CharField(
        _("place"), max_length=40, blank=True, help_text=_("Where he fights or attends.")
    )
    reputation = models.PositiveIntegerField(_("reputation"), default=0)
    born_at = models.DateTimeField(_("born"), default=timezone.now)
    died_at = models.DateTimeField(_("died"), null=True, blank=True)
    battles = models.PositiveIntegerField(
        _("serious tournaments"), default=0, help_text=_("Any type but training.")
    )
    active_at = models.DateTimeField(
        _("last active"),
        default=timezone.now,
        help_text=_("His last serious tournament, or his birth: decay counts from here."),
    )

    class Meta:
        verbose_name = _("emperor")
        verbose_name_plural = _("emperors")
        ordering: ClassVar[list[str]] = ["-reputation", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["founder", "name_key", "number"], name="emperor_regnal_number_once"
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(life__in=["fighting", "attending"]) & ~models.Q(place="")
                    | models.Q(life__in=["at-rest", "dead"], place="")
                ),
                name="emperor_in_one_place",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(life="dead", dynasty__isnull=True, died_at__isnull=False)
                    | (
                        ~models.Q(life="dead")
                        & models.Q(dynasty__isnull=False, died_at__isnull=True)
                    )
                ),
                name="emperor_dead_belongs_to_nobody",
            ),
            models.CheckConstraint(
                condition=~models.Q(life="dead") | models.Q(reputation=0),
                name="emperor_dead_has_no_reputation",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["dynasty", "-reputation", "id"], name="emperor_of_dynasty"),
            models.Index(
                fields=["active_at"],
                name="emperor_idle",
                condition=models.Q(reputation__gt=0),
            ),
            models.Index(fields=["place"], name="emperor_place", condition=~models.Q(place="")),
            models.Index(fields=["name_key", "number"], name="emperor_name"),
        ]

    def __str__(self) -> str:
        return self.full_name

    def get_absolute_url(self) -> str:
        return reverse("emperor", args=[self.pk, self.slug])

    @property
    def full_name(self) -> str:
        """The name with its regnal number, as the world says it."""
        return f"{self.name} {roman(self.number)}"

    @property
    def slug(self) -> str:
        """What his address says besides his number in the world."""
        return f"{name_slug(self.name)}-{roman(self.number).lower()}"


def roman(number: int) -> str:
    """A whole number from 1 on as Romans wrote it."""
    written = ""
    for value, letters in _NUMERALS:
        count, number = divmod(number, value)
        written += letters * count
    return written


_NUMERALS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


class Reign(models.Model):
    """A stretch of an emperor's life with one dynasty. At most one is open."""

    class Beginning(models.TextChoices):
        BORN = "born", _("born")
        CAPTURED = "captured", _("captured")
        CEDED = "ceded", _("ceded")

    class Ending(models.TextChoices):
        CAPTURED = "captured", _("captured")
        CEDED = "ceded", _("ceded")
        DIED = "died", _("died")
        FELL = "fell", _("died with the dynasty")

    emperor = models.ForeignKey(
        Emperor, verbose_name=_("emperor"), on_delete=models.CASCADE, related_name="reigns"
    )
    dynasty = models.ForeignKey(
        Dynasty, verbose_name=_("dynasty"), on_delete=models.PROTECT, related_name="reigns"
    )
    began_at = models.DateTimeField(_("began"))
    began_by = models.CharField(_("began by"), max_length=10, choices=Beginning.choices)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    ended_by = models.CharField(_("ended by"), max_length=10, choices=Ending.choices, blank=True)

    class Meta:
        verbose_name = _("reign")
        verbose_name_plural = _("reigns")
        ordering: ClassVar[list[str]] = ["began_at", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["emperor"],
                condition=models.Q(ended_at__isnull=True),
                name="reign_one_open_an_emperor",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(ended_at__isnull=True, ended_by="")
                    | (models.Q(ended_at__gte=models.F("began_at")) & ~models.Q(ended_by=""))
                ),
                name="reign_ends_after_it_began",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class ReputationChange(History):
    """A change of an emperor's reputation and why. Never changed; their sum is what he has.

    `dynasty` is whose he was at that moment. Decay writes one a day.
    """

    emperor = models.ForeignKey(
        Emperor,
        verbose_name=_("emperor"),
        on_delete=models.CASCADE,
        related_name="changes",
        db_index=False,
    )
    # Neither checked by the database nor indexed: he has reigned there, and the reign's foreign
    # key keeps the dynasty. Decay writes a million of these in days; the audit looks after them.
    dynasty = models.ForeignKey(
        Dynasty,
        verbose_name=_("dynasty"),
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    change = models.IntegerField(_("change"))
    after = models.PositiveIntegerField(_("reputation after"))
    reason = models.CharField(_("reason"), max_length=40)
    at = models.DateTimeField(_("at"))
    day = models.DateField(_("day of decay"), null=True, blank=True)

    class Meta:
        verbose_name = _("change of reputation")
        verbose_name_plural = _("changes of reputation")
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["day", "emperor"],
                condition=models.Q(day__isnull=False),
                name="reputation_change_decays_once_a_day",
            ),
            models.CheckConstraint(
                condition=~models.Q(change=0), name="reputation_change_changes_something"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["emperor", "id"], name="reputation_change_of_emperor"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Correction(History):
    """Who corrected an emperor's reputation by hand, and why. For the chancery; never changed.

    A row beside the change, not columns of it: decay writes a million changes that have no
    author, and what tells players of changes can't tell them the reason by mistake.
    """

    emperor = models.ForeignKey(
        Emperor,
        verbose_name=_("emperor"),
        on_delete=models.CASCADE,
        related_name="corrections",
        db_index=False,
    )
    key = models.UUIDField(_("key"), help_text=_("Of the form: sent twice, it corrects once."))
    asked = models.IntegerField(_("change asked for"))
    change = models.OneToOneField(
        ReputationChange,
        verbose_name=_("change of reputation"),
        on_delete=models.CASCADE,
        null=True,
        related_name="correction",
        help_text=_("Empty if there was nothing to take."),
    )
    reason = models.CharField(_("reason"), max_length=200)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("correction of reputation")
        verbose_name_plural = _("corrections of reputation")
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["emperor", "key"], name="correction_once_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class StandingQuerySet(models.QuerySet["Standing"]):
    def ranked(self) -> "StandingQuerySet":
        """Those with reputation, in the order in which the world looks up to them."""
        ranked = self.filter(is_ranked=True, reputation__gt=0)
        return ranked.order_by("-reputation", "since", "dynasty_id")


class Standing(models.Model):
    """What a dynasty's living emperors have together, kept exact in every transaction.

    `since` is when it reached that figure: of equals, the earlier one ranks first.
    """

    dynasty = models.OneToOneField(
        Dynasty, verbose_name=_("dynasty"), on_delete=models.CASCADE, primary_key=True
    )
    reputation = models.PositiveBigIntegerField(_("reputation"), default=0)
    since = models.DateTimeField(_("since"), default=timezone.now)
    is_ranked = models.BooleanField(_("ranked"), default=True)

    objects = StandingQuerySet.as_manager()

    class Meta:
        verbose_name = pgettext_lazy("of a dynasty among others", "standing")
        verbose_name_plural = _("standings")
        ordering: ClassVar[list[str]] = ["-reputation", "since", "pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["-reputation", "since", "dynasty"],
                name="standing_rank",
                condition=models.Q(is_ranked=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class StandingChange(History):
    """A change of a dynasty's standing: the curve of its reputation over time. Never changed."""

    # Not checked by the database: the standing itself has the foreign key.
    dynasty = models.ForeignKey(
        Dynasty,
        verbose_name=_("dynasty"),
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    change = models.BigIntegerField(_("change"))
    after = models.PositiveBigIntegerField(_("reputation after"))
    reason = models.CharField(_("reason"), max_length=40)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("change of standing")
        verbose_name_plural = _("changes of standing")
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["dynasty", "at"], name="standing_change_curve"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Championship(models.Model):
    """A time in which one dynasty stood above all others. At most one is open."""

    dynasty = models.ForeignKey(
        Dynasty, verbose_name=_("dynasty"), on_delete=models.PROTECT, related_name="championships"
    )
    began_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("championship")
        verbose_name_plural = _("championships")
        ordering: ClassVar[list[str]] = ["-began_at", "-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                models.Value(1),
                condition=models.Q(ended_at__isnull=True),
                name="championship_one_open",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(ended_at__isnull=True) | models.Q(ended_at__gte=models.F("began_at"))
                ),
                name="championship_ends_after_it_began",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class DecayDay(models.Model):
    """A day whose decay has been applied, whoever did it and however late."""

    day = models.DateField(_("day"), primary_key=True)
    applied_at = models.DateTimeField(_("applied"), default=timezone.now)
    emperors = models.PositiveIntegerField(_("emperors"), default=0)
    points = models.PositiveBigIntegerField(_("points"), default=0)

    class Meta:
        verbose_name = _("day of decay")
        verbose_name_plural = _("days of decay")
        ordering: ClassVar[list[str]] = ["-day"]

    def __str__(self) -> str:
        return str(self.day)
