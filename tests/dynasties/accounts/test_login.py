"""Logging in, resetting the password, and the throttles around them."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from dynasties.accounts.services import acknowledge_proof, ban_account
from dynasties.houses.models import Dynasty
from tests.dynasties.accounts.flows import PASSWORD, last_code, log_in, seen, sign_up, type_code
from tests.factories import AdminFactory, UserFactory

pytestmark = pytest.mark.django_db


def ask_reset(client: Client, email: str):
    return client.post(reverse("account_reset_password"), {"email": email})


def test_a_player_comes_to_the_palace(client: Client) -> None:
    user = UserFactory()
    answer = log_in(client, user.email.upper())
    assert answer.url == reverse("palace")
    assert client.get(answer.url).status_code == 200


@pytest.mark.parametrize("email", ["new@example.org", "old@example.org", "banned@example.org"])
def test_a_wrong_password_says_the_same_of_every_address(email: str) -> None:
    UserFactory(email="old@example.org")
    ban_account(user=UserFactory(email="banned@example.org"))
    stranger, visitor = Client(), Client()
    expected = seen(stranger, log_in(stranger, "nobody@example.org", "not-the-passphrase"))
    assert seen(visitor, log_in(visitor, email, "not-the-passphrase")) == expected


@pytest.mark.parametrize("email", ["old@example.org", "nobody@example.org"])
def test_guesses_at_one_account_are_throttled_from_any_place(email: str) -> None:
    UserFactory(email="old@example.org")
    for number in range(5):
        log_in(Client(REMOTE_ADDR=f"10.0.0.{number}"), email, "a-guess-of-no-worth")
    answer = log_in(Client(REMOTE_ADDR="10.0.0.99"), email)
    assert answer.status_code == 200
    assert "too_many_login_attempts" in {
        error.code for error in answer.context["form"].errors.as_data()["__all__"]
    }


def test_guesses_from_one_place_are_throttled_at_any_account() -> None:
    UserFactory(email="old@example.org")
    for number in range(20):
        log_in(Client(), f"n{number}@example.org", "a-guess-of-no-worth")
    answer = log_in(Client(), "old@example.org")
    assert answer.status_code == 200
    assert log_in(Client(REMOTE_ADDR="10.0.0.1"), "old@example.org").status_code == 302


def test_a_banned_account_is_told_so_once_it_proved_itself(client: Client) -> None:
    user = UserFactory()
    ban_account(user=user)
    assert log_in(client, user.email).url == reverse("account_inactive")
    assert client.get(reverse("palace")).status_code == 302


@pytest.mark.parametrize(
    ("target", "end"),
    [
        ("/dynasties/", "/dynasties/"),
        ("https://evil.example/", "/palace/"),
        ("//evil.example/", "/palace/"),
        ("/\\evil.example", "/palace/"),
        ("http://localhost.evil.example/", "/palace/"),
        ("http://127.0.0.1/", "/palace/"),
        ("javascript:alert(1)", "/palace/"),
    ],
)
def test_nobody_is_sent_to_another_site(client: Client, target: str, end: str) -> None:
    assert log_in(client, UserFactory().email, next=target).url == end


def test_the_admin_is_entered_by_the_same_gate(client: Client) -> None:
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))
    admin = AdminFactory()
    assert log_in(client, admin.email, next="/admin/").url == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_players_do_not_enter_the_admin(client: Client) -> None:
    client.force_login(UserFactory())
    assert client.get("/admin/", follow=True).status_code == 403


# --- Reset ----------------------------------------------------------------------------


def test_a_reset_says_the_same_of_every_address() -> None:
    UserFactory(email="old@example.org")
    known, unknown = Client(), Client()
    answers = [
        seen(known, ask_reset(known, "old@example.org")),
        seen(unknown, ask_reset(unknown, "nobody@example.org")),
    ]
    assert answers[0] == answers[1]
    url = reverse("account_confirm_password_reset_code")
    wrong = [seen(each, each.post(url, {"code": "XXXX-XXXX"})) for each in (known, unknown)]
    assert wrong[0] == wrong[1]


def test_a_reset_by_code_gives_a_new_password_and_ends_every_session(client: Client) -> None:
    user = UserFactory(email="old@example.org")
    elsewhere = Client()
    log_in(elsewhere, user.email)
    ask_reset(client, user.email)
    confirm = reverse("account_confirm_password_reset_code")
    answer = client.post(confirm, {"code": last_code(user.email)})
    assert answer.url == reverse("account_complete_password_reset")
    client.post(answer.url, {"password1": "a-new-passphrase", "password2": "a-new-passphrase"})
    assert elsewhere.get(reverse("palace")).status_code == 302
    assert log_in(Client(), user.email).status_code == 200
    assert log_in(Client(), user.email, "a-new-passphrase").status_code == 302


def test_a_reset_proves_the_address_and_opens_the_house(client: Client, audit) -> None:
    sign_up(Client())
    ask_reset(client, "new@example.org")
    client.post(
        reverse("account_confirm_password_reset_code"), {"code": last_code("new@example.org")}
    )
    assert Dynasty.objects.get().opened_at is not None
    audit()


def test_resets_for_one_address_are_throttled() -> None:
    answers = [
        ask_reset(Client(REMOTE_ADDR=f"10.0.0.{number}"), "old@example.org").status_code
        for number in range(6)
    ]
    assert answers == [302] * 5 + [429]


# --- Addresses ------------------------------------------------------------------------


def test_a_proved_address_is_taken_from_an_account_that_never_proved_it(audit) -> None:
    """Someone may sign up with an address in the moment in which an account proves to own it."""
    owner = UserFactory()
    sign_up(Client(), email="shared@example.org")
    address = EmailAddress.objects.create(user=owner, email="shared@example.org", verified=True)
    acknowledge_proof(address=address)
    assert not Dynasty.objects.filter(name="House of Ash").exists()
    assert EmailAddress.objects.get(email="shared@example.org").user_id == owner.pk
    audit()


def test_another_address_can_be_added_proved_and_made_the_primary_one(
    client: Client, audit
) -> None:
    owner = UserFactory()
    log_in(client, owner.email)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.post(reverse("account_email"), {"action_add": "", "email": "other@example.org"})
    type_code(client, last_code("other@example.org"))
    client.post(reverse("account_email"), {"action_primary": "", "email": "other@example.org"})
    owner.refresh_from_db()
    assert owner.email == "other@example.org"
    audit()
