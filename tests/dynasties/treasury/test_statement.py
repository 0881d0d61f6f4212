"""The statement of account: its owner sees all of it, and nobody else sees anything."""

import csv
import io
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone, translation

from dynasties.accounts.export import export_account
from dynasties.accounts.services import acknowledge_proof
from dynasties.houses.models import Dynasty
from dynasties.treasury import reasons, statement
from dynasties.treasury.models import Account, Transfer
from dynasties.treasury.selectors import kind, wealth_of
from dynasties.treasury.services import Move, account_of, mint, post
from dynasties.treasury.statement import harmless
from tests.factories import DynastyFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> Dynasty:
    return DynastyFactory(name="House of Ash")


@pytest.fixture
def owner(client: Client, house: Dynasty) -> Client:
    client.force_login(house.ruler)
    return client


@pytest.fixture
def named_reason(monkeypatch) -> str:
    """A reason that tells the dynasties concerned about each other."""
    monkeypatch.setattr(reasons, "_reasons", dict(reasons._reasons))
    return reasons.tells_why("test-trade", "Swap", names_others=True)


def grant(dynasty: Dynasty, code: str, amount: int, *, note: str = "") -> Transfer:
    account, what = account_of(dynasty), kind(code)
    moves = [Move(mint(), what, -amount), Move(account, what, amount)]
    key = f"test {Transfer.objects.count()}"
    return post(key=key, reason="mint", moves=moves, note=note)


def lines(client: Client, **asked: str) -> list[tuple[str, int, int]]:
    page = client.get(reverse("treasury"), asked)
    assert page.status_code == 200
    return [(line.kind.code, line.amount, line.after) for line in page.context["lines"]]


def rows(client: Client, **asked: str) -> list[list[str]]:
    answer = client.get(reverse("treasury_csv"), asked)
    assert answer.status_code == 200
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_it_shows_what_is_owned_and_how_it_came_newest_first(owner, house) -> None:
    grant(house, "ruby", 2, note="For services to the crown")
    grant(house, "copper", 50)
    assert lines(owner) == [("copper", 50, 1050), ("ruby", 2, 2), ("copper", 1000, 1000)]
    page = owner.get(reverse("treasury"))
    assert dict(page.context["owned"]) == {kind("copper"): 1050, kind("ruby"): 2}
    assert page.context["worth"] == 1050 + 2 * kind("ruby").mint_value
    text = page.content.decode()
    for words in ("1,050", "+1,000", "Founding grant", "For services to the crown"):
        assert words in text


def test_it_reads_in_the_owners_language(owner, house) -> None:
    owner.cookies["django_language"] = "es"
    assert "moneda de cobre" in owner.get(reverse("treasury")).content.decode()
    assert rows(owner)[1][2] == "moneda de cobre"


def test_filters_narrow_it_down(owner, house) -> None:
    grant(house, "ruby", 2)
    today, tomorrow = timezone.localdate(), timezone.localdate() + timedelta(days=1)
    assert lines(owner, kind="ruby") == [("ruby", 2, 2)]
    assert lines(owner, reason="grant") == [("copper", 1000, 1000)]
    assert len(lines(owner, since=str(today), until=str(today))) == 2
    assert lines(owner, since=str(tomorrow)) == []
    assert lines(owner, kind="ruby", reason="grant") == []


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "moonstone"},
        {"reason": "whim"},
        {"since": "yesterday"},
        {"until": "9999-12-31"},
        {"since": "0001-01-01"},
        {"since": "2026-02-02", "until": "2026-02-01"},
        {"kind": "a\0b", "reason": "\0", "since": "\0", "page": "\0"},
        {"page": "999"},
    ],
)
def test_a_filter_that_can_not_be_read_is_explained_and_ignored(owner, asked) -> None:
    page = owner.get(reverse("treasury"), asked)
    assert page.status_code == 200
    assert page.context["lines"] or asked.get("since") == "2026-02-02"
    assert page.context["form"].errors or "page" in asked
    if "page" not in asked:
        download = owner.get(reverse("treasury_csv"), asked)
        assert download.url.startswith(f"{reverse('treasury')}?")


def test_nothing_found_says_what_to_do_next(owner, house) -> None:
    page = owner.get(reverse("treasury"), {"since": "2999-01-01"}).content.decode()
    assert "No such movement" in page
    assert "Show all" in page


def test_an_unopened_dynasty_is_told_how_to_get_its_grant(client: Client) -> None:
    user = UserFactory(verified=False)
    client.force_login(user)
    page = client.get(reverse("treasury")).content.decode()
    assert "Your founding grant arrives when" in page
    assert not Account.objects.filter(dynasty__ruler=user).exists()
    acknowledge_proof(address=user.emailaddress_set.get())
    assert wealth_of(user.dynasty) == {kind("copper"): 1000}


