"""The ways into the site and out of it, as people walk them."""

import re
import time
from collections.abc import Callable

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Browser, Page, expect

from dynasties.accounts.models import Guest, User
from dynasties.houses.models import Dynasty
from tests.browser.complaints import Complaints
from tests.browser.server import Site
from tests.factories import PASSWORD, UserFactory

ADDRESS = "livia@example.org"


def fill_in_signup(page: Page, *, address: str = ADDRESS, house: str = "House of Livia") -> None:
    page.goto("/account/signup/")
    page.locator("[name=dynasty_name]").fill(house)
    page.locator("[name=motto]").fill("We wait, then we move.")
    page.locator("[name=email]").fill(address)
    page.locator("[name=password1]").fill(PASSWORD)
    page.locator("form[action*=signup] button:not([type=button])").click()


def enter_code(page: Page, code: str) -> None:
    page.locator("[name=code]").fill(code)
    page.get_by_role("button", name="Confirm").click()


def log_in(page: Page, address: str, password: str = PASSWORD) -> None:
    page.goto("/account/login/")
    page.locator("[name=login]").fill(address)
    page.locator("[name=password]").fill(password)
    page.get_by_role("main").get_by_role("button", name="Log in").click()


def log_out(page: Page) -> None:
    page.locator(".masthead summary").click()
    page.get_by_role("button", name="Log out").click()


def one_time_code(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def test_signing_up_with_the_code_from_the_letter_opens_the_palace(
    page: Page, code_for: Callable[..., str]
) -> None:
    fill_in_signup(page)
    assert not Dynasty.objects.public().exists()
    enter_code(page, code_for(ADDRESS))
    expect(page).to_have_url(re.compile("/palace/$"))
    expect(page.get_by_role("main")).to_contain_text("House of Livia")
    assert Dynasty.objects.public().get().ruler == User.objects.get(email=ADDRESS)


def test_a_wrong_code_opens_nothing(page: Page) -> None:
    fill_in_signup(page)
    enter_code(page, "ZZZ-ZZZ")
    expect(page.locator("[name=code]")).to_have_attribute("aria-invalid", "true")
    assert not Dynasty.objects.public().exists()


def test_signing_up_with_a_taken_address_looks_like_any_other(page: Page) -> None:
    fill_in_signup(page)
    expect(page.locator("[name=code]")).to_be_visible()
    ordinary = page.get_by_role("main").inner_text().replace(ADDRESS, "…")
    page.context.clear_cookies()
    taken = UserFactory().email
    fill_in_signup(page, address=taken, house="House of Octavia")
    expect(page.locator("[name=code]")).to_be_visible()
    assert page.get_by_role("main").inner_text().replace(taken, "…") == ordinary


def test_a_player_logs_in_and_out(page: Page) -> None:
    player = UserFactory()
    log_in(page, player.email)
    expect(page).to_have_url(re.compile("/palace/$"))
    log_out(page)
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()
    page.goto("/palace/")
    expect(page).to_have_url(re.compile("/account/login/"))


def test_a_wrong_password_gets_the_same_sentence_as_an_unknown_address(page: Page) -> None:
    sentences = []
    for address in (UserFactory().email, "nobody@example.org"):
        log_in(page, address, "not the right one")
        expect(page).to_have_url(re.compile("/account/login/"))
        sentences.append(
            page.locator("main [role=alert], main .errorlist, main .errors").all_inner_texts()
        )
    assert sentences[0]
    assert sentences[0] == sentences[1]


def test_a_guest_stays_the_same_after_a_reload_and_as_a_player(
    page: Page, code_for: Callable[..., str]
) -> None:
    page.goto("/")
    page.get_by_role("button", name="Enter as a guest").click()
    guest = Guest.objects.get()
    name = page.locator(".masthead summary").inner_text()
    page.reload()
    expect(page.locator(".masthead summary")).to_have_text(name)
    assert Guest.objects.count() == 1
    fill_in_signup(page)
    enter_code(page, code_for(ADDRESS))
    expect(page).to_have_url(re.compile("/palace/$"))
    guest.refresh_from_db()
    assert guest.became == User.objects.get(email=ADDRESS)


def test_a_forgotten_password_is_replaced_by_the_code_from_the_letter(
    page: Page, code_for: Callable[..., str]
) -> None:
    player = UserFactory()
    page.goto("/account/password/reset/")
    page.locator("[name=email]").fill(player.email)
    page.get_by_role("button", name="Send the code").click()
    enter_code(page, code_for(player.email))
    for field in page.locator("main input[type=password]").all():
        field.fill("another honest passphrase")
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_role("button", name="Save the password")).to_have_count(0)
    page.context.clear_cookies()
    log_in(page, player.email, "another honest passphrase")
    expect(page).to_have_url(re.compile("/palace/$"))


def test_the_second_factor_is_asked_for_once_it_is_switched_on(
    page: Page, forget_limits: Callable[[], None]
) -> None:
    player = UserFactory()
    log_in(page, player.email)
    expect(page).to_have_url(re.compile("/palace/$"))
    page.goto("/account/2fa/totp/activate/")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    secret = page.locator("#authenticator_secret").text_content() or ""
    page.locator("[name=code]").fill(one_time_code(secret))
    page.get_by_role("button", name="Switch on").click()
    expect(page.locator("#authenticator_secret")).to_have_count(0)
    log_out(page)
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()
    forget_limits()  # a code is good for one use; as if the next one were shown already
    log_in(page, player.email)
    page.locator("[name=code]").fill("000000")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.locator("[name=code]")).to_have_attribute("aria-invalid", "true")
    page.locator("[name=code]").fill(one_time_code(secret))
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page).to_have_url(re.compile("/palace/$"))


def test_signing_up_works_without_javascript(
    browser: Browser, world: Site, complaints: Complaints, code_for: Callable[..., str]
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=world.origin)
    complaints.listen(context)
    page = context.new_page()
    fill_in_signup(page)
    enter_code(page, code_for(ADDRESS))
    expect(page).to_have_url(re.compile("/palace/$"))
    page.locator(".masthead summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()
    context.close()


@pytest.mark.parametrize("field", ["dynasty_name", "email", "password1"])
def test_a_mistake_in_the_form_is_told_at_its_field(page: Page, field: str) -> None:
    page.goto("/account/signup/")
    page.locator("form[action*=signup]").evaluate("form => form.noValidate = true")
    for name in {"dynasty_name", "email", "password1"} - {field}:
        good = {"dynasty_name": "House of Livia", "email": ADDRESS, "password1": PASSWORD}
        page.locator(f"[name={name}]").fill(good[name])
    page.locator("form[action*=signup] button:not([type=button])").click()
    expect(page.locator(f"[name={field}]")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[aria-invalid=true]")).to_have_count(1)
    assert User.objects.count() == 0
