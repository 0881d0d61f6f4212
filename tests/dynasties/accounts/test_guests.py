"""Guests: an identity without an account, kept by the session, that can become an account."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from dynasties.accounts.models import Guest, User
from dynasties.accounts.selectors import GUEST_KEY
from dynasties.accounts.tasks import clear_sessions
from tests.dynasties.accounts.flows import last_code, seen, sign_up, type_code
from tests.factories import GuestFactory, UserFactory

pytestmark = pytest.mark.django_db


def enter(client: Client, **fields: str):
    return client.post(reverse("guest_enter"), fields)


def test_a_guest_is_the_same_after_a_reload(client: Client) -> None:
    assert enter(client).url == reverse("home")
    guest = Guest.objects.get()
    for _reload in range(2):
        answer = client.get(reverse("home"))
        assert answer.wsgi_request.guest == guest
        assert guest.name in answer.content.decode()


def test_who_is_a_guest_already_stays_the_same_guest(client: Client) -> None:
    enter(client)
    enter(client)
    assert Guest.objects.count() == 1


def test_every_lodging_gives_a_name_of_its_own() -> None:
    with translation.override("en"):
        names = {Guest(lodging=lodging).name for lodging in Guest.Lodging.values}
    assert len(names) == len(Guest.Lodging.values)
    assert all(name.startswith("Guest of the ") for name in names)


def test_only_a_deliberate_step_makes_a_guest(client: Client) -> None:
    assert client.get(reverse("guest_enter")).url == reverse("home")
    client.get(reverse("home"))
    assert not Guest.objects.exists()


def test_an_account_is_no_guest(client: Client) -> None:
    client.force_login(UserFactory())
    enter(client)
    assert not Guest.objects.exists()


@pytest.mark.parametrize("mark", ["", "nonsense", "0" * 32, 7, None, ["a"], "\0"])
def test_a_session_that_names_no_guest_has_none(client: Client, mark: object) -> None:
    session = client.session
    session[GUEST_KEY] = mark
    session.save()
    assert not client.get(reverse("home")).wsgi_request.guest


def test_a_guest_goes_on_where_one_was_but_not_to_another_site(client: Client) -> None:
    assert enter(client, next="/dynasties/").url == "/dynasties/"
    assert enter(Client(), next="https://evil.example/").url == reverse("home")


def test_guests_from_one_place_are_throttled() -> None:
    answers = [enter(Client()).status_code for _each in range(21)]
    assert answers == [302] * 20 + [429]
    assert Guest.objects.count() == 20


# --- Becoming an account --------------------------------------------------------------


def test_signing_up_makes_the_guest_the_account(client: Client, audit) -> None:
    enter(client)
    sign_up(client)
    user = User.objects.get()
    assert user.guest == Guest.objects.get()
    type_code(client, last_code())
    assert not client.get(reverse("home")).wsgi_request.guest
    audit()


def test_a_guest_who_mistyped_the_address_becomes_the_second_account(client: Client) -> None:
    enter(client)
    sign_up(client, email="typo@example.org")
    client.cookies.pop("messages", None)
    guest_session = client.session
    guest_session.pop("account_login", None)
    guest_session.save()
    sign_up(client, email="new@example.org", dynasty_name="House of Oak")
    became = Guest.objects.select_related("became").get().became
    assert became is not None
    assert became.email == "new@example.org"


def test_a_guest_looks_the_same_after_a_sign_up_with_a_taken_address() -> None:
    UserFactory(email="old@example.org")
    pages = []
    for email, name in [("new@example.org", "House of Ash"), ("old@example.org", "House of Oak")]:
        client = Client()
        enter(client)
        Guest.objects.update(lodging=Guest.Lodging.AMBER_GATE)
        client.get(reverse("home"))  # the welcome has been read
        sign_up(client, email=email, dynasty_name=name)
        pages.append(seen(client, client.get(reverse("home"))))
    assert pages[0] == pages[1]


# --- Being forgotten ------------------------------------------------------------------


def test_a_guest_who_comes_again_is_kept_and_one_who_does_not_is_forgotten(
    client: Client, audit
) -> None:
    enter(client)
    came_at = timezone.now() - timedelta(days=1)
    lost, became = GuestFactory(), GuestFactory(became=UserFactory(), came_at=came_at)
    start = timezone.now()
    for days in range(10, 61, 10):
        with time_machine.travel(start + timedelta(days=days), tick=False):
            assert client.get(reverse("home")).wsgi_request.guest
    with time_machine.travel(start + timedelta(days=61), tick=False):
        clear_sessions()
        clear_sessions()
        audit()
    kept = set(Guest.objects.values_list("pk", flat=True))
    assert lost.pk not in kept
    assert became.pk in kept
    assert len(kept) == 2


def test_a_visit_is_written_down_once_a_day_at_most(
    client: Client, django_assert_num_queries
) -> None:
    enter(client)
    before = Guest.objects.get().seen_at
    client.get(reverse("home"))
    assert Guest.objects.get().seen_at == before
