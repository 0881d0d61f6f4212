"""What one person may know reaches nobody else: a marker in each secret, searched for everywhere.

Each new secret gets a marker in `secrets_of`, each new surface a line in `surfaces`.
"""

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse

from dynasties.accounts.export import export_account
from dynasties.chronicle.models import Entry
from dynasties.chronicle.services import tell_wealth
from dynasties.houses.models import Dynasty
from dynasties.notices import hints
from dynasties.notices.models import Letter
from tests.conftest import redis_client
from tests.dynasties.accounts.flows import last_code, sign_up, type_code
from tests.factories import AdminFactory, DynastyFactory, UserFactory

pytestmark = pytest.mark.django_db

EMAIL = "marker-5f1c@example.org"
PASSWORD = "marker-8a2e-passphrase"
PUBLIC_PAGES = (
    "home", "dynasties", "ranking", "champions", "chronicle", "chronicle_feed", "market", "mint",
    "manifest", "robots", "account_login",
)  # fmt: skip
CHRONICLES = ("chronicle", "chronicle_feed", "palace_chronicle")
PROBES = ["/healthz", "/readyz", "/metrics"]


@dataclass
class Ears(logging.Handler):
    """Hears every log line of every logger, however quiet."""

    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(level=logging.DEBUG)

    __hash__ = logging.Handler.__hash__

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {record.__dict__!r}")


@pytest.fixture
def ears() -> Iterator[Ears]:
    ears, root = Ears(), logging.getLogger()
    level = root.level
    root.addHandler(ears)
    root.setLevel(logging.DEBUG)
    yield ears
    root.removeHandler(ears)
    root.setLevel(level)


def redis_contents() -> str:
    """Every key and value of our own in Redis, as text."""
    client = redis_client(os.environ["TEST_REDIS_URL"])
    found = []
    for key in client.scan_iter(match=f"*{settings.ENV.redis_prefix}*"):
        kind = client.type(key)
        value = client.get(key) if kind == b"string" else client.lrange(key, 0, -1)
        found.append(f"{key!r} {value!r}")
    return "\n".join(found)


def signed_up(client: Client) -> dict[str, str]:
    """Sign up, verify, turn on the second factor; return every secret that came of it."""
    sign_up(client, email=EMAIL, password1=PASSWORD, dynasty_name="House of Marker")
    code = last_code(EMAIL)
    type_code(client, code)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.get(reverse("mfa_activate_totp"))
    return {
        "the address": EMAIL,
        "the password": PASSWORD,
        "the code": code,
        "the session": client.session.session_key,
        "the second factor": client.session["mfa.totp.secret"],
        "the site's key": settings.SECRET_KEY,
    }


@pytest.mark.skipif(not os.environ.get("TEST_REDIS_URL"), reason="Redis could not be had")
def test_no_secret_reaches_a_log_line_or_redis(client: Client, ears: Ears) -> None:
    secrets = signed_up(client)
    heard, kept = "\n".join(ears.lines), redis_contents()
    assert "request_finished" in heard, "the ears must hear something to prove anything"
    for name, secret in secrets.items():
        assert secret not in heard, f"{name} is in the log"
        assert secret not in kept, f"{name} is in Redis"


