"""Seats talk among themselves and spectators apart from them, until it is over."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from dynasties.houses.services import let_dynasty_fall
from dynasties.relations.people import Person
from dynasties.relations.services import block
from tests.factories import DynastyFactory, GuestFactory, StaffFactory
from tests.tournaments.chat.cast import STATES, Table, a_table, a_table_with_a_guest, ruler
from tests.tournaments.lists import announced
from tournaments.announcements.models import Tournament
from tournaments.chat import errors, services
from tournaments.chat.access import AFTERWARDS, SEATS, SPECTATORS, listener
from tournaments.chat.models import Line, Mute, Room
from tournaments.chat.selectors import find_line, lines_for
from tournaments.seating.players import Player, player_for
from tournaments.turns.services import submit_order

pytestmark = pytest.mark.django_db

FOUGHT = [state for state in STATES if state not in Tournament.OVER]


def heard(table: Table, player: Player, **since: int) -> list[str]:
    who = listener(table.tournament, player)
    return [
        line.text for line in lines_for(tournament=table.tournament, who=who, since=since or None)
    ]


def spoken(type_: str = "honour") -> Table:
    """A table at which something was said, and in the stands as well."""
    table = a_table(type_)
    table.say(table.one, "at the table")
    table.say(table.watcher, "in the stands")
    return table


# --- Who reads what --------------------------------------------------------------------------


@pytest.mark.parametrize("state", FOUGHT)
def test_while_it_is_fought_each_hears_his_own_room_and_a_passer_by_hears_nothing(
    state: str,
) -> None:
    table = spoken()
    table.become(state)
    for seated in (table.one, table.other):
        assert heard(table, seated) == ["at the table"]
    assert heard(table, table.watcher) == ["in the stands"]
    guest = Player(guest=GuestFactory())
    without_dynasty = player_for(user=StaffFactory())
    for nobody in (table.passer_by, guest, without_dynasty):
        assert heard(table, nobody) == []


@pytest.mark.parametrize("state", Tournament.OVER)
def test_when_it_is_over_everybody_hears_both_rooms(state: str) -> None:
    table = spoken()
    table.become(state)
    for anybody in (table.one, table.watcher, table.passer_by, Player(guest=GuestFactory())):
        assert heard(table, anybody) == ["at the table", "in the stands"]


def test_a_line_can_be_found_only_by_who_may_read_its_room() -> None:
    table = spoken()
    rooms = {table.one: SEATS, table.watcher: SPECTATORS, table.passer_by: None}
    for player, own in rooms.items():
        for room in (SEATS, SPECTATORS):
            who = listener(table.tournament, player)
            found = find_line(tournament=table.tournament, who=who, room=room, number=1)
            assert (found is not None) == (room == own)


def test_the_numbers_of_a_room_tell_nothing_of_the_other() -> None:
    table = a_table()
    numbers = [table.say(table.one, f"line {each}").number for each in range(3)]
    assert table.say(table.watcher).number == 1
    assert numbers == [1, 2, 3]


def test_whoever_asks_gets_what_follows_the_last_line_that_he_knows() -> None:
    table = a_table()
    for number in range(1, 5):
        table.say(table.one, f"line {number}")
    assert heard(table, table.other, seats=2) == ["line 3", "line 4"]
    assert heard(table, table.other, seats=4) == []


# --- Who speaks where ------------------------------------------------------------------------


@pytest.mark.parametrize("state", FOUGHT)
def test_each_speaks_in_his_own_room_and_nobody_without_an_account(state: str) -> None:
    table = a_table()
    table.become(state)
    assert table.say(table.one).room.name == SEATS
    assert table.say(table.watcher).room.name == SPECTATORS
    for nobody in (
        table.passer_by,
        Player(guest=GuestFactory()),
        player_for(user=StaffFactory()),
    ):
        with pytest.raises(errors.NotHeard):
            table.say(nobody)


@pytest.mark.parametrize("state", Tournament.OVER)
def test_when_it_is_over_all_go_on_in_one_room_for_a_while(state: str) -> None:
    table = a_table()
    table.become(state)
    assert table.say(table.one).room.name == SPECTATORS
    assert table.say(table.watcher).room.name == SPECTATORS
    with pytest.raises(errors.NotHeard):
        table.say(table.passer_by)
    long_ago = timezone.now() - AFTERWARDS - timedelta(minutes=1)
    Tournament.objects.filter(pk=table.tournament.pk).update(ended_at=long_ago)
    for late in (table.one, table.watcher):
        with pytest.raises(errors.Closed):
            table.say(late)


def test_a_guest_speaks_at_the_table_where_he_has_a_seat() -> None:
    table, _browser = a_table_with_a_guest()
    line = table.say(table.other, "Hello.")
    assert (line.room.name, line.dynasty, line.guest) == (SEATS, None, table.other.guest)
    assert line.who == table.other.guest.name
    assert heard(table, table.one) == ["Hello."]


def test_a_guest_who_signed_up_still_speaks_from_his_seat() -> None:
    table, _browser = a_table_with_a_guest()
    house = DynastyFactory()
    table.other.guest.became = house.ruler
    table.other.guest.save()
    line = table.say(ruler(house))
    assert (line.room.name, line.dynasty, line.who) == (SEATS, house, table.other.guest.name)


def test_whoever_takes_a_seat_reads_the_stands_no_more() -> None:
    table = a_table()
    tournament = announced("honour", "duel")
    before = Table(tournament, table.one, table.other, table.watcher)
    before.say(table.watcher, "from the stands")
    assert heard(before, table.watcher) == ["from the stands"]
    emperor = table.tournament.seats.first().emperor
    tournament.seats.create(name="a", place=0, emperor=emperor, dynasty=table.watcher.dynasty)
    assert heard(before, table.watcher) == []


# --- Floods ----------------------------------------------------------------------------------


def let_pass(seconds: int) -> None:
    """Let all that was said be so much older."""
    Line.objects.update(said_at=F("said_at") - timedelta(seconds=seconds))


def test_whoever_talks_too_fast_has_to_wait_and_holds_up_nobody_else() -> None:
    table = a_table()
    for number in range(5):
        table.say(table.one, f"line {number}")
    with pytest.raises(errors.TooTalkative):
        table.say(table.one, "one more")
    table.say(table.other, "I may still talk.")
    let_pass(10)
    table.say(table.one, "one more")


def test_patience_wears_out_over_minutes_too() -> None:
    table = a_table()
    for number in range(30):
        table.say(table.one, f"line {number}")
        let_pass(4)
    let_pass(10)
    with pytest.raises(errors.TooTalkative):
        table.say(table.one, "one more")
    let_pass(200)
    table.say(table.one, "one more")


def test_a_second_tournament_is_no_second_allowance() -> None:
    table, elsewhere = a_table(), a_table()
    for number in range(5):
        table.say(table.watcher, f"line {number}")
    with pytest.raises(errors.TooTalkative):
        elsewhere.say(table.watcher, "here then")


def test_the_same_words_at_once_again_are_the_same_line() -> None:
    table = a_table()
    assert table.say(table.one, "Go!") == table.say(table.one, " Go! ")
    assert table.say(table.other, "Go!").number == 2
    assert Line.objects.count() == 2


# --- Not listening ---------------------------------------------------------------------------


def test_a_mute_hides_somebody_from_one_reader_in_one_tournament() -> None:
    table = a_table()
    line = table.say(table.one, "Tedious.")
    services.mute(tournament=table.tournament, player=table.other, room=SEATS, number=line.number)
    services.mute(tournament=table.tournament, player=table.other, room=SEATS, number=line.number)
    assert heard(table, table.other) == []
    assert heard(table, table.one) == ["Tedious."]
    row = Mute.objects.get()
    assert not services.unmute(tournament=table.tournament, player=table.one, number=row.pk)
    assert services.unmute(tournament=table.tournament, player=table.other, number=row.pk)
    assert heard(table, table.other) == ["Tedious."]


def test_a_block_from_the_chat_holds_in_every_tournament() -> None:
    table, elsewhere = a_table(), a_table()
    line = table.say(table.one, "Tedious.")
    elsewhere.say(table.one, "In the stands.")
    assert heard(elsewhere, table.other) == ["In the stands."]
    services.block_author(
        tournament=table.tournament, player=table.other, room=SEATS, number=line.number
    )
    assert heard(table, table.other) == []
    assert heard(elsewhere, table.other) == []
    assert heard(elsewhere, elsewhere.watcher) == ["In the stands."]


def test_a_block_made_elsewhere_holds_in_the_chat() -> None:
    table = a_table()
    table.say(table.one, "Tedious.")
    block(by=Person(table.other.dynasty.pk), whom=Person(table.one.dynasty.pk))
    assert heard(table, table.other) == []


def test_nobody_mutes_himself_nor_by_a_line_that_he_may_not_read() -> None:
    table = spoken()
    ask = {"tournament": table.tournament, "room": SEATS, "number": 1}
    for act in (services.mute, services.block_author):
        with pytest.raises(errors.NotToOneself):
            act(player=table.one, **ask)
        with pytest.raises(errors.NoSuchLine):
            act(player=table.watcher, **ask)
        with pytest.raises(errors.NotHeard):
            act(player=table.passer_by, **ask)
        with pytest.raises(errors.NoSuchLine):
            act(player=table.one, **{**ask, "number": 99})


# --- What remains ----------------------------------------------------------------------------


def test_the_talk_of_a_training_goes_with_it_and_that_of_others_stays(audit) -> None:
    training, serious = spoken("training"), spoken()
    services.mute(tournament=training.tournament, player=training.other, room=SEATS, number=1)
    seat = training.tournament.seats.get(dynasty=training.one.dynasty)
    submit_order(seat=seat.pk, turn=0, content={"resign": True})
    other = training.tournament.seats.exclude(pk=seat.pk).get()
    if Tournament.objects.filter(pk=training.tournament.pk).exists():
        submit_order(seat=other.pk, turn=0, content={"hold": True})
    assert not Tournament.objects.filter(pk=training.tournament.pk).exists()
    assert set(Room.objects.values_list("tournament", flat=True)) == {serious.tournament.pk}
    assert Line.objects.count() == 2
    assert not Mute.objects.exists()
    audit()


def test_whoever_leaves_the_world_takes_his_words_along(audit) -> None:
    table = a_table()
    watcher = table.watcher
    table.say(watcher, "Remember me.")
    table.become("finished")
    let_dynasty_fall(ruler=watcher.user)
    watcher.user.delete()
    line = Line.objects.get()
    assert (line.text, line.who) == ("", watcher.dynasty.name)
