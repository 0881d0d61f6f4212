"""What a data export holds of this floor."""

from typing import Any

from dynasties.accounts.export import chapter
from dynasties.accounts.models import User
from emperors.models import Emperor


@chapter("emperors")
def emperors_chapter(user: User) -> list[dict[str, Any]]:
    """The living emperors of the account's dynasty."""
    emperors = Emperor.objects.filter(dynasty__ruler=user).order_by("pk")
    fields = ("name", "number", "life", "reputation", "battles", "born_at", "active_at")
    return list(emperors.values(*fields))
