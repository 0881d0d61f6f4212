from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Proclamation(models.Model):
    """A word of the crown to everybody: on every page while it lasts, live when it begins."""

    text_en = models.CharField(_("in English"), max_length=280)
    text_es = models.CharField(_("in Spanish"), max_length=280)
    starts_at = models.DateTimeField(_("starts"), default=timezone.now)
    ends_at = models.DateTimeField(_("ends"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
    )
    announced_at = models.DateTimeField(_("announced"), null=True, editable=False)

    class Meta:
        verbose_name = _("proclamation")
        verbose_name_plural = _("proclamations")
        ordering: ClassVar[list[str]] = ["-starts_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at")),
                name="proclamation_ends_after_it_starts",
                violation_error_message=_("A proclamation must end after it starts."),
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The text in the reader's language."""
        return self.text_es if (get_language() or "").startswith("es") else self.text_en


class Letter(models.Model):
    """A mail on its way. It is deleted once sent: what it says is the addressee's alone."""

    to = models.EmailField()
    subject = models.CharField(max_length=998)
    body = models.TextField()
    html = models.TextField(blank=True)
    written_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    headers = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["due_at"], name="letter_due_first")
        ]

    def __str__(self) -> str:
        return f"{self.pk}"
