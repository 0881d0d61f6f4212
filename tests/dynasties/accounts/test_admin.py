"""The admin of accounts and houses: made for support and moderation, shows no secrets."""

from unittest.mock import patch

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.forms import Textarea
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from dynasties.accounts.models import Departure, User
from dynasties.houses.models import Dynasty
from tests.dynasties.accounts.flows import log_in
from tests.factories import AdminFactory, DynastyFactory, GuestFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(AdminFactory())
    return client


def act(client: Client, action: str, *users: User):
    return client.post(
        reverse("admin:dynasties_user_changelist"),
        {"action": action, "_selected_action": [user.pk for user in users]},
    )


def test_every_list_and_page_of_ours_opens(client: Client) -> None:
    house = DynastyFactory()
    rows = [house, house.ruler, GuestFactory(), Departure.objects.create(user=house.ruler)]
    for row in rows:
        model = row._meta.model_name
        assert client.get(reverse(f"admin:dynasties_{model}_changelist")).status_code == 200
        assert (
            client.get(reverse(f"admin:dynasties_{model}_changelist"), {"q": "a"}).status_code
            == 200
        )
        assert (
            client.get(reverse(f"admin:dynasties_{model}_change", args=[row.pk])).status_code == 200
        )


def test_lists_take_the_same_number_of_queries_however_long(client: Client) -> None:
    def count(model: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            client.get(reverse(f"admin:dynasties_{model}_changelist"))
        return len(asked)

    DynastyFactory.create_batch(2)
    count("user")  # what Django remembers from now on
    before = [count("user"), count("dynasty")]
    DynastyFactory.create_batch(8)
    assert [count("user"), count("dynasty")] == before


def test_accounts_are_found_by_address_and_show_no_password(client: Client) -> None:
    user = UserFactory(email="wanted@example.org")
    UserFactory()
    page = client.get(reverse("admin:dynasties_user_changelist"), {"q": "wanted@"})
    assert [row.pk for row in page.context["cl"].result_list] == [user.pk]
    detail = client.get(reverse("admin:dynasties_user_change", args=[user.pk])).content.decode()
    assert user.password not in detail
    assert "password" not in detail.lower().replace("password_change", "").replace(
        "change password", ""
    )


def test_sessions_and_second_factors_are_not_shown_at_all() -> None:
    shown = {model._meta.label for model in admin.site._registry}
    assert not shown & {
        "usersessions.UserSession",
        "mfa.Authenticator",
        "sessions.Session",
        "account.EmailAddress",
        "account.EmailConfirmation",
        "dynasties.FalseStart",
    }


def test_a_ban_shuts_out_and_an_unban_lets_in(client: Client) -> None:
    user = UserFactory()
    browser = Client()
    log_in(browser, user.email)
    act(client, "ban", user)
    assert browser.get(reverse("palace")).status_code == 302
    act(client, "unban", user)
    assert log_in(Client(), user.email).url == reverse("palace")


def test_nobody_bans_himself_and_helpers_ban_no_staff() -> None:
    helper, colleague, player = StaffFactory(), StaffFactory(), UserFactory()
    helper.user_permissions.set(
        Permission.objects.filter(codename__in=["view_user", "change_user"])
    )
    client = Client()
    client.force_login(helper)
    act(client, "ban", helper, colleague, player)
    banned = User.objects.filter(is_active=False)
    assert list(banned) == [player]


def test_a_helper_cannot_make_himself_an_administrator() -> None:
    helper = StaffFactory()
    helper.user_permissions.set(
        Permission.objects.filter(codename__in=["view_user", "change_user"])
    )
    client = Client()
    client.force_login(helper)
    url = reverse("admin:dynasties_user_change", args=[helper.pk])
    client.post(
        url,
        {
            "is_superuser": "on",
            "is_staff": "on",
            "emailaddress_set-TOTAL_FORMS": "0",
            "emailaddress_set-INITIAL_FORMS": "0",
        },
    )
    helper.refresh_from_db()
    assert not helper.is_superuser


NO_ADDRESSES = {"emailaddress_set-TOTAL_FORMS": "0", "emailaddress_set-INITIAL_FORMS": "0"}


def give_offices(client: Client, user: User, **offices: str):
    """Send the form of an account with these offices ticked and no others."""
    url = reverse("admin:dynasties_user_change", args=[user.pk])
    answer = client.post(url, NO_ADDRESSES | offices)
    user.refresh_from_db()
    return answer


def test_nobody_takes_his_own_office(client: Client) -> None:
    admin, _other = User.objects.get(), AdminFactory()
    assert give_offices(client, admin).status_code == 302
    assert admin.is_superuser
    assert admin.is_staff


def test_an_office_is_given_and_taken_again(client: Client) -> None:
    player = UserFactory()
    give_offices(client, player, is_staff="on", is_superuser="on")
    assert player.is_superuser
    give_offices(client, player)
    assert not player.is_superuser
    assert not player.is_staff


def test_the_last_administrator_keeps_the_office(client: Client) -> None:
    """Two who depose each other: whoever is second finds to be none any more."""
    last = UserFactory(is_staff=True, is_superuser=True)
    with patch("dynasties.accounts.admin._is_superuser", return_value=True):
        User.objects.exclude(pk=last.pk).update(is_superuser=False)
        asker = User.objects.exclude(pk=last.pk).get()
        asker.user_permissions.set(Permission.objects.filter(codename="change_user"))
        for kept in ({}, {"is_staff": "on"}, {"is_superuser": "on"}):
            answer = give_offices(client, last, **kept)
            assert "is_superuser" in answer.context["adminform"].form.errors
            assert last.is_staff
            assert last.is_superuser
        act(client, "ban", last)
    last.refresh_from_db()
    assert last.is_active


def test_who_has_no_dynasty_keeps_the_office_or_is_banned(client: Client, audit) -> None:
    helper = StaffFactory()
    answer = give_offices(client, helper)
    assert "is_staff" in answer.context["adminform"].form.errors
    assert helper.is_staff
    act(client, "ban", helper)
    audit()


def test_a_ban_that_was_left_out_is_explained(client: Client) -> None:
    admin, player = User.objects.get(), UserFactory()
    answer = act(client, "ban", admin, player)
    changed, left = [str(each) for each in client.get(answer.url).context["messages"]]
    assert changed == "1 account changed."
    assert "nobody can ban" in left


def test_the_pages_bear_the_name_of_the_site(client: Client) -> None:
    page = client.get(reverse("admin:index")).content.decode()
    assert "Emperors of the Dynasty" in page
    assert "Django" not in page


def test_the_page_of_a_guest_tells_who_it_is_and_since_when(client: Client) -> None:
    guest = GuestFactory()
    page = client.get(reverse("admin:dynasties_guest_change", args=[guest.pk])).content.decode()
    for told in (guest.name, "Came", "Last seen", "Became"):
        assert told in page


def test_proclamations_are_written_in_a_field_of_several_lines(client: Client) -> None:
    form = client.get(reverse("admin:dynasties_proclamation_add")).context["adminform"].form
    assert isinstance(form.fields["text_en"].widget, Textarea)
    assert form.fields["text_en"].widget.attrs["maxlength"] == "280"


def test_accounts_and_houses_are_neither_made_nor_deleted_here(client: Client) -> None:
    house = DynastyFactory()
    for model, pk in [("user", house.ruler_id), ("dynasty", house.pk)]:
        assert client.get(reverse(f"admin:dynasties_{model}_add")).status_code == 403
        delete = reverse(f"admin:dynasties_{model}_delete", args=[pk])
        assert client.post(delete, {"post": "yes"}).status_code == 403


# --- Moderation of houses -------------------------------------------------------------


def test_an_unfit_name_and_motto_are_reworded_by_the_rules(client: Client, audit) -> None:
    house = DynastyFactory(name="House of Spite", motto="Ha")
    DynastyFactory(name="House of Oak")
    url = reverse("admin:dynasties_dynasty_change", args=[house.pk])
    client.post(url, {"name": "House of  Peace", "motto": ""})
    house.refresh_from_db()
    assert (house.name, house.slug, house.motto) == ("House of Peace", "house-of-peace", "")
    refused = client.post(url, {"name": "HOUSE OF OAK", "motto": ""})
    assert refused.context["adminform"].form.errors["name"]
    audit()


def test_a_name_lost_in_a_race_changes_nothing_and_is_not_said_to(client: Client) -> None:
    house = DynastyFactory(name="House of Spite", motto="Ha")
    DynastyFactory(name="House of Oak")
    url = reverse("admin:dynasties_dynasty_change", args=[house.pk])
    with patch("dynasties.houses.admin.DynastyForm.clean_name", lambda form: "House of Oak"):
        answer = client.post(url, {"name": "House of Oak", "motto": "Peace"}, follow=True)
    assert answer.redirect_chain == [(url, 302)]
    (message,) = answer.context["messages"]
    assert message.level_tag == "error"
    assert not LogEntry.objects.exists()
    house.refresh_from_db()
    assert (house.name, house.motto) == ("House of Spite", "Ha")


def test_a_bad_motto_is_said_to_be_one_and_changes_no_name(client: Client) -> None:
    house = DynastyFactory(name="House of Spite")
    url = reverse("admin:dynasties_dynasty_change", args=[house.pk])
    refused = client.post(url, {"name": "House of Peace", "motto": "win 🐉"})
    assert set(refused.context["adminform"].form.errors) == {"motto"}
    house.refresh_from_db()
    assert house.name == "House of Spite"


def test_mottoes_are_taken_down_in_one_go(client: Client) -> None:
    house = DynastyFactory(motto="Ha")
    client.post(
        reverse("admin:dynasties_dynasty_changelist"),
        {"action": "take_mottoes_down", "_selected_action": [house.pk]},
    )
    assert Dynasty.objects.get().motto == ""


@pytest.mark.parametrize(
    ("query", "found"), [("Ordo", True), ("ruler@", True), ("idem", True), ("Oak", False)]
)
def test_a_house_is_found_by_what_its_name_looks_like(client, query: str, found: bool) -> None:
    house = DynastyFactory(name="Casa de Ordóñez", motto="Semper idem")
    User.objects.filter(pk=house.ruler_id).update(email="ruler@example.org")
    page = client.get(reverse("admin:dynasties_dynasty_changelist"), {"q": query})
    assert (house in page.context["cl"].result_list) is found


def test_staff_are_warned_that_a_new_name_is_a_new_address(client: Client) -> None:
    page = client.get(reverse("admin:dynasties_dynasty_change", args=[DynastyFactory().pk]))
    assert "address" in str(page.context["adminform"].form.fields["name"].help_text)


@pytest.mark.parametrize(("standing", "count"), [("standing", 1), ("fallen", 1), ("unopened", 2)])
def test_houses_are_told_apart_by_how_they_stand(client, standing: str, count: int) -> None:
    DynastyFactory()
    DynastyFactory(fallen=True)
    DynastyFactory.create_batch(2, held=True)
    page = client.get(reverse("admin:dynasties_dynasty_changelist"), {"standing": standing})
    assert page.context["cl"].result_count == count
