"""Bots: they order at once, know what their seat knows, and hold nobody up."""

from typing import Any

import pytest

from emperors.models import Emperor
from tests.factories import GuestFactory
from tests.tournaments.hours import (
    HOLD,
    RESIGN,
    a_move,
    ahead,
    begun,
    let_start,
    let_time_pass,
    seats_of,
)
from tests.tournaments.lists import announced, fighter, seat
from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.bots import services as bots
from tournaments.bots import tasks
from tournaments.bots.services import think, think_for_all, think_for_want_of_a_worker
from tournaments.errors import Refused
from tournaments.seating.players import Player
from tournaments.seating.services import enter, start_due
from tournaments.turns.deadlines import close_overdue
from tournaments.turns.models import Order, Turn
from tournaments.turns.services import Accepted, Wish, submit_order, submit_orders

pytestmark = pytest.mark.django_db
State = Tournament.State


def training(*, people: int = 1, field: str = "crossroads", **terms: Any) -> Tournament:
    """A training battle that has begun, with people in the first seats and bots in the others."""
    tournament = announced("training", field, bots="page", starts_at=ahead(hours=1), **terms)
    for _each in range(people):
        enter(tournament=tournament, player=Player(guest=GuestFactory()))
    let_start(tournament)
    assert start_due() == 1
    tournament.refresh_from_db()
    return tournament


def human(tournament: Tournament) -> Seat:
    return tournament.seats.exclude(guest=None).order_by("place")[0]


def bot_seats(tournament: Tournament) -> set[str]:
    return set(tournament.seats.exclude(bot="").values_list("name", flat=True))


def ordered(tournament: Tournament) -> set[str]:
    return set(tournament.orders.values_list("seat__name", flat=True))


# --- When they order --------------------------------------------------------------------------


def test_bots_order_as_soon_as_a_turn_is_open_and_wait_for_nobody() -> None:
    tournament = training()
    assert think(number=tournament.pk, turn=0) == 3
    assert ordered(tournament) == bot_seats(tournament)
    assert tournament.orders.filter(by_bot=True).count() == 3


def test_thinking_again_changes_nothing() -> None:
    tournament = training()
    think(number=tournament.pk, turn=0)
    before = list(Order.objects.order_by("pk").values())
    for again in (think_for_all, think_for_want_of_a_worker):
        again()
    assert think(number=tournament.pk, turn=0) == 0
    assert list(Order.objects.order_by("pk").values()) == before


def test_thinking_about_another_turn_or_tournament_does_nothing() -> None:
    tournament = training()
    assert think(number=tournament.pk, turn=1) == 0
    assert think(number=10**12, turn=0) == 0
    assert not Order.objects.exists()


def test_the_last_order_of_a_person_closes_the_turn_that_bots_have_ordered_in() -> None:
    tournament = training()
    think(number=tournament.pk, turn=0)
    submit_order(seat=human(tournament).pk, turn=0, content=HOLD)
    tournament.refresh_from_db()
    assert tournament.turn == 1


def test_a_hint_with_numbers_only_calls_them_in_every_turn(
    monkeypatch, django_capture_on_commit_callbacks
) -> None:
    sent: list[tuple[int, ...]] = []
    monkeypatch.setattr(tasks.think, "apply_async", lambda args: sent.append(args))
    with django_capture_on_commit_callbacks(execute=True):
        tournament = training()
        begun("honour")  # nobody to call there
    assert sent == [(tournament.pk, 0)]
    think(number=tournament.pk, turn=0)
    with django_capture_on_commit_callbacks(execute=True):
        submit_order(seat=human(tournament).pk, turn=0, content=HOLD)
    assert sent == [(tournament.pk, 0), (tournament.pk, 1)]


def test_the_sweep_finds_bots_whose_hint_was_lost() -> None:
    tournament = training()
    tasks.wake_bots()
    assert ordered(tournament) == bot_seats(tournament)


def test_a_web_process_thinks_only_when_no_worker_has_for_a_while() -> None:
    tournament = training()
    assert think_for_want_of_a_worker() == 0
    let_time_pass(tournament, seconds=-(tournament.turn_seconds - 6))
    assert think_for_want_of_a_worker() == 3


def test_bots_that_nobody_asked_hold_and_are_not_absent() -> None:
    tournament = training()
    for turn in range(4):
        submit_order(seat=human(tournament).pk, turn=turn, content=HOLD)
        let_time_pass(tournament)
        assert close_overdue() == 1
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert set(tournament.seats.values_list("absences", flat=True)) == {0}
    assert set(tournament.seats.values_list("bot", flat=True)) == {"", "page"}


def test_a_bot_that_breaks_holds_and_holds_up_nobody(monkeypatch) -> None:
    tournament = training()
    monkeypatch.setattr(arena.Position, "ask_bot", lambda *_args, **_more: 1 / 0)
    assert think(number=tournament.pk, turn=0) == 3
    assert all(order.content == HOLD for order in Order.objects.all())


# --- What they know ---------------------------------------------------------------------------


def test_what_a_bot_orders_does_not_depend_on_what_others_have_ordered() -> None:
    tournament = training(people=2)
    alone, _other = tournament.seats.exclude(guest=None)
    think(number=tournament.pk, turn=0)
    first = list(Order.objects.values_list("seat", "content").order_by("seat"))
    Order.objects.all().delete()
    submit_order(seat=alone.pk, turn=0, content=a_move(tournament, alone))
    think(number=tournament.pk, turn=0)
    mine = Order.objects.filter(by_bot=True)
    assert list(mine.values_list("seat", "content").order_by("seat")) == first


