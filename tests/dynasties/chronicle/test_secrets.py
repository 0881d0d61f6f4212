"""What is public does not count what is private."""

import re

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from dynasties.chronicle.codes import CODE_LENGTH, code_of
from dynasties.chronicle.models import Entry
from dynasties.chronicle.selectors import ENTRIES_A_PAGE
from dynasties.houses.models import Dynasty
from dynasties.market.services import accept_offer
from tests.dynasties.chronicle.words import HOUR, NOON, private_entry, public_entry
from tests.dynasties.market.cast import merchant, offered, wealth
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db

PAGES = ("/chronicle/", "/chronicle/?kind=dynasty-fallen", "/chronicle/feed/", "/")
CODE = re.compile(rf"\b[0-9a-f]{{{CODE_LENGTH}}}\b")


def shape(page: str) -> str:
    """A page without codes, which tell nothing, and without the time of day and form tokens."""
    bare = re.sub(
        r'name="csrfmiddlewaretoken" value="\w+"', "", Client().get(page).content.decode()
    )
    return CODE.sub("code", re.sub(r"<time data-live-clock.*?</time>", "", bare))


def trade(maker: Dynasty, friend: Dynasty) -> None:
    offer = offered(maker, to=friend, gives=wealth(copper=5), wants=wealth(silver=1))
    accept_offer(offer=offer, dynasty=friend)


def told_after(*secrets: tuple[Dynasty, Dynasty], house: Dynasty) -> tuple[list[str], int]:
    """The pages of a world in which some traded and then something public happened; undone."""
    with transaction.atomic():
        for maker, friend in secrets:
            trade(maker, friend)
        last = public_entry(house, at=NOON + 99 * HOUR)
        pages = [shape(page) for page in PAGES]
        transaction.set_rollback(True)
    return pages, last.pk


def test_pages_are_the_same_with_and_without_a_rivals_trade_before_a_public_event() -> None:
    maker, friend = merchant(copper=50), merchant(silver=50)
    house = DynastyFactory()
    for hour in range(ENTRIES_A_PAGE):
        public_entry(house, at=NOON + HOUR * hour)
    without, number = told_after(house=house)
    after, later = told_after((maker, friend), house=house)
    assert later > number, "else the pages could not differ"
    assert without == after
    assert "before=" in after[0]


def test_no_page_shows_the_number_of_an_entry(client: Client) -> None:
    house = DynastyFactory()
    entry = Entry(pk=731_946_285, kind="dynasty-fallen", at=NOON, facts=public_entry(house).facts)
    entry.save()
    entry.mentions.create(subject="dynasty", number=house.pk, at=NOON)
    for page in (*PAGES, house.get_absolute_url()):
        content = client.get(page).content.decode()
        assert code_of(entry.pk) in content, page
        assert str(entry.pk) not in content, page


def test_a_code_needs_the_secret_key(settings: Settings) -> None:
    codes = [code_of(number) for number in range(50)]
    assert len(set(codes)) == 50
    assert codes != sorted(codes)
    settings.SECRET_KEY = "another"
    assert code_of(7) not in codes


def test_the_place_of_anothers_secret_is_no_place(client: Client) -> None:
    """A code of a private entry answers as one that was made up."""
    house = DynastyFactory()
    secret = private_entry(house, at=NOON)
    first, last = public_entry(house, at=NOON), public_entry(house, at=NOON - HOUR)
    real, none = (
        client.get("/chronicle/", {"before": f"{int(NOON.timestamp())}000000-{code}"})
        for code in (code_of(secret.pk), "0" * CODE_LENGTH)
    )
    assert code_of(first.pk) not in real.content.decode()
    assert code_of(last.pk) in real.content.decode()
    assert real.context["days"] == none.context["days"]
