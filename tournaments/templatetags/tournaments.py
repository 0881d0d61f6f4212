"""Template tags that show tournaments, also on pages of the floors below."""

from typing import Any

from django import template

from dynasties.houses.models import Dynasty
from tournaments.pages.selectors import battles_of
from tournaments.pages.words import seconds_in_words
from tournaments.seating.players import Player

register = template.Library()


@register.inclusion_tag("tournaments/palace_panel.html", takes_context=True)
def your_battles(context: dict[str, Any], dynasty: Dynasty) -> dict[str, Any]:
    """Where a dynasty fights, and where an order is due."""
    player = Player(dynasty=dynasty, user=dynasty.ruler)
    return {"own": battles_of(player), "csrf_token": context.get("csrf_token")}


@register.filter
def turn_length(seconds: int) -> str:
    """How long a turn takes, in words."""
    return seconds_in_words(seconds)
