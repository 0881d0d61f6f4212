"""The page of a tournament, from its announcement to its replay; entering, leaving, Play now."""

import random
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from emperors.models import Emperor
from tests.factories import EmperorFactory, StaffFactory, UserFactory
from tests.tournaments.lists import announced, fight, fighter, filled, seat
from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.fields.models import Battlefield
from tournaments.seating.services import cancel
from tournaments.turns.adjournment import adjourn
from tournaments.turns.services import submit_order

pytestmark = pytest.mark.django_db

QUICK = {"options": {"turn_limit": 8}}


def client_of(dynasty) -> Client:
    client = Client()
    client.force_login(dynasty.ruler)
    return client


def read(client: Client, tournament: Tournament, **query: str) -> str:
    return client.get(tournament.get_absolute_url(), query).content.decode()


def over(type_: str = "honour") -> Tournament:
    tournament = announced(type_, "crossroads", **QUICK)
    filled(tournament)
    finished = fight(tournament, random.Random(2))
    assert finished is not None
    return finished


# --- Before -------------------------------------------------------------------------------


def test_a_ruler_enters_with_an_emperor_at_rest(client: Client) -> None:
    emperor, tournament = fighter(), announced("honour")
    ruler = client_of(emperor.dynasty)
    assert emperor.full_name in read(ruler, tournament)
    ruler.post(f"/tournaments/{tournament.code}/enter/", {"emperor": emperor.pk})
    assert tournament.seats.get().emperor == emperor
    assert "Leave the seat" in read(ruler, tournament)
    ruler.post(f"/tournaments/{tournament.code}/leave/")
    assert not tournament.seats.exists()


def test_nobody_enters_with_the_emperor_of_another() -> None:
    stranger, emperor, tournament = fighter(), fighter(), announced("honour")
    ruler = client_of(emperor.dynasty)
    ruler.post(f"/tournaments/{tournament.code}/enter/", {"emperor": stranger.pk})
    assert not tournament.seats.exists()


def test_what_is_wrong_with_an_entry_is_said() -> None:
    emperor, tournament = fighter(reputation=1), announced("honour")
    ruler = client_of(emperor.dynasty)
    answer = ruler.post(
        f"/tournaments/{tournament.code}/enter/", {"emperor": emperor.pk}, follow=True
    )
    assert "He needs a reputation of at least 5." in answer.content.decode()


def test_a_chest_is_asked_for_and_shown_to_nobody() -> None:
    emperor = fighter(rich=True)
    tournament = announced("honour", chest_field(), chests=True)
    ruler = client_of(emperor.dynasty)
    bad = ruler.post(
        f"/tournaments/{tournament.code}/enter/", {"emperor": emperor.pk, "chest": "5"}
    )
    assert "chest" in bad.context["form"].errors
    ruler.post(f"/tournaments/{tournament.code}/enter/", {"emperor": emperor.pk, "chest": "777"})
    assert tournament.seats.get().chest == 777
    assert "777" not in read(ruler, tournament).replace("7777", "")
    assert "777" not in read(Client(), tournament).replace("7777", "")


def chest_field() -> str:
    """A battlefield with a chest for every seat."""
    for field in Battlefield.objects.all():
        drawn = arena.read_battlefield(field.text)
        if {f"chest-{seat}" for seat in drawn.seats} <= {item.id for item in drawn.items}:
            return field.key
    pytest.fail("no battlefield has a chest for every seat")


def test_a_stranger_plays_training_as_a_guest_and_nothing_else(client: Client) -> None:
    training, serious = announced("training"), announced("honour")
    client.post(f"/tournaments/{training.code}/enter/")
    assert training.seats.get().guest is not None
    assert "Guests play in training" in read(Client(), serious)
    client.post(f"/tournaments/{serious.code}/enter/")
    assert not serious.seats.exists()


def test_a_challenge_link_opens_what_is_closed_otherwise(client: Client) -> None:
    host = fighter()
    tournament = announced("training", access="link", host=host.dynasty)
    key = tournament.link_token
    assert key in read(client_of(host.dynasty), tournament)
    assert key not in read(client, tournament)
    client.post(f"/tournaments/{tournament.code}/enter/", {"key": "nonsense"})
    assert not tournament.seats.exists()
    client.post(f"/tournaments/{tournament.code}/enter/", {"key": key})
    assert tournament.seats.exists()


def test_only_the_host_invites() -> None:
    host, friend, other = fighter(), fighter(), fighter()
    tournament = announced("honour", access="invited", host=host.dynasty)
    address = f"/tournaments/{tournament.code}/invite/"
    wish = {"invited": friend.dynasty.name}
    assert client_of(other.dynasty).post(address, wish).status_code == 404
    assert not tournament.guests.exists()
    client_of(host.dynasty).post(address, wish)
    assert tournament.guests.get().dynasty == friend.dynasty


def test_whoever_looks_when_its_time_has_come_sets_it_going(client: Client) -> None:
    tournament = announced("training", bots="page", starts_at=timezone.now() + timedelta(hours=1))
    client.post(f"/tournaments/{tournament.code}/enter/")
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now())
    assert "data-battle" in read(client, tournament)


# --- While it is fought -------------------------------------------------------------------


def test_a_seat_finds_its_choices_and_its_own_order_alone() -> None:
    tournament = announced("honour")
    seats = filled(tournament)
    mine, rival = (client_of(each.dynasty) for each in seats)
    submit_order(seat=seats[0].pk, turn=0, content={"piece": "a7", "to": [2, 3]})
    assert "Your order: a7 from C3 to C4." in read(mine, tournament)
    assert "a7 from C3 to C4" not in read(rival, tournament)
    assert "plain-order" in read(rival, tournament)
    assert "plain-order" not in read(Client(), tournament)


