"""Who plays: the ruler of a dynasty, or a guest. One value for every door."""

from dataclasses import dataclass

from django.db.models import Q

from dynasties.accounts.models import Guest, User
from dynasties.houses.models import Dynasty
from dynasties.relations.people import Person
from tournaments.announcements.models import Seat, Tournament


@dataclass(frozen=True)
class Player:
    """Whoever may have a seat. A ruler also has the seats that he took as a guest."""

    dynasty: Dynasty | None = None
    guest: Guest | None = None
    user: User | None = None

    @property
    def is_nobody(self) -> bool:
        return self.dynasty is None and self.guest is None

    @property
    def person(self) -> Person:
        """As blocks and mutes know him."""
        return Person(
            dynasty=self.dynasty.pk if self.dynasty else None,
            guest=self.guest.pk if self.guest else None,
        )


def player_for(*, user: User | None, guest: Guest | None = None) -> Player:
    """The player behind an account or a guest."""
    if user is None or not user.is_authenticated:
        return Player(guest=guest or None)
    dynasty = Dynasty.objects.public().filter(ruler=user).first()
    return Player(dynasty=dynasty, user=user)


def seats_of(player: Player) -> Q:
    """Which seats are this player's."""
    mine = Q(pk__in=[])
    if player.dynasty is not None:
        mine |= Q(dynasty=player.dynasty)
    if player.user is not None:
        mine |= Q(guest__became=player.user)
    if player.guest is not None:
        mine |= Q(guest=player.guest)
    return mine


def seat_of(tournament: Tournament, player: Player) -> Seat | None:
    """The seat of a player in a tournament."""
    return tournament.seats.filter(seats_of(player)).first()
