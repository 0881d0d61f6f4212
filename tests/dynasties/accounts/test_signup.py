"""Signing up founds account and dynasty in one step, and tells nobody who has an account."""

import threading
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse

from dynasties.accounts import forms
from dynasties.accounts.models import FalseStart, User
from dynasties.houses.models import Dynasty
from tests.dynasties.accounts.flows import (
    PASSWORD,
    last_code,
    log_in,
    seen,
    sign_up,
    type_code,
)
from tests.factories import DynastyFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_account_and_house_are_founded_together_and_wait_for_the_address(client: Client) -> None:
    answer = sign_up(client, motto="Semper idem")
    assert answer.status_code == 302
    assert answer.url == reverse("account_email_verification_sent")
    house = Dynasty.objects.select_related("ruler").get()
    assert house.ruler is not None
    assert house.ruler.email == "new@example.org"
    assert (house.name, house.motto, house.slug) == ("House of Ash", "Semper idem", "house-of-ash")
    assert house.opened_at is None
    assert client.get(reverse("palace")).status_code == 302


def test_the_code_from_the_letter_opens_the_house_and_the_palace(client: Client, audit) -> None:
    sign_up(client)
    answer = type_code(client, last_code())
    assert answer.url == reverse("palace")
    assert client.get(answer.url).status_code == 200
    assert Dynasty.objects.get().opened_at is not None
    assert client.get(Dynasty.objects.get().get_absolute_url()).status_code == 200
    audit()


def test_a_wrong_code_opens_nothing(client: Client) -> None:
    sign_up(client)
    assert type_code(client, "XXXX-XXXX").status_code == 200
    assert Dynasty.objects.get().opened_at is None


def test_who_lost_the_code_gets_another_by_logging_in(client: Client, later) -> None:
    sign_up(client)
    later(seconds=11)
    other_browser = Client()
    assert log_in(other_browser, "new@example.org").url == reverse(
        "account_email_verification_sent"
    )
    assert type_code(other_browser, last_code()).url == reverse("palace")


def ask_another_code(client: Client) -> Any:
    return client.post(reverse("account_email_verification_sent"), {"action": "resend"})


