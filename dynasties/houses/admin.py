from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from dynasties.houses.forms import name_taken
from dynasties.houses.models import Dynasty
from dynasties.houses.names import clean_motto, clean_name, name_key, searchable
from dynasties.houses.services import NameTakenError, change_motto, rename_dynasty


class StandingFilter(admin.SimpleListFilter):
    """Staff ask: which stand, which fell, which wait to be opened?"""

    title = _("standing")
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("standing", _("standing")), ("fallen", _("fallen")), ("unopened", _("unopened"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Dynasty]) -> QuerySet[Dynasty]:
        conditions: dict[str | None, dict[str, bool]] = {
            "standing": {"opened_at__isnull": False, "fallen_at__isnull": True},
            "fallen": {"fallen_at__isnull": False},
            "unopened": {"opened_at__isnull": True},
        }
        return queryset.filter(**conditions.get(self.value(), {}))


class DynastyForm(forms.ModelForm):
    """Name and motto by the same rules that players keep to."""

    class Meta:
        model = Dynasty
        fields = ("name", "motto")
        help_texts: ClassVar[dict[str, Any]] = {
            "name": _(
                "With the name changes the address of the dynasty's page: "
                "links to the old one will lead nowhere."
            )
        }

    def clean_name(self) -> str:
        name = clean_name(self.cleaned_data["name"])
        others = Dynasty.objects.exclude(pk=self.instance.pk)
        if others.filter(name_key=name_key(name)).exists():
            raise name_taken()
        return name

    def clean_motto(self) -> str:
        return clean_motto(self.cleaned_data["motto"])


@admin.register(Dynasty)
class DynastyAdmin(admin.ModelAdmin):
    """For moderation: find a dynasty, give an unfit name or motto another wording."""

    form = DynastyForm
    list_display = ("name", "motto", "founded_at", "opened_at", "fallen_at", "ruler")
    list_filter = (StandingFilter, "founded_at")
    list_select_related = ("ruler",)
    search_fields = ("name", "motto", "slug", "ruler__email")
    readonly_fields = ("ruler", "slug", "name_key", "founded_at", "opened_at", "fallen_at")
    actions = ("take_mottoes_down",)
    ordering = ("-founded_at",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Dynasty], search_term: str
    ) -> tuple[QuerySet[Dynasty], bool]:
        """What the database finds, and names that look as if they held the text."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        key = searchable(search_term)
        return (found | queryset.filter(name_key__contains=key) if key else found), may_repeat

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # dynasties are founded by signing up

    def has_delete_permission(self, request: HttpRequest, obj: Dynasty | None = None) -> bool:
        return False  # history stays

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Django's page, which is one transaction: a name lost in a race undoes all of it."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except NameTakenError:  # another dynasty was quicker than the form could see
            self.message_user(request, name_taken().message, messages.ERROR)
            return redirect(request.path)

    def save_model(self, request: HttpRequest, obj: Dynasty, form: Any, change: bool) -> None:
        if "name" in form.changed_data:
            rename_dynasty(dynasty=obj, name=obj.name)
        if "motto" in form.changed_data:
            change_motto(dynasty=obj, motto=obj.motto)

    @admin.action(description=_("Take the mottoes down"), permissions=["change"])
    def take_mottoes_down(self, request: HttpRequest, queryset: QuerySet[Dynasty]) -> None:
        for dynasty in queryset:
            change_motto(dynasty=dynasty, motto="")
        self.message_user(request, _("The mottoes are gone."), messages.SUCCESS)
