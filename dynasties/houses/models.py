from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class DynastyQuerySet(models.QuerySet["Dynasty"]):
    def public(self) -> "DynastyQuerySet":
        """Those that the world knows: standing or fallen, but not those still unopened."""
        return self.filter(opened_at__isnull=False)

    def unopened(self) -> "DynastyQuerySet":
        """Those that hold a name for somebody whose address is not verified yet, or never will."""
        return self.filter(opened_at__isnull=True)


class Dynasty(models.Model):
    """It opens when its ruler's address is verified, and falls when he leaves.

    Until it opens nobody may see it, not even by its absence: an unopened dynasty
    holds its name whether or not an account stands behind it, so that a sign-up
    tells a stranger nothing about who already has an account.
    """

    ruler = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("ruler"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="dynasty",
    )
    name = models.CharField(_("name"), max_length=40)
    name_key = models.CharField(
        _("name key"),
        max_length=120,
        unique=True,
        editable=False,
        help_text=_("What the name looks like; two that look alike can't both exist."),
    )
    # No SlugField: its idea of Unicode leaves out the vowel signs of half of Asia.
    slug = models.CharField(_("address"), max_length=60, unique=True, editable=False)
    motto = models.CharField(_("motto"), max_length=120, blank=True)
    founded_at = models.DateTimeField(_("founded"), default=timezone.now, editable=False)
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True, editable=False)
    fallen_at = models.DateTimeField(_("fallen"), null=True, blank=True, editable=False)
    tried_at = models.DateTimeField(
        _("first serious tournament"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("Until then its founding grant can't be given away."),
    )

    objects = DynastyQuerySet.as_manager()

    class Meta:
        verbose_name = _("dynasty")
        verbose_name_plural = _("dynasties")
        ordering: ClassVar[list[str]] = ["name"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-opened_at"], name="dynasty_newest_first"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(fallen_at__isnull=True) | models.Q(opened_at__isnull=False),
                name="dynasty_opened_before_it_falls",
            ),
            models.CheckConstraint(
                condition=models.Q(fallen_at__isnull=True) | models.Q(ruler__isnull=True),
                name="dynasty_fallen_has_no_ruler",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(opened_at__isnull=True)
                    | models.Q(fallen_at__isnull=False)
                    | models.Q(ruler__isnull=False)
                ),
                name="dynasty_standing_has_a_ruler",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("dynasty", args=[self.slug])
