from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BettingConfig(AppConfig):
    name = "betting"
    verbose_name = _("Betting")
