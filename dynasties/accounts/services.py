"""What changes accounts and guests: coming, proving an address, leaving, being shut out."""

import secrets
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module

import structlog
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import get_language

from dynasties.accounts.departures import ties_of
from dynasties.accounts.farewell import write_farewell
from dynasties.accounts.models import Departure, FalseStart, Guest, User
from dynasties.accounts.selectors import (
    GUEST_KEY,
    guest_in,
    is_last_administrator,
    is_proven,
    room_for_false_starts,
    unproven_accounts,
)
from dynasties.houses.services import (
    clear_held_names,
    found_dynasty,
    hold_name,
    let_dynasty_fall,
    open_dynasty,
    unopened_since,
)
from dynasties.notices.live import end_user, renew_session

log = structlog.get_logger(__name__)

GUEST_UNSEEN_DAYS = 30
# A guest's last visit is known to the day: not every page needs a write.
GUEST_SEEN_AGAIN_AFTER = timedelta(days=1)
# The last use of a session is known to five minutes, for the same reason.
SESSION_SEEN_AGAIN_AFTER = timedelta(minutes=5)


# --- Coming ------------------------------------------------------------------------


@transaction.atomic
def welcome_newcomer(*, user: User, dynasty_name: str, motto: str, guest: Guest | None) -> None:
    """Found the dynasty of a new account and let the guest who signed up become it."""
    found_dynasty(ruler=user, name=dynasty_name, motto=motto)
    if guest is not None:
        _become(guest=guest, user=user)


@transaction.atomic
def note_false_start(*, email: str, password: str, dynasty_name: str) -> None:
    """Do for a sign-up with a taken address what a stranger could see of a real one."""
    house = hold_name(name=dynasty_name)
    secret = make_password(password)
    if FalseStart.objects.filter(email=email).count() < room_for_false_starts(email):
        FalseStart.objects.create(house=house, email=email, password=secret)


@transaction.atomic
def acknowledge_proof(*, address: EmailAddress) -> None:
    """Draw the consequences of a verified address: it is nobody else's, and the dynasty opens."""
    hold_claimants(address=address)
    for rival in unproven_accounts(address.email):
        if rival.pk != address.user_id:
            _remove(rival)
    open_dynasty(ruler=address.user)


def hold_claimants(*, address: EmailAddress) -> bool:
    """Lock, until the transaction ends, all accounts whose fate the proof of an address decides.

    False if the account that would prove it is gone. Whoever changes or removes
    an account locks its row before any other, and several in one order: those
    who remove an unproven account and those who prove it never wait in a circle.
    """
    claimants = User.objects.filter(Q(pk=address.user_id) | Q(email=address.email.lower()))
    held = [user.pk for user in claimants.select_for_update().order_by("pk")]
    return address.user_id in held


@transaction.atomic
def vouch_for_address(*, user: User) -> None:
    """Take the account's address for proved without a letter, as for accounts made by hand."""
    address = EmailAddress(user=user, email=user.email, verified=True, primary=True)
    hold_claimants(address=address)
    EmailAddress.objects.bulk_create(
        [address],
        update_conflicts=True,
        unique_fields=["user", "email"],
        update_fields=["verified", "primary"],
    )
    acknowledge_proof(address=address)


@transaction.atomic
def enter_as_guest(*, session: SessionBase) -> Guest:
    """Give the browser's session an identity; the same one if it has one already."""
    guest = guest_in(session)
    if guest is None:
        guest = Guest.objects.create(lodging=secrets.choice(Guest.Lodging.values))
        session[GUEST_KEY] = str(guest.pk)
    return guest


def note_guest_seen(*, guest: Guest, session: SessionBase) -> None:
    """Remember that a guest still comes, and let the session last as long again.

    Without a transaction: every page asks, and one locks the whole of SQLite.
    """
    now = timezone.now()
    if guest.seen_at > now - GUEST_SEEN_AGAIN_AFTER:
        return
    Guest.objects.filter(pk=guest.pk).update(seen_at=now)
    session[GUEST_KEY] = str(guest.pk)


def _become(*, guest: Guest, user: User) -> None:
    """A guest becomes one account; a later sign-up replaces one that proved nothing."""
    held = Guest.objects.select_for_update().filter(pk=guest.pk).first()
    if held is None or (held.became is not None and is_proven(held.became)):
        return
    held.became = user
    held.save(update_fields=["became"])


# --- Sessions ----------------------------------------------------------------------


@transaction.atomic
def end_sessions(*, user: User, except_key: str | None = None) -> None:
    """Log the account out everywhere, but for the session that asks for it."""
    for session in UserSession.objects.filter(user=user).exclude(session_key=except_key):
        session.end()


@transaction.atomic
def end_one_session(*, user: User, session_id: int, except_key: str | None) -> bool:
    """Log the account out of one place; False if it has no such session, or is asking from it."""
    own = UserSession.objects.filter(user=user).exclude(session_key=except_key)
    session = own.filter(pk=session_id).first()
    if session is None:
        return False
    session.end()
    return True


@transaction.atomic
def keep_one_session(*, user: User, former_key: str, key: str) -> None:
    """Log the account out everywhere but in the browser that asks, whose key has changed.

    Its other tabs are not logged out: their sockets connect again with the new key.
    """
    # Before allauth notes the new key, so that the session is known to be as old as it is.
    UserSession.objects.filter(user=user, session_key=former_key).update(session_key=key)
    renew_session(session_key=former_key)
    end_sessions(user=user, except_key=key)


