"""Theme, language, news and error pages: what surrounds every page."""

import re
from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from dynasties.notices.models import Proclamation
from tests.browser.complaints import Complaints
from tests.browser.server import Site
from tests.factories import AdminFactory, UserFactory


def proclaim(page: Page, text: str) -> None:
    """What an admin does on the admin's page."""
    page.goto("/admin/dynasties/proclamation/add/")
    now = timezone.now()
    for name, moment in (("starts_at", now), ("ends_at", now + timedelta(hours=1))):
        page.locator(f"[name={name}_0]").fill(moment.strftime("%Y-%m-%d"))
        page.locator(f"[name={name}_1]").fill(moment.strftime("%H:%M:%S"))
    page.locator("[name=text_en]").fill(text)
    page.locator("[name=text_es]").fill(f"{text} (es)")
    page.locator("[name=_save]").click()
    expect(page.locator(".messagelist .success")).to_be_visible()


def test_a_proclamation_appears_on_a_page_that_is_open_already(
    page: Page, browser: Browser, world: Site, enter: Callable[..., None], complaints: Complaints
) -> None:
    reader_context = browser.new_context(base_url=world.origin, locale="es-ES")
    complaints.listen(reader_context)
    reader = reader_context.new_page()
    with reader.expect_websocket() as socket:
        reader.goto("/")
    socket.value.wait_for_event("framereceived")
    enter(AdminFactory())
    proclaim(page, "The council meets at dusk.")
    shown = reader.locator("[data-proclamation]", has_text="The council meets at dusk. (es)")
    expect(shown).to_be_visible()
    reader.reload()
    expect(shown).to_be_visible()
    expect(shown).to_have_count(1)
    reader_context.close()


def test_a_dismissed_proclamation_stays_away(page: Page) -> None:
    ends = timezone.now() + timedelta(hours=1)
    Proclamation.objects.create(text_en="Once only.", text_es="Una vez.", ends_at=ends)
    page.goto("/")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("Once only.")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Once only.")).to_have_count(0)


def test_the_chosen_theme_stays_after_a_reload_and_on_other_pages(page: Page) -> None:
    page.goto("/")
    for theme, name in (("dark", "Night (dark)"), ("light", "Parchment (light)")):
        with page.expect_response("**/theme/"):
            page.get_by_role("button", name=name).click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        page.goto("/dynasties/")
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")


def test_the_themes_look_different(page: Page) -> None:
    colours = set()
    for name in ("Night (dark)", "Parchment (light)"):
        page.goto("/")
        with page.expect_response("**/theme/"):
            page.get_by_role("button", name=name).click()
        page.reload()
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2


def test_the_language_is_switched_and_kept(page: Page) -> None:
    page.goto("/dynasties/")
    page.get_by_role("button", name="Español").click()
    expect(page).to_have_url(re.compile("/dynasties/$"))
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.goto("/account/login/")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_browsers_language_is_spoken_first(browser: Browser, world: Site) -> None:
    context = browser.new_context(base_url=world.origin, locale="es-MX")
    page = context.new_page()
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    context.close()


def test_an_unknown_address_gets_a_page_in_the_same_look(
    page: Page, complaints: Complaints
) -> None:
    complaints.expect("status of 404")
    answer = page.goto("/no/such/place/")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("banner")).to_be_visible()
    page.get_by_role("main").get_by_role("link").first.click()
    expect(page.get_by_role("main")).to_be_visible()


def test_a_page_shows_that_its_reader_was_logged_out_elsewhere(
    page: Page, enter: Callable[..., None]
) -> None:
    enter(UserFactory())
    with page.expect_websocket() as socket:
        page.goto("/dynasties/")
    socket.value.wait_for_event("framereceived")
    other = page.context.new_page()
    other.goto("/account/logout/")
    other.get_by_role("main").get_by_role("button").first.click()
    expect(page.locator("[data-live-status]")).to_contain_text("logged out", timeout=5_000)


def test_no_page_is_wider_than_a_small_phone(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/", "/dynasties/", "/account/login/", "/account/signup/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
