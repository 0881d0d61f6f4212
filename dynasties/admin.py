"""Django looks here for the admin of the app; each room keeps its own."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from dynasties.accounts import admin as accounts_admin
from dynasties.charter import admin as charter_admin
from dynasties.chronicle import admin as chronicle_admin
from dynasties.houses import admin as houses_admin
from dynasties.market import admin as market_admin
from dynasties.notices import admin as notices_admin
from dynasties.treasury import admin as treasury_admin
from dynasties.vitals import admin as vitals_admin

__all__ = [
    "accounts_admin",
    "charter_admin",
    "chronicle_admin",
    "houses_admin",
    "market_admin",
    "notices_admin",
    "treasury_admin",
    "vitals_admin",
]

admin.site.site_title = _("Emperors of the Dynasty")
admin.site.site_header = _("Chancery of Emperors of the Dynasty")
admin.site.index_title = _("Accounts, dynasties, proclamations")
