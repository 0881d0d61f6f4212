"""Template tags that draw coats of arms."""

from typing import Any

from django import template

from dynasties.houses.arms import arms_of
from dynasties.houses.models import Dynasty

register = template.Library()


@register.inclusion_tag("houses/arms.html")
def arms(dynasty: Dynasty, size: str = "") -> dict[str, Any]:
    """Draw the arms of `dynasty`; `size` is empty or `large`. Decoration: the name says it all."""
    return {"arms": arms_of(dynasty.name), "size": size, "fallen": dynasty.fallen_at is not None}
