"""The export tells everything that is kept about an account, and no secret of anybody."""

import json
from datetime import timedelta

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dynasties.accounts.export import chapter
from dynasties.accounts.models import Departure, User
from tests.dynasties.accounts.flows import log_in, sign_up
from tests.factories import GuestFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    user = UserFactory(dynasty_name="House of Ash", motto="Semper idem")
    GuestFactory(became=user, came_at=user.joined_at - timedelta(days=1))
    Departure.objects.create(user=user)
    return user


def export(client: Client, user: User) -> dict:
    log_in(client, user.email)
    answer = client.post(reverse("account_export"))
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment;")
    assert "no-store" in answer["Cache-Control"]
    return json.loads(answer.content)


def test_it_tells_what_each_room_keeps(client: Client, user: User) -> None:
    sign_up(Client(), email=user.email, dynasty_name="House of Oak")
    told = export(client, user)
    assert told["account"]["email"] == user.email
    assert told["addresses"] == [{"email": user.email, "verified": True, "primary": True}]
    assert told["dynasty"]["motto"] == "Semper idem"
    assert told["sessions"][0]["ip"] == "127.0.0.1"
    assert told["guest"]["name"] == user.guest.name
    assert told["departure"]["asked_at"]
    assert told["second_factor"] == []
    assert len(told["sign_ups_by_others"]) == 1


def test_it_holds_no_secret(client: Client, user: User) -> None:
    secret = generate_totp_secret()
    told = export(client, user)
    TOTP.activate(user, secret)
    again = Client()
    again.force_login(user)
    text = again.post(reverse("account_export")).content.decode()
    assert json.loads(text)["second_factor"][0]["type"] == "totp"
    for hidden in (secret, user.password, client.session.session_key, again.session.session_key):
        assert hidden not in text
        assert hidden not in json.dumps(told)


def test_a_get_downloads_nothing(client: Client, user: User) -> None:
    client.force_login(user)
    assert client.get(reverse("account_export")).url == reverse("account")


def test_an_account_of_staff_without_a_dynasty_is_told_too(client: Client) -> None:
    told = export(client, UserFactory(dynasty_name=None, is_staff=True))
    assert told["dynasty"] is None
    assert told["guest"] is None


def test_two_chapters_of_one_title_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        chapter("account")(lambda user: None)


def test_every_table_that_points_at_an_account_is_told_or_excused(user: User) -> None:
    """A new table about accounts needs a chapter, or a reason here why it has none."""
    told = {"Departure", "Dynasty", "EmailAddress", "Authenticator", "UserSession", "Guest"}
    excused = {
        "Charter": "what staff did in office, about the world",
        "MintValue": "what staff did in office, about the world",
        "WarePrice": "what staff did in office, about the world",
        "Correction": "what staff did in office; the change itself is told in public",
        "Transfer": "its author is staff in office; what moved is told to the dynasties concerned",
        "Report": "its judge is staff in office; what was reported is told in the chat's chapter",
        "Silence": "its author is staff in office; the silence is told in the chat's chapter",
        "LogEntry": "what staff did in office, about others",
        "Proclamation": "a word of the crown, its author shown to staff only",
        "User_groups": "told by name in the account's chapter",
        "User_user_permissions": "of staff only, given by others",
    }
    pointing = {
        model.__name__
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.get_fields()
        if field.is_relation and field.concrete and field.related_model is User
    }
    assert pointing == told | set(excused)
    assert timezone.now() > user.joined_at
