from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from dynasties.charter.models import Charter
from dynasties.charter.selectors import charter
from dynasties.charter.services import NUMBERS, amend_charter
from dynasties.records import ReadOnlyAdmin


class CharterForm(forms.ModelForm):
    """A new version: it begins as the one in force, and must differ from it."""

    based_on = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = Charter
        fields = (*NUMBERS, "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        now = charter()
        in_force = {name: getattr(now, name) for name in NUMBERS}
        super().__init__(*args, **{**kwargs, "initial": {**in_force, "based_on": now.pk}})

    def changes(self) -> dict[str, int]:
        return {name: self.cleaned_data[name] for name in NUMBERS if name in self.changed_data}

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if "based_on" in self.changed_data:
            raise ValidationError(
                _("Somebody has amended the charter meanwhile. Look at it, and write yours anew."),
                code="stale",
            )
        if not self.errors and not self.changes():
            raise ValidationError(_("This is what the charter says already."), code="same")
        return found


@admin.register(Charter)
class CharterAdmin(ReadOnlyAdmin):
    """The world's numbers. To change one is to write the next version; all versions stay."""

    form = CharterForm
    list_display = ("id", "written_at", "author", "reason", *NUMBERS)
    list_filter = ("written_at",)
    list_select_related = ("author",)
    search_fields = ("reason", "author__email")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def get_fields(self, request: HttpRequest, obj: Charter | None = None) -> tuple[str, ...]:
        own = (*NUMBERS, "reason")
        return (*own, "author", "written_at") if obj else (*own, "based_on")

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Django's page; what somebody else has written a moment ago is found by the service."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except ValidationError as refusal:
            self.message_user(request, " ".join(refusal.messages), messages.ERROR)
            return redirect(request.path)

    def save_model(self, request: HttpRequest, obj: Charter, form: Any, change: bool) -> None:
        version = amend_charter(
            changes=form.changes(),
            reason=form.cleaned_data["reason"],
            author=cast(Any, request.user),
        )
        obj.pk, obj._state.adding = version.pk, False
