"""What a browser says of itself, in words: enough to know one's own devices again."""

from django.utils.text import Truncator
from django.utils.translation import gettext as _

LONGEST_DESCRIPTION = 80

# The first sign that is found counts: most browsers call themselves by others' names as well.
_BROWSERS = (
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("YaBrowser/", "Yandex Browser"),
    ("DuckDuckGo/", "DuckDuckGo"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Chromium"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def describe_browser(user_agent: str) -> str:
    """Browser and system, as “Firefox on Linux”; where we know too little, its own words."""
    browser, system = _first_found(_BROWSERS, user_agent), _first_found(_SYSTEMS, user_agent)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return Truncator(user_agent).chars(LONGEST_DESCRIPTION) or _("Unknown browser")


def _first_found(signs: tuple[tuple[str, str], ...], text: str) -> str | None:
    return next((name for sign, name in signs if sign in text), None)
