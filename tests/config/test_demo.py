"""The demo world is founded once, can be entered, and stays out of production."""

from dataclasses import replace
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from config import demo
from config.demo_battles import TEMPLATES
from dynasties.accounts.models import User
from dynasties.accounts.services import ask_departure
from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import newest_dynasties
from dynasties.market.models import Offer
from dynasties.notices.selectors import proclamations_in_force
from dynasties.treasury.models import Transfer
from emperors.models import Championship, Emperor
from tests.factories import DynastyFactory
from tournaments.announcements.models import Seat, Tournament
from tournaments.announcements.services import announce_from_templates
from tournaments.seating.services import cancel
from tournaments.turns.records import replays_to_what_was_kept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def var_dir(tmp_path: Path, settings) -> Path:
    settings.ENV = replace(settings.ENV, var_dir=tmp_path)
    return tmp_path


def test_it_has_an_admin_several_players_and_a_proclamation_in_both_languages(audit) -> None:
    demo.found_demo_world()
    assert User.objects.get(is_superuser=True).email == demo.ADMIN
    assert len(newest_dynasties(limit=100)) == demo.PLAN.dynasties
    proclamation = proclamations_in_force().get()
    with translation.override("es"):
        assert proclamation.text == proclamation.text_es != proclamation.text_en
    audit()


def test_each_player_has_a_past_in_a_world_of_others() -> None:
    demo.found_demo_world()
    assert Championship.objects.count() > 2
    for player in demo.PLAYERS:
        house = Dynasty.objects.get(ruler__email=player.email)
        assert (house.name, house.motto) == (player.dynasty, player.motto)
        assert house.standing.reputation > 0
        assert Emperor.objects.filter(dynasty=house).count() > 2
        assert Transfer.objects.filter(legs__account__dynasty=house).count() > 1


def test_something_is_on_offer() -> None:
    demo.found_demo_world()
    assert Offer.objects.filter(state="open").count() == len(demo.OFFERS)


def test_a_second_founding_changes_nothing() -> None:
    first = demo.found_demo_world()
    before = list(User.objects.order_by("pk").values_list("pk", "password"))
    assert demo.found_demo_world() == first
    assert list(User.objects.order_by("pk").values_list("pk", "password")) == before
    assert Dynasty.objects.count() == demo.PLAN.dynasties
    assert proclamations_in_force().count() == 1


def test_a_player_who_left_stays_away_and_another_is_named(audit) -> None:
    first = demo.found_demo_world()
    for tournament in Tournament.objects.exclude(state__in=Tournament.OVER):
        cancel(tournament=tournament)  # who fights can't leave
    ask_departure(user=User.objects.get(email=first.login))
    again = demo.found_demo_world()
    assert again.login == demo.PLAYERS[1].email
    assert not User.objects.filter(email=first.login).exists()
    audit()


def test_there_is_a_battle_to_look_back_on_one_to_fight_and_one_to_enter(audit) -> None:
    first = demo.found_demo_world()
    states = Tournament.objects.values_list("state", flat=True)
    assert sorted(states) == ["finished", "finished", "open", "running"]
    for fought in Tournament.objects.filter(state="finished"):
        assert replays_to_what_was_kept(fought)
    ruler = User.objects.get(email=first.login)
    assert Seat.objects.filter(tournament__state="running", dynasty__ruler=ruler).exists()
    assert announce_from_templates() == len(TEMPLATES)
    audit()


def test_a_player_who_goes_by_another_address_is_not_founded_again(audit) -> None:
    first = demo.found_demo_world()
    player = User.objects.get(email=first.login)
    EmailAddress.objects.filter(user=player).update(email="elsewhere@example.org")
    User.objects.filter(pk=player.pk).update(email="elsewhere@example.org")
    demo.found_demo_world()
    assert Dynasty.objects.count() == demo.PLAN.dynasties
    audit()


def test_it_stands_beside_a_world_that_was_there_before(audit) -> None:
    DynastyFactory()
    demo.found_demo_world()
    assert Dynasty.objects.count() == demo.PLAN.dynasties + 1
    audit()


def test_a_world_without_an_administrator_gets_one_again() -> None:
    world = demo.found_demo_world()
    User.objects.update(is_superuser=False)
    demo.found_demo_world()
    assert User.objects.get(is_superuser=True).email == world.admin_login


@pytest.mark.parametrize("role", ["login", "admin_login"])
def test_the_printed_login_opens_the_door(client: Client, role: str) -> None:
    world = demo.found_demo_world()
    answer = client.post(
        reverse("account_login"), {"login": getattr(world, role), "password": world.password}
    )
    assert answer.status_code == 302
    assert answer.url == reverse("palace")


def test_the_password_is_random_and_readable_by_its_owner_only(var_dir: Path) -> None:
    password = demo.found_demo_world().password
    file = var_dir / "demo-password"
    assert file.read_text() == password
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()
    assert demo.found_demo_world().password != password


def test_a_lost_password_file_gives_everybody_a_new_password(var_dir: Path) -> None:
    demo.found_demo_world()
    (var_dir / "demo-password").unlink()
    world = demo.found_demo_world()
    cast = User.objects.exclude(email__endswith="@populate.example")
    assert len(cast) == len(demo.PLAYERS) + 1
    assert all(user.check_password(world.password) for user in cast)


def test_production_refuses_it_and_says_why(settings) -> None:
    settings.ENV = replace(settings.ENV, production=True)
    with pytest.raises(CommandError, match="not for production"):
        call_command("demo")
    assert not User.objects.exists()


def test_the_command_prints_how_to_enter(capsys) -> None:
    call_command("demo")
    printed = capsys.readouterr().out
    assert demo.ADMIN in printed
    assert demo.PLAYERS[0].email in printed
