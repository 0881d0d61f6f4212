"""Whoever is before a tournament: at the table, in the stands, passing by."""

from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.utils import timezone

from dynasties.accounts.models import Guest
from dynasties.accounts.selectors import GUEST_KEY
from dynasties.accounts.services import enter_as_guest
from dynasties.houses.models import Dynasty
from tests.factories import DynastyFactory
from tests.tournaments.lists import announced, fighter, filled, seat
from tournaments.announcements.models import Tournament
from tournaments.chat.services import say
from tournaments.seating.players import Player, player_for
from tournaments.seating.services import enter

SLOW = {"pace": "slow", "turn_seconds": 3600}
STATES = ("open", "running", "adjourned", "finished", "cancelled", "abandoned")


def ruler(dynasty: Dynasty) -> Player:
    return player_for(user=dynasty.ruler)


@dataclass
class Table:
    """A duel, the two who fight it, and one who watches."""

    tournament: Tournament
    one: Player
    other: Player
    watcher: Player

    @property
    def passer_by(self) -> Player:
        return Player()

    def say(self, player: Player, text: object = "Well met.") -> Any:
        return say(tournament=self.tournament, player=player, text=text)

    def become(self, state: str) -> None:
        """Put the tournament into a state, as far as a chat can tell."""
        fields: dict[str, Any] = {"state": state}
        if state in Tournament.OVER:
            fields |= {"ended_at": timezone.now(), "deadline": None}
        if state not in ("running", *Tournament.OVER):
            fields |= {"deadline": None}
        Tournament.objects.filter(pk=self.tournament.pk).update(**fields)
        self.tournament.refresh_from_db()


def a_table(type_: str = "honour") -> Table:
    """A duel that is being fought."""
    tournament = announced(type_, "duel", **SLOW)
    seats = filled(tournament)
    players = [ruler(each.dynasty) for each in seats]
    return Table(tournament, players[0], players[1], ruler(DynastyFactory()))


def a_table_with_a_guest() -> tuple[Table, Client]:
    """A training with a guest at the table, and the browser of the guest."""
    browser = Client()
    session = browser.session
    guest: Guest = enter_as_guest(session=session)
    assert session[GUEST_KEY]
    session.save()
    tournament = announced("training", "duel", **SLOW)
    emperor = fighter()
    seat(tournament, emperor)
    enter(tournament=tournament, player=Player(guest=guest))
    tournament.refresh_from_db()
    one = ruler(emperor.dynasty)
    return Table(tournament, one, Player(guest=guest), ruler(DynastyFactory())), browser


def browser_of(player: Player) -> Client:
    client = Client()
    if player.user is not None:
        client.force_login(player.user)
    return client
