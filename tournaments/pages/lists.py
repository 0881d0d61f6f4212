"""Doors to all tournaments: the list, battlefields, and where one is announced."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import dynasty_of
from tournaments import arena, errors
from tournaments.announcements.models import Tournament
from tournaments.announcements.services import announce
from tournaments.fields.models import Battlefield
from tournaments.pages import selectors
from tournaments.pages.drawing import draw_field
from tournaments.pages.forms import AnnounceForm, FilterForm
from tournaments.pages.visitors import player_of

TOURNAMENTS_A_PAGE = 20
DAY = 24 * 60 * 60


# --- The list -----------------------------------------------------------------------------


@never_cache
@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """Tournaments to enter, to watch and to look back at."""
    tab = request.GET.get("show", selectors.OPEN)
    if tab not in selectors.STATES:
        return redirect("tournaments")
    player = player_of(request)
    filters = FilterForm(request.GET)
    chosen = filters.chosen()
    found = selectors.tournaments_in(tab, player=player, **chosen)
    context = {
        "tab": tab,
        "filters": filters,
        "is_filtered": any(chosen.values()),
        "page_obj": Paginator(found, TOURNAMENTS_A_PAGE).get_page(request.GET.get("page")),
        "player": player,
        "own": [] if player.is_nobody else selectors.battles_of(player),
    }
    return render(request, "tournaments/list.html", context)


@require_safe
@cache_control(public=True, max_age=DAY)
def battlefield_drawing(request: HttpRequest, key: str) -> HttpResponse:
    """A battlefield as a small picture."""
    field = get_object_or_404(Battlefield, key=key)
    context = {"drawing": draw_field(field.text)}
    return render(request, "tournaments/field.svg", context, content_type="image/svg+xml")


# --- Announcing ---------------------------------------------------------------------------


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def announce_tournament(request: HttpRequest) -> HttpResponse:
    """Where a player announces a tournament."""
    host = dynasty_of(request.user)
    if host is None:
        return render(request, "houses/no_dynasty.html")
    form = AnnounceForm(
        request.POST if request.method == "POST" else None, initial=_wishes(request)
    )
    if request.method == "POST" and form.is_valid():
        made = _announce(form, host)
        if made is not None:
            messages.success(request, _("Announced. Now it waits for emperors."))
            return redirect(made)
    fields = Battlefield.objects.filter(is_offered=True)
    context = {"form": form, "fields": [(field, _idea(field)) for field in fields]}
    return render(request, "tournaments/announce.html", context)


def _wishes(request: HttpRequest) -> dict[str, str]:
    """What a link may fill in beforehand."""
    asked = {name: request.GET.get(name, "") for name in ("type", "battlefield")}
    return {name: value for name, value in asked.items() if value.isprintable() and value}


def _idea(field: Battlefield) -> str:
    return arena.read_battlefield(field.text).idea


def _announce(form: AnnounceForm, host: Dynasty) -> Tournament | None:
    """The tournament announced; None, with the reason in the form, if it can't be."""
    try:
        return announce(
            terms=form.terms(),
            host=host,
            starts_at=form.starts(),
            invited=form.cleaned_data["invited"],
            bots=form.chosen_bots(),
            request_key=f"player {host.pk} {form.cleaned_data['form_key']}",
        )
    except errors.UnfitTerms as unfit:
        form.refuse(unfit)
    except errors.Refused as refused:
        form.add_error(None, str(refused))
    return None
