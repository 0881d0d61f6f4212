"""Seats: who may take one, what it costs, and that leaving gives everything back."""

import pytest

from dynasties.accounts.models import Guest
from dynasties.treasury.models import Balance
from dynasties.treasury.selectors import kind
from emperors.models import Emperor
from emperors.services import let_die, send_to
from tests.factories import DynastyFactory, EmperorFactory, GuestFactory, UserFactory
from tests.tournaments.hours import HOLD, RESIGN, ago, ahead, begun, let_start, seats_of
from tests.tournaments.lists import announced, enrich, fighter, filled, seat
from tournaments import arena, errors
from tournaments.announcements.models import Seat, Tournament
from tournaments.announcements.services import invite, open_due
from tournaments.seating.players import Player, player_for, seat_of
from tournaments.seating.services import (
    PATIENCE,
    cancel,
    enter,
    leave,
    play_now,
    start_due,
    start_if_due,
    start_or_cancel,
)
from tournaments.turns.models import Order
from tournaments.turns.services import submit_order

pytestmark = pytest.mark.django_db
State = Tournament.State


def copper(emperor: Emperor) -> int:
    owned = Balance.objects.filter(account__dynasty=emperor.dynasty, kind=kind("copper"))
    return sum(owned.values_list("amount", flat=True))


def guest() -> Player:
    return Player(guest=GuestFactory())


# --- Who is refused ---------------------------------------------------------------------------


def refusal(tournament: Tournament, emperor: Emperor, **more: object) -> str:
    """The code with which an entry is refused; nothing of it may remain."""
    with pytest.raises(errors.Refused) as refused:
        seat(tournament, emperor, **more)
    assert str(refused.value)
    emperor.refresh_from_db()
    assert not tournament.seats.filter(emperor=emperor).exists()
    assert emperor.place != tournament.place
    return refused.value.code


def test_nobody_enters_before_it_opens() -> None:
    assert refusal(announced(opens_at=ahead(hours=1)), fighter()) == "not-open"


def test_nobody_enters_what_is_being_fought() -> None:
    assert refusal(begun(), fighter()) == "not-open"


def test_nobody_enters_what_is_gone() -> None:
    tournament = announced("training")
    cancel(tournament=tournament)
    with pytest.raises(errors.NotOpen):
        seat(tournament, fighter())


def test_nobody_enters_after_its_time_even_if_no_sweep_has_come() -> None:
    tournament = announced(starts_at=ahead(hours=1))
    let_start(tournament)
    assert refusal(tournament, fighter()) == "not-open"


def test_entries_are_open_at_their_time_even_if_no_sweep_has_come() -> None:
    tournament = announced(opens_at=ahead(hours=1))
    Tournament.objects.update(opens_at=ago(seconds=1))
    seat(tournament, fighter())
    tournament.refresh_from_db()
    assert tournament.state == State.OPEN


def test_nobody_enters_when_all_seats_are_taken(monkeypatch) -> None:
    monkeypatch.setattr("tournaments.seating.services.begin_battle", lambda **_battle: None)
    tournament = announced()
    filled(tournament)
    assert refusal(tournament, fighter()) == "full"


def test_only_the_invited_and_the_host_enter() -> None:
    host, invited, stranger = fighter(), fighter(), fighter()
    tournament = announced(host=host.dynasty, access="invited", field="crossroads")
    invite(tournament=tournament, dynasties=(invited.dynasty,))
    assert refusal(tournament, stranger) == "not-invited"
    assert refusal(tournament, stranger, token=tournament.link_token) == "not-invited"
    assert seat(tournament, host).name == "a"
    assert seat(tournament, invited).name == "b"


