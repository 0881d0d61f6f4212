"""Template tags that show emperors and reputation on pages of the ground floor."""

from typing import Any

from django import template
from django.utils import timezone

from dynasties.houses.models import Dynasty
from emperors import selectors
from emperors.charts import draw
from emperors.forms import FoundingForm
from emperors.reasons import Words, words_of

register = template.Library()

EMPERORS_SHOWN = 8
REIGNS_SHOWN = 8
CHANGES_SHOWN = 30


@register.inclusion_tag("emperors/palace_panel.html")
def throne_room(dynasty: Dynasty) -> dict[str, Any]:
    """The greatest emperors of one's own dynasty, and the way to found another."""
    emperors = selectors.emperors_of(dynasty)
    return {
        "dynasty": dynasty,
        "emperors": emperors[:EMPERORS_SHOWN],
        "count": emperors.count(),
        "form": FoundingForm(),
    }


@register.inclusion_tag("emperors/house_panel.html")
def house_of(dynasty: Dynasty) -> dict[str, Any]:
    """What the world knows of a dynasty's reputation and its emperors."""
    standing, changes = selectors.standing_of(dynasty), selectors.curve(dynasty)
    emperors, reigns = selectors.emperors_of(dynasty), selectors.reigns_in(dynasty)
    return {
        "dynasty": dynasty,
        "standing": standing,
        "place": selectors.place_of(standing),
        "chart": draw(changes, since=dynasty.opened_at, until=dynasty.fallen_at or timezone.now()),
        "changes": changes[::-1][:CHANGES_SHOWN],
        "emperors": emperors[:EMPERORS_SHOWN],
        "count": emperors.count(),
        "past": reigns.exclude(ended_at=None).order_by("-ended_at", "-pk")[:REIGNS_SHOWN],
        "reigns": reigns.count(),
    }


@register.filter
def reason_words(code: str) -> Words:
    """The words for the code of a reason."""
    return words_of(code)
