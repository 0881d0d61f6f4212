"""Doors to a seat: entering, leaving, inviting, Play now."""

from collections.abc import Callable
from functools import wraps

from allauth.core.ratelimit import respond_429
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from dynasties.accounts.access import form_on
from emperors.models import Emperor
from tournaments import errors
from tournaments.announcements.models import Tournament
from tournaments.announcements.services import invite
from tournaments.pages import selectors
from tournaments.pages.battles import entry_form, show_before
from tournaments.pages.forms import InviteForm
from tournaments.pages.visitors import player_of, player_or_guest
from tournaments.seating import services as seating
from tournaments.seating.players import Player

View = Callable[..., HttpResponse]


def of_a_tournament(view: View) -> View:
    """For a form on a tournament's page: who merely looks is led there."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @never_cache
    @wraps(view)
    def door(request: HttpRequest, code: str) -> HttpResponse:
        if request.method != "POST":
            return redirect("tournament", code)
        found = selectors.find_tournament(code)
        return view(request, found) if found else redirect("tournament", code)

    return door


# --- Entering, leaving, inviting ----------------------------------------------------------


@of_a_tournament
def enter(request: HttpRequest, found: Tournament) -> HttpResponse:
    """Take a seat: a ruler sends an emperor, anybody else plays as a guest."""
    player = player_or_guest(request)
    if player is None:
        return respond_429(request)
    form = entry_form(request.POST, found, player)
    if form is not None and not form.is_valid():
        return (
            show_before(request, found, form)
            if found.state in Tournament.BEFORE
            else redirect(found)
        )
    typed = form.cleaned_data if form else {}
    try:
        seating.enter(
            tournament=found,
            player=player,
            emperor=typed.get("emperor"),
            chest=typed.get("chest"),
            token=request.POST.get("key", "")[:80],
        )
    except errors.Refused as refused:
        messages.error(request, str(refused))
    return redirect(found)


@of_a_tournament
def leave(request: HttpRequest, found: Tournament) -> HttpResponse:
    """Give the seat up before the start."""
    try:
        seating.leave(tournament=found, player=player_of(request))
        messages.success(request, _("You have left; everything you paid is back."))
    except errors.Refused as refused:
        messages.error(request, str(refused))
    return redirect(found)


@of_a_tournament
def invite_dynasties(request: HttpRequest, found: Tournament) -> HttpResponse:
    """The host invites further dynasties."""
    player = player_of(request)
    if player.dynasty is None or found.host_id != player.dynasty.pk:
        raise Http404
    form = InviteForm(request.POST)
    if form.is_valid():
        invite(tournament=found, dynasties=form.cleaned_data["invited"])
        messages.success(request, _("They are invited."))
    else:
        messages.error(request, " ".join(str(each) for each in form.errors["invited"]))
    return redirect(found)


# --- Play now -----------------------------------------------------------------------------


@never_cache
@form_on("tournaments")
def play_now(request: HttpRequest) -> HttpResponse:
    """A seat in a training battle that begins within seconds, for everybody."""
    player = player_or_guest(request)
    if player is None:
        return respond_429(request)
    if player.is_nobody:
        return render(request, "houses/no_dynasty.html")
    return _seat_now(request, player)


def _seat_now(request: HttpRequest, player: Player) -> HttpResponse:
    emperor = _emperor_to_send(request, player) if player.dynasty else None
    if player.dynasty and emperor is None:
        messages.warning(
            request, _("None of your emperors is at rest. Found one: it costs nothing.")
        )
        return redirect("throne_room")
    try:
        seat = seating.play_now(player=player, emperor=emperor)
    except errors.Refused as refused:
        messages.error(request, str(refused))
        return redirect("tournaments")
    return redirect("tournament", seat.tournament.code)


def _emperor_to_send(request: HttpRequest, player: Player) -> Emperor | None:
    """The one who was picked, or whoever is at rest."""
    if player.dynasty is None:
        return None
    asked = request.POST.get("emperor", "")
    if asked.isdecimal() and len(asked) < 18:
        return selectors.emperors_at_rest(player.dynasty).filter(pk=int(asked)).first()
    return selectors.first_at_rest(player.dynasty)
