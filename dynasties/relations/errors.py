"""What this room will not do, in words for the one who asked."""

from django.utils.translation import gettext_lazy as _


class Unblockable(Exception):
    """Nobody blocks himself, nor one who is no more."""

    def __str__(self) -> str:
        return str(_("You can block others who are still there, and not yourself."))


class TooManyBlocks(Exception):
    """A list so long is no list of people any more."""

    def __str__(self) -> str:
        return str(_("You have blocked too many. Take somebody off your list first."))
