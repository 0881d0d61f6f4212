from datetime import timedelta
from typing import Any, cast
from uuid import uuid4

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dynasties.clock import database_now
from dynasties.treasury.models import Kind
from dynasties.treasury.selectors import balances_of
from dynasties.treasury.services import crown
from tournaments import arena
from tournaments.announcements.forms import PRIZE, TERMS, TemplateForm, TermsForm, terms_form
from tournaments.announcements.models import Template, Terms, Tournament
from tournaments.announcements.option_words import options_in_words
from tournaments.announcements.options_form import option_fields
from tournaments.announcements.services import announce
from tournaments.announcements.terms import check_terms, read_options
from tournaments.errors import Refused, UnfitTerms

TOLD = tuple(name for name in TERMS if name != "name")
Fieldsets = list[tuple[Any, dict[str, Any]]]


class TermsAdmin(admin.ModelAdmin):
    """Whatever has terms: a form in chapters, with the options of the game that is chosen."""

    class Media:
        css = {"all": ("css/chancery_forms.css",)}

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm]:
        form = cast(type[TermsForm], self.form)
        if self._only_looks(request, obj):
            kwargs["form"] = forms.ModelForm
        else:
            kwargs["form"] = terms_form(form, self._game(request, obj))
        return super().get_form(request, obj, change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if self._only_looks(request, obj):
            return [(None, {"fields": ("name", *TOLD, "rules", "prize")})]
        return terms_chapters(self._game(request, obj))

    def _only_looks(self, request: HttpRequest, obj: Any) -> bool:
        return obj is not None and not self.has_change_permission(request, obj)

    @admin.display(description=gettext_lazy("rules of the game"))
    def rules(self, terms: Terms) -> str:
        rows = options_in_words(terms.game, terms.options)
        return "\n".join(f"{label}: {text}" for label, text in rows)

    @admin.display(description=gettext_lazy("prize in wealth"))
    def prize(self, terms: Terms) -> str:
        return ", ".join(f"{amount:,} × {kind}" for kind, amount in terms.prize_wealth.items())

    def _game(self, request: HttpRequest, obj: Any) -> str:
        """The game whose options are asked for: the one that was just chosen, or is kept."""
        asked = (request.POST.get("game"), request.GET.get("game"), obj and obj.game)
        known = arena.game_keys()
        return next((str(game) for game in asked if game in known), known[0])


def terms_chapters(game: str) -> Fieldsets:
    """The terms in chapters, as they are thought of."""
    options = tuple(option_fields(game, leave_out=TermsForm.leave_out))
    prizes = tuple(f"{PRIZE}{code}" for code in Kind.objects.values_list("code", flat=True))
    return [
        (None, {"fields": ("name", "type", "game", "battlefield")}),
        (_("Rules of the game"), {"fields": options}),
        (
            _("Seats and turns"),
            {"fields": ("seats_least", "pace", "turn_seconds", "shows_ready")},
        ),
        (
            _("Who may enter"),
            {
                "fields": (
                    "access",
                    ("reputation_least", "reputation_most"),
                    "key",
                    ("fee", "fee_kind"),
                )
            },
        ),
        (
            _("What is at stake"),
            {
                "fields": (
                    "stake",
                    "prize_reputation",
                    "reputation_a_capture",
                    "reputation_a_treasure",
                    "chests",
                    "wealth_is_public",
                )
            },
        ),
        (
            _("Prize in wealth"),
            {
                "fields": prizes,
                "classes": ("collapse", "prizes"),
                "description": _(
                    "For a gift. It leaves the crown's account when the tournament is announced, "
                    "and comes back if nobody wins it."
                ),
            },
        ),
    ]


def why_unfit(terms: Terms) -> str:
    """Why the crown could not announce this now; empty if it could."""
    try:
        options = read_options(terms)
        check_terms(terms, arena.seats_under(terms.game, options))
    except UnfitTerms as unfit:
        return str(unfit)
    held = {kind.code: amount for kind, amount in balances_of(crown()).items()}
    short = [kind for kind, amount in terms.prize_wealth.items() if held.get(kind, 0) < amount]
    return _("The crown lacks what the prize needs: %s.") % ", ".join(short) if short else ""


class AnnounceNowForm(forms.Form):
    """Nothing to say but yes. `form_key`: sent twice, it is one tournament."""

    form_key = forms.UUIDField(widget=forms.HiddenInput)


@admin.register(Template)
class TemplateAdmin(TermsAdmin):
    """What the crown announces again and again."""

    form = TemplateForm
    change_form_template = "admin/tournaments/template/change_form.html"
    list_display = (
        "__str__",
        "type",
        "battlefield",
        "pace",
        "every_minutes",
        "next_at",
        "is_active",
    )
    list_filter = ("is_active", "type", "pace")
    list_select_related = ("battlefield", "fee_kind", "key")
    search_fields = ("name", "battlefield__name")
    actions = ("activate", "deactivate")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        schedule = ("every_minutes", "entries_minutes", "next_at", "is_active")
        return [*super().get_fieldsets(request, obj), (_("Schedule"), {"fields": schedule})]

    @admin.action(description=gettext_lazy("Activate"), permissions=["change"])
    def activate(self, request: HttpRequest, queryset: QuerySet[Template]) -> None:
        self._switch(request, queryset, True)

    @admin.action(description=gettext_lazy("Deactivate"), permissions=["change"])
    def deactivate(self, request: HttpRequest, queryset: QuerySet[Template]) -> None:
        self._switch(request, queryset, False)

    def _switch(self, request: HttpRequest, queryset: QuerySet[Template], is_active: bool) -> None:
        changed = list(queryset.exclude(is_active=is_active))
        Template.objects.filter(pk__in=[each.pk for each in changed]).update(is_active=is_active)
        for template in changed:
            self.log_change(request, template, _("Activated.") if is_active else _("Deactivated."))
        self.message_user(request, _("Changed: %d.") % len(changed), messages.SUCCESS)

    # --- Announce now -----------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        own = path(
            "<int:number>/announce/",
            self.admin_site.admin_view(self.announce_now),
            name="tournaments_template_announce",
        )
        return [own, *super().get_urls()]

    def may_announce(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and may_announce(request)

    def announce_now(self, request: HttpRequest, number: int) -> HttpResponse:
        """Announce one at once; the schedule goes on as it was."""
        template = get_object_or_404(Template, pk=number)
        if not self.may_announce(request):
            raise PermissionDenied
        form = AnnounceNowForm(request.POST or None, initial={"form_key": uuid4()})
        if request.method == "POST" and form.is_valid():
            made = self._announce(request, template, str(form.cleaned_data["form_key"]))
            page = "tournament" if made else "template"
            return redirect(f"admin:tournaments_{page}_change", (made or template).pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": template,
            "title": _("Announce now"),
            "form": form,
            "words": _("It is open for entries at once. The schedule goes on as it was."),
            "why_not": why_unfit(template),
            "act": _("Announce"),
        }
        return TemplateResponse(request, "admin/tournaments/deed.html", context)

    def _announce(
        self, request: HttpRequest, template: Template, form_key: str
    ) -> Tournament | None:
        starts_at = database_now() + timedelta(minutes=template.entries_minutes)
        try:
            made = announce(
                terms=template, host=None, starts_at=starts_at, request_key=f"now {form_key}"
            )
        except Refused as refusal:
            words = why_unfit(template) or str(refusal)
            self.message_user(request, words, messages.ERROR)
            return None
        # Of training not even the code stays: it leaves no trace.
        words = _("Announced: %s.") % made.code if made.is_serious else _("Announced.")
        self.log_change(request, template, words)
        self.message_user(request, _("It is announced."), messages.SUCCESS)
        return made

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        template = kwargs.get("obj")
        context["may_announce"] = bool(template) and self.may_announce(request)
        context["why_not"] = why_unfit(template) if template else ""
        return super().render_change_form(request, context, *args, **kwargs)


def may_announce(request: HttpRequest) -> bool:
    user: Any = request.user
    return bool(user.has_perm("tournaments.add_tournament"))
