from django.db import models
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """When a regular duty was last done, as the database's own memory of it."""

    duty = models.CharField(_("duty"), max_length=40, primary_key=True)
    at = models.DateTimeField(_("last done"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return f"{self.duty}: {self.at:%Y-%m-%d %H:%M:%S}"
