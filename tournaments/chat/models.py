from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from dynasties.accounts.models import Guest
from dynasties.houses.models import Dynasty
from dynasties.relations.models import Aversion
from dynasties.relations.people import Person
from tournaments.announcements.models import Seat, Tournament
from tournaments.chat.wording import LONGEST_LINE


class Room(models.Model):
    """One of the two rooms of a tournament. Each counts its own lines.

    One count for both would tell either room when the other is talking.
    """

    class Name(models.TextChoices):
        SEATS = "seats", _("the table")
        SPECTATORS = "spectators", _("the stands")

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="rooms"
    )
    name = models.CharField(_("room"), max_length=10, choices=Name.choices)
    said = models.PositiveIntegerField(_("lines said"), default=0)

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tournament", "name"], name="room_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Line(models.Model):
    """What somebody said. Without words, they were taken down."""

    room = models.ForeignKey(
        Room, verbose_name=_("room"), on_delete=models.CASCADE, related_name="lines"
    )
    number = models.PositiveIntegerField(_("number"))
    dynasty = models.ForeignKey(
        Dynasty,
        verbose_name=_("dynasty"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="lines",
    )
    guest = models.ForeignKey(
        Guest, verbose_name=_("guest"), on_delete=models.SET_NULL, null=True, related_name="lines"
    )
    seat = models.ForeignKey(
        Seat, verbose_name=_("seat"), on_delete=models.SET_NULL, null=True, related_name="lines"
    )
    text = models.CharField(_("words"), max_length=LONGEST_LINE, blank=True)
    said_at = models.DateTimeField(_("said"), default=timezone.now)

    class Meta:
        verbose_name = _("line")
        verbose_name_plural = _("lines")
        ordering: ClassVar[list[str]] = ["said_at", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["room", "number"], name="line_once_a_number"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["dynasty", "said_at"], name="line_by_dynasty"),
            models.Index(fields=["guest", "said_at"], name="line_by_guest"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def author(self) -> Person:
        return Person(dynasty=self.dynasty_id, guest=self.guest_id)

    @property
    def who(self) -> str:
        """Who said it, as the world calls him: by his seat, if he had one."""
        if self.seat is not None:
            return self.seat.who
        return str(self.dynasty or self.guest or _now("Somebody"))


class Mute(Aversion):
    """One reader's wish not to read another in one tournament."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="mutes"
    )

    class Meta(Aversion.Meta):
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            *Aversion.Meta.constraints,
            models.UniqueConstraint(
                fields=["tournament", "dynasty", "other_dynasty"], name="mute_house_house"
            ),
            models.UniqueConstraint(
                fields=["tournament", "dynasty", "other_guest"], name="mute_house_guest"
            ),
            models.UniqueConstraint(
                fields=["tournament", "guest", "other_dynasty"], name="mute_guest_house"
            ),
            models.UniqueConstraint(
                fields=["tournament", "guest", "other_guest"], name="mute_guest_guest"
            ),
        ]


class Report(models.Model):
    """What a reader told the moderators of a line, with the evidence, which outlives all else."""

    # As text: the tournament may leave no trace, the report of abuse in it stays.
    code = models.CharField(_("code of the tournament"), max_length=10, db_index=True)
    title = models.CharField(_("tournament"), max_length=80)
    room = models.CharField(_("room"), max_length=10, choices=Room.Name.choices)
    number = models.PositiveIntegerField(_("number of the line"))
    dynasty = models.ForeignKey(
        Dynasty,
        verbose_name=_("reported by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="reports",
    )
    guest = models.ForeignKey(
        Guest,
        verbose_name=_("reported by the guest"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="reports",
    )
    other_dynasty = models.ForeignKey(
        Dynasty,
        verbose_name=_("about"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="reports_about",
    )
    other_guest = models.ForeignKey(
        Guest,
        verbose_name=_("about the guest"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="reports_about",
    )
    who = models.CharField(_("said by"), max_length=120)
    text = models.CharField(_("words"), max_length=LONGEST_LINE, blank=True)
    why = models.CharField(_("why"), max_length=LONGEST_LINE, blank=True)
    evidence = models.JSONField(_("evidence"), default=list)
    made_at = models.DateTimeField(_("reported"), default=timezone.now)
    handled_at = models.DateTimeField(_("handled"), null=True, blank=True)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("handled by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    verdict = models.CharField(_("verdict"), max_length=LONGEST_LINE, blank=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["code", "room", "number", "dynasty"], name="report_once_a_dynasty"
            ),
            models.UniqueConstraint(
                fields=["code", "room", "number", "guest"], name="report_once_a_guest"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["made_at"],
                name="report_open",
                condition=models.Q(handled_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def about(self) -> Person:
        """Who said it."""
        return Person(dynasty=self.other_dynasty_id, guest=self.other_guest_id)


class Silence(models.Model):
    """That somebody may say nothing in any chat for a time: who decided it, and why."""

    dynasty = models.ForeignKey(
        Dynasty,
        verbose_name=_("dynasty"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="silences",
    )
    guest = models.ForeignKey(
        Guest,
        verbose_name=_("guest"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="silences",
    )
    reason = models.CharField(
        _("reason"), max_length=200, help_text=_("Whoever is silenced reads it.")
    )
    began_at = models.DateTimeField(_("since"), default=timezone.now)
    ends_at = models.DateTimeField(_("until"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    report = models.ForeignKey(
        Report, verbose_name=_("report"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("lifted by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("silence")
        verbose_name_plural = _("silences")
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(dynasty__isnull=True) ^ models.Q(guest__isnull=True),
                name="silence_is_of_one",
            ),
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("began_at")), name="silence_lasts"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"
