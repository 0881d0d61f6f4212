"""Django looks here for the admin of the app; each room keeps its own."""

from dynasties.accounts import admin as accounts_admin
from dynasties.houses import admin as houses_admin
from dynasties.notices import admin as notices_admin
from dynasties.vitals import admin as vitals_admin

__all__ = ["accounts_admin", "houses_admin", "notices_admin", "vitals_admin"]