def words_of(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def test_another_code_is_sent_on_request_and_opens_the_house(client: Client, later) -> None:
    sign_up(client)
    assert b'value="resend"' in client.get(reverse("account_email_verification_sent")).content
    first = last_code()
    later(seconds=11)
    ask_another_code(client)
    assert last_code() != first
    assert type_code(client, first).status_code == 200
    assert type_code(client, last_code()).url == reverse("palace")


def test_who_asks_for_another_code_too_soon_keeps_the_page_and_the_code(client: Client) -> None:
    sign_up(client)
    answer = ask_another_code(client)
    assert answer.url == reverse("account_email_verification_sent")
    assert "Wait ten seconds" in words_of(client.get(answer.url))[-1]
    assert len(mail.outbox) == 1
    assert type_code(client, last_code()).url == reverse("palace")


def give_up(client: Client) -> Any:
    return client.post(reverse("account_logout"))


def guess_three_times(client: Client) -> Any:
    return [type_code(client, "XXXX-XXXX") for _attempt in range(3)][-1]


@pytest.mark.parametrize("leave", [give_up, guess_three_times])
def test_who_left_the_code_is_asked_for_patience_and_gets_another(leave, later) -> None:
    """The same whether or not the address had an account: only a letter differs."""
    UserFactory(email="old@example.org", password="quite-another-phrase")
    answers = []
    for email, name in [("new@example.org", "House of Ash"), ("old@example.org", "House of Oak")]:
        browser = Client()
        sign_up(browser, email=email, dynasty_name=name)
        steps = [seen(browser, leave(browser))]
        answer = log_in(browser, email)
        (error,) = answer.context["form"].errors.as_data()["__all__"]
        assert error.code == "patience"
        steps.append(seen(browser, answer))
        later(seconds=11)
        steps.append(seen(browser, log_in(browser, email)))
        later(seconds=11)
        steps.append(seen(browser, ask_another_code(browser)))
        steps.append(seen(browser, ask_another_code(browser)))
        answers.append(steps)
    assert answers[0] == answers[1]
    assert answers[0][2][2] == reverse("account_email_verification_sent")


def test_too_many_wrong_codes_are_called_so(client: Client) -> None:
    sign_up(client)
    answer = guess_three_times(client)
    assert answer.url == reverse("account_login")
    assert words_of(client.get(answer.url))[-1].startswith("Too many wrong codes.")


def test_guessing_a_password_is_still_called_that() -> None:
    sign_up(Client())
    for _attempt in range(5):
        log_in(Client(), "new@example.org", "a-guess-of-no-worth")
    answer = log_in(Client(), "new@example.org")
    assert "Too many failed login attempts" in str(answer.context["form"].errors)


def test_an_unopened_house_is_shown_nowhere(client: Client) -> None:
    sign_up(client)
    assert client.get("/dynasties/house-of-ash/").status_code == 404
    assert b"House of Ash" not in Client().get(reverse("dynasties")).content


# --- What a stranger may learn --------------------------------------------------------


def test_a_taken_address_looks_like_a_free_one() -> None:
    UserFactory(email="old@example.org")
    free, taken = Client(), Client()
    answers = [
        seen(free, sign_up(free, email="new@example.org", dynasty_name="House of Ash")),
        seen(taken, sign_up(taken, email="old@example.org", dynasty_name="House of Oak")),
    ]
    assert answers[0] == answers[1]
    wrong = [seen(client, type_code(client, "XXXX-XXXX")) for client in (free, taken)]
    assert wrong[0] == wrong[1]


def test_a_taken_address_founds_nothing_and_its_owner_is_told(client: Client) -> None:
    owner = UserFactory(email="old@example.org")
    sign_up(client, email="old@example.org")
    assert User.objects.count() == 1
    assert owner.check_password(PASSWORD)
    (letter,) = mail.outbox
    assert letter.to == ["old@example.org"]
    assert not Dynasty.objects.get(name="House of Ash").ruler_id


@pytest.mark.parametrize("email", ["old@example.org", "new@example.org"])
def test_a_name_is_gone_after_either_sign_up(email: str) -> None:
    UserFactory(email="old@example.org")
    sign_up(Client(), email=email)
    answer = sign_up(Client(), email="third@example.org", dynasty_name="HOUSE OF ASH")
    assert answer.status_code == 200
    assert "taken" in {
        error.code for error in answer.context["form"].errors.as_data()["dynasty_name"]
    }


def test_logging_in_after_either_sign_up_asks_for_the_code(later) -> None:
    UserFactory(email="old@example.org", password="quite-another-phrase")
    answers = []
    for email, name in [("new@example.org", "House of Ash"), ("old@example.org", "House of Oak")]:
        sign_up(Client(), email=email, dynasty_name=name)
        browser = Client()
        at_once = seen(browser, log_in(browser, email))
        later(seconds=11)
        browser = Client()
        answers.append([at_once, seen(browser, log_in(browser, email))])
    assert answers[0] == answers[1]
    assert answers[0][1][2] == reverse("account_email_verification_sent")


def test_a_false_start_never_lets_anybody_in(client: Client, later) -> None:
    owner = UserFactory(email="old@example.org", password="quite-another-phrase")
    sign_up(client, email="old@example.org")
    later(seconds=11)
    log_in(client, "old@example.org")
    assert client.get(reverse("palace")).status_code == 302
    assert not any(PASSWORD in start.password for start in FalseStart.objects.all())
    browser = Client()
    log_in(browser, owner.email, "quite-another-phrase")
    assert browser.get(reverse("palace")).status_code == 200


def test_after_many_sign_ups_the_same_passwords_open_the_same_pages(later) -> None:
    UserFactory(email="old@example.org", password="quite-another-phrase")
    names = iter("Ash Oak Elm Fir Yew Box Bay Fig Gum Haw".split())
    outcomes = []
    for email in ("new@example.org", "old@example.org"):
        phrases = [f"{PASSWORD}-{number}" for number in range(5)]
        for phrase in phrases:
            sign_up(Client(), email=email, password1=phrase, dynasty_name=f"House {next(names)}")
            later(seconds=11)
        outcomes.append([])
        for phrase in phrases:
            outcomes[-1].append(log_in(Client(), email, phrase).status_code)
            later(seconds=11)
    assert outcomes == [[302, 302, 302, 200, 200]] * 2


@pytest.fixture
def hashed(monkeypatch) -> list[str]:
    """Every password that was hashed: what takes the time at the gate."""
    counted: list[str] = []
    encode = MD5PasswordHasher.encode

    def counting(self, password: str, salt: str) -> str:
        counted.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counting)
    return counted


