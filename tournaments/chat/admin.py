"""For moderators: reports with their evidence, and who may not speak."""

from datetime import timedelta
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from dynasties.accounts.access import account_of
from dynasties.records import ReadOnlyAdmin
from dynasties.relations.people import Person
from tournaments.chat.models import Report, Silence
from tournaments.chat.moderation import LONGEST_REASON, handle_report, lift_silence, silence

SPANS = (
    ("", _("not at all")),
    ("1", _("for an hour")),
    ("24", _("for a day")),
    ("168", _("for a week")),
    ("720", _("for 30 days")),
    ("87600", _("for ten years")),
)


def span_of(hours: str) -> timedelta | None:
    return timedelta(hours=int(hours)) if hours else None


class HandledFilter(admin.SimpleListFilter):
    """Moderators ask: which still wait for us?"""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("open")), ("handled", _("handled"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        conditions: dict[str | None, dict[str, bool]] = {
            "open": {"handled_at__isnull": True},
            "handled": {"handled_at__isnull": False},
        }
        return queryset.filter(**conditions.get(self.value(), {}))


class VerdictForm(forms.ModelForm):
    """What the moderator decides: words for the file, and what follows."""

    silence_for = forms.ChoiceField(label=_("Silence the author"), choices=SPANS, required=False)
    take_down = forms.BooleanField(
        label=_("Take the words down"),
        required=False,
        help_text=_("They leave the chat; the evidence keeps them."),
    )

    class Meta:
        model = Report
        fields = ("verdict",)
        help_texts: ClassVar[dict[str, Any]] = {
            "verdict": _("Why it was decided so. Whoever is silenced reads it as the reason.")
        }

    def clean(self) -> dict[str, Any]:
        decided: dict[str, Any] = super().clean() or {}
        if not decided.get("verdict"):
            self.add_error("verdict", _("Write down why."))
        if decided.get("silence_for") and len(decided.get("verdict", "")) > LONGEST_REASON:
            self.add_error("verdict", _("A reason for a silence has 200 characters at most."))
        return decided


@admin.register(Report)
class ReportAdmin(admin.ModelAdmin):
    """Look at what was reported, with the lines around it, and decide."""

    form = VerdictForm
    list_display = ("made_at", "who", "text", "title", "room", "handled_at", "handled_by")
    list_filter = (HandledFilter, "made_at")
    list_select_related = ("handled_by",)
    search_fields = ("code", "who", "text", "other_dynasty__name")
    ordering = ("-made_at",)
    told = (
        "made_at",
        "title",
        "code",
        "room",
        "who",
        "other_dynasty",
        "other_guest",
        "earlier",
        "dynasty",
        "guest",
        "why",
        "lines",
        "handled_at",
        "handled_by",
    )

    def get_fields(self, request: HttpRequest, obj: Report | None = None) -> tuple[str, ...]:
        decides = () if self._is_closed(obj) else ("silence_for", "take_down")
        return (*self.told, "verdict", *decides)

    def get_readonly_fields(
        self, request: HttpRequest, obj: Report | None = None
    ) -> tuple[str, ...]:
        return (*self.told, "verdict") if self._is_closed(obj) else self.told

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # readers report

    def has_delete_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        return False  # evidence stays

    def has_change_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        """What is handled is history."""
        return super().has_change_permission(request, obj) and not self._is_closed(obj)

    def save_model(self, request: HttpRequest, obj: Report, form: Any, change: bool) -> None:
        done = handle_report(
            report=obj,
            moderator=account_of(request),
            verdict=form.cleaned_data["verdict"],
            silence_for=span_of(form.cleaned_data["silence_for"]),
            take_down=form.cleaned_data["take_down"],
        )
        if not done:
            self.message_user(request, _("Somebody else was quicker."), messages.WARNING)

    @admin.display(description=_("earlier reports about the author"))
    def earlier(self, report: Report) -> int:
        about = report.about.among("other_dynasty", "other_guest")
        return Report.objects.filter(about).exclude(pk=report.pk).count()

    @admin.display(description=_("evidence"))
    def lines(self, report: Report) -> SafeString:
        rows = format_html_join(
            "",
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            (
                (
                    "→" if each["number"] == report.number else "",
                    each["at"][:19].replace("T", " "),
                    each["who"],
                    each["house"] or each["guest"] or "",
                    each["text"],
                )
                for each in report.evidence
            ),
        )
        return format_html("<table>{}</table>", rows)

    @staticmethod
    def _is_closed(report: Report | None) -> bool:
        return report is not None and report.handled_at is not None


class SilenceForm(forms.ModelForm):
    """Whom to silence, for how long and why."""

    span = forms.ChoiceField(label=_("For how long"), choices=SPANS[1:])
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        help_text=_("Whoever is silenced reads it."),
    )

    class Meta:
        model = Silence
        fields = ("dynasty", "guest", "reason")

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        if bool(typed.get("dynasty")) == bool(typed.get("guest")):
            raise ValidationError(_("Choose a dynasty or a guest."))
        return typed

    def _post_clean(self) -> None:
        """The row is made by the service: there is nothing to check in a half-made one."""


@admin.register(Silence)
class SilenceAdmin(ReadOnlyAdmin):
    """Who may not speak, and who could not before: a history. It can be lifted, not edited."""

    form = SilenceForm
    list_display = ("whom", "reason", "began_at", "ends_at", "lifted_at", "author")
    list_filter = ("began_at", ("lifted_at", admin.EmptyFieldListFilter))
    list_select_related = ("dynasty", "guest", "author")
    search_fields = ("dynasty__name", "reason")
    raw_id_fields = ("dynasty", "guest")
    ordering = ("-began_at",)
    actions = ("lift",)
    told = (
        "dynasty",
        "guest",
        "reason",
        "began_at",
        "ends_at",
        "author",
        "report",
        "lifted_at",
        "lifted_by",
    )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.told if obj else ("dynasty", "guest", "span", "reason")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def save_model(self, request: HttpRequest, obj: Silence, form: Any, change: bool) -> None:
        whom, guest = form.cleaned_data["dynasty"], form.cleaned_data["guest"]
        made = silence(
            whom=Person(dynasty=whom.pk if whom else None, guest=guest.pk if guest else None),
            lasts=span_of(form.cleaned_data["span"]) or timedelta(hours=1),
            reason=form.cleaned_data["reason"],
            moderator=account_of(request),
        )
        obj.pk = made.pk
        obj.ends_at = made.ends_at

    @admin.display(description=_("whom"))
    def whom(self, silence: Silence) -> str:
        return str(silence.dynasty or silence.guest)

    @admin.action(description=_("Lift the selected silences"), permissions=["add"])
    def lift(self, request: HttpRequest, queryset: QuerySet[Silence]) -> None:
        lifted = [lift_silence(silence=each, moderator=account_of(request)) for each in queryset]
        text = _("Lifted: %(count)d.") % {"count": sum(lifted)}
        self.message_user(request, text, messages.SUCCESS)
