"""The chronicle in a browser: times of the reader's zone, a filter that works by keyboard."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from dynasties.chronicle.services import ref_to, write
from dynasties.houses.models import Dynasty
from tests.browser.complaints import Complaints
from tests.factories import DynastyFactory

# These tell a fall that never was.
pytestmark = pytest.mark.unaudited


@pytest.fixture
def house(world: object) -> Dynasty:
    return DynastyFactory(name="House of Ash")


@transaction.atomic
def tell(house: Dynasty, at: datetime) -> None:
    write(kind="dynasty-fallen", facts={"dynasty": ref_to(house)}, at=at)


@pytest.mark.browser_context_args(timezone_id="America/Mexico_City")
def test_times_are_those_of_the_readers_zone(page: Page, house: Dynasty) -> None:
    tell(house, datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    tell(house, datetime(2026, 3, 1, 2, 30, tzinfo=UTC))
    page.goto("/chronicle/?until=2026-03-01")
    expect(page.get_by_role("heading", name="1 March 2026")).to_be_visible()
    times = page.locator(".annal time")
    expect(times.nth(0)).to_have_text("06:30")
    expect(times.nth(1)).to_have_text("28 Feb, 20:30")


def test_one_can_choose_by_keyboard_alone(
    page: Page,
    house: Dynasty,
    barriers: Callable[[Page], list[str]],
    complaints: Complaints,
) -> None:
    complaints.expect("axe")
    other = DynastyFactory(name="House of Oak")
    page.goto("/chronicle/")
    page.locator(".sieve summary").press("Enter")
    page.get_by_label("About whom").fill("nobody at all")
    page.keyboard.press("Enter")
    expect(page.get_by_label("About whom")).to_have_attribute("aria-invalid", "true")
    assert barriers(page) == []
    page.get_by_label("About whom").fill("house")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Whom do you mean?")).to_be_visible()
    assert barriers(page) == []
    page.get_by_role("main").get_by_role("link", name=house.name).press("Enter")
    expect(page.get_by_role("heading", name=house.name, level=1)).to_be_visible()
    expect(page.locator(".annals")).to_contain_text(house.name)
    expect(page.locator(".annals")).not_to_contain_text(other.name)
    assert barriers(page) == []
