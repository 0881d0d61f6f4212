"""What the siege of `test_kills.py` asks of the site's own code, in a process of its own.

`python -m tests.live.kill_stage set COUNT` seats four guests at each of COUNT tables;
`python -m tests.live.kill_stage truth CODE ...` tells what the database holds. Both print JSON.
"""

import json
import sys
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402

from dynasties.accounts.models import Guest  # noqa: E402
from dynasties.accounts.selectors import GUEST_KEY  # noqa: E402
from dynasties.accounts.sessions import SessionStore  # noqa: E402
from tournaments.announcements.models import Terms, Tournament  # noqa: E402
from tournaments.announcements.services import announce  # noqa: E402
from tournaments.fields.models import Battlefield  # noqa: E402
from tournaments.live.frames import state_frame  # noqa: E402
from tournaments.live.sights import read_sight  # noqa: E402
from tournaments.seating.players import Player  # noqa: E402
from tournaments.seating.services import enter  # noqa: E402
from tournaments.turns.models import Turn  # noqa: E402

FIELD = "crossroads"
SEATS = 4
# Nobody wins before the last kill, and no deadline falls into it.
ENDLESS = {"turn_limit": 10_000, "goals": [{"kind": "survive", "turns": 10_000, "more_than": 0}]}
TURN_SECONDS = 300


def set_tables(count: int) -> dict[str, Any]:
    """Tables whose first turn is open, with the session of everybody who sits there."""
    field = Battlefield.objects.get(key=FIELD)
    tables = [set_table(field) for _number in range(count)]
    return {"cookie": settings.SESSION_COOKIE_NAME, "tables": tables}


def set_table(field: Battlefield) -> dict[str, Any]:
    terms = Tournament(
        type=Terms.Type.TRAINING, battlefield=field, turn_seconds=TURN_SECONDS, options=ENDLESS
    )
    tournament = announce(terms=terms, host=None)
    return {"code": tournament.code, "sessions": [seat_guest(tournament) for _ in range(SEATS)]}


def seat_guest(tournament: Tournament) -> str:
    guest = Guest.objects.create(lodging=Guest.Lodging.AMBER_GATE)
    enter(tournament=tournament, player=Player(guest=guest))
    session = SessionStore()
    session[GUEST_KEY] = str(guest.pk)
    session.create()
    return str(session.session_key)


def truth(code: str) -> dict[str, Any]:
    """The closed turns as rows, and how things stand for each pair of eyes ("": a bystander's)."""
    sight = read_sight(code)
    if sight is None:
        raise SystemExit(f"There is no tournament {code} any more.")
    turns = Turn.objects.filter(tournament__code=code).order_by("number", "pk")
    viewers = [*(face.seat for face in sight.faces), None]
    return {
        "turns": [[turn.number, turn.version, turn.orders] for turn in turns],
        "frames": {
            viewer or "": json.loads(state_frame(sight, viewer, "en")) for viewer in viewers
        },
    }


def main(command: str, *words: str) -> None:
    found = set_tables(int(words[0])) if command == "set" else {code: truth(code) for code in words}
    sys.stdout.write(f"\n{json.dumps(found)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