def test_a_link_lets_in_whoever_has_it() -> None:
    tournament = announced("training", access="link", field="crossroads")
    assert refusal(tournament, fighter(), token="guessed") == "not-invited"
    assert refusal(tournament, fighter(), token="ñ\x00") == "not-invited"
    seat(tournament, fighter(), token=tournament.link_token)
    enter(tournament=tournament, player=guest(), token=tournament.link_token)
    other = announced("training", access="link")
    assert other.link_token != tournament.link_token


def test_guests_play_in_training_only() -> None:
    with pytest.raises(errors.TrainingOnly):
        enter(tournament=announced("honour"), player=guest())


def test_nobody_sends_an_emperor_of_another(db) -> None:
    tournament, emperor = announced(), fighter()
    for player in (Player(dynasty=DynastyFactory()), guest(), Player()):
        with pytest.raises(errors.NotYourEmperor):
            enter(tournament=tournament, player=player, emperor=emperor)
    with pytest.raises(errors.NotYourEmperor):
        enter(tournament=tournament, player=Player(dynasty=emperor.dynasty))


def test_an_emperor_who_is_away_can_t_enter() -> None:
    busy, attending, dead = fighter(), fighter(), EmperorFactory(dynasty=DynastyFactory())
    seat(announced(), busy)
    send_to(emperor=attending, life="attending", place="elsewhere")
    stale = Emperor.objects.get(pk=dead.pk)
    let_die(emperor=dead)
    assert refusal(announced(), busy) == "away"
    assert refusal(announced(), attending) == "away"
    with pytest.raises(errors.Away):
        seat(announced("training"), stale)


def test_a_dynasty_has_one_seat_in_a_tournament() -> None:
    tournament, first = announced(field="crossroads"), fighter()
    seat(tournament, first)
    second = EmperorFactory(dynasty=first.dynasty, reputation=50)
    assert refusal(tournament, second) == "seated-already"


def test_the_reputation_must_fit() -> None:
    tournament = announced(stake=20, reputation_least=40, reputation_most=60)
    assert refusal(tournament, fighter(reputation=39)) == "too-lowly"
    assert refusal(tournament, fighter(reputation=61)) == "too-famed"
    seat(tournament, fighter(reputation=40))
    assert refusal(announced(stake=20), fighter(reputation=19)) == "too-lowly"


def test_who_lacks_the_key_stays_outside() -> None:
    emperor, key = fighter(), kind("bronze-key")
    tournament = announced(key=key)
    assert refusal(tournament, emperor) == "no-key"
    enrich(emperor.dynasty, 1, "bronze-key")
    seat(tournament, emperor)
    assert Balance.objects.get(account__dynasty=emperor.dynasty, kind=key).amount == 1


def test_who_can_t_pay_stays_outside() -> None:
    tournament = announced(fee=2_000_000, fee_kind=kind("copper"))
    assert refusal(tournament, fighter()) == "poor"


@pytest.mark.parametrize("filling", [None, 99, 1001, True, "300", 300.0, 10**30, -5])
def test_a_chest_holds_what_the_charter_allows(filling: object) -> None:
    tournament = announced(chests=True, field="five-vaults")
    assert refusal(tournament, fighter(rich=True), chest=filling) == "unfit-chest"


# --- Taking a seat, and giving it up ----------------------------------------------------------


def test_the_same_entry_again_finds_the_same_seat(audit) -> None:
    tournament = announced(fee=100, fee_kind=kind("copper"), field="crossroads")
    emperor = fighter(rich=True)
    before = copper(emperor)
    assert seat(tournament, emperor) == seat(tournament, emperor)
    assert copper(emperor) == before - 100
    audit()


def test_leaving_gives_everything_back(audit) -> None:
    tournament = announced(fee=100, fee_kind=kind("copper"), chests=True, field="five-vaults")
    emperor = fighter(rich=True)
    before = copper(emperor)
    for _time in range(2):
        seat(tournament, emperor, chest=300)
        assert copper(emperor) == before - 400
        leave(tournament=tournament, player=Player(dynasty=emperor.dynasty))
        leave(tournament=tournament, player=Player(dynasty=emperor.dynasty))
        assert copper(emperor) == before
        emperor.refresh_from_db()
        assert (emperor.life, emperor.place) == (Emperor.Life.AT_REST, "")
    assert not tournament.seats.exists()
    audit()


