"""How wealth flowed of late, in figures and in bars."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from dynasties.treasury.flows import DAYS, Flow, wealth_that_flowed
from dynasties.treasury.models import Account, Leg, Transfer
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import Move, account_of, crown, mint, post
from tests.factories import AdminFactory, DynastyFactory

pytestmark = pytest.mark.django_db

PAGE = reverse("admin:dynasties_account_circulation")


@pytest.fixture
def house() -> Account:
    return account_of(DynastyFactory())


def move(giver: Account, taker: Account, amount: int, code: str = "copper", **more: str) -> None:
    key, reason = more.get("key", "move"), more.get("reason", "mint")
    moves = [Move(giver, kind(code), -amount), Move(taker, kind(code), amount)]
    post(key=key, reason=reason, moves=moves)


def post_long_ago(taker: Account, *, days: float) -> None:
    """A posting of the past: written as one, since none can be moved there."""
    made_at = timezone.now() - timedelta(days=days)
    past = Transfer.objects.create(key=f"past {days}", reason="mint", made_at=made_at)
    for account, amount in ((mint(), -7), (taker, 7)):
        Leg.objects.create(
            transfer=past, account=account, kind=kind("ruby"), amount=amount, after=amount
        )


def flow_of(code: str) -> Flow | None:
    return next((flow for flow in wealth_that_flowed() if flow.kind.code == code), None)


def test_what_the_mint_made_and_took_back_is_told_apart(house) -> None:
    move(house, mint(), 250, reason="correction")
    flow = flow_of("copper")
    assert flow is not None
    assert (flow.made, flow.taken, flow.net) == (1000, 250, 750)
    assert (flow.made_percent, flow.taken_percent) == (100.0, 25.0)


def test_what_moved_is_told_by_reason_the_most_first(house) -> None:
    move(house, crown(), 100, key="a")
    move(house, crown(), 150, key="b")
    flow = flow_of("copper")
    assert flow is not None
    told = [(str(each.words), each.moved, each.percent) for each in flow.streams]
    assert told == [("Founding grant", 1000, 80.0), ("Gift of the crown", 250, 20.0)]


def test_only_the_last_days_count_and_only_kinds_that_moved(house) -> None:
    post_long_ago(house, days=DAYS + 0.1)
    assert flow_of("ruby") is None
    post_long_ago(house, days=DAYS - 0.1)
    flow = flow_of("ruby")
    assert flow is not None
    assert flow.made == 7


def test_it_asks_as_often_for_a_busy_world_as_for_a_quiet_one(house) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            wealth_that_flowed()
        return len(queries)

    before = asked()
    for number, code in enumerate(("silver", "gold", "ruby", "emerald")):
        move(mint(), house, 5, code, key=f"{number}")
    assert asked() == before <= 3


def test_the_page_shows_figures_in_tables_and_bars_without_inline_style(client: Client) -> None:
    client.force_login(AdminFactory())
    assert "Nothing has moved." in client.get(PAGE).content.decode()
    move(account_of(DynastyFactory()), mint(), 250, reason="correction")
    page = client.get(PAGE).content.decode()
    for words in ("The mint in the last 30 days", "Taken back", "Founding grant", "80.0 %"):
        assert words in page
    assert '<rect class="taken" width="25.0%"' in page
    assert "style=" not in page.partition('class="flows"')[2]


def test_bars_are_readable_for_browsers_in_every_language(client: Client) -> None:
    client.force_login(AdminFactory())
    DynastyFactory()
    with translation.override("en"):  # what the request speaks ends with it
        page = client.get(PAGE, headers={"accept-language": "es"}).content.decode()
    assert "La ceca en los últimos 30 días" in page
    assert 'width="100.0%"' in page
