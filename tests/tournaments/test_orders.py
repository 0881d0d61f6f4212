"""Orders: which are kept, which are refused and why, and what everybody else may notice of it."""

from typing import Any

import pytest

from tests.tournaments.hours import HOLD, RESIGN, a_move, begun, let_time_pass, seats_of
from tournaments import arena, errors
from tournaments.announcements.models import Seat, Tournament
from tournaments.turns import services
from tournaments.turns.adjournment import adjourn
from tournaments.turns.models import Order, Turn
from tournaments.turns.services import (
    Accepted,
    Wish,
    offer_draw,
    submit_order,
    submit_orders,
    withdraw_order,
)

pytestmark = pytest.mark.django_db
State = Tournament.State


def refusal(seat: Seat, content: Any = HOLD, turn: Any = 0) -> str:
    with pytest.raises(errors.Refused) as refused:
        submit_order(seat=seat.pk, turn=turn, content=content)
    assert str(refused.value)
    return refused.value.code


# --- What is refused --------------------------------------------------------------------------


def test_a_seat_that_is_not_there_can_t_order() -> None:
    with pytest.raises(errors.NotSeated):
        submit_order(seat=10**12, turn=0, content=HOLD)


def test_nobody_orders_before_the_start_after_the_end_or_while_it_is_set_aside() -> None:
    waiting = begun(field="crossroads")
    first = seats_of(waiting)[0]
    adjourn(number=waiting.pk)
    assert refusal(first) == "not-running"
    Tournament.objects.filter(pk=waiting.pk).update(state=State.OPEN)
    assert refusal(first) == "not-running"


@pytest.mark.parametrize("turn", [1, -1, 10**30, None, "0", False, 0.0, [], {}])
def test_an_order_for_another_turn_is_refused(turn: Any) -> None:
    first = seats_of(begun())[0]
    assert refusal(first, turn=turn) == "wrong-turn"
    with pytest.raises(errors.WrongTurn):
        offer_draw(seat=first.pk, turn=turn)


def test_a_late_order_is_refused_even_if_no_sweep_has_come() -> None:
    tournament = begun()
    let_time_pass(tournament)
    first = seats_of(tournament)[0]
    assert refusal(first) == "too-late"
    with pytest.raises(errors.TooLate):
        withdraw_order(seat=first.pk, turn=0)
    with pytest.raises(errors.TooLate):
        offer_draw(seat=first.pk, turn=0)
    assert not Order.objects.exists()


def test_who_is_out_can_t_order() -> None:
    tournament = begun(field="crossroads")
    first, *others = seats_of(tournament)
    submit_order(seat=first.pk, turn=0, content=RESIGN)
    for other in others:
        submit_order(seat=other.pk, turn=0, content=HOLD)
    assert refusal(first, turn=1) == "out"
    with pytest.raises(errors.OutOfIt):
        offer_draw(seat=first.pk, turn=1)


ODD: list[Any] = [
    0, "hold", [], {}, True, 1.5, {"hold": False}, {"hold": True, "more": 1}, {"piece": "a1"},
    {"piece": "a\x00", "to": [0, 0]}, {"piece": "\ud800", "to": [0, 0]},
    {"piece": "a1", "to": [10**40, -(10**40)]}, {"piece": "a1", "to": [True, False]},
    {"piece": None, "to": None}, {"piece": "a1", "to": ["0", "0"]}, {"to": {"x": [[]]}},
    {"piece": "a1", "to": [float("nan"), float("inf")]}, {"piece": "x" * 10_000, "to": [0, 0]},
]  # fmt: skip


@pytest.mark.parametrize("content", ODD, ids=range(len(ODD)))
def test_an_odd_order_is_refused_by_the_game_with_a_code(content: Any) -> None:
    first = seats_of(begun())[0]
    assert refusal(first, content)
    assert not Order.objects.exists()


def test_a_refused_order_leaves_the_earlier_one_standing() -> None:
    tournament = begun()
    first, second = seats_of(tournament)
    submit_order(seat=first.pk, turn=0, content=HOLD)
    assert refusal(first, {"piece": f"{second.name}1", "to": [0, 0]}) != "refused"
    assert Order.objects.get().content == HOLD


def test_an_engine_that_breaks_on_one_order_harms_no_other(monkeypatch) -> None:
    sound, broken = begun(), begun()
    read = arena.Position.read

    def break_down(position: arena.Position, seat: str, data: Any) -> arena.Order:
        if position.seed == broken.seed:
            raise RecursionError
        return read(position, seat, data)

    monkeypatch.setattr(arena.Position, "read", break_down)
    wishes = [Wish(seats_of(each)[0].pk, 0, HOLD) for each in (broken, sound)]
    bad, good = submit_orders(wishes)
    assert isinstance(bad, errors.Refused)
    assert isinstance(good, Accepted)
    assert Order.objects.get().tournament == sound


# --- What is kept -----------------------------------------------------------------------------


def test_the_last_order_closes_the_turn_at_once() -> None:
    tournament = begun()
    first, second = seats_of(tournament)
    assert not submit_order(seat=first.pk, turn=0, content=HOLD).complete
    assert submit_order(seat=second.pk, turn=0, content=HOLD).complete
    tournament.refresh_from_db()
    assert tournament.turn == 1
    assert Turn.objects.get().orders == [[first.name, HOLD], [second.name, HOLD]]
    assert not Order.objects.exists()


