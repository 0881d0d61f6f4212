"""What must hold of accounts and guests at any time."""

from collections.abc import Iterable
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from dynasties.accounts.departures import ties_of
from dynasties.accounts.models import Departure, Guest, User
from dynasties.accounts.services import GUEST_UNSEEN_DAYS
from dynasties.audit import invariant

# Sweeps run each minute (departures) or day (guests): later than this, they don't run.
DEPARTURE_GRACE = timedelta(hours=1)
GUEST_GRACE = timedelta(days=2)


@invariant("An address that one account has proved is no other account's.")
def accounts_with_anothers_address() -> Iterable[User]:
    proved_by_another = EmailAddress.objects.filter(verified=True, email=OuterRef("email")).exclude(
        user=OuterRef("pk")
    )
    return User.objects.filter(Exists(proved_by_another))


@invariant("The address that an account goes by is its primary one.")
def primary_addresses_that_differ() -> Iterable[EmailAddress]:
    return EmailAddress.objects.filter(primary=True).exclude(email=F("user__email"))


@invariant("A banned account is logged in nowhere.")
def sessions_of_banned_accounts() -> Iterable[UserSession]:
    return UserSession.objects.filter(user__is_active=False)


@invariant("A player's account has a dynasty.")
def players_without_a_dynasty() -> Iterable[User]:
    return User.objects.filter(is_staff=False, dynasty__isnull=True)


@invariant("A guest came before becoming an account.")
def guests_younger_than_their_account() -> Iterable[Guest]:
    return Guest.objects.filter(became__isnull=False, came_at__gt=F("became__joined_at"))


@invariant("No guest is kept who became nobody and comes no more.")
def guests_lost_for_too_long() -> Iterable[Guest]:
    unseen = timezone.now() - timedelta(days=GUEST_UNSEEN_DAYS) - GUEST_GRACE
    return Guest.objects.filter(became=None, seen_at__lt=unseen)


@invariant("A departure waits only as long as something binds the account.")
def departures_that_nothing_holds() -> Iterable[Departure]:
    old = Departure.objects.filter(asked_at__lt=timezone.now() - DEPARTURE_GRACE)
    return (wish for wish in old.select_related("user") if not ties_of(wish.user))