def test_either_sign_up_and_log_in_costs_the_same_time(hashed: list[str], later) -> None:
    UserFactory(email="old@example.org", password="quite-another-phrase")
    costs = []
    for email, name in [("new@example.org", "House of Ash"), ("old@example.org", "House of Oak")]:
        cost = []
        for act in (
            lambda email=email, name=name: sign_up(Client(), email=email, dynasty_name=name),
            lambda email=email: log_in(Client(), email),
            lambda email=email: log_in(Client(), email, "a-guess-of-no-worth"),
        ):
            hashed.clear()
            act()
            cost.append(len(hashed))
            later(seconds=11)
        costs.append(cost)
    assert costs[0] == costs[1]
    assert costs[0][0] == 1


# --- Names lost in a race -------------------------------------------------------------


def test_a_name_lost_in_a_race_is_an_error_of_the_form(client: Client) -> None:
    DynastyFactory(name="House of Ash")
    with patch("dynasties.houses.forms.is_name_taken", return_value=False):
        answer = sign_up(client)
    assert answer.status_code == 200
    assert "dynasty_name" in answer.context["form"].errors
    assert not User.objects.filter(email="new@example.org").exists()
    assert not mail.outbox


def test_an_address_lost_in_a_race_looks_like_any_other(client: Client) -> None:
    UserFactory(email="old@example.org")
    with patch.object(forms.SignupForm, "validate_unique_email", lambda self, value: value):
        answer = sign_up(client, email="old@example.org")
    assert answer.url == reverse("account_email_verification_sent")
    assert User.objects.count() == 1
    assert Dynasty.objects.filter(name="House of Ash", ruler=None).exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_who_want_one_name_at_once_one_gets_it() -> None:
    rivals = 6
    start, statuses = threading.Barrier(rivals), []

    def rush(number: int) -> None:
        try:
            start.wait()
            statuses.append(sign_up(Client(), email=f"rival{number}@example.org").status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=rush, args=(number,)) for number in range(rivals)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] * (rivals - 1) + [302]
    assert Dynasty.objects.count() == User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_who_use_one_address_at_once_one_has_an_account() -> None:
    names = ["House Ash", "House Oak", "House Elm", "House Fir"]
    start, answers = threading.Barrier(len(names)), []

    def rush(name: str) -> None:
        try:
            start.wait()
            answers.append(sign_up(Client(), dynasty_name=name).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=rush, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # One letter in ten seconds to one address: the others are asked to be patient.
    assert set(answers) <= {302, 429}
    assert User.objects.count() == 1
    assert Dynasty.objects.exclude(ruler=None).count() == 1
    assert Dynasty.objects.count() == len(names)


# --- Bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("dynasty_name", ""),
        ("dynasty_name", "a\0bc"),
        ("dynasty_name", "x" * 5000),
        ("dynasty_name", "\u202eevil"),
        ("dynasty_name", "Admin"),
        ("motto", "win\u200b"),
        ("motto", "x" * 5000),
        ("motto", "\0"),
        ("email", "no address"),
        ("email", "a\0b@example.org"),
        ("email", "a" * 300 + "@example.org"),
        ("password1", "short"),
        ("password1", "new@example.org"),
        ("password1", "1234567890123"),
    ],
)
def test_bad_input_is_explained_and_leaves_nothing(client: Client, field: str, text: str) -> None:
    answer = sign_up(client, **{field: text})
    assert answer.status_code == 200
    assert answer.context["form"].errors[field]
    assert not User.objects.exists()
    assert not Dynasty.objects.exists()


def try_names(count: int) -> list[int]:
    return [sign_up(Client(), dynasty_name="!").status_code for _attempt in range(count)]


def test_many_sign_ups_from_one_place_are_throttled(later) -> None:
    for _minute in range(3):
        assert try_names(20) == [200] * 20
        later(minutes=1, seconds=1)
    assert try_names(1) == [429]


def test_who_is_too_quick_may_go_on_trying_names_a_minute_later(later) -> None:
    assert try_names(21)[-1] == 429
    later(minutes=1, seconds=1)
    assert try_names(1) == [200]
