"""What may be known of accounts and guests."""

import uuid

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.sessions.backends.base import SessionBase
from django.db.models import QuerySet

from dynasties.accounts.models import Departure, FalseStart, Guest, User

GUEST_KEY = "guest"
# How many passwords a log-in is compared with at most, whoever owns the address: each is costly.
MOST_PASSWORDS = 3


def guest_in(session: SessionBase) -> Guest | None:
    """The guest whom the browser's session remembers, if any."""
    try:
        guest_id = uuid.UUID(session.get(GUEST_KEY, ""))
    except (TypeError, ValueError, AttributeError):
        return None
    return Guest.objects.filter(pk=guest_id).first()


def departure_of(user: User) -> Departure | None:
    return Departure.objects.filter(user=user).first()


def has_second_factor(user: User) -> bool:
    return bool(is_mfa_enabled(user))


def is_proven(user: User) -> bool:
    """Tell whether the account has ever proved to own an address."""
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def administrators() -> QuerySet[User]:
    """Accounts that can give and take every office."""
    return User.objects.filter(is_superuser=True, is_staff=True, is_active=True)


def is_last_administrator(user: User) -> bool:
    """Tell whether the site would be left without an administrator if `user` were none."""
    return administrators().filter(pk=user.pk).exists() and administrators().count() == 1


def unproven_accounts(email: str) -> list[User]:
    """Accounts that go by this address without having proved any."""
    return [user for user in User.objects.filter(email=email.lower()) if not is_proven(user)]


def room_for_false_starts(email: str) -> int:
    """How many false starts may be kept: an unproven account takes the place of one."""
    return MOST_PASSWORDS - len(unproven_accounts(email))


def opens_false_start(*, email: str, password: str) -> bool:
    """Tell whether the pair was typed at a sign-up that only seemed to succeed.

    An unproven account of that address costs a comparison more elsewhere, so that
    the time taken is the same whether the first sign-up was a real one or not.
    """
    starts = FalseStart.objects.filter(email=email.lower()).order_by("pk")[:MOST_PASSWORDS]
    matches = [check_password(password, start.password) for start in starts]
    if unproven_accounts(email):
        spend_a_comparison(password)
    return any(matches)


def spend_a_comparison(password: str) -> None:
    """Take as long as comparing a password does."""
    make_password(password)
