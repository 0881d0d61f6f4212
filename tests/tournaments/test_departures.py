"""Whoever leaves the world while he has a seat somewhere leaves it sound."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from dynasties.accounts.models import Departure, Guest
from dynasties.accounts.services import (
    ask_departure,
    clear_lost_guests,
    complete_departure,
    complete_due_departures,
)
from dynasties.chronicle.models import Mention
from dynasties.houses.services import let_dynasty_fall
from emperors.models import Emperor
from emperors.services import ElsewhereError, found_emperor, let_die
from tests.factories import DynastyFactory, GuestFactory, UserFactory
from tests.tournaments.lists import announced, fighter, order_all, seat
from tournaments.announcements.models import Seat, Tournament
from tournaments.seating.desertion import clear_seats_of_nobody
from tournaments.seating.players import Player
from tournaments.seating.services import cancel, enter, leave
from tournaments.turns.endings import SUBSTITUTE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sound_in_the_end")]

LONG_AGO = timezone.now() - timedelta(days=400)


@pytest.fixture
def sound_in_the_end(audit):
    yield
    audit()


def seated_guest(tournament: Tournament) -> Guest:
    guest = GuestFactory()
    enter(tournament=tournament, player=Player(guest=guest))
    return guest


def forget(guest: Guest) -> None:
    Guest.objects.filter(pk=guest.pk).update(seen_at=LONG_AGO, came_at=LONG_AGO)
    assert clear_lost_guests()


class TestRulers:
    def test_an_emperor_with_a_seat_holds_up_the_departure(self) -> None:
        emperor, tournament = fighter(), announced()
        seat(tournament, emperor)
        ruler = emperor.dynasty.ruler
        Departure.objects.create(user=ruler)
        assert not complete_departure(user=ruler)
        leave(tournament=tournament, player=Player(dynasty=emperor.dynasty))
        assert complete_departure(user=ruler)
        assert not Seat.objects.exists()

    def test_a_dynasty_with_an_emperor_in_a_seat_can_not_fall(self) -> None:
        emperor = fighter()
        seat(announced(), emperor)
        with pytest.raises(ElsewhereError):
            let_dynasty_fall(ruler=emperor.dynasty.ruler)

    def test_what_a_fallen_dynasty_announced_goes_on_without_it(self) -> None:
        host = DynastyFactory()
        tournament = announced(host=host)
        assert ask_departure(user=host.ruler)
        for _seat in tournament.seat_names:
            seat(tournament, fighter())
        tournament.refresh_from_db()
        assert tournament.state == Tournament.State.RUNNING

    def test_one_who_fought_here_falls_and_the_battle_is_still_told(self) -> None:
        tournament = announced("conquer", "duel", options={"turn_limit": 1})
        people = [fighter(), fighter()]
        for emperor in people:
            seat(tournament, emperor)
        tournament.refresh_from_db()
        order_all(tournament, random.Random(1))
        assert ask_departure(user=people[0].dynasty.ruler)
        tournament.refresh_from_db()
        assert tournament.is_over
        assert {each.emperor_id for each in tournament.seats.all()} == {each.pk for each in people}


class TestOblivion:
    """Who never fought a serious tournament leaves no trace, though he had a seat in one."""

    def test_an_emperor_of_a_cancelled_tournament_can_be_forgotten(self) -> None:
        house = DynastyFactory()
        emperor = found_emperor(dynasty=house, name="Otto")
        tournament = announced("gift", "duel")
        seat(tournament, emperor)
        assert cancel(tournament=tournament)
        emperor.refresh_from_db()
        number = emperor.pk
        let_die(emperor=emperor)
        assert not Emperor.objects.filter(pk=number).exists()
        assert not Mention.objects.filter(subject="emperor", number=number).exists()
        (left,) = tournament.seats.all()
        assert (left.emperor_id, left.dynasty_id) == (None, None)

    def test_his_dynasty_can_fall_too(self) -> None:
        house = DynastyFactory()
        tournament = announced("gift", "duel")
        seat(tournament, found_emperor(dynasty=house, name="Otto"))
        assert cancel(tournament=tournament)
        assert ask_departure(user=house.ruler)
        assert not Emperor.objects.exists()


class TestGuests:
    def test_a_guest_forgotten_before_the_start_frees_his_seat(self) -> None:
        tournament = announced("training", "duel")
        forget(seated_guest(tournament))
        assert clear_seats_of_nobody() == 1
        assert not tournament.seats.exists()
        version = Tournament.objects.get().version
        assert version > tournament.version
        assert clear_seats_of_nobody() == 0
        for _seat in tournament.seat_names:
            seated_guest(tournament)
        tournament.refresh_from_db()
        assert tournament.state == Tournament.State.RUNNING

    def test_a_guest_forgotten_in_battle_leaves_his_seat_to_a_bot(self) -> None:
        tournament = announced("training", "duel")
        gone, _other = [seated_guest(tournament) for _seat in tournament.seat_names]
        forget(gone)
        assert clear_seats_of_nobody() == 1
        assert [each.bot for each in tournament.seats.order_by("place")] == [SUBSTITUTE, ""]

    def test_an_account_that_departs_leaves_the_seats_that_it_took_as_a_guest(self) -> None:
        user, tournament = UserFactory(), announced("training", "duel")
        guest = seated_guest(tournament)
        Guest.objects.filter(pk=guest.pk).update(became=user, came_at=LONG_AGO)
        ask_departure(user=user)
        complete_due_departures()
        assert not Guest.objects.exists()
        assert clear_seats_of_nobody() == 1
        assert not tournament.seats.exists()

    def test_those_who_are_still_there_keep_their_seats(self) -> None:
        tournament = announced("training", "duel")
        seated_guest(tournament)
        seat(announced("training", "duel"), fighter())
        assert clear_seats_of_nobody() == 0
        assert Seat.objects.count() == 2
