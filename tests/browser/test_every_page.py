"""Every page that a link leads to, for everybody: it answers, is quiet, and keeps nobody out."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from dynasties.notices.models import Proclamation
from emperors.services import capture
from tests.browser.complaints import Complaints
from tests.browser.crawler import crawl
from tests.browser.server import Site
from tests.dynasties.market.cast import merchant, offered, wealth
from tests.factories import AdminFactory, DynastyFactory, EmperorFactory, UserFactory

ROLES = ("anonymous", "guest", "player", "admin")
ENOUGH = 2
SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
# Pages that no link leads to, because people come to them by a form.
BY_FORM = [
    "/account/logout/",
    "/account/password/reset/",
    "/market/mint/?count=1&get=copper&pay=gold",
]


@pytest.fixture
def furnished(world: Site) -> None:
    """Enough of a world that lists have rows and pages have content."""
    for motto in ("We wait, then we move.", "", "Ñandú y œuvre: ¡siempre!"):
        DynastyFactory(motto=motto)
    DynastyFactory(fallen=True)
    captured = EmperorFactory(reputation=12, battles=1)
    EmperorFactory(dynasty=captured.dynasty, name="千代", reputation=5)
    capture(emperor=captured, by=DynastyFactory(), at=timezone.now())
    offered(merchant(ruby=2), gives=wealth(ruby=2))
    ends = timezone.now() + timedelta(hours=1)
    Proclamation.objects.create(
        text_en="The council meets.", text_es="El consejo se reúne.", ends_at=ends
    )


@pytest.fixture
def become(page: Page, furnished: None, enter: Callable[..., None]) -> Callable[[str], None]:
    def become(role: str) -> None:
        if role == "guest":
            page.goto("/")
            page.get_by_role("button", name="Enter as a guest").click()
            expect(page.locator(".masthead summary")).to_be_visible()
        elif role == "player":
            player = UserFactory()
            EmperorFactory(dynasty=player.dynasty, reputation=3)
            offered(player.dynasty, gives={}, wants=wealth(ruby=1))
            offered(merchant(), wants={}, to=player.dynasty)
            enter(player)
        elif role == "admin":
            enter(AdminFactory())

    return become


def a_few_of_each() -> Callable[[str], bool]:
    """Of pages that differ by a number only, as rows of the admin do, a few are enough."""
    seen: Counter[str] = Counter()

    def follow(path: str) -> bool:
        shape = re.sub(r"\d+", "0", path)
        seen[shape] += 1
        return seen[shape] <= ENOUGH

    return follow


def is_ours(path: str) -> bool:
    """The admin's pages are Django's own."""
    return not path.startswith(("/admin/", "/static/"))


@pytest.mark.parametrize("role", ROLES)
def test_every_link_leads_somewhere(
    page: Page, world: Site, become: Callable[[str], None], role: str
) -> None:
    become(role)
    start = ["/", *BY_FORM]
    found = list(crawl(page, start=start, follow=a_few_of_each(), origin=world.origin))
    assert len(found) >= (20 if role == "admin" else 5)
    assert any(path.startswith("/admin/") for path in found) == (role == "admin")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("role", ["guest", "player"])
def test_no_page_keeps_anybody_out(
    page: Page,
    world: Site,
    become: Callable[[str], None],
    barriers: Callable[[Page], list[str]],
    complaints: Complaints,
    role: str,
    size: str,
    theme: str,
) -> None:
    complaints.expect("axe")
    page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    become(role)
    found = []
    for path in crawl(page, start=["/", *BY_FORM], follow=is_ours, origin=world.origin):
        found += barriers(page)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > SIZES[size]["width"]:
            found.append(f"{path} is {wide} pixels wide")
    assert found == []
