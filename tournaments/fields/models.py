from typing import ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments import arena


class Battlefield(models.Model):
    """A drawing that tournaments can be announced on.

    A tournament keeps the drawing that it was announced with: to change one here changes
    nothing that was announced before.
    """

    key = models.CharField(
        _("key"),
        max_length=60,
        unique=True,
        validators=[RegexValidator(r"^[a-z][a-z0-9-]*\Z", _("Small letters, digits and dashes."))],
    )
    text = models.TextField(
        _("drawing"),
        max_length=20_000,
        help_text=_("The head (name, idea, opposites), an empty line, and the board."),
    )
    name = models.CharField(_("name"), max_length=80, editable=False)
    seats = models.PositiveSmallIntegerField(_("seats"), editable=False)
    is_offered = models.BooleanField(
        _("offered"), default=True, help_text=_("Whether players can announce tournaments on it.")
    )

    class Meta:
        verbose_name = _("battlefield")
        verbose_name_plural = _("battlefields")
        ordering: ClassVar[list[str]] = ["seats", "key"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Read the drawing; the error says in which line and column it is wrong."""
        self.text = self.text.replace("\r\n", "\n")
        try:
            self.take_from_drawing()
        except arena.BadDrawing as bad:
            raise ValidationError({"text": str(bad)}) from None

    def take_from_drawing(self) -> None:
        """Fill in what the drawing tells. Raises BadDrawing."""
        drawn = arena.read_battlefield(self.text)
        self.name, self.seats = drawn.name[:80], len(drawn.seats)