def test_nobody_leaves_once_it_has_begun() -> None:
    tournament = begun()
    with pytest.raises(errors.BegunAlready):
        leave(tournament=tournament, player=Player(dynasty=seats_of(tournament)[0].dynasty))


def test_a_seat_that_was_left_is_the_next_to_be_taken() -> None:
    tournament, people = announced(field="crossroads"), [fighter() for _ in range(3)]
    for emperor in people[:2]:
        seat(tournament, emperor)
    leave(tournament=tournament, player=Player(dynasty=people[0].dynasty))
    assert seat(tournament, people[2]).name == "a"


def test_an_emperor_who_is_refused_has_not_left() -> None:
    emperor = fighter(reputation=1)
    refusal(announced(), emperor)
    assert emperor.life == Emperor.Life.AT_REST


# --- Guests -----------------------------------------------------------------------------------


def test_a_guest_who_registers_keeps_his_seat() -> None:
    tournament, player = announced("training"), guest()
    taken = enter(tournament=tournament, player=player)
    user = UserFactory()
    Guest.objects.filter(pk=player.guest.pk).update(became=user)
    ruler = player_for(user=user)
    assert seat_of(tournament, ruler) == taken
    emperor = EmperorFactory(dynasty=ruler.dynasty)
    with pytest.raises(errors.SeatedAlready):
        enter(tournament=tournament, player=ruler, emperor=emperor)
    assert enter(tournament=tournament, player=ruler) == taken


def test_a_guest_is_in_one_place_at_a_time() -> None:
    player = guest()
    enter(tournament=announced("training"), player=player)
    with pytest.raises(errors.Away):
        enter(tournament=announced("training"), player=player)


def test_a_guest_who_is_out_may_play_elsewhere() -> None:
    tournament, player = announced("training", "crossroads"), guest()
    mine = enter(tournament=tournament, player=player)
    others = [enter(tournament=tournament, player=guest()) for _ in range(3)]
    submit_order(seat=mine.pk, turn=0, content=RESIGN)
    for other in others:
        submit_order(seat=other.pk, turn=0, content=HOLD)
    tournament.refresh_from_db()
    assert tournament.turn == 1
    assert play_now(player=player).tournament != tournament


# --- The start, and the want of it ------------------------------------------------------------


def test_the_last_seat_starts_it() -> None:
    tournament = begun()
    assert (tournament.state, tournament.turn) == (State.RUNNING, 0)
    assert tournament.deadline is not None


def test_at_its_time_it_starts_with_the_fewest_seats() -> None:
    tournament = announced(field="crossroads", starts_at=ahead(hours=1), seats_least=3)
    for _each in range(3):
        seat(tournament, fighter())
    assert start_due() == 0
    assert not start_or_cancel(number=tournament.pk)
    let_start(tournament)
    assert start_due() == 1
    assert start_due() == 0
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert tournament.seats.count() == 3


def test_with_too_few_it_is_cancelled_and_everything_goes_back(audit) -> None:
    tournament = announced(
        fee=100, fee_kind=kind("copper"), field="crossroads", starts_at=ahead(hours=1)
    )
    emperor = fighter(rich=True)
    before = copper(emperor)
    seat(tournament, emperor)
    let_start(tournament)
    assert start_if_due(tournament)
    tournament.refresh_from_db()
    emperor.refresh_from_db()
    assert tournament.state == State.CANCELLED
    assert (copper(emperor), emperor.life) == (before, Emperor.Life.AT_REST)
    audit()


def test_a_visitor_starts_only_what_is_due() -> None:
    assert not start_if_due(announced(starts_at=ahead(hours=1)))
    assert not start_if_due(announced())
    assert not start_if_due(begun())


