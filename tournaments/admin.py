"""Django looks here for the admin of the app; each room keeps its own.

Orders have none: they are secret until their turn is closed, and on their tournament's page
from then on.
"""

from tournaments.announcements import admin as announcements_admin
from tournaments.chancery import admin as chancery_admin
from tournaments.chat import admin as chat_admin
from tournaments.fields import admin as fields_admin
from tournaments.turns import admin as turns_admin

__all__ = ["announcements_admin", "chancery_admin", "chat_admin", "fields_admin", "turns_admin"]
