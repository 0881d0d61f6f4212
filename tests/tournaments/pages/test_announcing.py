"""Announcing a tournament: what the form sends is what is announced, once, or said to be wrong."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import DynastyFactory, StaffFactory, UserFactory
from tournaments.announcements.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(client: Client):
    user = UserFactory()
    client.force_login(user)
    return user.dynasty


def filled_in(**changes: Any) -> dict[str, Any]:
    """The form as it is when somebody has changed nothing but what is named."""
    usual = {
        "type": "training",
        "battlefield": "duel",
        "pace": "live",
        "live_seconds": "30",
        "begins": "full",
        "access": "everyone",
        "shows_ready": "on",
        "form_key": str(uuid4()),
        "option_conflict": "rollback",
        "option_passage": "blocked",
        "option_pawn_takes_emperor": "convert",
        "option_emperor_takes_emperor": "convert",
        "option_orphans": "fight-on",
        "option_pickup": "any",
        "option_goals": ["last-emperor"],
        "option_turn_limit": "200",
    }
    return {**usual, **changes}


def errors(answer) -> dict[str, list[str]]:
    return dict(answer.context["form"].errors)


def test_what_is_filled_in_is_announced(client: Client, host) -> None:
    answer = client.post(
        "/tournaments/new/",
        filled_in(
            type="honour",
            name="The Spring Lists",
            stake="7",
            pace="slow",
            slow_hours="12",
            option_conflict="bounce",
            option_emperor_takes_pawn=["push", "toll"],
            option_goals=["opposite-square", "survive"],
            option_goals_survive_turns="20",
            option_goals_survive_more_than="3",
        ),
    )
    made = Tournament.objects.get()
    assert answer["Location"] == made.get_absolute_url()
    assert (made.host, made.name, made.stake) == (host, "The Spring Lists", 7)
    assert (made.pace, made.turn_seconds) == ("slow", 12 * 3600)
    assert made.options["conflict"] == "bounce"
    assert made.options["emperor_takes_pawn"] == ["push", "toll"]
    assert made.options["goals"] == [
        {"kind": "opposite-square"},
        {"kind": "survive", "turns": 20, "more_than": 3},
    ]
    told = client.get(made.get_absolute_url()).content.decode()
    assert "7 points of reputation" in told
    assert "all spring back along their way" in told


def test_a_second_click_announces_nothing_more(client: Client, host) -> None:
    typed = filled_in()
    first = client.post("/tournaments/new/", typed)
    again = client.post("/tournaments/new/", typed)
    assert Tournament.objects.count() == 1
    assert first["Location"] == again["Location"]


def test_the_same_form_of_another_announces_another(client: Client, host) -> None:
    typed = filled_in()
    client.post("/tournaments/new/", typed)
    other = Client()
    other.force_login(UserFactory())
    other.post("/tournaments/new/", typed)
    assert Tournament.objects.count() == 2


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("option_goals", {"option_goals": ["treasure"]}),
        ("option_goals_survive_turns", {"option_goals": ["survive"]}),
        ("battlefield", {"battlefield": "nowhere"}),
        ("stake", {"type": "honour", "stake": ""}),
        ("fee", {"type": "honour", "stake": "5", "fee": "10"}),
        ("reputation_most", {"reputation_least": "10", "reputation_most": "5"}),
        ("chests", {"type": "honour", "stake": "5", "chests": "on"}),
        ("live_seconds", {"live_seconds": ""}),
        ("slow_hours", {"pace": "slow", "slow_hours": "900"}),
        ("starts_at", {"begins": "at"}),
        ("starts_at", {"begins": "at", "starts_at": "2020-01-01T10:00"}),
        ("seats_least", {"seats_least": "5"}),
        ("invited", {"access": "invited", "invited": "House of Nobody"}),
        ("type", {"type": "gift"}),
    ],
)
def test_what_can_t_be_is_said_at_its_field(client: Client, host, field, changes) -> None:
    answer = client.post("/tournaments/new/", filled_in(**changes))
    assert answer.status_code == 200
    assert field in errors(answer)
    assert not Tournament.objects.exists()


def test_a_stake_that_no_type_asks_for_is_not_read(client: Client, host) -> None:
    client.post("/tournaments/new/", filled_in(type="death", stake="5"))
    assert Tournament.objects.get().stake == 0


def test_the_invited_are_invited(client: Client, host) -> None:
    friend = DynastyFactory()
    client.post("/tournaments/new/", filled_in(access="invited", invited=f"{friend.name}\n"))
    made = Tournament.objects.get()
    assert [each.dynasty for each in made.guests.all()] == [friend]


def test_bots_fill_up_training_that_has_a_time(client: Client, host) -> None:
    at = (timezone.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")
    client.post("/tournaments/new/", filled_in(begins="at", starts_at=at, bots="knight"))
    made = Tournament.objects.get()
    assert made.bots == "knight"
    assert made.starts_at is not None
    assert made.starts_at > timezone.now()


def test_without_a_dynasty_there_is_no_form(client: Client) -> None:
    client.force_login(StaffFactory())
    answer = client.get("/tournaments/new/")
    assert "form" not in (answer.context or {}) or answer.context.get("form") is None
