"""What is read, in which order, a stretch at a time, and through which index."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from dynasties.chronicle.facts import Ref, Subject
from dynasties.chronicle.kinds import all_tellings
from dynasties.chronicle.models import Entry
from dynasties.chronicle.selectors import (
    Place,
    Stretch,
    Wanted,
    _lane,
    find_place,
    find_subjects,
    name_of,
    newest,
    parse_subject,
    read,
    read_as_owner,
)
from dynasties.houses.models import Dynasty
from tests.dynasties.chronicle.words import HOUR, NOON, private_entry, public_entry
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db

FALLEN = "dynasty-fallen"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def house() -> Dynasty:
    return DynastyFactory(name="House of Ash")


def numbers(stretch: Stretch) -> list[int]:
    return [entry.pk for entry in stretch.entries]


def test_the_newest_comes_first_and_of_one_moment_the_last_written(house: Dynasty) -> None:
    first, second = public_entry(house, at=NOON), public_entry(house, at=NOON)
    earlier = public_entry(house, at=NOON - HOUR)
    told = newest(about=Subject("dynasty", house.pk), kind=FALLEN, limit=9)
    assert told == [second, first, earlier]


def test_pages_tell_everything_once_in_both_directions(house: Dynasty) -> None:
    # Many of one moment: a page must be able to end among them.
    written = [public_entry(house, at=NOON + HOUR * (each // 4)).pk for each in range(11)][::-1]
    wanted = Wanted(about=Subject("dynasty", house.pk), kind=FALLEN)
    stretch = read(wanted, limit=3)
    pages = [stretch]
    while stretch.older:
        stretch = read(wanted, before=stretch.older, limit=3)
        pages.append(stretch)
    assert [number for page in pages for number in numbers(page)] == written
    assert pages[0].newer is None
    for page, older in pairwise(pages):
        back = read(wanted, after=older.newer, limit=3)
        assert numbers(back) == numbers(page)
        assert back.older is not None
    assert read(wanted, after=pages[1].newer, limit=3).newer is None


def test_a_page_before_everything_or_after_it_is_empty(house: Dynasty) -> None:
    public_entry(house, at=NOON)
    assert read(Wanted(), before=Place(NOON - 9 * HOUR, 1)) == Stretch([])
    assert read(Wanted(), after=Place(NOON + timedelta(days=36500), 1)) == Stretch([])


def test_entries_are_chosen_by_kind_time_and_subject(house: Dynasty) -> None:
    other = DynastyFactory()
    mine, others = public_entry(house, at=NOON), public_entry(other, at=NOON + HOUR)
    late = public_entry(house, at=NOON + 2 * HOUR)
    assert numbers(read(Wanted(kind=FALLEN))) == [late.pk, others.pk, mine.pk]
    assert numbers(read(Wanted(kind=FALLEN, until=NOON + HOUR))) == [others.pk, mine.pk]
    assert numbers(read(Wanted(kind=FALLEN, since=NOON + HOUR))) == [late.pk, others.pk]
    about = Subject("dynasty", house.pk)
    assert numbers(read(Wanted(about=about, kind=FALLEN))) == [late.pk, mine.pk]
    assert numbers(read(Wanted(about=about, kind=FALLEN, until=NOON))) == [mine.pk]


# --- Who may read what --------------------------------------------------------------------


def test_private_entries_are_in_no_public_reading(house: Dynasty) -> None:
    secret = private_entry(house, at=NOON)
    asked = [
        Wanted(),
        Wanted(kind="wealth-changed"),
        Wanted(about=Subject("dynasty", house.pk)),
        Wanted(since=NOON, until=NOON),
    ]
    assert all(secret.pk not in numbers(read(wanted)) for wanted in asked)


def test_an_owner_reads_his_own_with_what_everybody_knows_of_him(house: Dynasty) -> None:
    other = DynastyFactory()
    since = Wanted(since=NOON, until=NOON + 9 * HOUR)
    seen = public_entry(house, at=NOON + HOUR)
    mine = private_entry(house, at=NOON + 2 * HOUR)
    private_entry(other, at=NOON + 3 * HOUR)
    public_entry(other, at=NOON + 4 * HOUR)
    assert numbers(read_as_owner(house, since)) == [mine.pk, seen.pk]


def test_anothers_secret_about_me_is_not_for_me(house: Dynasty) -> None:
    other = DynastyFactory()
    secret = private_entry(other, at=NOON)
    mention = secret.mentions.create(
        subject="dynasty", number=house.pk, at=NOON, private_to=other.pk
    )
    about = Wanted(about=Subject(mention.subject, mention.number))
    assert secret.pk not in numbers(read(about))
    assert secret.pk not in numbers(read_as_owner(house, about))
    assert secret.pk in numbers(read_as_owner(other, about))


def test_the_two_streams_of_an_owner_are_paged_as_one(house: Dynasty) -> None:
    write = [public_entry, private_entry, private_entry]
    written = [write[n % 3](house, at=NOON + HOUR * (n // 2)).pk for n in range(12)][::-1]
    wanted = Wanted(since=NOON, until=NOON + 99 * HOUR)
    stretch = read_as_owner(house, wanted, limit=5)
    found = numbers(stretch)
    while stretch.older:
        stretch = read_as_owner(house, wanted, before=stretch.older, limit=5)
        found += numbers(stretch)
    assert found == written


# --- Indexes ------------------------------------------------------------------------------


def fill_the_chronicle() -> None:
    """Enough rows of other kinds for a planner that counts, and lets it count them."""
    entries = [Entry(kind=f"kind-{n % 40}", at=NOON - n * MINUTE) for n in range(4000)]
    Entry.objects.bulk_create(entries)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {Entry._meta.db_table}")


def plan_of(wanted: Wanted, *, owner: Dynasty | None) -> str:
    """How the database finds a page; PostgreSQL as it would if there were more rows."""
    with CaptureQueriesContext(connection) as queries:
        _lane(wanted, owner=owner).next_to(Place(NOON, 5), ascending=False, limit=30)
    (query,) = queries.captured_queries
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
        explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
        cursor.execute(f"{explain} {query['sql']}")
        return "\n".join(str(row) for row in cursor.fetchall())


ABOUT = Subject("dynasty", 7)
CODE = "0a" * 10


@pytest.mark.parametrize(
    ("wanted", "private", "index"),
    [
        # To SQLite nobody is one more owner: the other index is as good.
        (Wanted(), False, r"entry_(public|private)"),
        (Wanted(since=NOON - HOUR, until=NOON), False, r"entry_(public|private)"),
        (Wanted(kind=FALLEN), False, r"entry_public_by_kind"),
        (Wanted(about=ABOUT), False, r"mention_newest"),
        (Wanted(about=ABOUT, kind=FALLEN), False, r"mention_newest"),
        (Wanted(about=ABOUT), True, r"mention_private"),
    ],
)
def test_every_reading_is_a_stretch_of_one_index(
    house: Dynasty, wanted: Wanted, private: bool, index: str
) -> None:
    fill_the_chronicle()
    plan = plan_of(wanted, owner=house if private else None)
    assert re.search(rf"\b{index}\b", plan), plan
    assert "Sort" not in plan
    assert "TEMP B-TREE" not in plan


# --- Names in addresses -------------------------------------------------------------------


@given(
    st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2500, 1, 1)),  # noqa: DTZ001
    st.integers(0, 10**18 - 1),
)
def test_the_moment_of_a_place_survives_being_an_address(at: datetime, number: int) -> None:
    place = Place(at.replace(tzinfo=UTC), number)
    assert find_place(str(place)) == Place(place.at, 0), "nothing has happened then"


@given(st.text())
def test_any_other_text_is_no_place_and_no_subject(text: str) -> None:
    subject = parse_subject(text)
    assert find_place(text) is None
    assert subject is None or str(subject) == text


@pytest.mark.parametrize(
    "text", ["", "7", "dragon-7", "dynasty-", "dynasty--7", "dynasty-٧", "dynasty-" + "9" * 30]
)
def test_what_names_no_subject_is_none(text: str) -> None:
    assert parse_subject(text) is None


@pytest.mark.parametrize(
    "text",
    ["9" * 18 + "-" + CODE, "1-1", "1-" + CODE + "0", "1-" + CODE.upper(), "x-" + CODE, "1"],
)
def test_what_names_no_place_is_none(text: str) -> None:
    assert find_place(text) is None


def test_a_place_is_found_among_those_of_its_moment_by_who_may_see_it(house: Dynasty) -> None:
    at = NOON + timedelta(microseconds=7)
    written = [write(house, at=at) for write in (public_entry, private_entry, public_entry)]
    places = [Place.of(entry) for entry in written]
    assert [find_place(str(place), reader=house) for place in places] == places
    unknown = Place(at, 0)
    assert [find_place(str(place)) for place in places] == [places[0], unknown, places[2]]


def test_a_dynasty_is_known_once_it_has_opened(house: Dynasty) -> None:
    held = DynastyFactory(held=True)
    assert name_of(Subject("dynasty", house.pk)) == "House of Ash"
    assert name_of(Subject("dynasty", held.pk)) is None
    assert name_of(Subject("dynasty", 10**17)) is None


def test_a_text_finds_whom_it_may_mean_and_one_of_exactly_that_name_alone(house: Dynasty) -> None:
    longer = DynastyFactory(name="House of Ashdown")
    assert {ref.number for ref in find_subjects("ash")} == {house.pk, longer.pk}
    assert find_subjects(" house of ash ") == [Ref("dynasty", house.pk, "House of Ash")]
    assert find_subjects("Oak") == []


def test_all_kinds_are_public_or_private() -> None:
    public = [each.kind for each in all_tellings(private=False)]
    private = [each.kind for each in all_tellings(private=True)]
    assert sorted(public + private) == sorted(each.kind for each in all_tellings())
    assert "wealth-changed" in private
