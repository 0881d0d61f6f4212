from django.contrib import admin

from dynasties.records import ReadOnlyAdmin
from dynasties.vitals.models import Heartbeat


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    """When each regular duty was last done."""

    list_display = ("duty", "at")
