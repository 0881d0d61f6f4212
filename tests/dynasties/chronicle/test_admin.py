"""Staff look at the chronicle; what is private they can't read, and nothing can be changed."""

import pytest
from django.test import Client
from django.urls import reverse

from dynasties.houses.models import Dynasty
from tests.dynasties.chronicle.words import private_entry, public_entry
from tests.factories import AdminFactory, DynastyFactory

pytestmark = pytest.mark.django_db

LIST = "admin:dynasties_entry_changelist"
SECRET = "987,654"


@pytest.fixture
def house() -> Dynasty:
    return DynastyFactory(name="House of Ash")


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(AdminFactory())
    return client


def shown(desk: Client, **parameters: str) -> list[int]:
    page = desk.get(reverse(LIST), parameters)
    assert page.status_code == 200
    return [entry.pk for entry in page.context["cl"].result_list]


def test_public_entries_are_told_and_private_ones_only_that_they_are(
    desk: Client, house: Dynasty
) -> None:
    seen, secret = public_entry(house), private_entry(house, copper=987654)
    pages = [desk.get(reverse(LIST)).content.decode()] + [
        desk.get(reverse("admin:dynasties_entry_change", args=[entry.pk])).content.decode()
        for entry in (seen, secret)
    ]
    assert "House of Ash has fallen." in pages[0]
    assert "has fallen." in pages[1]
    assert "for its owner&#x27;s eyes" in pages[2]
    assert all(SECRET not in page and "987654" not in page for page in pages)
    assert "House of Ash" not in pages[2]


def test_entries_are_found_by_kind_dynasty_and_number(desk: Client, house: Dynasty) -> None:
    other = DynastyFactory(name="House of Oak")
    mine, others = public_entry(house), public_entry(other)
    secret = private_entry(house)
    for words in ("house of ash", f"dynasty {house.pk}", f"dynasty-{house.pk}"):
        found = shown(desk, q=words)
        assert mine.pk in found
        assert others.pk not in found
        assert secret.pk not in found, "what a private entry is about is private"
    assert shown(desk, q=str(secret.pk)) == [secret.pk]
    assert shown(desk, q="dynasty-fallen") == [others.pk, mine.pk]
    assert secret.pk in shown(desk, q="wealth")
    for words in ("🐉", "dragon 7", "9" * 40, "a\u202eb"):
        assert shown(desk, q=words) == []


def test_entries_are_filtered_by_kind_and_by_whose_eyes_they_are_for(
    desk: Client, house: Dynasty
) -> None:
    seen, secret = public_entry(house), private_entry(house)
    assert shown(desk, kind="dynasty-fallen") == [seen.pk]
    assert secret.pk in shown(desk, eyes="private")
    assert secret.pk not in shown(desk, eyes="public")
    assert seen.pk not in shown(desk, eyes="private")


@pytest.mark.parametrize(
    "asked",
    [
        {"owner": "1"},
        {"owner__id__exact": "1"},
        {"owner__isnull": "0"},
        {"facts__reason__code": "grant"},
        {"facts__icontains": "grant"},
        {"mentions__number": "1"},
        {"kind__startswith": "w"},
    ],
)
def test_what_no_filter_asks_is_not_answered(
    desk: Client, house: Dynasty, asked: dict[str, str]
) -> None:
    private_entry(house)
    assert desk.get(reverse(LIST), asked).status_code == 400


def test_every_link_of_the_filters_is_answered(desk: Client, house: Dynasty) -> None:
    page = desk.get(reverse(LIST))
    links = [
        choice["query_string"]
        for spec in page.context["cl"].filter_specs
        for choice in spec.choices(page.context["cl"])
    ]
    assert len(links) > 10
    assert {desk.get(reverse(LIST) + link).status_code for link in links} == {200}


@pytest.mark.parametrize("kind", ["\0", "dragon-seen", "x" * 5000])
def test_a_kind_that_is_none_filters_nothing(desk: Client, house: Dynasty, kind: str) -> None:
    assert shown(desk, kind=kind) == shown(desk)


def test_a_page_of_entries_takes_no_more_queries_than_one(
    desk: Client, django_assert_max_num_queries
) -> None:
    for house in DynastyFactory.create_batch(6):
        public_entry(house)
    with django_assert_max_num_queries(10):
        assert len(shown(desk)) >= 12


def test_nothing_can_be_added_changed_or_deleted(desk: Client, house: Dynasty) -> None:
    entry = public_entry(house)
    for name, args in (("add", []), ("change", [entry.pk]), ("delete", [entry.pk])):
        address = reverse(f"admin:dynasties_entry_{name}", args=args)
        assert desk.post(address, {"post": "yes", "kind": "x"}).status_code == 403
    entry.refresh_from_db()
    assert entry.kind == "dynasty-fallen"
