"""Emperors are born free, without limit, and with a number that nobody shares."""

import pytest
from django.core.exceptions import ValidationError

from dynasties.chronicle.models import Entry
from dynasties.houses.services import let_dynasty_fall
from emperors.models import Emperor, Reign, roman
from emperors.names import clean_emperor_name
from emperors.services import FallenError, HasteError, found_emperor, let_die
from emperors.tellings import find_emperors_by_text
from tests.factories import DynastyFactory, EmperorFactory

pytestmark = pytest.mark.django_db


def test_an_emperor_is_born_at_rest_without_reputation_into_his_dynasty() -> None:
    house = DynastyFactory()
    emperor = found_emperor(dynasty=house, name=" Ama  terasu ")
    emperor.refresh_from_db()
    assert (emperor.full_name, emperor.life, emperor.reputation) == ("Ama terasu I", "at-rest", 0)
    reign = Reign.objects.get()
    assert (reign.dynasty, reign.began_by, reign.ended_at) == (house, "born", None)
    assert Entry.objects.filter(kind="emperor-born").count() == 1


def test_names_that_look_alike_count_as_one_within_a_dynasty_only() -> None:
    house = DynastyFactory()
    numbers = [
        found_emperor(dynasty=house, name=name).number
        for name in ("Amaterasu", "AMATERASU", "Ámaterasu", "Boris")
    ]
    assert numbers == [1, 2, 3, 1]
    assert found_emperor(dynasty=DynastyFactory(), name="Amaterasu").number == 1


def test_a_number_is_free_again_only_if_it_was_the_last_and_is_forgotten() -> None:
    first, second, third = EmperorFactory.create_batch(3, dynasty=DynastyFactory())
    let_die(emperor=second)
    assert found_emperor(dynasty=first.founder, name="Amaterasu").number == third.number + 1
    kept = EmperorFactory(dynasty=first.founder, name="Boris", battles=1)
    let_die(emperor=kept)
    assert found_emperor(dynasty=first.founder, name="Boris").number == 2


@pytest.mark.parametrize(
    "name",
    [
        "",
        "A",
        "x" * 31,
        "A\u202eb",
        "Аma",
        "a\0b",
        "🐉🐉",
        "Crown",
        "Amaterasu III",
        "Moderator",
        "-",
    ],
)
def test_a_name_that_cannot_be_founds_nobody(name: str) -> None:
    house = DynastyFactory()
    with pytest.raises(ValidationError):
        found_emperor(dynasty=house, name=name)
    assert not Emperor.objects.exists()


@pytest.mark.parametrize("name", ["Xi", "千代", "Élisabeth d'Este", "فاروق", "Vi", "Ivan M. Oak"])
def test_a_name_of_two_letters_in_any_alphabet_can_be(name: str) -> None:
    assert clean_emperor_name(name) == name


def test_a_fallen_or_unopened_dynasty_founds_nobody() -> None:
    house = DynastyFactory()
    let_dynasty_fall(ruler=house.ruler)
    for gone in (house, DynastyFactory(held=True)):
        with pytest.raises(FallenError):
            found_emperor(dynasty=gone, name="Boris")


def test_haste_is_refused_and_other_dynasties_are_free(settings) -> None:
    settings.EMPERORS_A_MINUTE, settings.EMPERORS_A_DAY = 3, 200
    house = DynastyFactory()
    for _birth in range(3):
        found_emperor(dynasty=house, name="Boris")
    with pytest.raises(HasteError) as refused:
        found_emperor(dynasty=house, name="Boris")
    assert (refused.value.most, refused.value.span.seconds) == (3, 60)
    found_emperor(dynasty=DynastyFactory(), name="Boris")


def test_the_forgotten_count_as_haste_too(settings) -> None:
    settings.EMPERORS_A_MINUTE = 2
    house = DynastyFactory()
    for _birth in range(2):
        let_die(emperor=found_emperor(dynasty=house, name="Boris"))
    with pytest.raises(HasteError):
        found_emperor(dynasty=house, name="Boris")


@pytest.mark.parametrize("text", ["Amaterasu II", "amaterasu ii", " AMATERASU  II. "])
def test_he_is_found_by_his_name_with_its_number(text: str) -> None:
    _first, second = EmperorFactory.create_batch(2, dynasty=DynastyFactory())
    assert [each.number for each in find_emperors_by_text(text)] == [second.pk]
    assert len(list(find_emperors_by_text("Amaterasu"))) == 2


def test_a_day_has_its_measure_too(settings, now, later) -> None:
    settings.EMPERORS_A_DAY = 2
    house = DynastyFactory()
    EmperorFactory.create_batch(2, dynasty=house, at=later(hours=-5))
    with pytest.raises(HasteError) as refused:
        found_emperor(dynasty=house, name="Boris")
    assert refused.value.span.days == 1
    EmperorFactory.create_batch(2, dynasty=DynastyFactory(), at=later(hours=-25))


@pytest.mark.parametrize(
    ("number", "written"),
    [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (40, "XL"), (1994, "MCMXCIV"), (4000, "MMMM")],
)
def test_numbers_are_written_as_romans_did(number: int, written: str) -> None:
    assert roman(number) == written
