"""Sessions end where and when they must, and the live sockets of a session with it."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from dynasties.accounts import receivers, services
from dynasties.accounts.middleware import SessionSeenMiddleware
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
def renewed(monkeypatch) -> list[str]:
    """Session keys whose sockets were asked to connect again."""
    told: list[str] = []
    monkeypatch.setattr(services, "renew_session", lambda *, session_key: told.append(session_key))
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


def change_password(client: Client) -> None:
    new = "a-new-passphrase"
    typed = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert client.post(reverse("account_change_password"), typed).status_code == 302


def test_a_changed_password_ends_the_other_sessions(here, there, ended) -> None:
    key = there.session.session_key
    change_password(here)
    assert ended == [key]
    assert is_in(here)
    assert not is_in(there)


def test_a_changed_password_renews_the_own_session_and_does_not_end_it(
    here, there, ended, renewed
) -> None:
    former = here.session.session_key
    since = UserSession.objects.get(session_key=former).created_at
    change_password(here)
    assert here.session.session_key != former
    assert renewed == [former]
    assert former not in ended
    (kept,) = UserSession.objects.all()
    assert (kept.session_key, kept.created_at) == (here.session.session_key, since)


# --- Ending one of them ---------------------------------------------------------------


def end_one(client: Client, session_id: object) -> str:
    """Press the button of one session; return what the next page says."""
    answer = client.post(reverse("account_session_end"), {"session": session_id})
    assert answer.url == reverse("usersessions_list")
    return client.get(answer.url).content.decode()


def id_of(client: Client) -> int:
    return UserSession.objects.get(session_key=client.session.session_key).pk


def test_each_other_session_has_a_button_that_ends_it(user, here, there, ended) -> None:
    third = Client()
    log_in(third, user.email)
    key, page = there.session.session_key, here.get(reverse("usersessions_list")).content.decode()
    assert f'value="{id_of(there)}"' in page
    assert f'value="{id_of(here)}"' not in page
    assert "That session is ended." in end_one(here, id_of(there))
    assert ended == [key]
    assert not is_in(there)
    assert is_in(here)
    assert is_in(third)


def test_nobody_ends_a_session_of_somebody_else(here, ended) -> None:
    stranger = Client()
    log_in(stranger, UserFactory().email)
    assert "That session is ended." not in end_one(here, id_of(stranger))
    assert is_in(stranger)
    assert ended == []


def test_what_is_no_other_session_of_ones_own_ends_nothing(here, ended) -> None:
    for nothing in ("", "x", "0", "-1", str(10**30), "\0", id_of(here)):
        assert "That session is ended." not in end_one(here, nothing)
    assert is_in(here)
    assert ended == []


# --- When a session was last seen -----------------------------------------------------


def statements(client: Client, path: str) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in asked.captured_queries]


def test_a_page_costs_a_player_no_write_and_one_look_at_the_session(here) -> None:
    for name in ("palace", "home", "account"):
        asked = statements(here, reverse(name))
        assert all(statement.startswith("SELECT") for statement in asked), asked
        assert sum("usersessions_usersession" in statement for statement in asked) == 1


def test_what_does_not_ask_who_is_there_is_no_visit(here) -> None:
    for path in (reverse("robots"), reverse("manifest")):
        assert not [s for s in statements(here, path) if "usersession" in s]


def test_a_visitor_without_an_account_costs_no_look_at_sessions(client: Client) -> None:
    for _guest in range(2):
        asked = statements(client, reverse("home"))
        assert not [statement for statement in asked if "usersession" in statement]
        assert all(statement.startswith("SELECT") for statement in asked), asked
        client.post(reverse("guest_enter"))


def test_a_session_is_known_to_have_been_used_to_five_minutes(here, later) -> None:
    session = UserSession.objects.get()
    later(minutes=4)
    here.get(reverse("home"), headers={"user-agent": "Another"})
    unchanged = UserSession.objects.get()
    assert (unchanged.last_seen_at, unchanged.user_agent) == (session.last_seen_at, "")
    later(minutes=2)
    here.get(reverse("home"), headers={"user-agent": "A" * 5000}, REMOTE_ADDR="203.0.113.9")
    seen = UserSession.objects.get()
    assert timedelta(minutes=6) <= seen.last_seen_at - session.last_seen_at < timedelta(minutes=7)
    assert (seen.ip, seen.user_agent[:3], seen.pk) == ("203.0.113.9", "AAA", session.pk)
    assert seen.created_at == session.created_at


def test_a_page_under_way_during_a_ban_brings_no_session_back(user, here, later, audit) -> None:
    later(minutes=6)

    def ban_then_render(request: HttpRequest) -> HttpResponse:
        assert request.user.is_authenticated
        services.ban_account(user=user)
        return HttpResponse()

    request = RequestFactory().get("/")
    request.session, request.user = here.session, user
    SessionSeenMiddleware(ban_then_render)(request)
    assert not UserSession.objects.exists()
    audit()


# --- Bans and clearing ----------------------------------------------------------------


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
