"""The Atom feed: well formed, the same ids for ever, in the language asked for, and public."""

import xml.etree.ElementTree as ElementTree
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import Settings

from dynasties.chronicle.codes import code_of
from dynasties.chronicle.feed import ENTRIES
from dynasties.chronicle.services import forget
from dynasties.houses.models import Dynasty
from dynasties.houses.services import rename_dynasty
from tests.dynasties.chronicle.words import HOUR, NOON, private_entry, public_entry
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db

FEED = "/chronicle/feed/"
ATOM = "{http://www.w3.org/2005/Atom}"
ORIGIN = "https://emperors.example:8443"


@pytest.fixture(autouse=True)
def origin(settings: Settings) -> None:
    settings.SITE_ORIGIN = ORIGIN


@pytest.fixture
def house() -> Dynasty:
    return DynastyFactory(name="Casa de Ash")


def parsed(answer) -> ElementTree.Element:
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def entries(answer) -> list[ElementTree.Element]:
    return parsed(answer).findall(f"{ATOM}entry")


def text(element: ElementTree.Element, name: str) -> str:
    found = element.find(f"{ATOM}{name}")
    assert found is not None, name
    assert found.text is not None, name
    return found.text


def test_it_has_what_atom_demands(client: Client, house: Dynasty) -> None:
    entry = public_entry(house, at=NOON)
    feed = parsed(client.get(FEED, {"kind": "dynasty-fallen"}))
    assert feed.tag == f"{ATOM}feed"
    assert text(feed, "id") == "tag:emperors.example,2026:chronicle?kind=dynasty-fallen"
    assert text(feed, "updated") == "2026-03-01T12:00:00+00:00"
    assert text(feed, "title")
    author = feed.find(f"{ATOM}author")
    assert author is not None
    assert text(author, "name")
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links["self"] == f"{ORIGIN}{FEED}?kind=dynasty-fallen&lang=en"
    assert links["alternate"] == f"{ORIGIN}/chronicle/?kind=dynasty-fallen"
    (item,) = feed.findall(f"{ATOM}entry")
    assert text(item, "id") == f"tag:emperors.example,2026:chronicle/{code_of(entry.pk)}"
    assert text(item, "title") == "Casa de Ash has fallen."
    assert text(item, "updated") == text(item, "published") == "2026-03-01T12:00:00+00:00"
    summary = item.find(f"{ATOM}summary")
    assert summary is not None
    assert summary.get("type") == "html"
    assert f'<a href="{ORIGIN}/dynasties/casa-de-ash/">' in (summary.text or "")


def test_the_link_of_an_entry_opens_the_chronicle_at_it(client: Client, house: Dynasty) -> None:
    public_entry(house, at=NOON + HOUR)
    entry, _newer = public_entry(house, at=NOON), public_entry(house, at=NOON)
    public_entry(house, at=NOON - HOUR)
    found = entries(client.get(FEED))
    item = next(each for each in found if text(each, "id").endswith(code_of(entry.pk)))
    link = item.find(f"{ATOM}link")
    assert link is not None
    address, mark = link.get("href", "").removeprefix(ORIGIN).split("#")
    page = client.get(address)
    first = page.context["days"][0][1][0]
    assert first.number == entry.pk
    assert f'id="{mark}"' in page.content.decode()


def test_an_empty_world_has_an_empty_feed(client: Client) -> None:
    assert entries(client.get(FEED)) == []


def test_it_holds_the_newest_and_no_more(client: Client, house: Dynasty) -> None:
    for number in range(ENTRIES + 2):
        last = public_entry(house, at=NOON + timedelta(days=3650, minutes=number))
    found = entries(client.get(FEED))
    assert len(found) == ENTRIES
    assert text(found[0], "id").endswith(f"/{code_of(last.pk)}")


def test_it_can_be_about_one_and_of_one_kind(client: Client, house: Dynasty) -> None:
    other = DynastyFactory()
    public_entry(house)
    public_entry(other)
    asked = {"about": f"dynasty-{house.pk}", "kind": "dynasty-fallen"}
    feed = client.get(FEED, asked)
    assert len(entries(feed)) == 1
    assert house.name in text(parsed(feed), "title")
    for nobody in ({"about": "dynasty-999999"}, {"kind": "wealth-changed"}, {"since": "x"}):
        assert client.get(FEED, nobody).status_code == 404


@pytest.mark.parametrize(("asked", "language"), [("es", "es"), ("en", "en"), ("xx", "en")])
def test_it_speaks_the_language_of_the_address(client: Client, asked: str, language: str) -> None:
    answer = client.get(FEED, {"lang": asked})
    assert parsed(answer).get("{http://www.w3.org/XML/1998/namespace}lang") == language
    assert answer["Content-Language"] == language


def test_ids_do_not_depend_on_the_language(client: Client, house: Dynasty) -> None:
    ids = [
        [text(each, "id") for each in entries(client.get(FEED, {"lang": language}))]
        for language in ("en", "es")
    ]
    assert ids[0] == ids[1] != []


def test_who_has_it_already_is_told_so(client: Client, house: Dynasty) -> None:
    answer = client.get(FEED)
    again = client.get(FEED, headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    since = client.get(FEED, headers={"if-modified-since": answer["Last-Modified"]})
    assert since.status_code == 304


def test_news_oblivion_and_another_name_make_it_another(client: Client, house: Dynasty) -> None:
    other = DynastyFactory()
    seen = {client.get(FEED)["ETag"]}
    public_entry(house)
    seen.add(client.get(FEED)["ETag"])
    rename_dynasty(dynasty=house, name="Casa de Oro")
    seen.add(client.get(FEED)["ETag"])
    forget(subject="dynasty", number=other.pk)
    seen.add(client.get(FEED)["ETag"])
    assert len(seen) == 4


def test_a_private_entry_changes_nothing_that_a_reader_could_notice(
    client: Client, house: Dynasty
) -> None:
    asked = [{}, {"about": f"dynasty-{house.pk}"}]
    before = [client.get(FEED, each) for each in asked]
    private_entry(house)
    after = [client.get(FEED, each) for each in asked]
    for old, new in zip(before, after, strict=True):
        assert old.content == new.content
        assert (old["ETag"], old["Last-Modified"]) == (new["ETag"], new["Last-Modified"])
