"""Pages of emperors, the ranking and the throne room, for strangers, rulers and rivals."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from dynasties.houses.models import Dynasty
from emperors.models import Emperor
from emperors.selectors import ranking
from emperors.services import capture, let_die
from tests.factories import DynastyFactory, EmperorFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> Dynasty:
    return DynastyFactory(name="House of Ash")


@pytest.fixture
def ruler(client: Client, house: Dynasty) -> Client:
    client.force_login(house.ruler)
    return client


def text_of(answer) -> str:
    return answer.content.decode()


# --- The ranking --------------------------------------------------------------------------


def test_an_empty_ranking_says_what_to_do(client: Client) -> None:
    page = client.get(reverse("ranking"))
    assert reverse("account_signup") in text_of(page)
    client.force_login(DynastyFactory().ruler)
    assert reverse("throne_room") in text_of(client.get(reverse("ranking")))


def test_the_ranking_shows_the_champion_the_places_and_ones_own(ruler: Client, house) -> None:
    great = EmperorFactory(reputation=9)
    EmperorFactory(dynasty=house, reputation=4)
    page = ruler.get(reverse("ranking"))
    assert page.context["champion"].dynasty == great.dynasty
    assert page.context["place"].number == 2
    assert 'aria-current="true"' in text_of(page)


def test_the_ranking_takes_as_many_queries_for_many_as_for_few(
    client: Client, django_assert_num_queries
) -> None:
    def count() -> int:
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(connection) as asked:
            assert client.get(reverse("ranking")).status_code == 200
        return len(asked)

    EmperorFactory(reputation=1)
    few = count()
    for points in range(2, 12):
        EmperorFactory(reputation=points)
    assert count() == few


def test_the_ranking_goes_on_from_page_to_page(client: Client, monkeypatch) -> None:
    for points in (9, 8, 7):
        EmperorFactory(reputation=points)
    further = ranking(limit=2).further
    page = client.get(reverse("ranking"), {"after": str(further)})
    assert [rank.place for rank in page.context["ranking"].ranks] == [3]


@pytest.mark.parametrize("after", ["x", "9:9:9", "a\0b", "x" * 5000, "WzFd:1:2"])
def test_a_forged_place_leads_to_the_top(client: Client, after: str) -> None:
    assert client.get(reverse("ranking"), {"after": after}).url == reverse("ranking")


def test_champions_have_a_page_full_or_empty(client: Client) -> None:
    assert client.get(reverse("champions")).status_code == 200
    champion = EmperorFactory(reputation=9)
    assert champion.dynasty.name in text_of(client.get(reverse("champions")))


# --- An emperor -------------------------------------------------------------------------


def test_an_emperor_has_a_page_with_his_whole_life(client: Client, now) -> None:
    emperor = EmperorFactory(name="Boris", reputation=12, battles=2)
    captor = DynastyFactory()
    capture(emperor=emperor, by=captor, at=now)
    page = text_of(client.get(emperor.get_absolute_url()))
    for told in ("Boris I", emperor.founder.name, captor.name, "was born", "was captured", "<svg"):
        assert told in page
    let_die(emperor=Emperor.objects.get())
    assert "Died" in text_of(client.get(emperor.get_absolute_url()))


def test_another_way_to_write_his_address_leads_to_the_right_one(client: Client) -> None:
    emperor = EmperorFactory(name="Élisabeth d'Este")
    right = emperor.get_absolute_url()
    assert right.endswith(f"/{emperor.pk}-%C3%A9lisabeth-deste-i/")
    for wrong in (f"/emperors/{emperor.pk}/", f"/emperors/{emperor.pk}-x/"):
        assert client.get(wrong).url == right


@pytest.mark.parametrize("path", ["7-x", "99999999999999999999999999-x", "0-x", "7-%00"])
def test_an_address_of_nobody_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/emperors/{path}/").status_code == 404
    number = path.split("-")[0]
    assert client.get(f"/emperors/{number}/reputation.json").status_code == 404


def test_the_forgotten_has_no_page(client: Client) -> None:
    emperor = EmperorFactory()
    address = emperor.get_absolute_url()
    let_die(emperor=emperor)
    assert client.get(address).status_code == 404


def test_a_name_in_any_script_is_shown(client: Client) -> None:
    for name in ("千代", "فاروق", "Святослав"):
        emperor = EmperorFactory(name=name)
        assert f"{name} I" in text_of(client.get(emperor.get_absolute_url()))


# --- A dynasty -----------------------------------------------------------------------------


def test_a_dynastys_page_shows_its_living_its_reputation_and_its_past(client, house, now) -> None:
    EmperorFactory(dynasty=house, name="Boris", reputation=5)
    lost = EmperorFactory(dynasty=house, name="Carla", reputation=3)
    capture(emperor=lost, by=DynastyFactory(), at=now)
    page = text_of(client.get(house.get_absolute_url()))
    for told in ("Boris I", "Carla I", "Captured", reverse("dynasty_emperors", args=[house.slug])):
        assert told.lower() in page.lower()


def test_all_reigns_of_a_dynasty_have_a_page(client: Client, house) -> None:
    page = reverse("dynasty_emperors", args=[house.slug])
    assert client.get(page).status_code == 200
    EmperorFactory(dynasty=house, name="Boris")
    assert "Boris I" in text_of(client.get(page))
    assert client.get("/dynasties/House-of-Ash/emperors/").url == page
    assert client.get("/dynasties/a%00b/emperors/").status_code == 404


def test_reputation_over_time_is_data_for_anybody(client: Client, house, now) -> None:
    emperor = EmperorFactory(dynasty=house, reputation=5)
    answer = client.get(reverse("dynasty_reputation", args=[house.slug]))
    content = json.loads(answer.content)
    assert content["dynasty"] == house.name
    assert [(p["reputation"], p["change"], p["reason"]) for p in content["points"]] == [
        (5, 5, "gift")
    ]
    assert content["older"] is None
    his = json.loads(client.get(reverse("emperor_reputation", args=[emperor.pk])).content)
    assert his["points"][0]["reputation"] == 5


def test_long_curves_come_in_parts_without_gap(client: Client, house, monkeypatch) -> None:
    from emperors.reputation import change_reputation

    emperor = EmperorFactory(dynasty=house, reputation=1)
    for _time in range(4):
        change_reputation(emperor=emperor, change=1, reason="gift", at=emperor.born_at)
    monkeypatch.setattr("emperors.views.POINTS_A_PART", 2)
    for start in (
        reverse("dynasty_reputation", args=[house.slug]),
        reverse("emperor_reputation", args=[emperor.pk]),
    ):
        seen: list[int] = []
        address = start
        while address:
            content = json.loads(client.get(address).content)
            seen = [point["reputation"] for point in content["points"]] + seen
            address = content["older"]
        assert seen == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("before", ["x", "-1", "a\0b", "9" * 40, "²"])
def test_a_hostile_place_in_a_curve_is_ignored(client: Client, house, before: str) -> None:
    EmperorFactory(dynasty=house, reputation=5)
    page = reverse("dynasty_reputation", args=[house.slug])
    assert len(json.loads(client.get(page, {"before": before}).content)["points"]) == 1


def test_an_unopened_dynasty_has_no_curve_and_no_reigns(client: Client) -> None:
    held = DynastyFactory(held=True)
    for name in ("dynasty_reputation", "dynasty_emperors"):
        assert client.get(reverse(name, args=[held.slug])).status_code == 404


# --- The throne room -----------------------------------------------------------------------


def test_the_palace_offers_to_found_the_first_emperor(ruler: Client) -> None:
    page = text_of(ruler.get(reverse("palace")))
    assert 'name="name"' in page
    assert "Nobody sits on your thrones yet" in page


def test_an_emperor_is_founded_and_shown(ruler: Client, house) -> None:
    answer = ruler.post(reverse("throne_room"), {"name": "Boris"})
    assert answer.url == reverse("throne_room")
    page = text_of(ruler.get(answer.url))
    assert "Boris I is born." in page
    assert Emperor.objects.get().dynasty == house
    assert "Boris I" in text_of(ruler.get(reverse("palace")))


@pytest.mark.parametrize("name", ["", "x", "\u202e", "a\0b", "Boris II", "<script>"])
def test_an_unfit_name_is_explained_and_founds_nobody(ruler: Client, name: str) -> None:
    answer = ruler.post(reverse("throne_room"), {"name": name})
    assert answer.status_code == 200
    assert answer.context["form"].errors["name"]
    assert not Emperor.objects.exists()


def test_haste_is_explained(ruler: Client, house, settings) -> None:
    settings.EMPERORS_A_MINUTE = 1
    ruler.post(reverse("throne_room"), {"name": "Boris"})
    answer = ruler.post(reverse("throne_room"), {"name": "Boris"})
    assert "at most 1 birth a minute" in text_of(answer)
    assert Emperor.objects.count() == 1


def test_staff_without_a_dynasty_are_told_so(client: Client) -> None:
    client.force_login(StaffFactory())
    page = client.get(reverse("throne_room"))
    assert "houses/no_dynasty.html" in {template.name for template in page.templates}


def test_death_is_asked_for_with_what_is_lost(ruler: Client, house) -> None:
    veteran = EmperorFactory(dynasty=house, name="Boris", reputation=7, battles=3)
    page = text_of(ruler.get(reverse("deathbed", args=[veteran.pk])))
    assert "7 points" in page
    assert "stay in the chronicle" in page
    novice = EmperorFactory(dynasty=house, name="Carla")
    assert "forgotten" in text_of(ruler.get(reverse("deathbed", args=[novice.pk])))
    assert Emperor.objects.filter(life="at-rest").count() == 2, "to look is not to do"


def test_an_emperor_dies_when_it_is_confirmed(ruler: Client, house) -> None:
    veteran = EmperorFactory(dynasty=house, name="Boris", battles=1)
    answer = ruler.post(reverse("deathbed", args=[veteran.pk]), follow=True)
    assert "The chronicle keeps his name" in text_of(answer)
    assert ruler.post(reverse("deathbed", args=[veteran.pk])).status_code == 404


def test_who_is_away_cannot_be_let_die(ruler: Client, house) -> None:
    away = EmperorFactory(dynasty=house, away="fighting")
    page = reverse("deathbed", args=[away.pk])
    assert "btn--danger" not in text_of(ruler.get(page))
    assert "not in the palace" in text_of(ruler.post(page, follow=True))
    assert Emperor.objects.get().life == "fighting"


def test_nobody_decides_over_the_emperors_of_another(ruler: Client) -> None:
    other = EmperorFactory()
    page = reverse("deathbed", args=[other.pk])
    assert ruler.get(page).status_code == 404
    assert ruler.post(page).status_code == 404
    assert Emperor.objects.filter(life="at-rest").exists()
    assert page not in text_of(ruler.get(other.get_absolute_url()))


def test_the_ruler_finds_the_way_from_the_page_of_his_emperor(ruler: Client, house) -> None:
    own = EmperorFactory(dynasty=house)
    assert reverse("deathbed", args=[own.pk]) in text_of(ruler.get(own.get_absolute_url()))
    stranger = Client()
    stranger.force_login(UserFactory())
    assert reverse("deathbed", args=[own.pk]) not in text_of(stranger.get(own.get_absolute_url()))


def test_an_export_holds_ones_emperors_and_nobody_elses(ruler: Client, house) -> None:
    EmperorFactory(dynasty=house, name="Boris")
    EmperorFactory(name="Carla")
    content = json.loads(ruler.post(reverse("account_export")).content)
    assert [each["name"] for each in content["emperors"]] == ["Boris"]
