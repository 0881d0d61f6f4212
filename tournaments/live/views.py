"""The live protocol through HTTP: the same frames, for clients without a socket or a script."""

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from dynasties.notices.live import frame
from dynasties.notices.sockets import LONGEST_FRAME, Refused
from tournaments import errors
from tournaments.announcements.models import Seat, Tournament
from tournaments.live.frames import frames_since
from tournaments.live.reading import (
    Content,
    readable_ref,
    readable_turn,
    refuse_what_cannot_be_sent_back,
    sendable,
)
from tournaments.live.sights import Identity, Sight, read_sight
from tournaments.pages.visitors import player_of
from tournaments.seating.players import seat_of
from tournaments.turns.deadlines import close_if_overdue
from tournaments.turns.records import NotOverError, record_of
from tournaments.turns.services import offer_draw, submit_order, withdraw_order

JSON = "application/json"
BAD_REQUEST, FORBIDDEN, CONFLICT = 400, 403, 409


# --- How it stands -----------------------------------------------------------------------


@require_safe
@never_cache
def state(request: HttpRequest, code: str) -> HttpResponse:
    """The frames that whoever asks has missed since the version that he knows."""
    since = _version(request.GET.get("since", ""))
    sight = _closed_in_time(code, since)
    face = sight.face_of(Identity.of(player_of(request)))
    frames = frames_since(sight, since, face.seat if face else None, get_language() or "en")
    return HttpResponse(f'{{"frames":[{",".join(frames)}]}}', content_type=JSON)


def _version(typed: str) -> int | None:
    """The version in an address; None, as if nothing were known, if it is none."""
    return int(typed) if typed.isascii() and typed.isdecimal() and 0 < len(typed) < 10 else None


def _closed_in_time(code: str, since: int | None) -> Sight:
    """The tournament; whoever looks at one that is overdue closes its turn."""
    sight = read_sight(code, since=since)
    if sight is not None and close_if_overdue(sight.tournament):
        sight = read_sight(code, since=since)
    if sight is None:
        raise Http404
    return sight


# --- Orders --------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def orders(request: HttpRequest, code: str) -> HttpResponse:
    """Give or withdraw an order, or offer a draw, as JSON or by a form on the page."""
    if request.method != "POST":
        return redirect("tournament", code)
    is_json = request.content_type == JSON
    try:
        content = _json(request) if is_json else _form(request)
        accepted = _act(request, code, content)
    except (errors.Refused, Refused) as refused:
        if is_json:
            return _refusal(refused, readable_ref(_quietly_json(request)))
        messages.error(request, sendable(str(refused)))
        return redirect("tournament", code)
    if is_json:
        return JsonResponse(accepted)
    messages.success(request, _said(accepted))
    return redirect("tournament", code)


def _act(request: HttpRequest, code: str, content: Content) -> dict[str, Any]:
    """Do what is asked, and say what stands now. Raises Refused, of either kind."""
    turn, ref = readable_turn(content), readable_ref(content)
    seat = _seat(request, code).pk
    if content.get("draw"):
        offer_draw(seat=seat, turn=turn)
        return frame("accepted", ref=ref, turn=turn, draw=True)
    if content.get("withdraw"):
        withdraw_order(seat=seat, turn=turn)
        return frame("accepted", ref=ref, turn=turn, order=None)
    order = content.get("order")
    if order is None:
        raise Refused("unreadable", _("Choose what to order."))
    submit_order(seat=seat, turn=turn, content=order)
    return frame("accepted", ref=ref, turn=turn, order=order)


def _seat(request: HttpRequest, code: str) -> Seat:
    tournament = Tournament.objects.filter(code=code).first()
    if tournament is None:
        raise errors.NotRunning
    seat = seat_of(tournament, player_of(request))
    if seat is None:
        raise errors.NotSeated
    return seat


def _said(accepted: dict[str, Any]) -> str:
    if accepted.get("draw"):
        return _("You offer a draw: it holds for this turn.")
    if accepted["order"] is None:
        return _("Your order is withdrawn.")
    return _("Your order is sealed. Nobody sees it before the turn is over.")


def _refusal(refused: errors.Refused | Refused, ref: str | int | None) -> HttpResponse:
    status = CONFLICT if isinstance(refused, errors.Refused) else BAD_REQUEST
    if isinstance(refused, errors.NotSeated):
        status = FORBIDDEN
    content = frame("error", code=refused.code, text=sendable(str(refused)), ref=ref)
    return JsonResponse(content, status=status)


# --- Reading what was sent -------------------------------------------------------------------


def _json(request: HttpRequest) -> Content:
    content = _parsed(request.body)
    if not isinstance(content, dict):
        raise Refused("unreadable", _("Send a JSON object."))
    refuse_what_cannot_be_sent_back(content)
    return content


def _quietly_json(request: HttpRequest) -> Content:
    try:
        return _json(request)
    except Refused:
        return {}


def _form(request: HttpRequest) -> Content:
    """What a form without a script sends: the order as JSON, as the choices have it."""
    typed, turn = request.POST, request.POST.get("turn", "")
    content: Content = {
        "turn": int(turn) if turn.isascii() and turn.isdecimal() and len(turn) < 10 else None,
        "draw": "draw" in typed,
        "withdraw": "withdraw" in typed,
        "order": _parsed(typed["order"].encode()) if typed.get("order") else None,
    }
    refuse_what_cannot_be_sent_back(content)
    return content


def _parsed(body: bytes) -> Any:
    if len(body) > LONGEST_FRAME:
        raise Refused("too-large", _("This is too long."))
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Refused("unreadable", _("This is not JSON.")) from None


# --- The record --------------------------------------------------------------------------------


@require_safe
def record(request: HttpRequest, code: str) -> HttpResponse:
    """What replays a tournament that is over, with its seed, for anybody to keep."""
    tournament = get_object_or_404(Tournament, code=code)
    try:
        text = record_of(tournament).dumps()
    except NotOverError:
        raise Http404 from None
    answer = HttpResponse(text, content_type=JSON)
    answer["Content-Disposition"] = f'attachment; filename="{tournament.code}.json"'
    return answer
