"""The pages of the chronicle, for everybody and for one."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from dynasties.chronicle.codes import CODE_LENGTH
from dynasties.chronicle.selectors import ENTRIES_A_PAGE
from dynasties.chronicle.services import ref_to
from dynasties.chronicle.views import PLACES
from dynasties.houses.models import Dynasty
from tests.dynasties.chronicle.words import HOUR, NOON, private_entry, public_entry
from tests.factories import DynastyFactory, StaffFactory

pytestmark = pytest.mark.django_db

CHRONICLE, PALACE = "/chronicle/", "/palace/chronicle/"
FAR = "9" * 17 + "-" + "0" * CODE_LENGTH


@pytest.fixture
def house() -> Dynasty:
    return DynastyFactory(name="House of Ash")


def numbers(page) -> list[int]:
    return [line.number for _day, lines in page.context["days"] for line in lines]


def enter(client: Client, house: Dynasty) -> None:
    assert house.ruler is not None
    client.force_login(house.ruler)


# --- For everybody ------------------------------------------------------------------------


def test_an_empty_chronicle_says_so(client: Client) -> None:
    assert "Nothing has happened yet" in client.get(CHRONICLE).content.decode()


def test_entries_stand_under_their_days_newest_first(client: Client, house: Dynasty) -> None:
    late, early = public_entry(house, at=NOON), public_entry(house, at=NOON - timedelta(days=1))
    page = client.get(CHRONICLE, {"until": "2026-03-01"})
    assert [str(day) for day, _lines in page.context["days"]] == ["2026-03-01", "2026-02-28"]
    assert numbers(page) == [late.pk, early.pk]
    content = page.content.decode()
    assert '<time datetime="2026-03-01">1 March 2026</time>' in content
    assert '<time class="annal__time" datetime="2026-03-01T12:00:00+00:00" data-clock' in content


@pytest.mark.parametrize("path", [CHRONICLE, PALACE])
def test_pages_are_turned_back_and_forth(client: Client, house: Dynasty, path: str) -> None:
    enter(client, house)
    written = [public_entry(house, at=NOON + HOUR * n).pk for n in range(ENTRIES_A_PAGE + 3)]
    kind = {"kind": "dynasty-fallen"}
    first = client.get(path, kind)
    assert numbers(first) == written[:2:-1]
    assert not first.context["newer"]
    second = client.get(f"{path}?{first.context['older']}")
    assert numbers(second) == written[2::-1]
    assert not second.context["older"]
    assert numbers(client.get(f"{path}?{second.context['newer']}")) == numbers(first)


@pytest.mark.parametrize("path", [CHRONICLE, PALACE])
def test_a_full_page_asks_no_more_than_a_short_one(
    client: Client, house: Dynasty, path: str
) -> None:
    def asked() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            page = client.get(path, {"about": f"dynasty-{house.pk}"})
        return len(numbers(page)), len(queries)

    enter(client, house)
    public_entry(house)
    private_entry(house)
    short, few = asked()
    for other in DynastyFactory.create_batch(20):
        public_entry(house, about=[ref_to(other)])
        private_entry(house)
    full, many = asked()
    assert full > short + 15
    assert many == few <= 11


def test_the_address_chooses_what_is_read(client: Client, house: Dynasty) -> None:
    other = DynastyFactory()
    mine, others = public_entry(house, at=NOON), public_entry(other, at=NOON)
    about = {"about": f"dynasty-{house.pk}"}
    assert others.pk not in numbers(client.get(CHRONICLE, about))
    fallen = {"kind": "dynasty-fallen"}
    assert numbers(client.get(CHRONICLE, about | fallen)) == [mine.pk]
    day = {"since": "2026-03-01", "until": "2026-03-01"}
    assert numbers(client.get(CHRONICLE, day)) == [others.pk, mine.pk]
    assert numbers(client.get(CHRONICLE, {"until": "2026-02-28"})) == []


def test_a_sent_form_leads_to_a_short_address(client: Client, house: Dynasty) -> None:
    sent = {"about": "", "who": "house of ASH", "kind": "", "since": "2026-03-01", "until": ""}
    answer = client.get(CHRONICLE, sent)
    assert answer.url == f"{CHRONICLE}?about=dynasty-{house.pk}&since=2026-03-01"
    page = client.get(answer.url)
    assert page.context["form"]["who"].value() == "House of Ash"
    assert client.get(CHRONICLE, {"who": "", "kind": ""}).url == CHRONICLE


def test_another_name_in_the_form_means_another_and_none_means_everybody(
    client: Client, house: Dynasty
) -> None:
    other = DynastyFactory(name="House of Oak")
    sent = {"about": f"dynasty-{house.pk}"}
    assert client.get(CHRONICLE, sent | {"who": "Oak"}).url.endswith(f"=dynasty-{other.pk}")
    assert client.get(CHRONICLE, sent | {"who": "House of Ash"}).url.endswith(f"-{house.pk}")
    assert client.get(CHRONICLE, sent | {"who": ""}).url == CHRONICLE


def test_a_name_that_may_mean_several_offers_them(client: Client, house: Dynasty) -> None:
    other = DynastyFactory(name="House of Ashdown")
    page = client.get(CHRONICLE, {"who": "ash", "kind": "dynasty-founded"})
    content = page.content.decode()
    for each in (house, other):
        assert f"?about=dynasty-{each.pk}&amp;kind=dynasty-founded" in content
    assert not page.context["days"]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"who": "Nobody at all"}, "knows nobody who is called"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "before the first one"),
        ({"since": "yesterday"}, "Enter a valid date"),
        ({"kind": "dragon-seen"}, "Select a valid choice"),
        ({"kind": "wealth-changed"}, "Select a valid choice"),
        ({"who": "x" * 61}, "at most 60 characters"),
    ],
)
def test_a_filter_that_cannot_be_is_explained(
    client: Client, house: Dynasty, sent: dict[str, str], words: str
) -> None:
    page = client.get(CHRONICLE, sent)
    assert page.status_code == 200
    assert words in page.content.decode()
    assert not page.context["days"]


@pytest.mark.parametrize("about", ["dynasty-999999", "dragon-1", "x", "dynasty-1\0", "9" * 99])
def test_an_address_of_nobody_is_not_found(client: Client, about: str) -> None:
    assert client.get(CHRONICLE, {"about": about}).status_code == 404


def test_an_unopened_dynasty_is_as_if_it_were_not(client: Client) -> None:
    held = DynastyFactory(held=True)
    assert client.get(CHRONICLE, {"about": f"dynasty-{held.pk}"}).status_code == 404


@pytest.mark.parametrize("name", ["about", "who", "kind", "since", "until", *PLACES])
@pytest.mark.parametrize("text", ["a\0b", "\u202e", "'; --", "x" * 5000, FAR, "\ud800"])
@pytest.mark.parametrize("path", [CHRONICLE, PALACE, "/chronicle/feed/"])
def test_a_hostile_address_breaks_nothing(
    client: Client, house: Dynasty, path: str, name: str, text: str
) -> None:
    enter(client, house)
    text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    assert client.get(path, {name: text}).status_code in {200, 302, 404}


def test_the_page_names_its_feed_with_the_same_filter(client: Client, house: Dynasty) -> None:
    page = client.get(CHRONICLE, {"about": f"dynasty-{house.pk}", "since": "2026-01-01"})
    feed = f"/chronicle/feed/?about=dynasty-{house.pk}&amp;lang=en"
    content = page.content.decode()
    assert f'<link rel="alternate" type="application/atom+xml" title="Chronicle" href="{feed}"' in (
        content
    )


# --- Elsewhere ----------------------------------------------------------------------------


def test_a_dynastys_page_shows_its_latest_and_leads_to_the_rest(
    client: Client, house: Dynasty
) -> None:
    public_entry(house)
    private_entry(house, copper=987654)
    content = client.get(house.get_absolute_url()).content.decode()
    assert "has fallen." in content
    assert f"{CHRONICLE}?about=dynasty-{house.pk}" in content
    assert "987,654" not in content


def test_the_front_page_tells_what_just_happened(client: Client) -> None:
    assert "What just happened" not in client.get("/").content.decode()
    house = DynastyFactory(name="House of Ash")
    private_entry(house, copper=987654)
    content = client.get("/").content.decode()
    assert "What just happened" in content
    assert "House of Ash</bdi></a> was founded." in content
    assert "987,654" not in content


# --- For one ------------------------------------------------------------------------------


def test_the_palace_tells_its_ruler_what_only_he_may_know(client: Client, house: Dynasty) -> None:
    enter(client, house)
    secret = private_entry(house, copper=987654)
    page = client.get(reverse("palace_chronicle"))
    assert secret.pk in numbers(page)
    assert "987,654" in page.content.decode()
    assert "no-store" in page["Cache-Control"]


def test_nobody_else_sees_it_by_any_address(client: Client, house: Dynasty) -> None:
    rival = DynastyFactory()
    private_entry(house, copper=987654, at=NOON)
    enter(client, rival)
    asked = [
        {},
        {"about": f"dynasty-{house.pk}"},
        {"kind": "wealth-changed"},
        {"since": "2026-03-01", "until": "2026-03-01"},
    ]
    for path in (CHRONICLE, PALACE, "/chronicle/feed/"):
        for parameters in asked:
            assert b"987,654" not in client.get(path, parameters).content


def test_private_kinds_can_be_chosen_in_the_palace(client: Client, house: Dynasty) -> None:
    enter(client, house)
    secret = private_entry(house, at=NOON)
    chosen = {"kind": "wealth-changed", "until": "2026-03-01"}
    assert numbers(client.get(PALACE, chosen)) == [secret.pk]


def test_staff_without_a_house_are_told_so(client: Client) -> None:
    client.force_login(StaffFactory())
    page = client.get(PALACE)
    assert "houses/no_dynasty.html" in {template.name for template in page.templates}
