"""Who comes to the pages of tournaments."""

from allauth.core.ratelimit import consume
from django.http import HttpRequest

from dynasties.accounts.models import Guest
from dynasties.accounts.services import enter_as_guest
from tournaments.seating.players import Player, player_for


def player_of(request: HttpRequest) -> Player:
    """Who asks."""
    guest: Guest | None = getattr(request, "guest", None)
    user = request.user if request.user.is_authenticated else None
    return player_for(user=user, guest=guest)


def player_or_guest(request: HttpRequest) -> Player | None:
    """Who asks; a stranger becomes a guest. None if too many did so from one place."""
    player = player_of(request)
    if not player.is_nobody or request.user.is_authenticated:
        return player
    if not consume(request, action="guest"):
        return None
    return player_for(user=None, guest=enter_as_guest(session=request.session))
