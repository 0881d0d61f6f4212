"""Leaving: at once where nothing binds, later where something does, never halfway."""

import threading
import time
from datetime import timedelta

import pytest
import time_machine
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from dynasties.accounts import departures, receivers, services
from dynasties.accounts.models import Departure, Guest, User
from dynasties.accounts.tasks import clear_unopened, complete_departures
from dynasties.houses.models import Dynasty
from dynasties.notices.models import Letter
from tests.dynasties.accounts.flows import PASSWORD, last_code, log_in, sign_up, type_code
from tests.factories import AdminFactory, GuestFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def ties(monkeypatch) -> list[str]:
    """Sentences that bind everybody, until the list is emptied."""
    sentences = ["Your emperor is in battle."]
    monkeypatch.setattr(departures, "_bindings", [lambda user: list(sentences)])
    return sentences


@pytest.fixture
def user() -> User:
    return UserFactory(dynasty_name="House of Ash")


@pytest.fixture
def client(user: User) -> Client:
    client = Client()
    log_in(client, user.email)
    return client


def leave(client: Client, password: str = PASSWORD):
    """Tick, send, type the password again."""
    answer = client.post(reverse("account_leave"), {"sure": "on"})
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_reauthenticate"))
    return client.post(answer.url, {"password": password})


def test_a_free_account_goes_at_once_and_its_house_becomes_history(client, user, audit) -> None:
    GuestFactory(became=user)
    answer = leave(client)
    assert answer.url == reverse("home")
    assert b"Farewell" in client.get(answer.url).content
    assert not User.objects.exists()
    for model in (EmailAddress, UserSession, Session, Departure, Guest):
        assert not model.objects.exists(), model
    house = Dynasty.objects.get()
    assert house.name == "House of Ash"
    assert house.fallen_at is not None
    assert house.ruler_id is None
    assert client.get(house.get_absolute_url()).status_code == 200
    audit()


def test_the_owner_gets_a_letter_when_the_account_is_gone(client, user) -> None:
    leave(client)
    (letter,) = mail.outbox
    assert letter.to == [user.email]
    assert letter.subject == "Your account is deleted"
    assert "House of Ash" in letter.body


def test_the_letter_is_in_the_language_in_which_it_was_asked_for(user, ties) -> None:
    with translation.override("es"):
        services.ask_departure(user=user)
    assert not mail.outbox
    ties.clear()
    with translation.override("en"):
        complete_departures()
    (letter,) = mail.outbox
    assert letter.subject == "Tu cuenta ha sido eliminada"


@pytest.mark.django_db(transaction=True)
def test_a_removal_that_fails_stores_no_letter(user, monkeypatch, settings) -> None:
    settings.EMAIL_BACKEND = "dynasties.notices.letters.OutboxBackend"

    def fail(user: User) -> None:
        assert Letter.objects.filter(to=user.email).exists()
        raise RuntimeError("in trouble")

    monkeypatch.setattr(services, "_remove", fail)
    with pytest.raises(RuntimeError):
        services.ask_departure(user=user)
    assert User.objects.exists()
    assert not Letter.objects.exists()


def test_an_account_that_proved_nothing_gets_no_letter(later) -> None:
    UserFactory(verified=False)
    later(days=4)
    assert services.clear_unopened() == 1
    assert not mail.outbox


def test_the_name_of_a_fallen_house_is_not_free(client) -> None:
    leave(client)
    answer = sign_up(Client(), dynasty_name="House of Ash")
    assert "dynasty_name" in answer.context["form"].errors


def test_nobody_leaves_without_the_password_or_the_tick(client) -> None:
    assert leave(client, "not-the-passphrase").status_code == 200
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answer = client.post(reverse("account_leave"), {})
    assert answer.context["form"].errors["sure"]
    assert User.objects.exists()


def test_the_page_says_what_binds(client, ties) -> None:
    page = client.get(reverse("account_leave"))
    assert page.context["ties"] == ties
    assert ties[0] in page.content.decode()


def test_a_bound_account_stays_until_nothing_binds_it(client, user, ties, audit) -> None:
    assert leave(client).url == reverse("account")
    page = client.get(reverse("account"))
    assert page.context["departure"] == user.departure
    complete_departures()
    assert User.objects.filter(pk=user.pk).exists()
    ties.clear()
    for _twice in range(2):
        complete_departures()
    assert not User.objects.exists()
    audit()


def test_a_departure_can_be_taken_back(client, user, ties) -> None:
    leave(client)
    assert client.post(reverse("account_stay")).url == reverse("account")
    ties.clear()
    complete_departures()
    assert User.objects.filter(pk=user.pk).exists()


def test_asking_twice_is_one_wish(user, ties) -> None:
    assert not services.ask_departure(user=user)
    assert not services.ask_departure(user=user)
    assert Departure.objects.count() == 1


