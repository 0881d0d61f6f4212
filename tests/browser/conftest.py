"""A real browser before the real site. Whatever either of them complains about fails the test."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection
from django.test import Client
from playwright.sync_api import BrowserContext, Page

from tests.browser.complaints import Complaints
from tests.browser.letters import code_in_letter
from tests.browser.server import Site
from tests.conftest import forget_keys
from tests.services import Shelter, Unavailable, find_chromium
from tests.services.chromium import flags


@pytest.fixture(scope="session", autouse=True)
def database_beside_an_event_loop() -> Iterator[None]:
    """Playwright keeps a loop in this thread; Django must not mind, from the first fixture on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield


@pytest.fixture(scope="session")
def site(django_db_setup: None) -> Iterator[Site]:
    if not os.environ.get("TEST_REDIS_URL"):
        pytest.skip("needs Redis")
    with Shelter() as shelter:
        site = Site(shelter, database=connection.settings_dict["NAME"])
        yield site
        site.stop()


@pytest.fixture(autouse=True)
def world(django_db_reset_sequences: None, site: Site) -> Iterator[Site]:
    """An empty world in the database, and nothing amiss in the logs when the test is over.

    Content types are made anew for each test; with their old numbers, since the site keeps those.
    """
    yield site
    shutil.rmtree(site.mail, ignore_errors=True)
    assert site.trouble() == []


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    try:
        path, _ = find_chromium()
    except Unavailable as reason:
        pytest.skip(str(reason))
    return {**browser_type_launch_args, "executable_path": str(path), "args": flags()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], site: Site) -> dict[str, Any]:
    return {**browser_context_args, "base_url": site.origin, "locale": "en-GB"}


@pytest.fixture(autouse=True)
def complaints(world: Site, context: BrowserContext) -> Iterator[Complaints]:
    """What the browser complains about; a test that expects something says so."""
    complaints = Complaints(world.origin)
    complaints.listen(context)
    yield complaints
    assert complaints.unexpected() == []


@pytest.fixture
def code_for(world: Site) -> Callable[..., str]:
    """The code in a letter to an address."""
    return lambda address, number=1: code_in_letter(world.mail, address, number=number)


@pytest.fixture
def forget_limits() -> Callable[[], None]:
    """Let time pass, as far as rate limits and used-up codes go."""
    return lambda: forget_keys(os.environ["TEST_REDIS_URL"], os.environ["REDIS_PREFIX"])


@pytest.fixture
def enter(context: BrowserContext, world: Site) -> Callable[[AbstractBaseUser], None]:
    """Be logged in as somebody, without the form."""

    def enter(user: AbstractBaseUser) -> None:
        client = Client()
        client.force_login(user)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": world.origin}
        context.add_cookies([cookie])  # type: ignore[list-item]

    return enter


@pytest.fixture(scope="session")
def axe() -> Axe:
    return Axe()


@pytest.fixture
def barriers(axe: Axe) -> Callable[[Page], list[str]]:
    """What would keep somebody from using the page as it is now, a sentence each."""

    def find(page: Page) -> list[str]:
        violations = axe.run(page)["violations"]
        return [
            f"{page.url}: {violation['help']} ({violation['id']}): "
            + "; ".join(node["html"][:200] for node in violation["nodes"][:3])
            for violation in violations
        ]

    return find
