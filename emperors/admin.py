from typing import Any, cast
from uuid import uuid4

from django.contrib import admin, messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from dynasties.houses.models import Dynasty
from dynasties.houses.names import searchable
from dynasties.records import ReadOnlyAdmin
from emperors.corrections import KeyReusedError, correct_reputation
from emperors.forms import CorrectionForm
from emperors.models import (
    Championship,
    Correction,
    DecayDay,
    Emperor,
    Reign,
    ReputationChange,
    Standing,
    StandingChange,
)
from emperors.reputation import NotAliveError, UntriedError
from emperors.selectors import ranking

HOUSES_IN_FILTER = 10
REFUSALS = {
    NotAliveError: _("Nothing can be given to the dead."),
    UntriedError: _("Who has never fought has no reputation."),
    KeyReusedError: _("This form was used for another correction. Open it anew."),
}


class HouseFilter(admin.SimpleListFilter):
    """The greatest dynasties to choose from, and the one that was chosen by a link or an address.

    Django's own filter would list every dynasty of the world.
    """

    title = _("dynasty")
    parameter_name = "house"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        top = [rank.dynasty for rank in ranking(limit=HOUSES_IN_FILTER).ranks]
        chosen = Dynasty.objects.filter(pk=_number(request.GET.get(self.parameter_name)) or 0)
        houses = {house.pk: house.name for house in [*top, *chosen]}
        return [(str(number), name) for number, name in houses.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        number = _number(self.value())
        return queryset.filter(dynasty_id=number) if number else queryset


class RecordAdmin(ReadOnlyAdmin):
    """Tables that grow with the world: counted only as far as a page needs."""

    show_full_result_count = False
    list_per_page = 50


@admin.register(Emperor)
class EmperorAdmin(RecordAdmin):
    """To find an emperor, follow his life, and correct his reputation with a reason."""

    list_display = ("full_name", "house", "life", "reputation", "battles", "born_at", "died_at")
    list_filter = ("life", HouseFilter, "born_at")
    list_select_related = ("dynasty",)
    search_fields = ("name", "dynasty__name", "founder__name")
    search_help_text = _("Name of an emperor or of a dynasty")
    ordering = ("-pk",)
    change_form_template = "admin/emperors/emperor/change_form.html"
    fields = readonly_fields = (
        "full_name",
        "founder",
        "dynasty",
        "life",
        "place",
        "reputation",
        "battles",
        "born_at",
        "active_at",
        "died_at",
        "history",
    )

    @admin.display(description=_("dynasty"), ordering="dynasty__name")
    def house(self, emperor: Emperor) -> str | SafeString:
        """A link to all of his dynasty's emperors."""
        if emperor.dynasty is None:
            return "–"
        here = reverse("admin:emperors_emperor_changelist")
        return format_html(
            '<a href="{}?house={}">{}</a>', here, emperor.dynasty_id, emperor.dynasty
        )

    @admin.display(description=_("history"))
    def history(self, emperor: Emperor) -> SafeString:
        records = (
            ("reign", _("reigns")),
            ("reputationchange", _("changes of reputation")),
            ("correction", _("corrections of reputation")),
        )
        return format_html_join(
            " · ",
            '<a href="{}?emperor__id__exact={}">{}</a>',
            (
                (reverse(f"admin:emperors_{model}_changelist"), emperor.pk, words)
                for model, words in records
            ),
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Emperor], search_term: str
    ) -> tuple[QuerySet[Emperor], bool]:
        """What the database finds, and names that look as if they began with the text."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        key = searchable(search_term)
        return (found | queryset.filter(name_key__startswith=key) if key else found), may_repeat

    def get_urls(self) -> list[URLPattern]:
        correct = path(
            "<int:number>/correct/",
            self.admin_site.admin_view(self.correct),
            name="emperors_emperor_correct",
        )
        return [correct, *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        context = {**(extra_context or {}), "may_correct": _may_correct(request)}
        return super().change_view(request, object_id, form_url, context)

    def correct(self, request: HttpRequest, number: int) -> HttpResponse:
        """Give or take reputation by hand, with a reason that stays in the history."""
        if not _may_correct(request):
            raise PermissionDenied
        emperor = get_object_or_404(Emperor, pk=number)
        form = CorrectionForm(request.POST or None, initial={"key": uuid4()})
        if request.method == "POST" and form.is_valid():
            self._correct(request, emperor, **form.cleaned_data)
            return redirect("admin:emperors_emperor_change", emperor.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": emperor,
            "title": _("Correct the reputation"),
            "form": form,
        }
        return render(request, "admin/emperors/emperor/correct.html", context)

    def _correct(self, request: HttpRequest, emperor: Emperor, **asked: Any) -> None:
        author = cast(AbstractBaseUser, request.user)
        try:
            made, is_new = correct_reputation(emperor=emperor, author=author, **asked)
        except (NotAliveError, UntriedError, KeyReusedError) as refusal:
            self.message_user(request, REFUSALS[type(refusal)], messages.ERROR)
            return
        applied = made.change.change if made.change else 0
        if is_new:
            self.log_change(request, emperor, f"{applied:+d}: {made.reason}")
        self.message_user(
            request,
            _("Changed by %(change)+d.") % {"change": applied},
            messages.SUCCESS if applied else messages.WARNING,
        )


@admin.register(Reign)
class ReignAdmin(RecordAdmin):
    list_display = ("emperor", "dynasty", "began_at", "began_by", "ended_at", "ended_by")
    fields = readonly_fields = list_display
    list_filter = ("began_by", "ended_by", HouseFilter, "began_at")
    list_select_related = ("emperor", "dynasty")
    search_fields = ("emperor__name", "dynasty__name")
    ordering = ("-pk",)


@admin.register(ReputationChange)
class ReputationChangeAdmin(RecordAdmin):
    list_display = ("at", "emperor", "dynasty", "change", "after", "reason", "day")
    fields = readonly_fields = list_display
    list_filter = (HouseFilter, "at")
    list_select_related = ("emperor", "dynasty")
    search_fields = ("emperor__name", "dynasty__name", "=reason")
    ordering = ("-pk",)


@admin.register(Correction)
class CorrectionAdmin(RecordAdmin):
    """Who corrected whose reputation, and why: for the chancery alone."""

    list_display = ("at", "emperor", "asked", "applied", "reason", "author")
    fields = readonly_fields = (*list_display, "change", "key")
    list_filter = ("at",)
    list_select_related = ("emperor", "change", "author")
    search_fields = ("emperor__name", "reason", "author__email")
    ordering = ("-pk",)

    @admin.display(description=_("change"))
    def applied(self, correction: Correction) -> str:
        return f"{correction.change.change:+,}" if correction.change else "0"


@admin.register(Standing)
class StandingAdmin(RecordAdmin):
    list_display = ("dynasty", "reputation", "since", "is_ranked")
    fields = readonly_fields = list_display
    list_filter = ("is_ranked",)
    list_select_related = ("dynasty",)
    search_fields = ("dynasty__name",)
    ordering = ("-reputation", "since", "pk")


@admin.register(StandingChange)
class StandingChangeAdmin(RecordAdmin):
    list_display = ("at", "dynasty", "change", "after", "reason")
    fields = readonly_fields = list_display
    list_filter = (HouseFilter, "at")
    list_select_related = ("dynasty",)
    search_fields = ("dynasty__name", "=reason")
    ordering = ("-pk",)


@admin.register(Championship)
class ChampionshipAdmin(RecordAdmin):
    list_display = ("dynasty", "began_at", "ended_at")
    fields = readonly_fields = list_display
    list_filter = ("began_at",)
    list_select_related = ("dynasty",)
    search_fields = ("dynasty__name",)
    ordering = ("-began_at", "-pk")


@admin.register(DecayDay)
class DecayDayAdmin(RecordAdmin):
    list_display = fields = readonly_fields = ("day", "applied_at", "emperors", "points")
    ordering = ("-day",)
    date_hierarchy = "day"


def _may_correct(request: HttpRequest) -> bool:
    return request.user.has_perm("emperors.change_emperor")


def _number(text: str | None) -> int | None:
    """A number that somebody wrote into an address; None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else None
