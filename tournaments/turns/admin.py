from django.contrib import admin

from dynasties.records import ReadOnlyAdmin
from tournaments.turns.models import Outage


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    """When nobody could order, and how many deadlines moved on for it."""

    list_display = fields = readonly_fields = ("began_at", "ended_at", "moved")
    date_hierarchy = "began_at"