def test_staff_without_a_dynasty_are_told_so(client: Client) -> None:
    client.force_login(StaffFactory())
    page = client.get(reverse("treasury"))
    assert "houses/no_dynasty.html" in {template.name for template in page.templates}
    assert client.get(reverse("treasury_csv")).status_code == 404


def test_a_rival_sees_nothing_of_it(house) -> None:
    grant(house, "ruby", 77, note="marker-1d7c")
    rival = Client()
    rival.force_login(UserFactory())
    for route in ("treasury", "treasury_csv"):
        answer = rival.get(reverse(route))
        body = answer.getvalue() if answer.streaming else answer.content
        assert b"marker-1d7c" not in body
        assert b"ruby" not in body or route == "treasury"  # a choice of the filter
    assert lines(rival) == [("copper", 1000, 1000)]


def test_no_cache_keeps_it(owner) -> None:
    for route in ("treasury", "treasury_csv"):
        assert "no-store" in owner.get(reverse(route))["Cache-Control"]


def test_others_are_named_only_where_the_reason_says_so(owner, house, named_reason) -> None:
    other, copper = DynastyFactory(name="House of Oak"), kind("copper")
    moves = [Move(account_of(house), copper, -1), Move(account_of(other), copper, 1)]
    post(key="secret", reason="mint", moves=moves)
    assert "House of Oak" not in owner.get(reverse("treasury")).content.decode()
    post(key="open", reason=named_reason, moves=moves)
    assert "House of Oak" in owner.get(reverse("treasury")).content.decode()
    assert [row[6] for row in rows(owner)[1:]] == ["House of Oak", "", ""]


def test_it_turns_its_pages_without_more_queries(
    owner, house, named_reason, django_assert_max_num_queries
) -> None:
    other, copper = account_of(DynastyFactory()), kind("copper")
    for number in range(60):
        moves = [Move(account_of(house), copper, -1), Move(other, copper, 1)]
        post(key=f"n{number}", reason=named_reason, moves=moves)
    with django_assert_max_num_queries(14):
        assert len(lines(owner)) == 50
    assert len(lines(owner, page="2")) == 11


# --- CSV -----------------------------------------------------------------------------------


def test_the_download_has_the_same_lines_and_filters(owner, house) -> None:
    grant(house, "ruby", 2, note="Thanks")
    heading, *told = rows(owner)
    assert heading[:5] == ["time", "code", "kind", "amount", "balance after"]
    assert [row[1:6] for row in told] == [
        ["ruby", "ruby", "2", "2", "Gift of the crown"],
        ["copper", "copper coin", "1000", "1000", "Founding grant"],
    ]
    assert told[0][7] == "Thanks"
    assert len(rows(owner, kind="ruby")) == 2


def test_the_download_goes_on_after_a_chunk(owner, house, monkeypatch) -> None:
    monkeypatch.setattr(statement, "LINES_A_CHUNK", 2)
    for _ in range(5):
        grant(house, "copper", 1)
    assert [row[4] for row in rows(owner)[1:]] == ["1005", "1004", "1003", "1002", "1001", "1000"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_no_text_reaches_a_spreadsheet_as_a_formula(owner, house, text) -> None:
    grant(house, "ruby", 1, note=text)
    assert rows(owner)[1][7] == f"'{text}"
    assert harmless(-5) == -5
    assert harmless("ruby") == "ruby"


@pytest.mark.django_db(transaction=True)
async def test_under_asgi_the_download_leaves_in_parts() -> None:
    owner, client = await sync_to_async(UserFactory)(), AsyncClient()
    await sync_to_async(client.force_login)(owner)
    answer = await client.get(reverse("treasury_csv"))
    parts = [part async for part in answer.streaming_content]
    assert answer.is_async
    assert len(parts) == 2
    assert b"Founding grant" in parts[1]


# --- Words ------------------------------------------------------------------------------------


def test_every_reason_has_words_and_is_registered_once() -> None:
    with translation.override("en"):
        assert all(str(reason.words) for reason in reasons.all_reasons())
    with pytest.raises(ValueError, match="twice"):
        reasons.tells_why("grant", "Again")


def test_a_reason_that_nobody_knows_any_more_shows_its_code() -> None:
    assert reasons.reason_for("forgotten").words == "forgotten"


def test_the_export_tells_every_movement(client: Client, house) -> None:
    grant(house, "ruby", 2, note="Thanks")
    told = export_account(house.ruler)["treasury"]
    assert told["owned"] == {"copper": 1000, "ruby": 2}
    assert [(each["kind"], each["amount"], each["note"]) for each in told["movements"]] == [
        ("ruby", 2, "Thanks"),
        ("copper", 1000, ""),
    ]
    assert export_account(UserFactory(verified=False))["treasury"] is None