def test_one_departure_that_fails_holds_up_no_other(monkeypatch, caplog) -> None:
    first, second = UserFactory(), UserFactory()
    for each in (first, second):
        Departure.objects.create(user=each)

    def trouble(user: User) -> list[str]:
        if user.pk == first.pk:
            raise RuntimeError("an upper floor in trouble")
        return []

    monkeypatch.setattr(departures, "_bindings", [trouble])
    assert services.complete_due_departures() == 1
    assert list(User.objects.values_list("pk", flat=True)) == [first.pk]


def test_the_last_administrator_cannot_leave() -> None:
    admin = AdminFactory()
    assert not services.ask_departure(user=admin)
    successor = AdminFactory()
    assert services.ask_departure(user=admin)
    assert list(User.objects.all()) == [successor]


def test_the_database_refuses_to_forget_the_ruler_of_a_standing_house(user) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        user.delete()


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("account_stay", "account"),
        ("account_export", "account"),
        ("account_session_end", "usersessions_list"),
    ],
)
def test_who_comes_without_the_form_is_led_to_it_also_by_way_of_the_log_in(
    user, name: str, page: str
) -> None:
    browser = Client()
    gate = browser.post(reverse(name)).url
    back = browser.post(gate, {"login": user.email, "password": PASSWORD}).url
    assert back == reverse(name)
    assert browser.get(back).url == reverse(page)
    assert browser.put(back).status_code == 405


def test_a_login_is_needed_for_every_page_of_an_account() -> None:
    for name in ("account", "account_leave"):
        assert Client().get(reverse(name)).status_code == 302
    for name in ("account_stay", "account_export"):
        assert Client().post(reverse(name)).status_code == 302


# --- Sign-ups that nobody verified ----------------------------------------------------


def test_what_nobody_opens_is_cleared_in_time_and_the_name_is_free(user, audit) -> None:
    sign_up(Client(), email="late@example.org", dynasty_name="House of Oak")
    sign_up(Client(), email=user.email, dynasty_name="House of Elm")
    clear_unopened()
    assert Dynasty.objects.count() == 3
    with time_machine.travel(timezone.now() + timedelta(days=3, minutes=1), tick=False):
        for _twice in range(2):
            clear_unopened()
        audit()
    assert [house.name for house in Dynasty.objects.all()] == ["House of Ash"]
    assert list(User.objects.all()) == [user]
    assert sign_up(Client(), dynasty_name="House of Oak").status_code == 302


def test_one_that_cannot_be_cleared_holds_up_no_other(monkeypatch, later) -> None:
    stuck, stale = UserFactory(verified=False), UserFactory(verified=False)
    fall = services.let_dynasty_fall

    def trouble(*, ruler: User) -> None:
        if ruler == stuck:
            raise RuntimeError("an upper floor in trouble")
        fall(ruler=ruler)

    monkeypatch.setattr(services, "let_dynasty_fall", trouble)
    later(days=4)
    assert services.clear_unopened() == 1
    assert list(User.objects.all()) == [stuck]
    assert not User.objects.filter(pk=stale.pk).exists()


def test_an_account_that_was_cleared_meanwhile_proves_nothing(rf) -> None:
    user = UserFactory(verified=False)
    address = EmailAddress.objects.get(user=user)
    services._remove(User.objects.get(pk=user.pk))
    request = rf.get("/")
    assert not get_adapter(request).confirm_email(request, address)
    assert not EmailAddress.objects.exists()


def wait_until_somebody_waits() -> None:
    """Return when a connection waits for a lock that another one holds."""
    for _attempt in range(100):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.05)
    raise AssertionError("Nobody waits.")


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
def test_clearing_waits_for_a_verification_under_way_and_lets_it_succeed(monkeypatch) -> None:
    stale, browser, cleared = UserFactory(verified=False), Client(), []
    sign_up(browser)
    Dynasty.objects.update(founded_at=timezone.now() - timedelta(days=4))

    def clear() -> None:
        try:
            cleared.append(services.clear_unopened())
        finally:
            connection.close()

    def acknowledge_late(*, address: EmailAddress) -> None:
        cleaner.start()
        wait_until_somebody_waits()
        assert not User.objects.filter(pk=stale.pk).exists(), "the other one is cleared already"
        services.acknowledge_proof(address=address)

    cleaner = threading.Thread(target=clear)
    monkeypatch.setattr(receivers, "acknowledge_proof", acknowledge_late)
    # A deadlock is not to be logged and tried again later: there must be none.
    monkeypatch.setattr(services, "_try_or_log", lambda remove, user: remove(user=user))
    assert type_code(browser, last_code()).url == reverse("palace")
    cleaner.join()
    assert cleared == [1]
    assert Dynasty.objects.get().opened_at is not None


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
def test_of_two_administrators_who_leave_at_once_one_must_stay() -> None:
    both = [AdminFactory(), AdminFactory()]
    together, gone = threading.Barrier(2), []

    def leave(admin: User) -> None:
        try:
            together.wait(10)
            gone.append(services.ask_departure(user=admin))
        finally:
            connection.close()

    threads = [threading.Thread(target=leave, args=(admin,)) for admin in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(gone) == [False, True]
    assert User.objects.filter(is_superuser=True).count() == 1
