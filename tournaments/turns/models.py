from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.announcements.models import Seat, Tournament


class Order(models.Model):
    """What a seat wants in the open turn: a secret. Not registered in the admin, nor shown.

    `receipt` is the place in the order of receipt; a replaced order gets a new one.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="orders")
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="order")
    turn = models.PositiveIntegerField()
    receipt = models.PositiveIntegerField()
    content = models.JSONField()
    received_at = models.DateTimeField()
    by_bot = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        ordering: ClassVar[list[str]] = ["receipt"]

    def __str__(self) -> str:
        return f"{self.pk}"


class Turn(models.Model):
    """A closed turn: its orders, in the order of receipt, open to everybody from now on."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="turns"
    )
    number = models.PositiveIntegerField(_("turn"))
    version = models.PositiveIntegerField(
        editable=False, help_text=_("The tournament's, from when it was closed on.")
    )
    orders = models.JSONField(_("orders"))
    closed_at = models.DateTimeField(_("closed"))

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tournament", "number"], name="turn_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Watch(models.Model):
    """When the site was last known to take orders. One row."""

    seen_at = models.DateTimeField(_("last seen"))

    class Meta:
        verbose_name = _("watch")
        verbose_name_plural = _("watches")

    def __str__(self) -> str:
        return f"{self.pk}"


class Outage(models.Model):
    """A time in which nobody could order: nobody's defeat."""

    began_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"))
    moved = models.PositiveIntegerField(_("deadlines moved"), default=0)

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering: ClassVar[list[str]] = ["-began_at"]

    def __str__(self) -> str:
        return f"{self.pk}"
