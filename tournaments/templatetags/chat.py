"""The chat on the page of a tournament: `{% chat_panel tournament %}`."""

from typing import Any

from django import template
from django.template.context import Context

from dynasties.clock import database_now
from tournaments.announcements.models import Tournament
from tournaments.chat.access import BOTH, listener, room_to_speak_in, rooms_for
from tournaments.chat.selectors import lines_for, mutes_by
from tournaments.chat.views import player_of
from tournaments.chat.wording import LONGEST_LINE
from tournaments.errors import Refused

register = template.Library()


@register.inclusion_tag("tournaments/chat.html", takes_context=True)
def chat_panel(context: Context, tournament: Tournament) -> dict[str, Any]:
    """What the reader may read of the chat, and where he speaks."""
    request = context["request"]
    who = listener(tournament, player_of(request))
    heard = rooms_for(tournament, who)
    try:
        speaks_in, why_not = room_to_speak_in(tournament, who, at=database_now()), ""
    except Refused as refused:
        speaks_in, why_not = "", refused.code
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "tournament": tournament,
        "heard": heard,
        "hears_both": heard == BOTH,
        "speaks_in": speaks_in,
        "why_not": why_not,
        "lines": lines_for(tournament=tournament, who=who),
        "me": who.person,
        "mutes": () if who.person.is_nobody else mutes_by(tournament, who.person),
        "longest": LONGEST_LINE,
    }
