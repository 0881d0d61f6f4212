from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dynasties.history import History
from dynasties.houses.models import Dynasty


class Entry(History):
    """A line of the chronicle: what happened, when, and what a sentence about it needs.

    `facts` keep names as they were on that day. An entry with an owner is for the ruler of
    that dynasty alone. Never changed, and taken out by oblivion only.
    """

    kind = models.CharField(_("kind"), max_length=40)
    at = models.DateTimeField(_("at"), default=timezone.now)
    facts = models.JSONField(_("facts"), default=dict)
    owner = models.ForeignKey(
        Dynasty,
        verbose_name=_("for the eyes of"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )

    class Meta:
        verbose_name = _("entry of the chronicle")
        verbose_name_plural = _("chronicle")
        ordering: ClassVar[list[str]] = ["-at", "-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["-at", "-id"], name="entry_public", condition=models.Q(owner__isnull=True)
            ),
            models.Index(
                fields=["kind", "-at", "-id"],
                name="entry_public_by_kind",
                condition=models.Q(owner__isnull=True),
            ),
            models.Index(fields=["owner", "-at", "-id"], name="entry_private"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Mention(History):
    """Whom an entry is about: a dynasty, or something of an upper floor, by kind and number.

    The time and the owner are those of the entry, so that all that a reader may know about
    somebody, newest first, is one stretch of one index.
    """

    # `mention_once` begins with it: an index of its own would only cost.
    entry = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="mentions", db_index=False
    )
    subject = models.CharField(_("subject"), max_length=20)
    number = models.BigIntegerField(_("number"))
    at = models.DateTimeField(_("at"))
    private_to = models.BigIntegerField(_("for the eyes of"), null=True, blank=True)

    class Meta:
        verbose_name = _("mention")
        verbose_name_plural = _("mentions")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["entry", "subject", "number"], name="mention_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["subject", "number", "-at", "-entry"],
                name="mention_newest",
                condition=models.Q(private_to__isnull=True),
            ),
            models.Index(
                fields=["private_to", "subject", "number", "-at", "-entry"],
                name="mention_private",
                condition=models.Q(private_to__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.number}"
