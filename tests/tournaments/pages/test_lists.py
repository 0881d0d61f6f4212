"""The list of tournaments: who finds what in it, and what it costs."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import DynastyFactory, UserFactory
from tests.tournaments.lists import announced, fighter, filled, seat
from tournaments.announcements.services import invite
from tournaments.fields.models import Battlefield

pytestmark = pytest.mark.django_db


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, **query: str) -> str:
    return client.get("/tournaments/", query).content.decode()


def test_each_tab_holds_its_own(client: Client) -> None:
    announced("honour", name="Waiting")
    filled(announced("honour", name="Fighting"))
    assert "Waiting" in page(client)
    assert "Fighting" not in page(client)
    assert "Fighting" in page(client, show="fought")
    assert "Waiting" not in page(client, show="finished")


def test_an_unknown_tab_leads_back_to_the_list(client: Client) -> None:
    assert client.get("/tournaments/", {"show": "nonsense"}).status_code == 302


def test_filters_leave_out_what_was_not_asked_for(client: Client) -> None:
    announced("death", name="Grim")
    announced("honour", name="Bright", pace="slow", turn_seconds=3600)
    assert "Grim" not in page(client, type="honour")
    assert "Bright" in page(client, type="honour")
    assert "Bright" not in page(client, pace="live")
    assert "Grim" in page(client, pace="nonsense")


def test_what_is_for_others_is_not_offered(client: Client) -> None:
    host, friend = DynastyFactory(), DynastyFactory()
    closed = announced("honour", name="Among friends", access="invited", host=host)
    invite(tournament=closed, dynasties=(friend,))
    announced("honour", name="By link alone", access="link", host=host)
    assert "Among friends" not in page(client)
    assert "By link alone" not in page(client_of(friend.ruler))
    assert "Among friends" in page(client_of(friend.ruler))
    assert "By link alone" in page(client_of(host.ruler))


def test_an_empty_list_says_what_to_do_next(client: Client) -> None:
    assert "Play now" in page(client)
    assert "All swords rest" in page(client, show="fought")
    assert "Take the filters away" in page(client, type="death")


def test_a_longer_list_costs_no_more_queries(client: Client) -> None:
    counts = []
    for _size in range(2):
        for _each in range(3):
            tournament = announced("honour", "crossroads")
            seat(tournament, fighter())
            seat(tournament, fighter())
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page(client)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_one_s_own_battles_say_where_an_order_is_due() -> None:
    emperor = fighter()
    tournament = announced("honour", name="My own")
    seat(tournament, emperor)
    seat(tournament, fighter())
    player = client_of(emperor.dynasty.ruler)
    assert "your order is due" in page(player)
    assert "your order is due" in player.get("/palace/").content.decode()
    assert "your order is due" not in page(client_of(UserFactory()))


def test_a_battlefield_has_a_picture(client: Client) -> None:
    for field in Battlefield.objects.all():
        answer = client.get(f"/tournaments/battlefields/{field.key}.svg")
        assert answer["Content-Type"] == "image/svg+xml"
        assert b"<circle" in answer.content
    assert client.get("/tournaments/battlefields/nowhere.svg").status_code == 404


def test_live_battles_are_on_the_front_page(client: Client) -> None:
    filled(announced("honour", name="Right now"))
    front = client.get("/").content.decode()
    assert "Right now" in front
    assert "Play now" in front
