"""An offer to one dynasty is known to the two alone, and a trade to those who made it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from dynasties.accounts.export import export_account
from dynasties.houses.models import Dynasty
from dynasties.market.models import Offer
from dynasties.market.services import accept_offer, withdraw_offer
from tests.dynasties.market.cast import merchant, offered, wealth
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db

# An amount that nothing else on a page could be.
MARKER, WRITTEN = 731_946_285, "731,946,285"


@pytest.fixture
def maker() -> Dynasty:
    return merchant(copper=2 * MARKER)


@pytest.fixture
def friend() -> Dynasty:
    return merchant(silver=MARKER)


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def strangers() -> list[Client]:
    """A passer-by, a rival, and somebody in office but without this duty."""
    return [Client(), client_of(merchant().ruler), client_of(StaffFactory())]


def private_offer(maker: Dynasty, friend: Dynasty) -> Offer:
    return offered(maker, to=friend, gives=wealth(copper=MARKER), wants=wealth(silver=MARKER))


def surfaces(*, offer: Offer) -> list[str]:
    """Every page that could tell of an offer."""
    own = [reverse(name, args=[offer.code]) for name in ("offer", "offer_accept", "offer_withdraw")]
    lists = [reverse(name) for name in ("market", "palace_market", "offer_new", "mint", "home")]
    filtered = f"{reverse('market')}?gives=copper&wants=silver"
    houses = [offer.maker.get_absolute_url(), reverse("chronicle"), reverse("chronicle_feed")]
    return [*own, *lists, filtered, *houses]


def told(client: Client, page: str) -> str:
    return client.get(page).content.decode()


@pytest.mark.parametrize("end", ["open", "accepted", "withdrawn"])
def test_nobody_else_learns_of_an_offer_between_two(maker, friend, end: str) -> None:
    offer = private_offer(maker, friend)
    if end == "accepted":
        accept_offer(offer=offer, dynasty=friend)
    if end == "withdrawn":
        withdraw_offer(offer=offer, dynasty=maker)
    assert str(MARKER) not in str(export_account(merchant().ruler))
    for stranger in strangers():
        for page in surfaces(offer=offer):
            for marker in (str(MARKER), WRITTEN, str(offer.code)):
                if marker not in page:
                    assert marker not in told(stranger, page), page


def test_the_two_see_what_nobody_else_sees(maker, friend) -> None:
    """Without which the test above would prove nothing."""
    offer = private_offer(maker, friend)
    for one in (maker, friend):
        client = client_of(one.ruler)
        assert WRITTEN in told(client, offer.get_absolute_url())
        assert WRITTEN in told(client, reverse("palace_market"))
        assert {each["gives"]["copper"] for each in export_account(one.ruler)["offers"]} == {MARKER}
    assert WRITTEN in told(client_of(friend.ruler), reverse("market"))


def test_an_offer_between_two_looks_like_none_to_others(maker, friend) -> None:
    offer = private_offer(maker, friend)
    for stranger in strangers():
        for method in ("get", "post"):
            for name in ("offer", "offer_accept", "offer_withdraw"):
                real = reverse(name, args=[offer.code])
                none = reverse(name, args=["00000000-0000-4000-8000-000000000000"])
                answers = [getattr(stranger, method)(page) for page in (real, none)]
                assert answers[0].status_code == answers[1].status_code
                assert shape(answers[0], real) == shape(answers[1], none)


def shape(answer, page: str) -> str:
    """An answer without what differs from one to the next anyway."""
    bare = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
    bare = re.sub(r'<time class="pulse.*?</time>|datetime="[^"]+"', "", bare)
    return bare.replace(page, "") + answer.get("Location", "").replace(page, "")


def test_pages_are_the_same_with_and_without_a_rivals_offer(maker, friend) -> None:
    """No count, no order and no number betrays it."""
    offered(maker, gives=wealth(copper=5))
    pages = [reverse("market"), f"{reverse('market')}?gives=copper", maker.get_absolute_url()]
    stranger = client_of(merchant().ruler)
    before = [shape(stranger.get(page), page) for page in pages]
    private_offer(maker, friend)
    assert [shape(stranger.get(page), page) for page in pages] == before


def test_addresses_do_not_count_the_offers_of_others(maker, friend) -> None:
    first = offered(maker, gives=wealth(copper=5))
    private_offer(maker, friend)
    second = offered(maker, gives=wealth(copper=5))
    for offer in (first, second):
        page = told(Client(), offer.get_absolute_url())
        assert offer.get_absolute_url() == f"/market/offers/{offer.code}/"
        assert not re.search(rf'["/ ]{offer.pk}["/]', page)


def test_who_took_an_offer_to_all_is_not_told_to_others(maker, friend) -> None:
    offer = offered(maker, gives=wealth(copper=5), wants=wealth(silver=1))
    accept_offer(offer=offer, dynasty=friend)
    for stranger in strangers():
        assert friend.name not in told(stranger, offer.get_absolute_url())
