from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, URLPattern, path, reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_POST

from tournaments.fields.models import Battlefield
from tournaments.fields.preview import preview

EXAMPLE = """\
name: The Ford
idea: One narrow crossing: whoever holds it is met from both banks.
opposites: a-b

+---+---+---+
|(a)| a |   |
+---+---+---+
    |   |
+---+---+---+
|   | b |(b)|
+---+---+---+
"""


@dataclass(frozen=True)
class Use:
    """How many rows of one model are on a battlefield, and where they are listed."""

    words: str
    count: int
    url: str


def uses_of(field: Battlefield) -> Iterator[Use]:
    """Whatever points to a battlefield, from whichever room: they know it, it knows none."""
    for relation in Battlefield._meta.get_fields(include_hidden=True):
        if relation.auto_created and not relation.concrete and relation.related_model:
            yield _use(relation, field)


def _use(relation: Any, field: Battlefield) -> Use:
    model: type[Model] = relation.related_model
    name = relation.field.name
    rows = model._default_manager.filter(**{name: field})
    try:
        place = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    except NoReverseMatch:
        place = ""
    url = f"{place}?{name}__id__exact={field.pk}" if place else ""
    return Use(capfirst(str(model._meta.verbose_name_plural)), rows.count(), url)


class BattlefieldForm(forms.ModelForm):
    class Meta:
        model = Battlefield
        fields = ("key", "text", "is_offered")
        widgets = {
            "text": forms.Textarea(
                attrs={
                    "class": "drawing",
                    "rows": 28,
                    "cols": 84,
                    "spellcheck": "false",
                    "autocomplete": "off",
                    "autocapitalize": "off",
                    "wrap": "off",
                }
            )
        }

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        if "text" in self.fields:  # a line less above would be another line in what is wrong
            cast(forms.CharField, self.fields["text"]).strip = False


@admin.register(Battlefield)
class BattlefieldAdmin(admin.ModelAdmin):
    """Battlefields, drawn in a text area beside their board."""

    form = BattlefieldForm
    change_form_template = "admin/tournaments/battlefield/change_form.html"
    delete_confirmation_template = "admin/tournaments/battlefield/delete_confirmation.html"
    list_display = ("name", "key", "seats", "is_offered")
    list_filter = ("is_offered", "seats")
    search_fields = ("name", "key", "text")
    fields = ("key", "is_offered", "text")

    class Media:
        css = {"all": ("css/tokens.css", "css/battlefield_preview.css")}
        js = ("js/battlefield_preview.js",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"text": EXAMPLE, **super().get_changeform_initial_data(request)}

    def get_urls(self) -> list[URLPattern]:
        own = path(
            "preview/",
            require_POST(self.admin_site.admin_view(self.preview)),
            name="tournaments_battlefield_preview",
        )
        return [own, *super().get_urls()]

    def preview(self, request: HttpRequest) -> HttpResponse:
        """The board of a drawing that may not be kept yet, or its mistake. Changes nothing."""
        if not self.has_view_or_change_permission(request) and not self.has_add_permission(request):
            raise PermissionDenied
        context = {"preview": preview(request.POST.get("text", ""))}
        return render(request, "admin/tournaments/battlefield/preview.html", context)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        field = kwargs.get("obj")
        form = context["adminform"].form
        kept = field.text if field else ""
        context["preview"] = preview(form["text"].value() or "" if "text" in form.fields else kept)
        context["uses"] = list(uses_of(field)) if field else []
        return super().render_change_form(request, context, *args, **kwargs)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        field = self.get_object(request, object_id)
        uses = list(uses_of(field)) if isinstance(field, Battlefield) else []
        return super().delete_view(request, object_id, {**(extra_context or {}), "uses": uses})
