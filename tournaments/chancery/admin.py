from typing import Any, cast
from uuid import uuid4

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import arena
from tournaments.announcements.admin import TermsAdmin, may_announce
from tournaments.announcements.forms import TERMS
from tournaments.announcements.models import Tournament
from tournaments.announcements.services import announce
from tournaments.chancery.deeds import DEEDS, Deed
from tournaments.chancery.forms import AnnouncementForm, ReasonForm
from tournaments.chancery.sight import sight_of
from tournaments.errors import Refused
from tournaments.turns.records import NotOverError, record_of, replays_to_what_was_kept


class HostFilter(admin.SimpleListFilter):
    """Who announced it; Django's own filter would list every dynasty of the world."""

    title = gettext_lazy("host")
    parameter_name = "by"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("crown", gettext_lazy("the crown")), ("dynasties", gettext_lazy("dynasties"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() in ("crown", "dynasties"):
            return queryset.filter(host__isnull=self.value() == "crown")
        return queryset


@admin.register(Tournament)
class TournamentAdmin(TermsAdmin):
    """To announce for the crown, to look, and to step in. What is announced never changes."""

    form = AnnouncementForm
    add_form_template = "admin/tournaments/tournament/announce.html"
    change_form_template = "admin/tournaments/tournament/change_form.html"
    list_display = (
        "title",
        "code",
        "type",
        "state",
        "pace",
        "host_or_crown",
        "taken",
        "turn",
        "deadline",
        "announced_at",
    )
    list_filter = ("state", "type", "pace", HostFilter, "announced_at")
    list_select_related = ("host",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = (
        "code",
        "name",
        "ground",
        "host__name",
        "seats__dynasty__name",
        "seats__emperor__name",
    )
    search_help_text = gettext_lazy("Code or name of a tournament, a dynasty or an emperor")
    ordering = ("-pk",)
    # Whatever else a browser asks the list for could tell seed or position, letter by letter.
    asked_for = frozenset({"state", "type", "pace", "by", "announced_at", "battlefield", "host"})

    class Media:
        css = {"all": ("css/tokens.css", "css/battlefield_preview.css", "css/chancery_sight.css")}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        rows: QuerySet[Tournament] = super().get_queryset(request)
        return rows.defer("position").annotate(seats_taken=Count("seats", distinct=True))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        field, *rest = lookup.split("__")
        allowed = {(), ("exact",), ("id", "exact"), ("gte",), ("lt",), ("isnull",), ("in",)}
        return field in self.asked_for and tuple(rest) in allowed

    @admin.display(description=gettext_lazy("announced by"), ordering="host__name")
    def host_or_crown(self, tournament: Tournament) -> str:
        return tournament.host.name if tournament.host else _("the crown")

    @admin.display(description=gettext_lazy("seats"))
    def taken(self, tournament: Any) -> str:
        return f"{tournament.seats_taken}/{len(tournament.seat_names)}"

    # --- Who may ----------------------------------------------------------------------

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # what is announced never changes

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # history speaks of it

    def may_act(self, request: HttpRequest) -> bool:
        user: Any = request.user
        return bool(user.has_perm("tournaments.change_tournament"))

    # --- Looking ----------------------------------------------------------------------

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is not None:
            return [(None, {"fields": ()})]
        times = ("opens_at", "starts_at", "bots", "invited", "form_key")
        return [*super().get_fieldsets(request, obj), (_("When, and for whom"), {"fields": times})]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        tournament = kwargs.get("obj")
        if tournament is not None:
            context.update(sight_of(tournament, _number(request.GET.get("before"))))
            context["deeds"] = self._deeds(request, tournament)
            context["may_announce"] = may_announce(request)
        return super().render_change_form(request, context, *args, **kwargs)

    def _deeds(self, request: HttpRequest, tournament: Tournament) -> list[Deed]:
        may = self.may_act(request)
        return [deed for deed in DEEDS.values() if may and deed.fits(tournament)]

    # --- Announcing -------------------------------------------------------------------

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Announce for the crown; what the service refuses stands at its field."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = self._announcement(request)
        if request.method == "POST" and form.is_valid():
            made = self._announce(request, form)
            if made is not None:
                return redirect("admin:tournaments_tournament_change", made.pk)
        chapters = self.get_fieldsets(request)
        adminform = helpers.AdminForm(form, chapters, {}, (), model_admin=self)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Announce a tournament of the crown"),
            "subtitle": None,
            "adminform": adminform,
            "object_id": None,
            "original": None,
            "is_popup": False,
            "to_field": None,
            "media": self.media + adminform.media,
            "inline_admin_formsets": [],
            "errors": helpers.AdminErrorList(form, []),
            "preserved_filters": "",
            "show_save_and_continue": False,
            "show_save_and_add_another": False,
            **(extra_context or {}),
        }
        return self.render_change_form(request, context, add=True, form_url=form_url)

    def _announcement(self, request: HttpRequest) -> AnnouncementForm:
        form_class = cast(type[AnnouncementForm], self.get_form(request))
        if request.method == "POST":
            return form_class(request.POST)
        model = Tournament.objects.filter(pk=_number(request.GET.get("like")) or 0).first()
        return form_class(initial={"form_key": uuid4(), **(terms_of(model) if model else {})})

    def _announce(self, request: HttpRequest, form: AnnouncementForm) -> Tournament | None:
        typed = form.cleaned_data
        try:
            made = announce(
                terms=form.instance,
                host=None,
                opens_at=typed["opens_at"],
                starts_at=typed["starts_at"],
                invited=typed["invited"],
                bots=typed["bots"],
                request_key=f"form {typed['form_key']}",
            )
        except Refused as refusal:
            form.refuse(refusal)
            return None
        self._note(request, made, _("Announced."))
        self.message_user(request, _("It is announced."), messages.SUCCESS)
        return made

    # --- Stepping in ------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        verify = path(
            "<int:number>/verify/",
            self.admin_site.admin_view(self.verify),
            name="tournaments_tournament_verify",
        )
        deed = path(
            "<int:number>/<slug:key>/",
            self.admin_site.admin_view(self.deed),
            name="tournaments_tournament_deed",
        )
        usual = super().get_urls()
        return [verify, *usual[:-1], deed, usual[-1]]

    def deed(self, request: HttpRequest, number: int, key: str) -> HttpResponse:
        """Ask for a reason, then do it."""
        if not self.may_act(request):
            raise PermissionDenied
        tournament = get_object_or_404(Tournament.objects.defer("position"), pk=number)
        if key not in DEEDS:
            raise Http404
        deed, form = DEEDS[key], ReasonForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            return self._do(request, tournament, deed, form.cleaned_data["reason"])
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": tournament,
            "title": deed.title,
            "form": form,
            "words": deed.words,
            "why_not": "" if deed.fits(tournament) else deed.too_late,
            "act": deed.title,
        }
        return TemplateResponse(request, "admin/tournaments/deed.html", context)

    def _do(
        self, request: HttpRequest, tournament: Tournament, deed: Deed, reason: str
    ) -> HttpResponse:
        if deed.carry_out(tournament):
            self._note(request, tournament, f"{deed.title}: {reason}")
            self.message_user(request, str(deed.done), messages.SUCCESS)
        else:
            self.message_user(request, str(deed.too_late), messages.WARNING)
        if Tournament.objects.filter(pk=tournament.pk).exists():
            return redirect("admin:tournaments_tournament_change", tournament.pk)
        return redirect("admin:tournaments_tournament_changelist")

    def _note(self, request: HttpRequest, tournament: Tournament, words: str) -> None:
        """Keep who did what and why. Of training no more than that: it leaves no trace."""
        if tournament.is_serious:
            self.log_change(request, tournament, words)
            return
        LogEntry.objects.create(
            user_id=cast(Any, request.user).pk,
            content_type=ContentType.objects.get_for_model(Tournament),
            object_id=None,
            object_repr=str(Tournament.Type.TRAINING.label),
            action_flag=CHANGE,
            change_message=words,
        )

    def verify(self, request: HttpRequest, number: int) -> HttpResponse:
        """Replay the record of a tournament that is over, and say whether it leads there."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        tournament = get_object_or_404(Tournament, pk=number)
        try:
            record_of(tournament)
            is_true = replays_to_what_was_kept(tournament)
        except NotOverError:
            self.message_user(request, _("It is not over: it has no record yet."), messages.WARNING)
        except arena.BadRecord as bad:
            self.message_user(request, str(bad), messages.ERROR)
        else:
            self._tell_verdict(request, is_true)
        return redirect("admin:tournaments_tournament_change", number)

    def _tell_verdict(self, request: HttpRequest, is_true: bool) -> None:
        if is_true:
            words = _("The record replays to the very position that was kept.")
            self.message_user(request, words, messages.SUCCESS)
        else:
            words = _("The record replays to another position than the one that was kept.")
            self.message_user(request, words, messages.ERROR)


def terms_of(model: Tournament) -> dict[str, Any]:
    """What to begin with when something like another tournament is to be announced."""
    return forms.model_to_dict(model, fields=[*TERMS, "bots"]) | {
        "options": {name: value for name, value in model.options.items() if name != "battlefield"},
        "prize_wealth": model.prize_wealth,
    }


def _number(text: str | None) -> int | None:
    """A number that somebody wrote into an address; None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None
