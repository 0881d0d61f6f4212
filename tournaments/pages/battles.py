"""The page of one tournament: before, while it is fought, and when it is over."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dynasties.clock import database_now
from tournaments import arena
from tournaments.announcements.models import Seat, Terms, Tournament
from tournaments.announcements.option_words import options_in_words
from tournaments.consequences.afterglow import glimpse
from tournaments.pages import selectors, stories
from tournaments.pages.drawing import Drawing, draw_field
from tournaments.pages.forms import EnterForm, InviteForm
from tournaments.pages.tables import Table, table_for
from tournaments.pages.visitors import player_of
from tournaments.pages.words import TYPES, board_words, ending_words, facts_of
from tournaments.seating.players import Player, seat_of
from tournaments.seating.services import start_if_due
from tournaments.turns.deadlines import close_if_overdue
from tournaments.turns.records import NotOverError


@never_cache
@require_safe
def tournament(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a tournament: before, while it is fought, and when it is over."""
    found = selectors.find_tournament(code)
    if found is not None:
        found = _brought_up_to_date(found)
    if found is None:
        return _afterglow(request, code)
    if found.state in Tournament.BEFORE:
        return show_before(request, found)
    if found.is_over:
        return _result(request, found)
    return _battle(request, found)


def _brought_up_to_date(found: Tournament) -> Tournament | None:
    """Whoever looks at what is overdue sets it going."""
    if start_if_due(found) or close_if_overdue(found):
        return selectors.find_tournament(found.code)
    return found


def _told(found: Tournament, player: Player) -> dict[str, Any]:
    """What every page of a tournament needs."""
    seats = selectors.seats_in(found)
    mine = None if player.is_nobody else seat_of(found, player)
    return {
        "tournament": found,
        "type_words": TYPES[found.type],
        "facts": facts_of(found),
        "rules": options_in_words(found.game, found.options),
        "seats": seats,
        "mine": mine,
        "player": player,
        "words": json.dumps(board_words()),
    }


def show_before(
    request: HttpRequest, found: Tournament, form: EnterForm | None = None
) -> HttpResponse:
    """The page before the start, with what was wrong with an entry, if there was one."""
    player = player_of(request)
    told = _told(found, player)
    token = request.GET.get("key", "") or request.POST.get("key", "")
    is_host = player.dynasty is not None and found.host_id == player.dynasty.pk
    taken = {seat.name: seat for seat in told["seats"]}
    shows_link = found.access == Terms.Access.LINK and (is_host or told["mine"] is not None)
    context = {
        **told,
        "token": token,
        "may_enter": selectors.may_enter(found, player, token),
        "drawing": _start(found),
        "places": [(name, taken.get(name)) for name in found.seat_names],
        "form": form or entry_form(None, found, player),
        "is_host": is_host,
        "invite_form": InviteForm(),
        "invited": selectors.invited_to(found) if is_host else [],
        "link": _challenge(request, found) if shows_link else "",
        "now": database_now(),
    }
    return render(request, "tournaments/before.html", context)


def _start(found: Tournament) -> Drawing | None:
    text = found.options.get("battlefield")
    return draw_field(text) if isinstance(text, str) else None


def _challenge(request: HttpRequest, found: Tournament) -> str:
    return f"{request.build_absolute_uri(found.get_absolute_url())}?key={found.link_token}"


def entry_form(typed: Any, found: Tournament, player: Player) -> EnterForm | None:
    """What a ruler fills in to enter; None for whoever has nobody to send."""
    if player.dynasty is None:
        return None
    rested = selectors.emperors_at_rest(player.dynasty)
    return EnterForm(typed, tournament=found, emperors=rested) if rested.exists() else None


def _battle(request: HttpRequest, found: Tournament) -> HttpResponse:
    player = player_of(request)
    told = _told(found, player)
    context = {**told, "table": _table(found, told["mine"])}
    return render(request, "tournaments/battle.html", context)


def _table(found: Tournament, mine: Seat | None) -> Table | None:
    """The board; None if it can't be read any more, which is why it is adjourned then."""
    try:
        return table_for(found, mine)
    except arena.BadRecord:
        return None


# --- When it is over ----------------------------------------------------------------------


def _result(request: HttpRequest, found: Tournament) -> HttpResponse:
    told = _told(found, player_of(request))
    context = {
        **told,
        "ending": ending_words(found.ending),
        "winners": [seat for seat in told["seats"] if seat.name in found.winners],
        "fates": selectors.fates_of(found, told["seats"]) if found.began_at else [],
        "replay": _replay(request, found, told["seats"]) if found.began_at else None,
    }
    return render(request, "tournaments/result.html", context)


def _replay(request: HttpRequest, found: Tournament, seats: list[Seat]) -> dict[str, Any] | None:
    """One moment of the battle, as the address asks for it; the last one if it does not."""
    asked = request.GET.get("turn", "")
    turn = min(int(asked), found.turn) if asked.isdecimal() and len(asked) < 7 else found.turn
    try:
        steps = stories.steps_of(found, seats, first=turn, most=1)
    except (arena.BadRecord, NotOverError):
        return None
    if not steps:
        return None
    return {
        "turn": turn,
        "last": found.turn,
        "table": Table.of_scene(steps[0].scene()),
        "story": steps[0].story(),
    }


def _afterglow(request: HttpRequest, code: str) -> HttpResponse:
    """A training battle that is gone: how it ended, for as long as it is remembered."""
    sight = glimpse(code)
    if sight is None:
        raise Http404
    table = None
    if sight["position"]:
        last = arena.resume(
            game=sight["game"],
            written=sight["position"],
            seed=sight["seed"],
            turn=sight["turn"],
        )
        table = Table.of_scene(last.scene(None, over=True))
    context = {
        "sight": sight,
        "ending": ending_words(sight["ending"]),
        "winners": [who for name, who in sight["seats"] if name in sight["winners"]],
        "table": table,
    }
    return render(request, "tournaments/afterglow.html", context)


@require_safe
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """The turns of a tournament that is over, for the board in the browser, part by part."""
    found = selectors.find_tournament(code)
    if found is None:
        raise Http404
    asked = request.GET.get("first", "0")
    first = int(asked) if asked.isdecimal() and len(asked) < 7 else 0
    try:
        steps = stories.steps_of(found, selectors.seats_in(found), first=first)
    except (arena.BadRecord, NotOverError):
        raise Http404 from None
    scene = steps[0].scene() if steps else {"grid": "square", "cells": []}
    answer = {
        "grid": scene["grid"],
        "cells": scene["cells"],
        "last": found.turn,
        "steps": [stories.as_json(step) for step in steps],
    }
    return JsonResponse(answer)
