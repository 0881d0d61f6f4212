"""The shell of the site: front page, theme, error pages, what browsers ask for by name."""

import json
import re
import struct
from html.parser import HTMLParser
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.contrib.staticfiles import finders
from django.db import OperationalError
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings
from redis.exceptions import ConnectionError as RedisConnectionError

from config import shell
from dynasties.accounts.forms import SignupForm
from dynasties.accounts.models import User
from tests.dynasties.accounts.flows import PASSWORD, last_code, log_in
from tests.factories import DynastyFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db


def text_of(response: HttpResponse) -> str:
    return response.content.decode()


# --- The front page ---------------------------------------------------------------


def test_a_stranger_finds_three_ways_in(client: Client) -> None:
    page = text_of(client.get("/"))
    for name in ("account_signup", "guest_enter", "account_login"):
        assert reverse(name) in page


def test_a_player_is_led_to_the_palace_and_not_asked_to_sign_up(client: Client) -> None:
    client.force_login(UserFactory())
    page = text_of(client.get("/"))
    assert reverse("palace") in page
    assert reverse("guest_enter") not in page
    assert reverse("account_signup") not in page


def test_the_front_page_shows_open_houses_only(client: Client) -> None:
    house, held = DynastyFactory(), DynastyFactory(held=True)
    page = text_of(client.get("/"))
    assert house.name in page
    assert held.name not in page


def test_an_empty_world_says_so(client: Client) -> None:
    assert "No dynasty stands in this world yet" in text_of(client.get("/"))


def test_a_house_with_hostile_words_is_shown_as_text(client: Client) -> None:
    DynastyFactory(motto="<script>alert(1)</script>")
    page = text_of(client.get("/"))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_pages_tell_searchers_and_friends_where_they_are(
    client: Client, settings: Settings
) -> None:
    settings.SITE_ORIGIN = "https://emperors.example"
    page = text_of(client.get("/dynasties/"))
    assert '<link rel="canonical" href="https://emperors.example/dynasties/">' in page
    assert '<meta property="og:image" content="https://emperors.example/static/' in page


def test_account_pages_are_not_for_search_engines(client: Client) -> None:
    assert '<meta name="robots" content="noindex">' in text_of(client.get("/account/login/"))


# --- The theme ----------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/", "/dynasties/", "/account/login/", "/nowhere/"])
def test_the_chosen_theme_is_in_the_page_itself(client: Client, address: str) -> None:
    client.post("/theme/", {"theme": "dark", "next": "/"})
    assert 'data-theme="dark"' in text_of(client.get(address))


def test_auto_forgets_the_choice(client: Client) -> None:
    client.post("/theme/", {"theme": "dark"})
    client.post("/theme/", {"theme": "auto"})
    assert 'data-theme="auto"' in text_of(client.get("/"))


def test_a_theme_nobody_drew_is_not_kept(client: Client) -> None:
    client.post("/theme/", {"theme": '"><script>'})
    client.cookies["theme"] = '"><script>'
    assert 'data-theme="auto"' in text_of(client.get("/"))


def test_choosing_a_theme_leads_back_to_the_page(client: Client) -> None:
    response = client.post("/theme/", {"theme": "light", "next": "/dynasties/?q=a"})
    assert response["Location"] == "/dynasties/?q=a"


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:1", ""])
def test_choosing_a_theme_never_leads_to_another_site(client: Client, target: str) -> None:
    assert client.post("/theme/", {"theme": "light", "next": target})["Location"] == "/"


