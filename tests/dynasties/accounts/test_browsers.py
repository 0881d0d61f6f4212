"""The list of sessions calls browsers by names that people know."""

import pytest
from django.test import Client
from django.urls import reverse

from dynasties.accounts.browsers import describe_browser
from tests.dynasties.accounts.flows import log_in
from tests.factories import UserFactory

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
LINUX = f"Mozilla/5.0 (X11; Linux x86_64) {WEBKIT}"
WINDOWS = f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT}"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15"


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (f"{LINUX} HeadlessChrome/126.0.0.0 Safari/537.36", "Chromium on Linux"),
        (f"{WINDOWS} Chrome/126.0.0.0 Safari/537.36", "Chrome on Windows"),
        (f"{WINDOWS} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0", "Edge on Windows"),
        (f"{WINDOWS} Chrome/126.0.0.0 Safari/537.36 OPR/111.0.0.0", "Opera on Windows"),
        (f"{PHONE} (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1", "Chrome on iPhone"),
        (f"{PHONE} (KHTML, like Gecko) Version/17.4 Safari/604.1", "Safari on iPhone"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15",
            "Safari on macOS",
        ),
        (
            "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0",
            "Firefox on Android",
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
            "Firefox on Linux",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_is_called(user_agent: str, words: str) -> None:
    assert describe_browser(user_agent) == words


def test_a_long_name_of_no_known_browser_is_cut() -> None:
    assert len(describe_browser("x" * 500)) == 80


@pytest.mark.django_db
def test_the_page_of_sessions_names_the_browser_and_escapes_what_it_says() -> None:
    user = UserFactory()
    for says in (f"{LINUX} HeadlessChrome/126.0 Safari/537.36", "<script>1</script>"):
        here = Client(HTTP_USER_AGENT=says)
        log_in(here, user.email)
    page = here.get(reverse("usersessions_list")).content.decode()
    assert "Chromium on Linux" in page
    assert "&lt;script&gt;1&lt;/script&gt;" in page
    assert "KHTML" not in page
    assert ", since" not in page
