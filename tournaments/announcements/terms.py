"""Which terms a tournament can have. All of it is checked before anything is announced."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext_lazy as _

from dynasties.houses.names import without_hidden
from dynasties.treasury.models import Kind
from tournaments import arena
from tournaments.announcements.models import LIVE_SECONDS, SLOW_SECONDS, Terms
from tournaments.errors import UnfitTerms

MOST_OF_A_PRIZE = 10**9
CHEST = "chest-"


def read_options(terms: Terms) -> dict[str, arena.Json]:
    """The game's options with every default written out. Raises UnfitTerms."""
    if terms.game not in arena.game_keys():
        raise UnfitTerms("game", _("There is no such game."))
    if not isinstance(terms.options, Mapping):
        raise UnfitTerms("options", _("Options are an object."))
    given = dict(terms.options)
    if terms.battlefield is not None:
        given["battlefield"] = terms.battlefield.text
    try:
        return arena.complete_options(terms.game, given)
    except arena.BadOptions as bad:
        field = "battlefield" if bad.option == "battlefield" else "options"
        raise UnfitTerms(field, bad.sentence) from None


def check_terms(terms: Terms, seats: tuple[str, ...]) -> None:
    """Raise UnfitTerms for the first of the terms that can't be."""
    for check in CHECKS:
        check(terms, seats)


def _check_name(terms: Terms, seats: tuple[str, ...]) -> None:
    """It stands in lists, letters and the chronicle: nothing in it may turn other words round."""
    if without_hidden(terms.name) != terms.name:
        raise UnfitTerms("name", _("Invisible and control characters can't be used."))


def _check_type(terms: Terms, seats: tuple[str, ...]) -> None:
    if terms.type not in Terms.Type.values:
        raise UnfitTerms("type", _("There is no such type of tournament."))
    if terms.access not in Terms.Access.values:
        raise UnfitTerms("access", _("Choose who may enter."))


def _check_seats(terms: Terms, seats: tuple[str, ...]) -> None:
    if not 2 <= terms.seats_least <= len(seats):
        raise UnfitTerms("seats_least", _("It takes two seats at least, and has not so many."))


def _check_pace(terms: Terms, seats: tuple[str, ...]) -> None:
    limits = {Terms.Pace.LIVE: LIVE_SECONDS, Terms.Pace.SLOW: SLOW_SECONDS}
    if terms.pace not in limits:
        raise UnfitTerms("pace", _("It is live or slow."))
    low, high = limits[Terms.Pace(terms.pace)]
    if not low <= terms.turn_seconds <= high:
        raise UnfitTerms(
            "turn_seconds",
            _("A live turn takes 10 seconds to 5 minutes, a slow one an hour to 7 days."),
        )


def _check_stake(terms: Terms, seats: tuple[str, ...]) -> None:
    is_honour, is_gift = terms.type == Terms.Type.HONOUR, terms.type == Terms.Type.GIFT
    if bool(terms.stake) != is_honour:
        raise UnfitTerms("stake", _("A tournament by honour has a stake, and no other has one."))
    if not is_gift and (terms.prize_reputation or terms.prize_wealth):
        raise UnfitTerms("prize_reputation", _("Only a tournament for a gift has a prize."))
    if is_gift and not (terms.prize_reputation or terms.prize_wealth):
        raise UnfitTerms("prize_reputation", _("A gift is reputation, wealth or both."))


def _check_prize(terms: Terms, seats: tuple[str, ...]) -> None:
    prize = terms.prize_wealth
    fits = isinstance(prize, dict) and all(
        type(amount) is int and 0 < amount <= MOST_OF_A_PRIZE for amount in prize.values()
    )
    if not fits or Kind.objects.filter(code__in=prize).count() != len(prize):
        raise UnfitTerms("prize_wealth", _('Write kinds and amounts: {"gold": 3}.'))


def _check_fee(terms: Terms, seats: tuple[str, ...]) -> None:
    if bool(terms.fee) != (terms.fee_kind is not None):
        raise UnfitTerms("fee", _("A fee has an amount and a kind."))
    if terms.fee and terms.type in (Terms.Type.GIFT, Terms.Type.TRAINING):
        raise UnfitTerms("fee", _("Gifts and training cost nothing."))


def _check_training(terms: Terms, seats: tuple[str, ...]) -> None:
    """Training leaves no trace: nothing may change hands in it."""
    per_event = terms.reputation_a_capture or terms.reputation_a_treasure
    if terms.is_training and (terms.chests or per_event):
        raise UnfitTerms("type", _("In training nothing is won and nothing is lost."))


def _check_reputation(terms: Terms, seats: tuple[str, ...]) -> None:
    least, most = terms.reputation_least, terms.reputation_most
    if least is not None and most is not None and least > most:
        raise UnfitTerms("reputation_most", _("The most is less than the least."))
    if most is not None and most < terms.stake:
        raise UnfitTerms("reputation_most", _("Nobody with so little could pay the stake."))


def _check_chests(terms: Terms, seats: tuple[str, ...]) -> None:
    if not terms.chests:
        return
    drawn = arena.read_battlefield(terms.battlefield.text) if terms.battlefield else None
    chests = {item.id for item in drawn.items} if drawn else set()
    if not all(f"{CHEST}{seat}" in chests for seat in seats):
        raise UnfitTerms("chests", _("This battlefield has no chest for every seat."))


CHECKS: tuple[Callable[[Terms, tuple[str, ...]], None], ...] = (
    _check_name,
    _check_type,
    _check_seats,
    _check_pace,
    _check_stake,
    _check_prize,
    _check_fee,
    _check_training,
    _check_reputation,
    _check_chests,
)