def test_what_is_announced_opens_at_its_time() -> None:
    tournament = announced(opens_at=ahead(hours=1))
    assert open_due() == 0
    Tournament.objects.update(opens_at=ago(seconds=1))
    assert open_due() == 1
    assert open_due() == 0
    tournament.refresh_from_db()
    assert tournament.state == State.OPEN


def test_one_that_can_t_begin_holds_up_nobody_and_is_called_off(monkeypatch, audit) -> None:
    broken, sound = (announced("honour", "crossroads", starts_at=ahead(hours=1)) for _ in range(2))
    for tournament in (broken, sound):
        for _each in range(2):
            seat(tournament, fighter())
        let_start(tournament)
    begin = arena.begin

    def break_down(**battle: object) -> arena.Position:
        if battle["seed"] == broken.seed:
            raise KeyError("engine")
        return begin(**battle)

    monkeypatch.setattr("tournaments.arena.begin", break_down)
    for _try in range(3):
        start_due()
    broken.refresh_from_db()
    sound.refresh_from_db()
    assert (broken.state, sound.state) == (State.CANCELLED, State.RUNNING)
    assert not Emperor.objects.filter(place=broken.place).exists()
    audit()


def test_what_is_being_fought_can_be_cancelled_by_office(audit) -> None:
    tournament = begun(fee=100, fee_kind=kind("copper"))
    first = seats_of(tournament)[0]
    submit_order(seat=first.pk, turn=0, content=HOLD)
    assert cancel(tournament=tournament)
    assert not cancel(tournament=tournament)
    tournament.refresh_from_db()
    assert tournament.state == State.CANCELLED
    assert not Order.objects.exists()
    assert not Emperor.objects.exclude(place="").exists()
    audit()


# --- Play now ---------------------------------------------------------------------------------


def test_who_plays_now_is_seated_with_whoever_waits() -> None:
    first, second = play_now(player=guest()), play_now(player=guest())
    assert first.tournament == second.tournament
    emperor = fighter()
    third = play_now(player=Player(dynasty=emperor.dynasty), emperor=emperor)
    assert third.tournament == first.tournament


def test_bots_take_the_other_seats_within_seconds() -> None:
    mine = play_now(player=guest())
    assert PATIENCE.total_seconds() < 10
    let_start(mine.tournament)
    assert start_due() == 1
    mine.tournament.refresh_from_db()
    assert mine.tournament.state == State.RUNNING
    assert Seat.objects.exclude(bot="").count() == 3


def test_a_guest_who_asks_twice_has_one_seat() -> None:
    player = guest()
    mine = play_now(player=player)
    assert play_now(player=player) == mine
    let_start(mine.tournament)
    start_due()
    assert play_now(player=player) == mine


def test_an_emperor_who_is_away_can_t_play_now_but_his_brother_can() -> None:
    first = fighter()
    ruler = Player(dynasty=first.dynasty)
    mine = play_now(player=ruler, emperor=first)
    assert play_now(player=ruler, emperor=first) == mine
    let_start(mine.tournament)
    start_due()
    with pytest.raises(errors.Away):
        play_now(player=ruler, emperor=first)
    other = play_now(player=ruler, emperor=EmperorFactory(dynasty=first.dynasty))
    assert other.tournament != mine.tournament


def test_play_now_passes_over_what_is_not_for_him() -> None:
    announced("training", bots="page", starts_at=ahead(seconds=5), reputation_least=1000)
    emperor = fighter()
    mine = play_now(player=Player(dynasty=emperor.dynasty), emperor=emperor)
    assert mine.tournament.reputation_least is None


def test_nobody_without_a_seat_to_take_can_play_now() -> None:
    with pytest.raises(errors.NotYourEmperor):
        play_now(player=Player())
    assert not Tournament.objects.exists()