def note_session_seen(*, session_key: str, ip: str, user_agent: str) -> None:
    """Remember when and from where a session was last used. One that has ended stays ended.

    Without a transaction: every page asks, and one locks the whole of SQLite.
    """
    now = timezone.now()
    unseen = UserSession.objects.filter(
        session_key=session_key, last_seen_at__lt=now - SESSION_SEEN_AGAIN_AFTER
    )
    if unseen.exists():
        unseen.update(last_seen_at=now, ip=ip, user_agent=user_agent)


@transaction.atomic
def clear_ended_sessions() -> None:
    """Forget sessions that are over, and what was noted about them."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    living = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.exclude(Exists(living)).delete()


@transaction.atomic
def clear_lost_guests() -> int:
    """Forget guests who became nobody and were not seen for a month; return how many."""
    unseen = timezone.now() - timedelta(days=GUEST_UNSEEN_DAYS)
    return Guest.objects.filter(became=None, seen_at__lt=unseen).delete()[0]


# --- Being shut out ----------------------------------------------------------------


class LastAdministratorError(Exception):
    """The site would be left without an administrator."""


def hold_with_administrators(*, user: User) -> User | None:
    """Lock the account and every administrator; return the account, None if it is gone.

    Two administrators who go, or depose each other, at the same moment do it one
    after the other, and the second is told that he is the last.
    """
    concerned = User.objects.filter(Q(pk=user.pk) | Q(is_superuser=True))
    held = {each.pk: each for each in concerned.select_for_update().order_by("pk")}
    return held.get(user.pk)


def spare_last_administrator(*, user: User) -> None:
    """Raise LastAdministratorError if `user` is the only one; see `hold_with_administrators`."""
    hold_with_administrators(user=user)
    if is_last_administrator(user):
        raise LastAdministratorError


@transaction.atomic
def ban_account(*, user: User) -> None:
    """Shut an account out, at once and everywhere. Its dynasty and history stay.

    Raises LastAdministratorError for the one without whom nobody could let it in again.
    """
    spare_last_administrator(user=user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    end_sessions(user=user)
    end_user(user_id=user.pk)
    log.info("account_banned", account=user.pk)


@transaction.atomic
def unban_account(*, user: User) -> None:
    """Let a banned account in again."""
    User.objects.filter(pk=user.pk).update(is_active=True)
    log.info("account_unbanned", account=user.pk)


# --- Leaving -----------------------------------------------------------------------


@transaction.atomic
def ask_departure(*, user: User) -> bool:
    """Write down the wish to leave and carry it out if nothing binds; tell whether it was."""
    hold_with_administrators(user=user)  # before the wish, which locks the row as well
    Departure.objects.get_or_create(user=user, defaults={"language": get_language() or ""})
    log.info("departure_asked", account=user.pk)
    return complete_departure(user=user)


@transaction.atomic
def withdraw_departure(*, user: User) -> bool:
    """Forget the wish to leave; False if there was none."""
    return bool(Departure.objects.filter(user=user).delete()[0])


@transaction.atomic
def complete_departure(*, user: User) -> bool:
    """Remove the account for good if it asked for it and nothing binds it any more.

    True once the account is gone, also if somebody else removed it meanwhile.
    """
    held = hold_with_administrators(user=user)
    if held is None:
        return True
    departure = Departure.objects.filter(user=held).first()
    if departure is None or ties_of(held):
        return False
    write_farewell(user=held, language=departure.language)
    _remove(held)
    return True


def complete_due_departures() -> int:
    """Carry out every departure that nothing holds up; return how many.

    Each has a transaction of its own: one that fails holds up no other.
    """
    waiting = User.objects.filter(departure__isnull=False).order_by("departure__asked_at")
    return sum(_try_or_log(complete_departure, user) for user in waiting)


def clear_unopened() -> int:
    """Free the names, and the addresses, of sign-ups that nobody verified in time.

    Returns how many dynasties were cleared. Each has a transaction of its own:
    one whose verification is under way, or that fails, holds up no other.
    """
    late = User.objects.filter(
        dynasty__opened_at=None, dynasty__founded_at__lt=unopened_since(), is_staff=False
    )
    cleared = sum(_try_or_log(_clear_unproven, user) for user in late.order_by("pk"))
    return cleared + clear_held_names()


@transaction.atomic
def _clear_unproven(*, user: User) -> bool:
    held = User.objects.select_for_update().filter(pk=user.pk).first()
    # Asked once the lock is held: a verification that was under way has been waited for.
    if held is None or is_proven(held):
        return False
    _remove(held)
    return True


def _try_or_log(remove: Callable[..., bool], user: User) -> bool:
    try:
        return remove(user=user)
    except Exception:  # whatever an upper floor raises: the next sweep tries again
        log.exception("removal_failed", account=user.pk)
        return False


def _remove(user: User) -> None:
    """Delete the account and all that is its own; an opened dynasty stays as history."""
    end_sessions(user=user)
    end_user(user_id=user.pk)
    let_dynasty_fall(ruler=user)
    Guest.objects.filter(became=user).delete()
    log.info("account_removed", account=user.pk)
    user.delete()
