"""Sessions end where and when they must, and the live sockets of a session with it."""

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from dynasties.accounts import receivers, services
from dynasties.accounts.tasks import clear_sessions
from tests.dynasties.accounts.flows import PASSWORD, log_in
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(monkeypatch) -> list[object]:
    """Session keys and account numbers whose sockets were told to close."""
    told: list[object] = []
    monkeypatch.setattr(receivers, "end_session", lambda *, session_key: told.append(session_key))
    monkeypatch.setattr(services, "end_user", lambda *, user_id: told.append(user_id))
    return told


@pytest.fixture
def user():
    return UserFactory()


@pytest.fixture
def here(user) -> Client:
    client = Client()
    log_in(client, user.email)
    return client


@pytest.fixture
def there(user) -> Client:
    client = Client()
    log_in(client, user.email)
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("palace")).status_code == 200


@pytest.mark.parametrize(
    "cookie", ['"\\000aaaaaaaaaa"', "a' OR 1=1 --", "short", "é" * 20, "x" * 4000]
)
def test_a_cookie_that_no_session_made_is_nobodys(cookie: str) -> None:
    answer = Client().get(reverse("palace"), headers={"cookie": f"sessionid={cookie}"})
    assert answer.status_code == 302


def test_logging_out_ends_the_sockets_of_this_session_only(here, there, ended) -> None:
    key = here.session.session_key
    here.post(reverse("account_logout"))
    assert ended == [key]
    assert not is_in(here)
    assert is_in(there)


def test_the_list_shows_every_session_and_ends_the_others(here, there, ended) -> None:
    page = here.get(reverse("usersessions_list"))
    assert page.status_code == 200
    assert page.context["session_count"] == 2
    key = there.session.session_key
    here.post(reverse("usersessions_list"))
    assert ended == [key]
    assert is_in(here)
    assert not is_in(there)


def test_a_changed_password_ends_the_other_sessions(here, there, ended) -> None:
    key = there.session.session_key
    answer = here.post(
        reverse("account_change_password"),
        {
            "oldpassword": PASSWORD,
            "password1": "a-new-passphrase",
            "password2": "a-new-passphrase",
        },
    )
    assert answer.status_code == 302
    assert key in ended
    assert here.session.session_key not in ended
    assert is_in(here)
    assert not is_in(there)
    assert UserSession.objects.count() == 1


def test_a_ban_ends_every_session_and_socket_at_once(user, here, there, ended, audit) -> None:
    keys = {here.session.session_key, there.session.session_key}
    services.ban_account(user=user)
    assert {*keys, user.pk} == set(ended)
    assert not is_in(here)
    assert not is_in(there)
    audit()
    services.unban_account(user=user)
    assert not is_in(here)
    assert log_in(Client(), user.email).status_code == 302


def test_what_is_over_is_cleared_and_what_lasts_is_kept(user, here, there, ended) -> None:
    Session.objects.filter(session_key=there.session.session_key).delete()
    for _twice in range(2):
        clear_sessions()
    (kept,) = UserSession.objects.all()
    assert kept.session_key == here.session.session_key
    assert is_in(here)
