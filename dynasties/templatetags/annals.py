"""Template tags that tell what happened."""

from typing import Any

from django import template

from dynasties.chronicle.facts import Subject
from dynasties.chronicle.rendering import tell
from dynasties.chronicle.selectors import newest
from dynasties.houses.models import Dynasty

register = template.Library()

LATEST = 8


@register.inclusion_tag("chronicle/latest.html")
def annals(dynasty: Dynasty) -> dict[str, Any]:
    """The latest that the world knows of `dynasty`, with the way to all of it."""
    subject = Subject("dynasty", dynasty.pk)
    return {"lines": tell(newest(about=subject, limit=LATEST)), "subject": subject}
