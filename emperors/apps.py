from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EmperorsConfig(AppConfig):
    name = "emperors"
    verbose_name = _("Emperors")