def test_a_link_cannot_change_the_theme(client: Client) -> None:
    answer = client.get("/theme/?theme=dark", follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert 'data-theme="auto"' in text_of(answer)


# --- When something is wrong ----------------------------------------------------------


def test_an_unknown_address_is_answered_in_our_look(client: Client) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "No such place in this world" in text_of(response)
    assert reverse("dynasties") in text_of(response)


def test_a_form_without_its_token_says_how_to_go_on() -> None:
    response = Client(enforce_csrf_checks=True).post("/theme/", {"theme": "dark"})
    assert response.status_code == 403
    assert "reload the page" in text_of(response)


@pytest.mark.parametrize("template", ["400.html", "403.html", "403_csrf.html", "429.html"])
def test_refusals_keep_header_and_way_out(template: str, rf: RequestFactory) -> None:
    page = render_to_string(template, {"shell": {"theme": "auto"}}, request=None)
    assert 'class="masthead"' in page
    assert 'href="/"' in page


def test_our_own_fault_is_told_without_asking_the_database(
    rf: RequestFactory, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    request = rf.get("/")
    request.COOKIES["theme"] = "dark"
    with django_assert_num_queries(0):
        response = shell.server_error(request)
    assert response.status_code == 500
    assert 'data-theme="dark"' in text_of(response)


@pytest.mark.parametrize("template", ["500.html", "503.html"])
def test_what_is_said_when_all_fails_needs_nothing_at_all(template: str) -> None:
    page = render_to_string(template)
    assert "<h1>" in page
    assert 'href="/"' in page
    assert "data-live-url" not in page


@pytest.mark.parametrize("outage", [OperationalError("gone"), RedisConnectionError("gone")])
def test_an_outage_is_a_pause_not_a_fault(rf: RequestFactory, outage: Exception) -> None:
    try:
        raise outage
    except Exception:
        response = shell.server_error(rf.get("/"))
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0


def test_an_outage_in_a_request_is_a_pause_to_the_visitor(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> int:
        raise OperationalError("gone")

    monkeypatch.setattr("dynasties.houses.selectors.count_dynasties", fail)
    client.raise_request_exception = False
    assert client.get("/").status_code == 503


# --- What browsers ask for by name -------------------------------------------------------


def test_the_manifest_names_icons_that_exist(client: Client) -> None:
    response = client.get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    for icon in json.loads(response.content)["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))


def test_the_icon_that_browsers_guess_is_there(client: Client) -> None:
    target = client.get("/favicon.ico")["Location"]
    assert finders.find(target.removeprefix("/static/"))


def test_crawlers_are_kept_out_of_accounts(client: Client) -> None:
    assert "Disallow: /account/" in text_of(client.get("/robots.txt"))


def test_the_social_preview_has_the_size_that_the_page_claims(client: Client) -> None:
    picture = Path(str(finders.find("img/preview.png"))).read_bytes()
    width, height = struct.unpack(">II", picture[16:24])
    page = text_of(client.get("/"))
    assert f'og:image:width" content="{width}"' in page
    assert f'og:image:height" content="{height}"' in page


# --- Pages of the account --------------------------------------------------------------------


def actions_for(client: Client, user: User) -> set[str]:
    client.force_login(user)
    page = text_of(client.get(reverse("account_email")))
    return set(re.findall(r'name="(action_\w+)"', page)) - {"action_add"}


def test_a_sole_confirmed_address_can_but_stay(client: Client) -> None:
    assert actions_for(client, UserFactory()) == set()


@pytest.mark.parametrize(
    ("verified", "actions"),
    [(True, {"action_primary", "action_remove"}), (False, {"action_send", "action_remove"})],
)
def test_a_second_address_offers_what_changes_something(
    client: Client, verified: bool, actions: set[str]
) -> None:
    user = UserFactory()
    EmailAddress.objects.create(user=user, email="second@example.org", verified=verified)
    assert actions_for(client, user) == actions


def test_who_proves_an_added_address_comes_back_to_the_others(client: Client) -> None:
    log_in(client, UserFactory().email)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.post(reverse("account_email"), {"action_add": "", "email": "second@example.org"})
    address = reverse("account_email_verification_sent")
    onward = re.findall(r'name="next" value="([^"]+)"', text_of(client.get(address)))[-1]
    code = last_code("second@example.org")
    assert client.post(address, {"code": code, "next": onward})["Location"] == "/account/email/"


@pytest.mark.parametrize("factory", [UserFactory, StaffFactory])
def test_only_who_has_a_dynasty_reads_that_it_falls(
    client: Client, factory: type[UserFactory]
) -> None:
    user = factory()
    client.force_login(user)
    page = text_of(client.get(reverse("account")))
    assert ("Your dynasty falls" in page) == hasattr(user, "dynasty")


# --- Forms ---------------------------------------------------------------------------------


class Ids(HTMLParser):
    """Collects what a piece of HTML names, and what it refers to."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.named: set[str] = set()
        self.described_by: set[str] = set()
        self.labelled: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.named.add(found.get("id") or "")
        self.described_by.update((found.get("aria-describedby") or "").split())
        if tag == "label":
            self.labelled.add(found.get("for") or "")


def test_every_field_has_its_label_hint_and_errors_tied_to_it() -> None:
    form = SignupForm({"dynasty_name": "", "motto": "", "email": "x", "password1": "1"})
    ids = Ids(str(form))
    assert {"id_email_error", "id_dynasty_name_error", "id_motto_helptext"} <= ids.described_by
    assert ids.described_by <= ids.named
    assert {field.id_for_label for field in form.visible_fields()} <= ids.labelled


def test_optional_fields_say_so_and_passwords_can_be_shown() -> None:
    html = str(SignupForm())
    assert html.count("(optional)") == 1
    assert html.count("data-reveal") == 1
