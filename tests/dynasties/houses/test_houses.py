"""Houses: founding, opening, their public pages."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from dynasties.houses import services
from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import count_dynasties, find_dynasties, newest_dynasties
from dynasties.houses.services import (
    NameTakenError,
    found_dynasty,
    hold_name,
    open_dynasty,
    rename_dynasty,
)
from tests.factories import DynastyFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruler():
    return UserFactory(dynasty_name=None)


@pytest.mark.parametrize("state", [{}, {"held": True}, {"fallen": True}])
def test_no_two_houses_look_alike_whatever_became_of_the_first(ruler, state) -> None:
    DynastyFactory(name="House of Modern", **state)
    with pytest.raises(NameTakenError):
        found_dynasty(ruler=ruler, name="house of Modem")


def test_a_ruler_has_one_house(ruler) -> None:
    found_dynasty(ruler=ruler, name="House of Ash")
    with pytest.raises(Exception, match=r"(?i)unique"):
        found_dynasty(ruler=ruler, name="House of Oak")


def test_a_bad_name_or_motto_founds_nothing(ruler) -> None:
    for words in ({"name": "!"}, {"name": "House of Ash", "motto": "\0"}):
        with pytest.raises(ValidationError):
            found_dynasty(ruler=ruler, **words)
    assert not Dynasty.objects.exists()


def test_houses_whose_addresses_would_be_one_get_two() -> None:
    # "d'este" and "deste" look alike, but a vowel sign or a final stop differ by more than looks.
    first, second = hold_name(name="Дом"), hold_name(name="House-Ash")
    Dynasty.objects.filter(pk=second.pk).update(slug="house-oak")
    third, fourth = hold_name(name="House Oak"), hold_name(name="House Oaks")
    assert first.slug == "дом"
    assert third.slug == "house-oak-2"
    assert fourth.slug == "house-oaks"


def test_a_house_opens_once(ruler) -> None:
    found_dynasty(ruler=ruler, name="House of Ash")
    assert open_dynasty(ruler=ruler)
    opened_at = Dynasty.objects.get().opened_at
    assert not open_dynasty(ruler=ruler)
    assert Dynasty.objects.get().opened_at == opened_at


def test_renaming_keeps_the_address_free_for_itself_and_refuses_a_taken_name() -> None:
    house, other = DynastyFactory(name="House of Ash"), DynastyFactory(name="House of Oak")
    rename_dynasty(dynasty=house, name="HOUSE OF ASH")
    assert house.slug == "house-of-ash"
    with pytest.raises(NameTakenError):
        rename_dynasty(dynasty=house, name=other.name)


def test_an_address_lost_in_a_race_is_another_and_no_taken_name(monkeypatch) -> None:
    house, _other = DynastyFactory(name="House of Ash"), DynastyFactory(name="House of Oak")
    free = iter(["house-of-oak", "house-of-oaks"])
    monkeypatch.setattr(services, "_free_slug", lambda *_, **__: next(free))
    rename_dynasty(dynasty=house, name="House of Oaks")
    house.refresh_from_db()
    assert (house.name, house.slug) == ("House of Oaks", "house-of-oaks")


# --- Pages ----------------------------------------------------------------------------


def test_the_palace_shows_the_house_and_changes_its_motto(client: Client) -> None:
    user = UserFactory(dynasty_name="House of Ash")
    client.force_login(user)
    assert "House of Ash" in client.get(reverse("palace")).content.decode()
    assert client.post(reverse("palace"), {"motto": " Semper   idem "}).url == reverse("palace")
    assert Dynasty.objects.get().motto == "Semper idem"


@pytest.mark.parametrize("motto", ["\u202e", "x" * 121, "🐉", "a\0b"])
def test_an_unfit_motto_is_explained_and_not_kept(client: Client, motto: str) -> None:
    client.force_login(UserFactory(motto="Semper idem"))
    answer = client.post(reverse("palace"), {"motto": motto})
    assert answer.status_code == 200
    assert answer.context["form"].errors["motto"]
    assert Dynasty.objects.get().motto == "Semper idem"


def test_a_motto_can_be_taken_back(client: Client) -> None:
    client.force_login(UserFactory(motto="Semper idem"))
    client.post(reverse("palace"), {"motto": ""})
    assert Dynasty.objects.get().motto == ""


def test_no_cache_keeps_a_palace(client: Client) -> None:
    client.force_login(UserFactory())
    assert "no-store" in client.get(reverse("palace"))["Cache-Control"]


def test_staff_without_a_house_are_told_so(client: Client) -> None:
    client.force_login(StaffFactory())
    page = client.get(reverse("palace"))
    assert page.status_code == 200
    assert "houses/no_dynasty.html" in {template.name for template in page.templates}


def test_a_fallen_house_stays_in_the_annals(client: Client) -> None:
    house = DynastyFactory(name="House of Ash", fallen=True)
    assert client.get(house.get_absolute_url()).status_code == 200
    assert house in find_dynasties()
    assert newest_dynasties(limit=6) == []
    assert count_dynasties() == 0


@pytest.mark.parametrize(
    ("query", "found"),
    [("ordonez", True), ("ORDÓÑ", True), ("asa de o", True), ("oak", False), ("🐉", False)],
)
def test_a_search_minds_neither_case_nor_accents(client: Client, query: str, found: bool) -> None:
    house = DynastyFactory(name="Casa de Ordóñez")
    page = client.get(reverse("dynasties"), {"q": query})
    assert (house in page.context["page_obj"].object_list) is found


@pytest.mark.parametrize("query", ["a\0b", "%", "_", "\\", "x" * 5000, "\u202e", "'; --"])
def test_a_hostile_search_finds_nothing_and_breaks_nothing(client: Client, query: str) -> None:
    DynastyFactory(name="Casa de Ordóñez")
    page = client.get(reverse("dynasties"), {"q": query, "page": query})
    assert page.status_code == 200
    assert not page.context["page_obj"].object_list


@pytest.mark.parametrize("path", ["%00", "a%00b", "%ff", "x" * 3000, "%F0%9F%90%89", "nobody"])
def test_an_address_of_no_house_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/dynasties/{path}/").status_code == 404


@pytest.mark.parametrize(
    "path", ["House-of-Ash", "HOUSE-OF-ASH", "House%20of%20Ash", "house.of.ash", "ｈouse-of-ash"]
)
def test_an_address_written_otherwise_leads_to_the_right_one(client: Client, path: str) -> None:
    house = DynastyFactory(name="House of Ash")
    assert client.get(f"/dynasties/{path}/").url == house.get_absolute_url()
    DynastyFactory(name="House of Oak", held=True)
    assert client.get("/dynasties/House-of-Oak/").status_code == 404


@pytest.mark.parametrize("name", ["月影の家", "राम गुप्त", "بيت النخيل", "Дом Ветровых"])
def test_a_house_has_its_page_in_any_script(client: Client, name: str) -> None:
    house = DynastyFactory(name=name, motto="Semper idem")
    page = client.get(house.get_absolute_url())
    assert page.status_code == 200
    assert name in page.content.decode()


def test_the_list_turns_its_pages_without_more_queries(
    client: Client, django_assert_max_num_queries
) -> None:
    DynastyFactory.create_batch(25)
    with django_assert_max_num_queries(6):
        page = client.get(reverse("dynasties"))
    assert len(page.context["page_obj"].object_list) == 24
    assert len(client.get(reverse("dynasties"), {"page": 2}).context["page_obj"].object_list) == 1
