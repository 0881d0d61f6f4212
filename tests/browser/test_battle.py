"""Battles in a real browser: by tap, drag and keyboard, with and without scripts, to the end."""

import random
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from tests.browser.complaints import Complaints
from tests.browser.server import Site
from tests.factories import EmperorFactory, UserFactory
from tests.tournaments.lists import announced, fight, filled, order_all
from tests.tournaments.lists import seat as take_seat
from tournaments.announcements.models import Tournament

TURNS = 4
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
# Bots and the waiting for people take their time.
PATIENCE = 40_000


@pytest.fixture
def rival(browser: Browser, world: Site, complaints: Complaints) -> Iterator[Page]:
    """Another person, in a browser of his own, on a phone."""
    context = browser.new_context(
        base_url=world.origin,
        locale="en-GB",
        viewport=PHONE,
        has_touch=True,  # type: ignore[arg-type]
    )
    complaints.listen(context)
    rival = context.new_page()
    rival.emulate_media(reduced_motion="reduce")
    yield rival
    context.close()


@pytest.fixture(autouse=True)
def still(page: Page, forget_limits: Callable[[], None]) -> None:
    """No need to watch every piece glide, and no limit on how many guests come from here."""
    forget_limits()
    page.emulate_media(reduced_motion="reduce")


def duel(**terms: object) -> Tournament:
    """A short training battle for two, with time enough for a slow machine."""
    usual = {"options": {"turn_limit": TURNS}, "turn_seconds": 300}
    return announced("training", "duel", **{**usual, **terms})


def sit_down(page: Page, tournament: Tournament) -> None:
    page.goto(tournament.get_absolute_url())
    page.get_by_role("button", name="Enter as a guest").click()


def tile(page: Page, name: str) -> object:
    return page.locator(f'[data-tile="{name}"]')


def turn(page: Page, number: int) -> None:
    """Wait until the page shows a turn, and lets its reader order."""
    expect(page.locator("[data-turn]")).to_have_text(f"Turn {number}")
    expect(page.locator(".cell--mine").first).to_be_visible()


def tap(page: Page, origin: str, to: str) -> None:
    tile(page, origin).click()  # type: ignore[attr-defined]
    tile(page, to).click()  # type: ignore[attr-defined]


def sealed(page: Page) -> None:
    expect(page.locator("[data-say]")).to_contain_text("Sealed.")


def test_two_guests_fight_a_battle_to_its_end(page: Page, rival: Page) -> None:
    tournament = duel()
    sit_down(page, tournament)
    expect(page.get_by_text("It begins as soon as all seats are taken.")).to_be_visible()
    sit_down(rival, tournament)

    # By tap on both sides. The order is an arrow for its owner; the rival learns the count alone.
    turn(page, 1)
    turn(rival, 1)
    tap(page, "C3", "C4")
    sealed(page)
    expect(page.locator(".aim")).to_have_count(1)
    expect(rival.locator("[data-ready]")).to_contain_text("1 of 2")
    expect(rival.locator(".aim")).to_have_count(0)
    rival.locator('[data-tile="B5"]').tap()
    rival.locator('[data-tile="B4"]').tap()

    # By keyboard: from where the cursor was left, up to one's own piece, and to the side.
    turn(page, 2)
    expect(page.locator("[data-chapters]")).to_contain_text("moved from C3 to C4")
    page.locator('[data-tile="C4"]').focus()
    for key in ("Enter", "Escape", "Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    sealed(page)
    expect(page.locator("[data-say]")).to_contain_text("to D4")
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator("[data-say]")).to_contain_text("withdrawn")
    expect(page.locator(".aim")).to_have_count(0)
    page.get_by_role("button", name="Hold").click()
    expect(page.locator("[data-say]")).to_contain_text("Your order: hold.")
    rival.get_by_role("button", name="Hold").click()

    # By drag.
    turn(page, 3)
    page.locator('[data-tile="B3"]').drag_to(page.locator('[data-tile="A3"]'))
    sealed(page)
    expect(page.locator("[data-say]")).to_contain_text("to A3")
    turn(rival, 3)
    rival.get_by_role("button", name="Hold").click()

    turn(page, 4)
    for each in (page, rival):
        turn(each, 4)
        each.get_by_role("button", name="Hold").click()
    for each in (page, rival):
        expect(each.locator("[data-result]")).to_contain_text("The last turn was over")
    page.get_by_role("link", name="See how it ended").click()
    expect(page.get_by_text("It was training")).to_be_visible()
    assert not Tournament.objects.exists()


def test_whoever_plays_now_is_soon_in_a_battle_with_bots(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_text("Bots fill the free seats")).to_be_visible()
    expect(page.locator("[data-battle]")).to_be_visible(timeout=PATIENCE)
    chance = random.Random(1)
    for number in (1, 2, 3):
        expect(page.locator("[data-turn]")).to_have_text(f"Turn {number}", timeout=PATIENCE)
        expect(page.locator(".cell--mine").first).to_be_visible()
        mine = page.locator(".cell--mine")
        for _try in range(20):
            mine.nth(chance.randrange(mine.count())).click()
            if page.locator(".cell--reach").count():
                break
        page.locator(".cell--reach").first.click()
    expect(page.locator("[data-chapters] h3").first).to_have_text("Turn 3", timeout=PATIENCE)


def test_resigning_is_asked_twice(page: Page, rival: Page) -> None:
    tournament = duel()
    sit_down(page, tournament)
    sit_down(rival, tournament)
    turn(page, 1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Fight on").click()
    expect(page.locator("[data-say]")).to_contain_text("Choose one of your pieces")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("[data-say]")).to_contain_text("Your order: resign.")
    rival.get_by_role("button", name="Hold").click()
    expect(rival.locator("[data-result]")).to_contain_text("won")


