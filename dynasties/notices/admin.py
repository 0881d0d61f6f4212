from typing import Any

from django.contrib import admin
from django.contrib.admin.widgets import AdminTextareaWidget
from django.db.models import CharField, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dynasties.notices.models import Letter, Proclamation
from dynasties.notices.services import announce_due_proclamations
from dynasties.records import ReadOnlyAdmin


@admin.register(Proclamation)
class ProclamationAdmin(admin.ModelAdmin):
    """Staff write here; pages that are open hear it when it starts."""

    list_display = ("__str__", "starts_at", "ends_at", "in_force", "author")
    list_filter = ("starts_at",)
    search_fields = ("text_en", "text_es")
    readonly_fields = ("author", "announced_at")
    formfield_overrides = {CharField: {"widget": AdminTextareaWidget(attrs={"rows": 3})}}

    @admin.display(boolean=True, description=_("in force"))
    def in_force(self, proclamation: Proclamation) -> bool:
        return proclamation.starts_at <= timezone.now() < proclamation.ends_at

    def get_queryset(self, request: HttpRequest) -> QuerySet[Proclamation]:
        return super().get_queryset(request).select_related("author")

    def save_model(self, request: HttpRequest, obj: Proclamation, form: Any, change: bool) -> None:
        if not change:
            obj.author_id = request.user.pk
        super().save_model(request, obj, form, change)
        announce_due_proclamations()


@admin.register(Letter)
class LetterAdmin(ReadOnlyAdmin):
    """Letters that wait: when and how often tried. What they say is not for staff to read."""

    list_display = ("id", "written_at", "due_at", "tries")
    fields = ("written_at", "due_at", "tries")
