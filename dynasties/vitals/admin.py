from django.contrib import admin
from django.http import HttpRequest

from dynasties.vitals.models import Heartbeat


@admin.register(Heartbeat)
class HeartbeatAdmin(admin.ModelAdmin):
    """When each regular duty was last done; a record, so nobody edits it."""

    list_display = ("duty", "at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Heartbeat | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Heartbeat | None = None) -> bool:
        return False