def test_a_draw_is_offered_and_accepted(page: Page, rival: Page) -> None:
    tournament = duel()
    sit_down(page, tournament)
    sit_down(rival, tournament)
    turn(page, 1)
    page.get_by_role("button", name="Offer a draw").click()
    expect(rival.locator("[data-seats]")).to_contain_text("offers a draw")
    rival.get_by_role("button", name="Offer a draw").click()
    for each in (page, rival):
        expect(each.locator("[data-result]")).to_contain_text("It is a draw.")


def test_a_battle_can_be_fought_without_scripts(browser: Browser, world: Site, page: Page) -> None:
    tournament = duel()
    context = browser.new_context(base_url=world.origin, locale="en-GB", java_script_enabled=False)
    plain = context.new_page()
    sit_down(plain, tournament)
    sit_down(page, tournament)
    turn(page, 1)
    page.get_by_role("button", name="Hold").click()
    plain.goto(tournament.get_absolute_url())
    expect(plain.get_by_role("img", name="The board in turn 1.")).to_be_visible()
    plain.get_by_label("Your order").select_option(label="a8 from D3 to D4")
    plain.get_by_role("button", name="Seal the order").click()
    turn(page, 2)
    expect(page.locator("[data-chapters]")).to_contain_text("a8 moved from D3 to D4")
    expect(plain.get_by_role("heading", name="Turn 2")).to_be_visible()
    context.close()


def test_a_lost_connection_is_said_and_orders_still_arrive(
    page: Page, rival: Page, complaints: Complaints
) -> None:
    complaints.expect("WebSocket")
    tournament = duel()
    is_cut = True

    def cut(socket: WebSocketRoute) -> None:
        if is_cut:
            socket.close(code=1012)
        else:
            socket.connect_to_server()

    page.route_web_socket(re.compile("/ws/tournaments/"), cut)
    sit_down(page, tournament)
    sit_down(rival, tournament)
    expect(page.locator("[data-battle]")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("[data-connection]")).to_have_text("Connection lost. Reconnecting…")
    turn(page, 1)
    tap(page, "C3", "C4")
    sealed(page)
    turn(rival, 1)
    rival.get_by_role("button", name="Hold").click()
    turn(page, 2)
    is_cut = False
    expect(page.locator("[data-connection]")).to_have_text("Connected", timeout=PATIENCE)


def test_a_finished_battle_is_seen_again(page: Page) -> None:
    tournament = announced("honour", "crossroads", options={"turn_limit": 12})
    filled(tournament)
    fight(tournament, random.Random(3))
    page.goto(tournament.get_absolute_url())
    page.get_by_role("button", name="Start").click()
    expect(page.locator("[data-number]")).to_have_text("0")
    start = page.locator("[data-board]").inner_html()
    page.get_by_role("button", name="Next").click()
    expect(page.locator("[data-number]")).to_have_text("1")
    expect(page.locator("[data-lines] li").first).not_to_be_empty()
    page.locator("[data-slider]").fill("12")
    expect(page.locator("[data-heading]")).to_have_text("Turn 12")
    assert page.locator("[data-board]").inner_html() != start
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert download.value.suggested_filename.endswith(".json")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_state_of_a_tournament_keeps_anybody_out(
    page: Page,
    enter: Callable[..., None],
    barriers: Callable[[Page], list[str]],
    complaints: Complaints,
    size: dict[str, int],
    theme: str,
) -> None:
    complaints.expect("axe")
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    found = []
    for look in looks(page, enter):
        found += barriers(page)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > size["width"]:
            found.append(f"{look} is {wide} pixels wide")
    assert found == []


def looks(page: Page, enter: Callable[..., None]) -> Iterator[str]:
    """Every state of a tournament's page, for somebody who has a seat."""
    player = UserFactory()
    emperor = EmperorFactory(dynasty=player.dynasty, reputation=20)
    enter(player)
    page.goto("/tournaments/new/")
    yield "announcing"
    tournament = announced("honour", "crossroads", options={"turn_limit": 5})
    take_seat(tournament, emperor)
    page.goto(tournament.get_absolute_url())
    yield "before"
    for _name in tournament.seat_names[1:]:
        take_seat(tournament, EmperorFactory(reputation=20))
    turn(page, 1)
    tournament.refresh_from_db()
    page.locator(".cell--mine").nth(2).click()
    yield "a piece is picked"
    order_all(tournament, random.Random(2))
    turn(page, 2)
    yield "running"
    tournament.refresh_from_db()
    fight(tournament, random.Random(2))
    expect(page.locator("[data-result]")).to_be_visible()
    yield "just over"
    page.goto(tournament.get_absolute_url())
    expect(page.locator("[data-ways]")).to_be_visible()
    yield "over"
    page.goto("/tournaments/?show=finished")
    yield "list"


def test_a_challenge_link_lets_in_whoever_has_it(
    page: Page, rival: Page, enter: Callable[..., None], context: BrowserContext
) -> None:
    player = UserFactory()
    EmperorFactory(dynasty=player.dynasty)
    enter(player)
    page.goto("/tournaments/new/")
    page.get_by_text("whoever has the link").click()
    page.get_by_role("button", name="Announce it").click()
    link = page.locator("[data-copy-text]").inner_text().strip()
    page.get_by_role("button", name="Enter").click()
    rival.goto(link.split("?")[0])
    expect(rival.get_by_text("Only those who have the challenge link")).to_be_visible()
    rival.goto(link)
    rival.get_by_role("button", name="Enter as a guest").click()
    turn(rival, 1)
    turn(page, 1)