def without_tokens(page: str) -> str:
    """A page but for what differs by itself: its forms' tokens, and times."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)
    return re.sub(r'data-now="[^"]+"|<time.*?</time>', "", page)


def test_what_others_see_does_not_depend_on_a_secret_order() -> None:
    tournament = announced("honour", shows_ready=False)
    seats = filled(tournament)
    rival, passer_by = client_of(seats[1].dynasty), Client()
    seen = []
    for to in ([2, 3], [1, 3]):
        piece = {2: "a7", 1: "a6"}[to[0]]
        submit_order(seat=seats[0].pk, turn=0, content={"piece": piece, "to": to})
        pages = [tournament.get_absolute_url(), "/tournaments/?show=fought", "/"]
        seen.append(
            [
                without_tokens(each.get(page).content.decode())
                for each in (rival, passer_by)
                for page in pages
            ]
        )
    assert seen[0] == seen[1]


def test_an_adjourned_battle_says_so(client: Client) -> None:
    tournament = announced("honour")
    filled(tournament)
    adjourn(number=tournament.pk)
    assert "This tournament is adjourned" in read(client, tournament)


# --- When it is over ----------------------------------------------------------------------


@pytest.mark.parametrize("type_", ["gift", "honour", "conquer", "death"])
def test_the_result_tells_ranks_and_what_followed(client: Client, type_: str) -> None:
    tournament = over(type_)
    told = read(client, tournament)
    assert "Ranks, and what followed" in told
    for each in tournament.seats.select_related("emperor"):
        assert each.who in told
    assert tournament.seed in told


def test_every_turn_can_be_looked_at_without_scripts(client: Client) -> None:
    tournament = over()
    pages = {read(client, tournament, turn=str(turn)) for turn in range(tournament.turn + 1)}
    assert len(pages) == tournament.turn + 1
    assert "Everybody is in place." in read(client, tournament, turn="0")
    for odd in ("-1", "9999", "x", "9" * 30):
        assert client.get(tournament.get_absolute_url(), {"turn": odd}).status_code == 200


def test_the_replay_comes_in_parts_and_only_when_it_is_over(client: Client) -> None:
    tournament = over()
    address = f"/tournaments/{tournament.code}/replay.json"
    steps = client.get(address).json()["steps"]
    assert [step["turn"] for step in steps] == list(range(tournament.turn + 1))
    assert client.get(address, {"first": "3"}).json()["steps"][0]["turn"] == 3
    assert client.get(address, {"first": "9999"}).json()["steps"] == []
    running = announced("honour")
    filled(running)
    assert client.get(f"/tournaments/{running.code}/replay.json").status_code == 404


def test_a_cancelled_tournament_says_that_everything_went_back(client: Client) -> None:
    tournament = announced("honour")
    seat(tournament, fighter())
    cancel(tournament=tournament)
    assert "everything that was paid has gone back" in read(client, tournament)


def test_training_fades_and_unknown_codes_are_not_found(client: Client) -> None:
    tournament = announced("training", **QUICK)
    filled(tournament, reputation=0)
    address = tournament.get_absolute_url()
    fight(tournament, random.Random(1))
    assert client.get(address).status_code in (200, 404)
    assert client.get("/tournaments/nosuchcode/").status_code == 404


# --- Play now -----------------------------------------------------------------------------


def test_a_stranger_plays_at_once(client: Client) -> None:
    answer = client.post("/play/", follow=True)
    assert "Bots fill the free seats" in answer.content.decode()
    assert Seat.objects.get().guest is not None


def test_a_guest_who_plays_already_is_led_to_his_battle(client: Client) -> None:
    first = client.post("/play/")
    again = client.post("/play/")
    assert first["Location"] == again["Location"]
    assert Tournament.objects.count() == 1


def test_a_ruler_sends_whom_he_picks_or_the_least_known() -> None:
    house = UserFactory().dynasty
    famous = EmperorFactory(dynasty=house, reputation=30)
    young = EmperorFactory(dynasty=house)
    ruler = client_of(house)
    ruler.post("/play/")
    assert Emperor.objects.get(pk=young.pk).life == Emperor.Life.FIGHTING
    Tournament.objects.update(state="open", starts_at=timezone.now() - timedelta(hours=1))
    ruler.post("/play/", {"emperor": famous.pk})
    assert Emperor.objects.get(pk=famous.pk).life == Emperor.Life.FIGHTING


def test_a_ruler_without_an_emperor_at_rest_is_told_to_found_one(client: Client) -> None:
    client.force_login(UserFactory())
    answer = client.post("/play/", follow=True)
    assert "Found one: it costs nothing." in answer.content.decode()
    assert not Tournament.objects.exists()


def test_who_rules_nothing_can_only_watch(client: Client) -> None:
    client.force_login(StaffFactory())
    assert client.post("/play/").status_code == 200
    assert not Tournament.objects.exists()


def test_a_look_at_a_form_s_address_leads_to_its_page(client: Client) -> None:
    tournament = announced("honour")
    for form in ("enter", "leave", "invite"):
        answer = client.get(f"/tournaments/{tournament.code}/{form}/")
        assert answer["Location"] == tournament.get_absolute_url()
    assert client.get("/play/")["Location"] == "/tournaments/"


def test_a_battle_that_can_not_begin_breaks_nobodys_page(client: Client, monkeypatch) -> None:
    tournament = announced("honour", "duel", starts_at=timezone.now() + timedelta(hours=1))
    seat(tournament, fighter())
    Tournament.objects.filter(pk=tournament.pk).update(
        starts_at=timezone.now() - timedelta(seconds=1), seats_least=1
    )

    def breaks(**_terms: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("tournaments.seating.services.begin_battle", breaks)
    assert client.get(tournament.get_absolute_url()).status_code == 200
