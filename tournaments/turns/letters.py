"""Letters about turns: one reminder in a slow turn, and word to those in charge of a fault.

A letter goes to somebody who is not there, so nobody knows in which language he reads: it says
everything in each of the site's.
"""

from collections.abc import Callable, Iterable

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from dynasties.accounts.models import User
from dynasties.clock import database_now
from tournaments.announcements.models import Seat, Tournament
from tournaments.turns.locks import lock_running
from tournaments.turns.mishaps import describe
from tournaments.turns.models import Order
from tournaments.turns.positions import position_of

log = structlog.get_logger(__name__)

MOST_AT_ONCE = 500
BETWEEN_LANGUAGES = "\n\n---\n\n"


# --- Reminders ---------------------------------------------------------------------------


def remind_due() -> int:
    """Remind whoever has not ordered in a slow turn that is nearly over; return how many."""
    due = Tournament.objects.filter(
        state=Tournament.State.RUNNING, remind_at__lte=database_now()
    ).order_by("remind_at", "pk")
    return sum(map(_remind_or_log, due.values_list("pk", flat=True)[:MOST_AT_ONCE]))


def _remind_or_log(number: int) -> int:
    try:
        return remind(number)
    except Exception as broken:  # whoever closes the turn counts the fault; others get theirs
        log.warning("reminder_failed", tournament=number, **describe(broken))
        return 0


@transaction.atomic
def remind(number: int) -> int:
    """Write the reminders of one turn, once; return how many.

    A letter tells its reader that he has not ordered, and nothing of anybody else.
    """
    tournament = lock_running([number]).get(number)
    now = database_now()
    if tournament is None or tournament.remind_at is None or tournament.remind_at > now:
        return 0
    tournament.remind_at = None
    tournament.save(update_fields=["remind_at"])
    if tournament.deadline is None or tournament.deadline <= now:
        return 0
    readers = sorted(set(_silent(tournament)))
    for reader in readers:
        _write([reader], lambda: _reminder(tournament))
    return len(readers)


def _silent(tournament: Tournament) -> Iterable[str]:
    """The addresses of the people who are waited for."""
    ordered = Order.objects.filter(tournament=tournament, turn=tournament.turn)
    seats = tournament.seats.filter(bot="", name__in=position_of(tournament).due())
    silent = seats.exclude(pk__in=ordered.values("seat"))
    return _addresses(silent.values_list("pk", flat=True))


def _addresses(seats: Iterable[int]) -> Iterable[str]:
    rows = Seat.objects.filter(pk__in=list(seats))
    players = User.objects.filter(
        Q(dynasty__seats__in=rows) | Q(guest__seats__in=rows), is_active=True
    )
    return players.values_list("email", flat=True)


def _reminder(tournament: Tournament) -> tuple[str, str]:
    facts = {
        "title": tournament.title,
        "time": f"{tournament.deadline:%Y-%m-%d %H:%M} UTC",
        "address": _address_of(tournament),
    }
    subject = _("Your order is due: %(title)s") % facts
    body = (
        _(
            "%(title)s waits for your order.\n\n"
            "The turn closes on %(time)s. Whoever has not ordered by then holds.\n\n"
            "%(address)s"
        )
        % facts
    )
    return subject, body


# --- Adjournments --------------------------------------------------------------------------


def tell_of_adjournment(tournament: Tournament) -> None:
    """Write to everybody in charge that a tournament was set aside, with what happened."""
    admins = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
    for address in admins.values_list("email", flat=True):
        _write([address], lambda: _adjournment(tournament))


def _adjournment(tournament: Tournament) -> tuple[str, str]:
    facts = {
        "title": tournament.title,
        "number": tournament.pk,
        "turn": tournament.turn + 1,
        "faults": tournament.faults,
        "address": _address_of(tournament),
    }
    subject = _("Adjourned: %(title)s") % facts
    body = (
        _(
            "Tournament %(number)d (%(title)s) was set aside in turn %(turn)d.\n\n"
            "Faults of the engine: %(faults)d. The log says where. Nothing was given back, and "
            "nobody has gone home: resume or cancel it in the chancery.\n\n"
            "%(address)s"
        )
        % facts
    )
    return subject, body


# --- Both ------------------------------------------------------------------------------------


def _address_of(tournament: Tournament) -> str:
    return f"{settings.SITE_ORIGIN}{reverse('tournament', args=[tournament.code])}"


def _write(readers: list[str], words: Callable[[], tuple[str, str]]) -> None:
    subjects, bodies = [], []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            subject, body = words()
        subjects.append(" ".join(subject.split()))
        bodies.append(body)
    send_mail(" / ".join(dict.fromkeys(subjects)), BETWEEN_LANGUAGES.join(bodies), None, readers)
