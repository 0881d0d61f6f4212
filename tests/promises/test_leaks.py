"""What one person may know reaches nobody else: a marker in each secret, searched for everywhere.

Each new secret gets a marker in `secrets_of`, each new surface a line in `surfaces`.
"""

import json
import logging
import os
import re
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
from tests.factories import AdminFactory, DynastyFactory, StaffFactory, UserFactory
from tests.tournaments.live.stage import Stage, set_up
from tournaments.chat.models import Report
from tournaments.turns.models import Order

pytestmark = pytest.mark.django_db

EMAIL = "marker-5f1c@example.org"
PASSWORD = "marker-8a2e-passphrase"
ORDER_MARKER = "marker-c0de"
TALK_MARKER = "marker-1d9f-words"
REPORT_MARKER = "marker-66a0-report"
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


def order_secretly() -> None:
    """One order that is kept, and one that is refused."""
    stage = set_up()
    page = reverse("tournament-orders", args=[stage.code])
    for order in (stage.move("a"), {"piece": ORDER_MARKER, "to": [0, 0]}):
        content = json.dumps({"turn": 0, "order": order})
        stage.browsers["a"].post(page, content, "application/json")
    kept = Order.objects.get()
    assert kept.content == stage.move("a")
    Order.objects.update(content={"hold": ORDER_MARKER})
    for browser in (stage.browsers["b"], Client()):
        browser.get(reverse("tournament-state", args=[stage.code]))


@pytest.mark.skipif(not os.environ.get("TEST_REDIS_URL"), reason="Redis could not be had")
def test_no_sealed_order_reaches_a_log_line_redis_or_a_hint(
    ears: Ears, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    left: list[object] = []
    monkeypatch.setattr(hints, "_send_message", lambda *message: left.append(message))
    monkeypatch.setattr(hints, "_send_task", lambda task, args: left.append((task.name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        order_secretly()
    heard = "\n".join(ears.lines)
    assert "request_finished" in heard
    assert "'ready'" in repr(left), "hints must have left to prove anything"
    for surface in (heard, redis_contents(), repr(left)):
        assert ORDER_MARKER not in surface
        assert not re.search(r"\bpiece\b.{0,6}\ba\d", surface), "an order is told"


def talk_secretly() -> tuple[Stage, Report]:
    """Words at the table, a refused line, and a report about what was said."""
    stage = set_up()
    page = reverse("tournament-say", args=[stage.code])
    for words in (TALK_MARKER, f"{TALK_MARKER} {'x' * 500}"):
        stage.browsers["a"].post(page, {"text": words})
    about = {"room": "seats", "number": 1, "why": REPORT_MARKER}
    stage.browsers["b"].post(reverse("tournament-report", args=[stage.code]), about)
    return stage, Report.objects.get()


@pytest.mark.skipif(not os.environ.get("TEST_REDIS_URL"), reason="Redis could not be had")
def test_no_word_of_a_talk_and_no_report_reaches_a_log_line_redis_or_a_hint(
    ears: Ears, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    left: list[object] = []
    monkeypatch.setattr(hints, "_send_message", lambda *message: left.append(message))
    monkeypatch.setattr(hints, "_send_task", lambda task, args: left.append((task.name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        talk_secretly()
    heard = "\n".join(ears.lines)
    assert "request_finished" in heard
    assert "'said'" in repr(left), "hints must have left to prove anything"
    for surface in (heard, redis_contents(), repr(left)):
        assert TALK_MARKER not in surface
        assert REPORT_MARKER not in surface


def test_what_is_said_at_the_table_is_on_no_page_of_anybody_else_before_the_end() -> None:
    stage, report = talk_secretly()
    own = [
        reverse("tournament", args=[stage.code]),
        reverse("tournament-chat", args=[stage.code]),
        reverse("tournament-line", args=[stage.code, "seats", 1]),
        reverse("tournament-state", args=[stage.code]),
        reverse("tournaments"),
    ]
    pages = own + [reverse(name) for name in (*PUBLIC_PAGES, "palace", "blocks")]
    spectator = Client()
    spectator.force_login(UserFactory())
    for visitor in (Client(), spectator):
        for page in pages:
            assert TALK_MARKER not in visitor.get(page).content.decode(), f"it is on {page}"
    assert TALK_MARKER in stage.browsers["b"].get(own[0]).content.decode()
    admin = [reverse(f"admin:tournaments_report_{page}") for page in ("changelist",)]
    admin.append(reverse("admin:tournaments_report_change", args=[report.pk]))
    clerk = Client()
    clerk.force_login(StaffFactory())
    for visitor in (Client(), spectator, *stage.browsers.values(), clerk):
        for page in (*pages, *admin):
            assert REPORT_MARKER not in visitor.get(page).content.decode(), f"it is on {page}"
