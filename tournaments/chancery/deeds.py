"""What officials can do to a tournament that is announced: nothing to its terms."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.announcements.models import Tournament
from tournaments.seating.services import cancel
from tournaments.turns.adjournment import adjourn, resume
from tournaments.turns.closing import close_turns

State = Tournament.State


@dataclass(frozen=True)
class Deed:
    """Something that is done with a reason, from some states."""

    key: str
    title: Promise
    words: Promise
    done: Promise
    too_late: Promise
    states: tuple[str, ...]
    do: Callable[[Tournament], bool]

    def carry_out(self, tournament: Tournament) -> bool:
        """Do it; False if it was too late, and nothing has changed."""
        try:
            return self.do(tournament)
        except Tournament.DoesNotExist:  # training that has ended meanwhile
            return False

    def fits(self, tournament: Tournament) -> bool:
        return tournament.state in self.states


def _go_on(tournament: Tournament) -> bool:
    """Resume it; if everybody had ordered before, nobody else would close the turn in time."""
    goes_on = resume(number=tournament.pk)
    if goes_on:
        close_turns([tournament.pk])
    return goes_on


DEEDS: dict[str, Deed] = {
    deed.key: deed
    for deed in (
        Deed(
            "cancel",
            _("Cancel the tournament"),
            _(
                "Everybody goes home, and everything goes back: stakes, fees, chests and the prize "
                "of the crown. This can't be undone."
            ),
            _("It is cancelled, and everything went back."),
            _("It is over already: nothing has changed."),
            (State.ANNOUNCED, State.OPEN, State.RUNNING, State.ADJOURNED),
            lambda tournament: cancel(tournament=tournament),
        ),
        Deed(
            "adjourn",
            _("Adjourn the tournament"),
            _(
                "It is set aside: no deadline runs, nothing is given back, nobody goes home. "
                "Orders that were given stand, and nobody sees them."
            ),
            _("It is adjourned."),
            _("It is not being fought: nothing has changed."),
            (State.RUNNING,),
            lambda tournament: adjourn(number=tournament.pk),
        ),
        Deed(
            "resume",
            _("Resume the tournament"),
            _("It goes on where it was, with a whole turn's time."),
            _("It goes on."),
            _("It is not adjourned: nothing has changed."),
            (State.ADJOURNED,),
            _go_on,
        ),
    )
}