def test_an_order_that_is_replaced_counts_from_its_replacement() -> None:
    tournament = begun()
    first, second = seats_of(tournament)
    submit_order(seat=first.pk, turn=0, content=HOLD)
    Tournament.objects.update(shows_ready=False)
    wishes = [Wish(first.pk, 0, HOLD), Wish(second.pk, 0, HOLD)]
    withdraw_order(seat=first.pk, turn=0)
    submit_orders([wishes[1]])
    submit_orders([wishes[0]])
    assert [name for name, _order in Turn.objects.get().orders] == [second.name, first.name]


def test_of_several_wishes_of_a_seat_the_last_holds() -> None:
    tournament = begun()
    first = seats_of(tournament)[0]
    move = a_move(tournament, first)
    answers = submit_orders(
        [Wish(first.pk, 0, HOLD), Wish(first.pk, 0, None), Wish(first.pk, 0, move)]
    )
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert Order.objects.get().content == {"piece": move["piece"], "to": list(move["to"])}


def test_what_is_withdrawn_is_gone_and_can_be_withdrawn_again() -> None:
    first = seats_of(begun())[0]
    submit_order(seat=first.pk, turn=0, content=HOLD)
    withdraw_order(seat=first.pk, turn=0)
    withdraw_order(seat=first.pk, turn=0)
    assert not Order.objects.exists()


def test_an_acknowledgement_is_not_taken_back_when_the_turn_can_t_be_closed(monkeypatch) -> None:
    tournament = begun()
    monkeypatch.setattr(arena.Position, "close", lambda *_args: 1 / 0)
    answers = submit_orders([Wish(seat.pk, 0, HOLD) for seat in seats_of(tournament)])
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert Order.objects.count() == 2


# --- What others notice -----------------------------------------------------------------------


@pytest.fixture
def told(monkeypatch) -> list[int]:
    """The counts that went out."""
    counts: list[int] = []
    monkeypatch.setattr(
        services, "tell_ready", lambda said: counts.extend(count for _each, count in said)
    )
    return counts


def test_an_order_moves_no_version_and_a_replaced_one_tells_nothing(told) -> None:
    tournament = begun(field="crossroads")
    version, first = tournament.version, seats_of(tournament)[0]
    submit_order(seat=first.pk, turn=0, content=HOLD)
    assert told == [1]
    submit_order(seat=first.pk, turn=0, content=a_move(tournament, first))
    refusal(first, "nonsense")
    assert told == [1]
    withdraw_order(seat=first.pk, turn=0)
    assert told == [1, 0]
    tournament.refresh_from_db()
    assert tournament.version == version


def test_where_readiness_is_hidden_nothing_is_told(told) -> None:
    tournament = begun(field="crossroads", shows_ready=False)
    for seat in seats_of(tournament)[:3]:
        submit_order(seat=seat.pk, turn=0, content=HOLD)
    assert told == []


# --- Draws ------------------------------------------------------------------------------------


def test_a_draw_takes_everybody_who_is_in_it(audit) -> None:
    tournament = begun(field="crossroads")
    out, *others = seats_of(tournament)
    submit_order(seat=out.pk, turn=0, content=RESIGN)
    for other in others:
        submit_order(seat=other.pk, turn=0, content=HOLD)
    for other in others[:2]:
        offer_draw(seat=other.pk, turn=1)
        tournament.refresh_from_db()
        assert tournament.state == State.RUNNING
    submit_order(seat=others[0].pk, turn=1, content=HOLD)
    offer_draw(seat=others[2].pk, turn=1)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.ending) == (State.FINISHED, "agreed")
    assert (tournament.winners, tournament.turn) == ([], 1)
    assert not Order.objects.exists()
    audit()


def test_an_offer_holds_in_its_turn_only_and_twice_is_once() -> None:
    tournament = begun()
    first, second = seats_of(tournament)
    offer_draw(seat=first.pk, turn=0)
    tournament.refresh_from_db()
    version = tournament.version
    offer_draw(seat=first.pk, turn=0)
    tournament.refresh_from_db()
    assert tournament.version == version
    for seat in (first, second):
        submit_order(seat=seat.pk, turn=0, content=HOLD)
    offer_draw(seat=second.pk, turn=1)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING


def test_nobody_without_a_seat_or_a_battle_offers_a_draw() -> None:
    with pytest.raises(errors.NotSeated):
        offer_draw(seat=10**12, turn=0)
    first = seats_of(begun())[0]
    adjourn(number=first.tournament_id)
    with pytest.raises(errors.NotRunning):
        offer_draw(seat=first.pk, turn=0)


def test_bots_always_agree_to_a_draw() -> None:
    tournament = begun("training", "crossroads")
    first, *others = seats_of(tournament)
    Seat.objects.filter(pk__in=[other.pk for other in others]).update(bot="page")
    offer_draw(seat=first.pk, turn=0)
    assert not Tournament.objects.exists()


def test_who_may_only_wait_is_still_asked_about_a_draw(monkeypatch) -> None:
    """In a game of alternating turns one seat is due, and both are in it."""
    tournament = begun()
    first, second = seats_of(tournament)
    monkeypatch.setattr(arena.Position, "due", lambda _position: (first.name,))
    offer_draw(seat=first.pk, turn=0)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    offer_draw(seat=second.pk, turn=0)
    tournament.refresh_from_db()
    assert tournament.ending == "agreed"