def test_no_secret_leaves_the_process_with_a_hint(
    client: Client, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    """Neither to the channel layer nor as the argument of a task."""
    left: list[object] = []
    monkeypatch.setattr(hints, "_send_message", lambda *message: left.append(message))
    monkeypatch.setattr(hints, "_send_task", lambda task, args: left.append((task.name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        secrets = signed_up(client)
        new = {"oldpassword": PASSWORD, "password1": f"{PASSWORD}-2", "password2": f"{PASSWORD}-2"}
        client.post(reverse("account_change_password"), new)
        secrets["the later session"] = client.session.session_key
        client.post(reverse("account_logout"))
    kinds = {message["type"] for _topic, message in left if isinstance(message, dict)}
    assert kinds == {"renew", "end"}, "hints must have left to prove anything"
    for name, secret in secrets.items():
        assert secret not in repr(left), f"{name} left with a hint"


def test_no_secret_is_on_a_page_of_anybody_else(client: Client) -> None:
    secrets = signed_up(client)
    rival = Client()
    rival.force_login(UserFactory())
    house = Dynasty.objects.get(name="House of Marker")
    pages = [reverse(name) for name in PUBLIC_PAGES] + [house.get_absolute_url(), *PROBES]
    for visitor in (Client(), rival):
        for page in pages:
            content = visitor.get(page).content.decode()
            for name, secret in secrets.items():
                assert secret not in content, f"{name} is on {page}"


def test_a_private_entry_of_the_chronicle_is_on_no_page_of_anybody_else() -> None:
    house, rival = DynastyFactory(), DynastyFactory()
    tell_wealth(dynasty=house, reason="marker-reason", sums=[("marker-kind", 77_665_544)])
    markers = ("marker-reason", "marker-kind", "77,665,544", "77665544")
    about = [f"{reverse(name)}?about=dynasty-{house.pk}" for name in CHRONICLES]
    pages = [reverse(name) for name in (*PUBLIC_PAGES, "palace", "palace_chronicle")]
    admin = [reverse("admin:dynasties_entry_changelist") + query for query in ("", "?q=marker")]
    entry = Entry.objects.latest("pk")
    admin.append(reverse("admin:dynasties_entry_change", args=[entry.pk]))
    for person in (None, rival.ruler, AdminFactory()):
        visitor = Client()
        if person is not None:
            visitor.force_login(person)
        for page in [*pages, *about, *admin, house.get_absolute_url()]:
            content = visitor.get(page).content.decode()
            for marker in markers:
                assert marker not in content, f"{marker} is on {page}"
    assert not any(marker in str(export_account(rival.ruler)) for marker in markers)


def test_a_private_entry_reaches_its_owner_on_a_page_and_in_the_export(client: Client) -> None:
    house = DynastyFactory()
    tell_wealth(dynasty=house, reason="marker-reason", sums=[("marker-kind", 77_665_544)])
    client.force_login(house.ruler)
    words = "marker-reason: +77,665,544 × marker-kind."
    assert words in client.get(reverse("palace_chronicle")).content.decode()
    assert words in str(export_account(house.ruler))


def test_a_data_export_holds_no_key_to_a_door(client: Client) -> None:
    secrets = signed_up(client)
    user = Dynasty.objects.get(name="House of Marker").ruler
    Authenticator.objects.create(user=user, type="totp", data={"secret": "marker-totp-77"})
    exported = client.post(reverse("account_export")).content.decode()
    assert EMAIL in exported
    for name in ("the password", "the code", "the session", "the second factor", "the site's key"):
        assert secrets[name] not in exported, f"{name} is in the export"
    assert "marker-totp-77" not in exported
    assert user.password not in exported


def test_an_error_page_shows_nothing_of_what_went_wrong(client: Client, monkeypatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("marker-31b0")

    client.raise_request_exception = False
    monkeypatch.setattr("dynasties.houses.selectors.newest_dynasties", fail)
    answer = client.get(reverse("home"))
    assert answer.status_code == 500
    assert b"marker-31b0" not in answer.content
    assert b"Traceback" not in answer.content


def test_no_letter_stays_behind_with_its_code(client: Client, settings) -> None:
    settings.EMAIL_BACKEND = "dynasties.notices.letters.OutboxBackend"
    settings.LETTER_TRANSPORT = "django.core.mail.backends.locmem.EmailBackend"
    from dynasties.notices.letters import send_due_letters

    sign_up(client, email=EMAIL, password1=PASSWORD, dynasty_name="House of Marker")
    assert Letter.objects.exists()
    mail.outbox = []
    send_due_letters()
    assert last_code(EMAIL)
    assert not Letter.objects.exists()
