"""The talk in a real browser: live, as text, and without scripts."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.complaints import Complaints
from tests.browser.server import Site
from tests.tournaments.lists import announced, filled
from tournaments.announcements.models import Seat, Tournament

SLOW = {"pace": "slow", "turn_seconds": 3600}
PHONE = {"width": 360, "height": 780}


@pytest.fixture
def duel() -> tuple[Tournament, list[Seat]]:
    tournament = announced("honour", "duel", **SLOW)
    return tournament, filled(tournament)


def become(context: BrowserContext, site: Site, seat: Seat) -> None:
    client = Client()
    client.force_login(seat.dynasty.ruler)
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": site.origin}])


@pytest.fixture
def rival(browser: Browser, world: Site, complaints: Complaints, duel) -> Iterator[Page]:
    """The other seat, on a small phone, without scripts."""
    context = browser.new_context(
        base_url=world.origin,
        locale="en-GB",
        viewport=PHONE,
        java_script_enabled=False,
    )
    complaints.listen(context)
    become(context, world, duel[1][1])
    yield context.new_page()
    context.close()


def say(page: Page, words: str) -> None:
    page.get_by_label("Say something").fill(words)
    page.get_by_role("button", name="Say it").click()


def test_two_seats_talk_one_of_them_without_scripts(
    page: Page,
    rival: Page,
    context: BrowserContext,
    world: Site,
    duel,
    barriers: Callable[[Page], list[str]],
) -> None:
    tournament, (mine, _other) = duel
    become(context, world, mine)
    page.emulate_media(reduced_motion="reduce")
    page.goto(tournament.get_absolute_url())
    log = page.get_by_role("log", name="Talk")
    expect(log).to_contain_text("Nobody has said anything yet.")
    say(page, "Well met.")
    expect(log).to_contain_text("Well met.")
    expect(page.get_by_label("Say something")).to_have_value("")

    rival.goto(tournament.get_absolute_url())
    expect(rival.locator("#chat")).to_contain_text("Well met.")
    say(rival, "<b>And</b> you <img src=x onerror=alert(1)>")
    expect(rival.locator("#chat")).to_contain_text("<b>And</b> you")

    # It comes by itself, as text, once.
    expect(log).to_contain_text("<b>And</b> you <img src=x")
    expect(log.locator("b, img")).to_have_count(0)
    expect(log.locator("li")).to_have_count(2)
    assert barriers(page) == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    # What can be done about a line, without scripts.
    say(page, "Again?")
    expect(log.locator("li")).to_have_count(3)
    rival.goto(tournament.get_absolute_url())
    address = rival.locator(".chat__more").first.get_attribute("href")
    assert address
    rival.goto(address)
    rival.get_by_role("button", name="Mute in this tournament").click()
    expect(rival.locator("#chat")).not_to_contain_text("Well met.")
    expect(rival.locator("#chat")).to_contain_text("Muted here")
    with context.expect_page() as opened:
        log.locator(".chat__more").click()
    line = opened.value
    assert barriers(line) == []
    line.get_by_label("What is wrong with it").fill("Rude.")
    line.get_by_role("button", name="Report to the moderators").click()
    expect(line.get_by_text("The moderators will look at it.")).to_be_visible()


def test_the_list_of_blocks_can_be_used_by_everybody(
    page: Page, context: BrowserContext, world: Site, duel, barriers: Callable[[Page], list[str]]
) -> None:
    _tournament, (mine, other) = duel
    become(context, world, mine)
    page.goto("/blocks/")
    page.get_by_label("Which dynasty").fill(other.dynasty.name)
    page.get_by_role("button", name="Block").click()
    expect(page.get_by_text("is blocked.")).to_be_visible()
    assert barriers(page) == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Lift the block").click()
    expect(page.get_by_text("You have blocked nobody.")).to_be_visible()
