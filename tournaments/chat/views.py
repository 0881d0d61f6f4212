"""Doors to the chat for pages and programs. All of them work without JavaScript."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from dynasties.accounts.models import User
from dynasties.notices.live import frame
from dynasties.relations.errors import TooManyBlocks, Unblockable
from tournaments.announcements.models import Tournament
from tournaments.chat import errors, moderation, services
from tournaments.chat.access import listener
from tournaments.chat.echoes import echoes_of
from tournaments.chat.forms import LineForm
from tournaments.chat.live import said_frame
from tournaments.chat.models import Line, Room
from tournaments.chat.selectors import find_line, lines_for
from tournaments.errors import Refused
from tournaments.seating.players import Player, player_for

JSON = "application/json"
CONFLICT, FORBIDDEN, NOT_FOUND, TOO_MANY = 409, 403, 404, 429
STATUS = {
    errors.NoSuchLine.code: NOT_FOUND,
    errors.NotHeard.code: FORBIDDEN,
    errors.Silenced.code: FORBIDDEN,
    errors.TooTalkative.code: TOO_MANY,
    errors.TooManyReports.code: TOO_MANY,
}
REFUSALS = (Refused, Unblockable, TooManyBlocks)
LONGEST_NUMBER = 9

takes_forms = require_http_methods(["GET", "HEAD", "POST"])


def player_of(request: HttpRequest) -> Player:
    """Who asks."""
    user = request.user if isinstance(request.user, User) else None
    return player_for(user=user, guest=getattr(request, "guest", None))


# --- Reading -------------------------------------------------------------------------------


@require_safe
@never_cache
def chat(request: HttpRequest, code: str) -> HttpResponse:
    """The lines that the reader may read and does not know: `?seats=3&spectators=0`."""
    tournament = _find(code)
    who = listener(tournament, player_of(request))
    since = {name: _number(request.GET[name]) for name in Room.Name.values if name in request.GET}
    found = lines_for(tournament=tournament, who=who, since=since)
    frames = [{**said_frame(line), "own": _is_own(line, who.person)} for line in found]
    return JsonResponse({"frames": frames})


@require_safe
@never_cache
def line(request: HttpRequest, code: str, room: str, number: int) -> HttpResponse:
    """One line, and what a reader can do about it."""
    found = _line_of(request, code, room, number)
    if found is None:
        raise Http404
    form = LineForm(initial={"room": room, "number": number})
    return render(
        request, "tournaments/chat_line.html", {"line": found, "code": code, "form": form}
    )


def _line_of(request: HttpRequest, code: str, room: str, number: int) -> Any:
    """The line, from the database or from what is remembered of a training that is gone."""
    player = player_of(request)
    tournament = Tournament.objects.filter(code=code).first()
    if tournament is not None:
        who = listener(tournament, player)
        return find_line(tournament=tournament, who=who, room=room, number=number)
    echoes = () if player.is_nobody else echoes_of(code).get("lines", ())
    kept = (each for each in echoes if (each["room"], each["number"]) == (room, number))
    return next(kept, None)


# --- Speaking ------------------------------------------------------------------------------


@takes_forms
@never_cache
def say(request: HttpRequest, code: str) -> HttpResponse:
    """Say a line: from the form on the page, or from a program that accepts JSON."""
    if request.method != "POST":
        return _back(code)
    try:
        said = services.say(
            tournament=_found(code), player=player_of(request), text=request.POST.get("text", "")
        )
    except Refused as refused:
        return _refuse(request, code, refused)
    if _accepts_json(request):
        return JsonResponse({**said_frame(said), "own": True})
    return _back(code)


# --- Not listening, and reporting ------------------------------------------------------------


def _about_a_line(
    act: Callable[[HttpRequest, str, LineForm], str],
) -> Callable[[HttpRequest, str], HttpResponse]:
    """For a form about one line: `act` does it and says so."""

    @takes_forms
    @never_cache
    def door(request: HttpRequest, code: str) -> HttpResponse:
        if request.method != "POST":
            return _back(code)
        form = LineForm(request.POST)
        try:
            if not form.is_valid():
                raise errors.NoSuchLine
            done = act(request, code, form)
        except REFUSALS as refused:
            return _refuse(request, code, refused)
        if _accepts_json(request):
            return JsonResponse(frame("done", text=done))
        messages.success(request, done)
        return _back(code)

    return door


@_about_a_line
def mute(request: HttpRequest, code: str, form: LineForm) -> str:
    services.mute(tournament=_found(code), player=player_of(request), **form.named())
    return _("You read nothing more of him in this tournament.")


@_about_a_line
def block(request: HttpRequest, code: str, form: LineForm) -> str:
    services.block_author(tournament=_found(code), player=player_of(request), **form.named())
    return _("You hear nothing more of him, here or elsewhere.")


@_about_a_line
def report(request: HttpRequest, code: str, form: LineForm) -> str:
    complaint = moderation.Complaint(**form.named(), why=form.cleaned_data["why"])
    tournament = Tournament.objects.filter(code=code).first()
    if tournament is None:
        moderation.report_echo(code=code, player=player_of(request), complaint=complaint)
    else:
        moderation.report_line(
            tournament=tournament, player=player_of(request), complaint=complaint
        )
    return _("The moderators will look at it. Thank you.")


@takes_forms
@never_cache
def unmute(request: HttpRequest, code: str) -> HttpResponse:
    """Read somebody again."""
    if request.method == "POST":
        tournament, number = _find(code), _number(request.POST.get("mute", ""))
        services.unmute(tournament=tournament, player=player_of(request), number=number)
    return _back(code)


# --- What they share -------------------------------------------------------------------------


def _find(code: str) -> Tournament:
    tournament = Tournament.objects.filter(code=code).first()
    if tournament is None:
        raise Http404
    return tournament


def _found(code: str) -> Tournament:
    """The tournament. Raises NoSuchLine, which says why in the form that was asked for."""
    tournament = Tournament.objects.filter(code=code).first()
    if tournament is None:
        raise errors.NoSuchLine
    return tournament


def _is_own(said: Line, person: Any) -> bool:
    author = said.author
    if author.dynasty is not None:
        return bool(author.dynasty == person.dynasty)
    return author.guest is not None and bool(author.guest == person.guest)


def _number(typed: str) -> int:
    """The number that was typed; 0 if it is none."""
    readable = typed.isascii() and typed.isdecimal() and len(typed) <= LONGEST_NUMBER
    return int(typed) if readable else 0


def _accepts_json(request: HttpRequest) -> bool:
    return JSON in request.headers.get("Accept", "")


def _refuse(request: HttpRequest, code: str, refused: Exception) -> HttpResponse:
    if _accepts_json(request):
        name = getattr(refused, "code", "refused")
        content = frame("error", code=name, text=str(refused))
        return JsonResponse(content, status=STATUS.get(name, CONFLICT))
    messages.error(request, str(refused))
    return _back(code)


def _back(code: str) -> HttpResponse:
    """To the chat on the tournament's page."""
    answer = redirect("tournament", code)
    answer["Location"] += "#chat"
    return answer
