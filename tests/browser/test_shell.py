"""Theme, language, news and error pages: what surrounds every page."""

import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from dynasties.notices.models import Proclamation
from dynasties.notices.services import proclamation_frame
from tests.browser.complaints import Complaints
from tests.browser.server import Site
from tests.factories import AdminFactory, UserFactory

# Writes down every state that the live feed shows on the page.
STATES = """
window.states = [];
addEventListener("DOMContentLoaded", () => {
  const note = () => window.states.push(document.body.dataset.liveState);
  new MutationObserver(note).observe(document.body, { attributeFilter: ["data-live-state"] });
});
"""
# What the main menu will hold one day.
MANY_LINKS = """nav => {
  for (const name of ["Tournaments", "Chronicle", "Market", "Betting", "Ranking", "Battlefields"]) {
    const link = document.createElement("a");
    [link.href, link.textContent] = ["/", name];
    nav.prepend(link);
  }
}"""


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


def test_what_the_server_says_again_is_neither_doubled_nor_brought_back(page: Page) -> None:
    ends = timezone.now() + timedelta(hours=1)
    kept, dismissed = (
        Proclamation.objects.create(text_en=text, text_es=text, ends_at=ends)
        for text in ("Kept.", "Dismissed.")
    )
    sockets: list[WebSocketRoute] = []
    page.route_web_socket("**/ws/world/", lambda socket: sockets.append(socket))
    # A browser without room to remember: what is dismissed stays so for this page at least.
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    page.goto("/")
    page.locator("[data-proclamation]", has_text="Dismissed.").get_by_role("button").click()
    for proclamation in (kept, dismissed, Proclamation(id=99, text_en="New.", ends_at=ends)):
        sockets[0].send(json.dumps(proclamation_frame(proclamation)))
    shown = page.locator("[data-proclamations] > [data-proclamation]")
    expect(shown).to_have_text(["Kept.", "New."])


def test_a_proclamation_goes_when_its_time_is_over(page: Page) -> None:
    ends = timezone.now() + timedelta(seconds=4)
    Proclamation.objects.create(text_en="Briefly.", text_es="Brevemente.", ends_at=ends)
    page.goto("/")
    expect(page.get_by_text("Briefly.")).to_be_visible()
    expect(page.locator("[data-proclamations]")).to_be_hidden(timeout=8_000)


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

    page.get_by_role("link", name="Reload the page").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()


def test_a_page_whose_session_got_a_new_key_connects_again_in_silence(page: Page) -> None:
    sockets: list[WebSocketRoute] = []

    def renew_the_first(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if len(sockets) == 1:
            socket.send(json.dumps({"v": 1, "type": "farewell", "reason": "renewed"}))
            socket.close(code=4402)

    page.add_init_script(STATES)
    page.route_web_socket("**/ws/world/", renew_the_first)
    page.goto("/")
    page.wait_for_function("document.body.dataset.liveState === 'open'")
    page.wait_for_timeout(1_500)
    assert len(sockets) == 2
    assert "lost" not in page.evaluate("window.states")
    expect(page.locator("[data-live-status]")).to_be_hidden()


def test_no_page_is_wider_than_a_small_phone(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/", "/dynasties/", "/account/login/", "/account/signup/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_names_without_a_break_do_not_widen_a_small_phone(
    page: Page, enter: Callable[..., None]
) -> None:
    player = UserFactory(dynasty_name="W" * 40)
    page.set_viewport_size({"width": 360, "height": 740})
    enter(player)
    for path in ("/", "/palace/", "/account/", player.dynasty.get_absolute_url()):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_every_tab_of_the_account_is_on_a_small_screen(
    page: Page, enter: Callable[..., None]
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    enter(UserFactory())
    page.goto("/account/sessions/")
    for tab in page.locator(".side a").all():
        expect(tab).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_main_menu_has_a_row_of_its_own(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.goto("/dynasties/")
    menu = page.locator("[data-nav]")
    menu.evaluate(MANY_LINKS)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    name, row = page.locator(".wordmark").bounding_box(), menu.bounding_box()
    assert name is not None
    assert row is not None
    assert row["y"] >= name["y"] + name["height"]
    assert row["height"] < 60


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
