"""Every invariant of accounts and houses is broken by something, and then says so."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.utils import timezone

from dynasties.accounts.models import Departure, Guest, User
from dynasties.audit import all_invariants, run_audit
from dynasties.houses.models import Dynasty
from tests.factories import DynastyFactory, GuestFactory, UserFactory

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(days=100)


def prove_anothers_address() -> None:
    user, other = UserFactory(), UserFactory(verified=False)
    EmailAddress.objects.create(user=user, email=other.email, verified=True)


def change_only_the_login() -> None:
    User.objects.filter(pk=UserFactory().pk).update(email="else@example.org")


def ban_without_ending_sessions() -> None:
    user = UserFactory(is_active=False)
    UserSession.objects.create(user=user, ip="127.0.0.1", session_key="k")


def become_an_account_before_coming() -> None:
    GuestFactory(became=UserFactory(), came_at=timezone.now() + LONG_AGO)


def break_a_name_key() -> None:
    Dynasty.objects.filter(pk=DynastyFactory().pk).update(name_key="otherwise")


def write_an_unfit_motto() -> None:
    Dynasty.objects.filter(pk=DynastyFactory().pk).update(motto="\u202e")


def open_before_founding() -> None:
    Dynasty.objects.filter(pk=DynastyFactory().pk).update(founded_at=timezone.now() + LONG_AGO)


def open_without_proof() -> None:
    UserFactory(verified=False)
    Dynasty.objects.update(opened_at=timezone.now())


def prove_without_opening() -> None:
    UserFactory(verified=False)
    EmailAddress.objects.update(verified=True)


def hold_a_name_for_ever() -> None:
    DynastyFactory(held=True)
    Dynasty.objects.update(founded_at=timezone.now() - LONG_AGO)


def keep_a_lost_guest() -> None:
    GuestFactory()
    Guest.objects.update(seen_at=timezone.now() - LONG_AGO, came_at=timezone.now() - LONG_AGO)


def forget_a_departure() -> None:
    Departure.objects.create(user=UserFactory(), asked_at=timezone.now() - LONG_AGO)


@pytest.mark.parametrize(
    ("misdeed", "sentence"),
    [
        (prove_anothers_address, "An address that one account has proved is no other account's."),
        (change_only_the_login, "The address that an account goes by is its primary one."),
        (ban_without_ending_sessions, "A banned account is logged in nowhere."),
        (lambda: UserFactory(dynasty_name=None), "A player's account has a dynasty."),
        (become_an_account_before_coming, "A guest came before becoming an account."),
        (keep_a_lost_guest, "No guest is kept who became nobody and comes no more."),
        (forget_a_departure, "A departure waits only as long as something binds the account."),
        (break_a_name_key, "Every dynasty's key is what its name looks like."),
        (write_an_unfit_motto, "Every motto is fit to be shown."),
        (open_before_founding, "A dynasty is founded, opened and fallen in this order."),
        (
            open_without_proof,
            "A dynasty opens when its ruler's address is verified, neither before nor without.",
        ),
        (
            prove_without_opening,
            "A dynasty opens when its ruler's address is verified, neither before nor without.",
        ),
        (hold_a_name_for_ever, "No dynasty stays unopened for longer than it may."),
    ],
)
def test_the_audit_finds(misdeed: Callable[[], object], sentence: str) -> None:
    assert sentence in {each.sentence for each in all_invariants()}
    assert run_audit() == []
    misdeed()
    assert sentence in {breach.sentence for breach in run_audit()}
