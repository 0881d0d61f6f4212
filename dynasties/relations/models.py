from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dynasties.houses.models import Dynasty
from dynasties.relations.people import Person


class Aversion(models.Model):
    """That one person wants to hear nothing of another; each is a dynasty or a guest.

    It is known to the one who feels it, and to nobody else.
    """

    dynasty = models.ForeignKey(
        Dynasty, verbose_name=_("by"), on_delete=models.CASCADE, null=True, related_name="+"
    )
    guest = models.ForeignKey(
        "dynasties.Guest",
        verbose_name=_("by the guest"),
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
    )
    other_dynasty = models.ForeignKey(
        Dynasty, verbose_name=_("of"), on_delete=models.CASCADE, null=True, related_name="+"
    )
    other_guest = models.ForeignKey(
        "dynasties.Guest",
        verbose_name=_("of the guest"),
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
    )
    made_at = models.DateTimeField(_("since"), default=timezone.now)

    class Meta:
        abstract = True
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(dynasty__isnull=True) ^ models.Q(guest__isnull=True),
                name="%(class)s_is_by_one",
            ),
            models.CheckConstraint(
                condition=models.Q(other_dynasty__isnull=True) ^ models.Q(other_guest__isnull=True),
                name="%(class)s_is_of_one",
            ),
            models.CheckConstraint(
                condition=~models.Q(dynasty=models.F("other_dynasty"))
                | models.Q(dynasty__isnull=True)
                | models.Q(other_dynasty__isnull=True),
                name="%(class)s_is_of_another_dynasty",
            ),
            models.CheckConstraint(
                condition=~models.Q(guest=models.F("other_guest"))
                | models.Q(guest__isnull=True)
                | models.Q(other_guest__isnull=True),
                name="%(class)s_is_of_another_guest",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def other(self) -> Person:
        """Of whom nothing is wanted."""
        return Person(dynasty=self.other_dynasty_id, guest=self.other_guest_id)

    @property
    def other_name(self) -> str:
        """What the world calls him."""
        return str(self.other_dynasty or self.other_guest)


class Block(Aversion):
    """One person's wish to be left alone by another, everywhere."""

    class Meta(Aversion.Meta):
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            *Aversion.Meta.constraints,
            models.UniqueConstraint(fields=["dynasty", "other_dynasty"], name="block_house_house"),
            models.UniqueConstraint(fields=["dynasty", "other_guest"], name="block_house_guest"),
            models.UniqueConstraint(fields=["guest", "other_dynasty"], name="block_guest_house"),
            models.UniqueConstraint(fields=["guest", "other_guest"], name="block_guest_guest"),
        ]
