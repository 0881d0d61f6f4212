"""Sets the stage for `bench.live_turns`: tournaments of four guests, ready for their first turn.

Run as a process of its own, with the settings of the site that is measured; prints JSON.
"""

import json
import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from dynasties.accounts.models import Guest  # noqa: E402
from dynasties.accounts.selectors import GUEST_KEY  # noqa: E402
from dynasties.accounts.sessions import SessionStore  # noqa: E402
from tournaments.announcements.models import Terms, Tournament  # noqa: E402
from tournaments.announcements.services import announce  # noqa: E402
from tournaments.fields.models import Battlefield  # noqa: E402
from tournaments.seating.players import Player  # noqa: E402
from tournaments.seating.services import enter  # noqa: E402

FIELD = "crossroads"
# Nobody wins before anybody's patience ends, and nobody loses his seat on the way.
ENDLESS = {"turn_limit": 10_000, "goals": [{"kind": "survive", "turns": 10_000, "more_than": 0}]}


def main(count: int) -> None:
    call_command("migrate", verbosity=0)
    field = Battlefield.objects.get(key=FIELD)
    stage = [set_table(field) for _number in range(count)]
    print(json.dumps({"cookie": settings.SESSION_COOKIE_NAME, "stage": stage}))


def set_table(field: Battlefield) -> dict[str, object]:
    terms = Tournament(
        type=Terms.Type.TRAINING, battlefield=field, turn_seconds=300, options=ENDLESS
    )
    tournament = announce(terms=terms, host=None)
    return {"code": tournament.code, "sessions": [seat_guest(tournament) for _seat in range(4)]}


def seat_guest(tournament: Tournament) -> str:
    guest = Guest.objects.create(lodging=Guest.Lodging.AMBER_GATE)
    enter(tournament=tournament, player=Player(guest=guest))
    session = SessionStore()
    session[GUEST_KEY] = str(guest.pk)
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    main(int(sys.argv[1]))