def test_a_bot_is_asked_with_its_own_seat_and_a_chance_that_is_not_the_game_s(monkeypatch) -> None:
    tournament = training()
    asked: list[tuple[str, str, str]] = []

    def note(_position: arena.Position, level: str, name: str, *, salt: str) -> Any:
        asked.append((level, name, salt))
        return HOLD

    monkeypatch.setattr(arena.Position, "ask_bot", note)
    think(number=tournament.pk, turn=0)
    assert {(level, name) for level, name, _salt in asked} == {
        ("page", name) for name in bot_seats(tournament)
    }
    assert tournament.seed not in str(asked)


# --- Whose seat it is -------------------------------------------------------------------------


def desert(tournament: Tournament, deserter: Seat) -> None:
    """Let somebody be away until a bot has his seat; the others hold."""
    for turn in range(tournament.turn, tournament.turn + 3):
        for each in seats_of(tournament):
            if each.pk != deserter.pk:
                submit_order(seat=each.pk, turn=turn, content=HOLD)
        let_time_pass(tournament)
        assert close_overdue() == 1
    tournament.refresh_from_db()


def test_a_bot_takes_a_deserted_training_seat_and_plays_on() -> None:
    tournament = begun("training")
    deserter, other = seats_of(tournament)
    desert(tournament, deserter)
    deserter.refresh_from_db()
    assert (tournament.state, deserter.bot) == (State.RUNNING, "knight")
    assert tournament.turns.last().orders[-1] == [deserter.name, HOLD]
    assert think(number=tournament.pk, turn=3) == 1
    submit_order(seat=other.pk, turn=3, content=HOLD)
    tournament.refresh_from_db()
    assert tournament.turn == 4
    assert Emperor.objects.get(pk=deserter.emperor_id).place == tournament.place


def test_who_comes_back_has_his_seat_again_once_he_has_ordered() -> None:
    tournament = begun("training")
    deserter, other = seats_of(tournament)
    desert(tournament, deserter)
    think(number=tournament.pk, turn=3)
    move = a_move(tournament, deserter)
    submit_order(seat=deserter.pk, turn=3, content=move)
    deserter.refresh_from_db()
    assert deserter.bot == "knight"  # nobody may see that he has ordered before the turn is closed
    assert think(number=tournament.pk, turn=3) == 0
    submit_order(seat=other.pk, turn=3, content=HOLD)
    deserter.refresh_from_db()
    assert (deserter.bot, deserter.absences) == ("", 0)
    tournament.refresh_from_db()
    assert dict(tournament.turns.last().orders)[deserter.name] == {
        "piece": move["piece"], "to": list(move["to"]),
    }  # fmt: skip
    assert think(number=tournament.pk, turn=4) == 0


def test_a_bot_can_t_order_for_a_person() -> None:
    tournament = begun("honour")
    (answer,) = submit_orders([Wish(seats_of(tournament)[0].pk, 0, HOLD, by_bot=True)])
    assert isinstance(answer, Refused)
    assert not Order.objects.exists()


def test_a_bot_does_not_replace_what_was_ordered() -> None:
    tournament = training()
    chosen = tournament.seats.exclude(bot="")[0]
    wish = Wish(chosen.pk, 0, HOLD)
    first, second = submit_orders([wish, wish._replace(by_bot=True)])
    assert isinstance(first, Accepted)
    assert isinstance(second, Refused)


def test_in_serious_tournaments_no_bot_takes_a_seat() -> None:
    tournament = begun("honour", "crossroads")
    deserter = seats_of(tournament)[0]
    desert(tournament, deserter)
    assert not tournament.seats.exclude(bot="").exists()


# --- To the end -------------------------------------------------------------------------------


def test_when_every_person_has_gone_a_training_battle_is_abandoned() -> None:
    tournament = training()
    for _turn in range(3):
        think(number=tournament.pk, turn=tournament.turn)
        let_time_pass(tournament)
        close_overdue()
        tournament = Tournament.objects.filter(pk=tournament.pk).first() or tournament
    assert not Tournament.objects.exists()


def test_when_every_person_is_out_bots_bring_it_to_its_end_by_themselves() -> None:
    tournament = training(field="duel", options={"turn_limit": 30})
    Seat.objects.filter(pk=human(tournament).pk).update(bot="page")
    assert think(number=tournament.pk, turn=0) > 2
    assert not Tournament.objects.exists()


def test_a_person_who_resigns_leaves_the_bots_to_themselves() -> None:
    tournament = training(options={"turn_limit": 12})
    think(number=tournament.pk, turn=0)
    submit_order(seat=human(tournament).pk, turn=0, content=RESIGN)
    assert bots.MOST_TURNS_ALONE > 12
    think(number=tournament.pk, turn=1)
    assert not Tournament.objects.exists()
    assert not Turn.objects.exists()


def test_an_emperor_who_deserted_comes_home_when_it_is_over() -> None:
    tournament = announced("training", "duel", bots="page", starts_at=ahead(hours=1))
    emperor = fighter()
    seat(tournament, emperor)
    let_start(tournament)
    start_due()
    think(number=tournament.pk, turn=0)
    submit_order(seat=tournament.seats.get(emperor=emperor).pk, turn=0, content=RESIGN)
    assert not Tournament.objects.exists()
    emperor.refresh_from_db()
    assert (emperor.life, emperor.place) == (Emperor.Life.AT_REST, "")
