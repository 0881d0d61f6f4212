"""What this room keeps about an account, for its own eyes."""

from typing import Any

from dynasties.accounts.export import chapter
from dynasties.accounts.models import User
from dynasties.houses.models import Dynasty
from dynasties.relations.people import Person
from tournaments.chat.models import Line, Mute, Report, Silence


@chapter("chat")
def chat_chapter(user: User) -> dict[str, Any] | None:
    """What the account said, reported and did not want to read, and when it was silenced."""
    house = Dynasty.objects.filter(ruler=user).first()
    if house is None:
        return None
    own = Person(dynasty=house.pk).among("dynasty", "guest")
    mutes = Mute.objects.filter(own).select_related("other_dynasty", "other_guest", "tournament")
    return {
        "said": list(Line.objects.filter(own).values("room__tournament__code", "text", "said_at")),
        "reported": list(Report.objects.filter(own).values("code", "who", "why", "made_at")),
        "silenced": list(
            Silence.objects.filter(own).values("reason", "began_at", "ends_at", "lifted_at")
        ),
        "muted": [{"tournament": each.tournament.code, "name": each.other_name} for each in mutes],
    }
