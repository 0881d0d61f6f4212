"""What is going on in the lists of the demo world: battles to look at, to enter and to come."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from dynasties.houses.models import Dynasty
from emperors.models import Emperor
from tournaments.announcements.models import Seat, Template, Terms, Tournament
from tournaments.announcements.services import announce
from tournaments.fields.models import Battlefield
from tournaments.seating.players import Player
from tournaments.seating.services import enter
from tournaments.turns.positions import position_of
from tournaments.turns.services import Wish, submit_orders

SLOW = {"pace": Terms.Pace.SLOW, "turn_seconds": 24 * 60 * 60}


@dataclass(frozen=True)
class Battle:
    """A tournament of the players, each led by a bot for as many turns as it is to last."""

    field: str
    terms: dict[str, Any]
    first: int
    """The first of the players who fights in it; the next ones follow."""
    seats: int
    turns: int = 1_000
    bots: tuple[str, ...] = ("knight", "page", "page", "page")


# Fought to the end: what a record, a replay and their consequences look like.
FOUGHT = (
    Battle(
        "crossroads",
        {
            "type": "honour",
            "stake": 5,
            "name": "The Autumn Tilt",
            "options": {"turn_limit": 40},
        },
        first=0,
        seats=4,
    ),
    Battle("duel", {"type": "conquer", "name": "A quarrel of neighbours"}, first=2, seats=2),
)
# Still going on, a turn a day: something to watch, and an order that is due.
UNDER_WAY = Battle(
    "hourglass",
    {"type": "honour", "stake": 3, "name": "The Long Evening", **SLOW},
    first=0,
    seats=2,
    turns=2,
)
# Waiting for whoever comes.
OPEN = (
    Battle(
        "duel",
        {"type": "honour", "stake": 1, "name": "An open challenge", **SLOW},
        first=4,
        seats=1,
    ),
)
TEMPLATES: tuple[dict[str, Any], ...] = (
    {
        "name": "The Crown's Hour",
        "type": Terms.Type.GIFT,
        "prize_reputation": 10,
        "prize_wealth": {},
        "field": "crossroads",
        "every_minutes": 60,
        "entries_minutes": 60,
    },
    {
        "name": "The Daily Duel",
        "type": Terms.Type.HONOUR,
        "stake": 5,
        "field": "duel",
        "every_minutes": 24 * 60,
        "entries_minutes": 24 * 60 - 5,
        **SLOW,
    },
)


def fill_the_lists(houses: Sequence[Dynasty]) -> None:
    """Let the players of the demo world fight, and the crown announce what recurs."""
    _write_templates()
    for battle in (*FOUGHT, UNDER_WAY, *OPEN):
        _play(battle, houses)


def _write_templates() -> None:
    for written in TEMPLATES:
        terms = dict(written)
        field = Battlefield.objects.get(key=terms.pop("field"))
        Template.objects.get_or_create(
            name=terms.pop("name"),
            defaults={**terms, "battlefield": field, "next_at": timezone.now()},
        )


def _play(battle: Battle, houses: Sequence[Dynasty]) -> None:
    """Announce a battle, let emperors enter it, and lead them for its turns."""
    fighters = _fighters(houses, battle)
    if len(fighters) < battle.seats:
        return  # beside another world, whose emperors have other things to do
    terms = Tournament(
        battlefield=Battlefield.objects.get(key=battle.field),
        **battle.terms,
    )
    host = fighters[0].dynasty
    starts_at = None if battle.seats > 1 else timezone.now() + timedelta(days=7)
    tournament = announce(terms=terms, host=host, starts_at=starts_at)
    for emperor in fighters:
        enter(tournament=tournament, player=Player(dynasty=emperor.dynasty), emperor=emperor)
    for _turn in range(battle.turns):
        tournament.refresh_from_db()
        if tournament.state != Tournament.State.RUNNING:
            break
        _order_for_all(tournament, battle)


def _fighters(houses: Sequence[Dynasty], battle: Battle) -> list[Emperor]:
    """Of each player the most renowned emperor at rest, if he can pay the stake."""
    able = Emperor.objects.filter(
        life=Emperor.Life.AT_REST, reputation__gte=battle.terms.get("stake", 0)
    ).select_related("dynasty")
    players = houses[battle.first : battle.first + battle.seats]
    best = [able.filter(dynasty=house).order_by("-reputation", "pk").first() for house in players]
    return [emperor for emperor in best if emperor is not None]


def _order_for_all(tournament: Tournament, battle: Battle) -> None:
    position = position_of(tournament)
    seats = {seat.name: seat for seat in Seat.objects.filter(tournament=tournament)}
    submit_orders(
        [
            Wish(
                seats[name].pk,
                tournament.turn,
                position.ask_bot(_bot(battle, seats[name]), name, salt=battle.field),
            )
            for name in position.due()
        ]
    )


def _bot(battle: Battle, seat: Seat) -> str:
    return battle.bots[seat.place % len(battle.bots)]
