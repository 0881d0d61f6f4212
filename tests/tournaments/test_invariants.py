"""Every invariant of this floor is broken by something, and then says so."""

import random
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F, QuerySet
from django.utils import timezone

from dynasties.audit import all_invariants, run_audit
from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.models import Dynasty
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import Move, account_of, mint, open_escrow, post
from emperors.models import Emperor
from emperors.services import bring_home
from tests.factories import GuestFactory
from tests.tournaments.consequences.endings import end, ending
from tests.tournaments.lists import announced, fight, fighter, filled, order_all, seat
from tournaments.announcements.models import Seat, Tournament
from tournaments.consequences.verdicts import Ending
from tournaments.seating.services import cancel
from tournaments.turns.models import Order, Turn
from tournaments.turns.services import submit_order

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
SHORT = {"turn_limit": 6}


def running(type_: str = "honour", turns: int = 2, **terms) -> Tournament:
    """A battle after so many turns."""
    tournament = announced(type_, "duel", **terms)
    filled(tournament)
    chance = random.Random(5)
    for _turn in range(turns):
        order_all(tournament, chance)
        tournament.refresh_from_db()
    assert tournament.state == "running"
    return tournament


def finished(type_: str = "honour", **terms) -> Tournament:
    """A battle that was fought to its end."""
    tournament = announced(type_, "duel", options=SHORT, **terms)
    filled(tournament)
    over = fight(tournament, random.Random(5))
    assert over is not None
    assert over.state == "finished"
    return over


def with_an_order() -> Tournament:
    tournament = running()
    first = tournament.seats.first()
    submit_order(seat=first.pk, turn=tournament.turn, content={"hold": True})
    return tournament


def change(tournament: Tournament, **fields) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(**fields)


# --- How to break each of them ------------------------------------------------------------


def lose_a_turn() -> None:
    running().turns.filter(number=0).delete()


def count_a_turn_too_much() -> None:
    change(running(turns=0), turn=1, version=9)


def lose_the_position() -> None:
    change(running(), position="")


def begin_before_the_start() -> None:
    change(announced(), began_at=timezone.now(), position="x")


def let_a_deadline_stand() -> None:
    tournament = finished()
    change(tournament, deadline=timezone.now())


def set_the_deadline_before_the_beginning() -> None:
    change(running(), deadline=F("began_at"))


def remind_of_a_live_turn() -> None:
    change(running(), remind_at=timezone.now())


def end_before_the_beginning() -> None:
    change(finished(), ended_at=F("began_at") - HOUR)


def close_a_turn_before_the_one_before() -> None:
    Turn.objects.filter(tournament=running(), number=0).update(closed_at=timezone.now() + HOUR)


def keep_an_order_of_a_closed_turn() -> None:
    with_an_order()
    Order.objects.update(turn=0)


def keep_an_order_after_the_end() -> None:
    tournament = with_an_order()
    kept = Order.objects.get()
    end(tournament, Ending.draw("agreed"))
    kept.save(force_insert=True)


def order_in_anothers_tournament() -> None:
    with_an_order()
    Order.objects.update(tournament=running())


def receive_two_orders_as_one() -> None:
    """Before anybody closes the turn: the second is written past the services."""
    tournament = with_an_order()
    order = Order.objects.get()
    order.pk, order.seat = None, tournament.seats.last()
    order.save(force_insert=True)


def let_a_stranger_order() -> None:
    Turn.objects.filter(tournament=running(), number=0).update(orders=[["z", {"hold": True}]])


def order_twice_in_a_turn() -> None:
    twice = [["a", {"hold": True}], ["a", {"hold": True}]]
    Turn.objects.filter(tournament=running(), number=0).update(orders=twice)


def forget_to_count_versions() -> None:
    change(running(), version=2)


def ask_a_broken_engine_again() -> None:
    change(running(), faults=3)


def sit_on_a_seat_of_ones_own() -> None:
    Seat.objects.filter(tournament=running(), place=1).update(name="z")


def fight_alone() -> None:
    tournament = running()
    lonely = tournament.seats.last()
    bring_home(emperor=lonely.emperor)
    lonely.delete()


def let_a_bot_fight_for_honour() -> None:
    Seat.objects.filter(tournament=running(), place=0).update(bot="page")


def let_a_guest_fight_for_honour() -> None:
    chosen = Seat.objects.filter(tournament=running(), place=0)
    Emperor.objects.filter(seats__in=chosen).update(life="at-rest", place="")
    chosen.update(emperor=None, dynasty=None, guest=GuestFactory())


def fight_without_a_seat() -> None:
    seat(announced(), fighter())
    Seat.objects.all().delete()


def fight_on_after_the_end() -> None:
    over = finished()
    Emperor.objects.filter(seats__tournament=over).update(life="fighting", place=over.place)


def go_home_from_ones_seat() -> None:
    Emperor.objects.filter(seats__tournament=running()).update(life="at-rest", place="")


def sit_for_another_dynasty() -> None:
    tournament = running()
    Seat.objects.filter(tournament=tournament, place=0).update(dynasty=fighter().dynasty)


def enter_after_death() -> None:
    over = finished("death")
    victim = over.seats.first().emperor
    Emperor.objects.filter(pk=victim.pk).update(
        life="dead", died_at=timezone.now() - HOUR, dynasty=None, reputation=0
    )


def fight_for_nothing() -> None:
    Emperor.objects.filter(seats__tournament=finished()).update(battles=0)


def remember_training() -> None:
    change(announced("training"), state="cancelled", ended_at=timezone.now(), ending="cancelled")


def let_nobody_win() -> None:
    change(finished(), winners=["z"])


def win_before_the_end() -> None:
    change(running(), winners=["a"])


def rank_nobody() -> None:
    change(finished(), ranks={})


def end_without_a_word() -> None:
    change(finished(), ending="")


def win_what_was_abandoned() -> None:
    change(finished(), state="abandoned", winners=["a"])


def leave_a_result_untold() -> None:
    over = finished()
    QuerySet(Mention).filter(subject="tournament", number=over.pk).delete()


def tell_a_result_twice() -> None:
    over = finished()
    told = Mention.objects.get(subject="tournament", number=over.pk)
    entry = Entry(kind=told.entry.kind, facts=told.entry.facts, at=told.entry.at)
    entry.save(force_insert=True)
    Mention.objects.create(entry=entry, subject="tournament", number=over.pk, at=entry.at)


def mention_what_is_gone() -> None:
    over = finished()
    QuerySet(Mention).filter(subject="tournament").update(number=over.pk + 1)


def move(place: str, amount: int) -> None:
    copper = kind("copper")
    moves = [Move(mint(), copper, -amount), Move(open_escrow(purpose=place), copper, amount)]
    post(key=f"test {place}", reason="mint", moves=moves)


def put_something_into_escrow() -> None:
    move(running().place, 5)


def take_a_fee_out_of_escrow() -> None:
    tournament = running(fee=50, fee_kind=kind("copper"))
    copper, house = kind("copper"), Dynasty.objects.first()
    moves = [
        Move(open_escrow(purpose=tournament.place), copper, -50),
        Move(account_of(house), copper, 50),
    ]
    post(key="test fee", reason="mint", moves=moves)


def leave_something_in_escrow() -> None:
    move(finished().place, 5)


def keep_an_escrow_of_nobody() -> None:
    open_escrow(purpose="tournament 999999")


def keep_an_escrow_of_training() -> None:
    open_escrow(purpose=announced("training").place)


def enter_without_a_chest() -> None:
    tournament = announced("conquer", "four-islands", chests=True)
    filled(tournament)
    Seat.objects.filter(tournament=tournament, place=0).update(chest=None)


def bring_a_chest_unasked() -> None:
    Seat.objects.filter(tournament=finished(), place=0).update(chest=100)


def remember_the_chests_of_a_draw() -> None:
    tournament = announced("conquer", "four-islands", chests=True)
    filled(tournament)
    end(tournament, Ending.draw("agreed"))
    tournament.seats.update(chest=300)


def replay_to_something_else() -> None:
    over = finished()
    change(over, position=over.position.replace('"turn":6', '"turn":5'))


def lose_an_order_of_the_record() -> None:
    over = finished()
    Turn.objects.filter(tournament=over, number=0).update(orders=[["a", {"dance": True}]])


def change_the_winner() -> None:
    over = finished()
    change(over, winners=["b"] if over.winners != ["b"] else ["a"])


def know_a_chest_that_nobody_captured() -> None:
    tournament = announced("conquer", "four-islands", chests=True, options={"turn_limit": 1})
    filled(tournament)
    over = fight(tournament, random.Random(5))
    over.seats.update(chest=300)


BROKEN: list[tuple[Callable[[], None], str]] = [
    (lose_a_turn, "have no gaps"),
    (count_a_turn_too_much, "have no gaps"),
    (lose_the_position, "has a position"),
    (begin_before_the_start, "and not before"),
    (let_a_deadline_stand, "has a deadline after its beginning"),
    (set_the_deadline_before_the_beginning, "has a deadline after its beginning"),
    (remind_of_a_live_turn, "A reminder comes before"),
    (end_before_the_beginning, "happens in order"),
    (close_a_turn_before_the_one_before, "happens in order"),
    (keep_an_order_of_a_closed_turn, "An order is of the open turn"),
    (keep_an_order_after_the_end, "An order is of the open turn"),
    (order_in_anothers_tournament, "An order is of a seat of its tournament"),
    (receive_two_orders_as_one, "received as the same"),
    (let_a_stranger_order, "Only seats of a tournament have ordered"),
    (order_twice_in_a_turn, "Only seats of a tournament have ordered"),
    (forget_to_count_versions, "The version of a tournament"),
    (ask_a_broken_engine_again, "An engine that failed"),
    (sit_on_a_seat_of_ones_own, "names that were announced"),
    (fight_alone, "fewest seats"),
    (let_a_bot_fight_for_honour, "neither guests nor bots"),
    (let_a_guest_fight_for_honour, "neither guests nor bots"),
    (fight_without_a_seat, "has one seat in it"),
    (fight_on_after_the_end, "has one seat in it"),
    (go_home_from_ones_seat, "that is not over is there"),
    (sit_for_another_dynasty, "that is not over is there"),
    (enter_after_death, "after his death"),
    (fight_for_nothing, "counts for those who fought it"),
    (remember_training, "Training that is over is gone"),
    (let_nobody_win, "Winners and ranks"),
    (win_before_the_end, "Winners and ranks"),
    (rank_nobody, "Winners and ranks"),
    (end_without_a_word, "says how it ended"),
    (win_what_was_abandoned, "says how it ended"),
    (leave_a_result_untold, "The chronicle tells every serious tournament"),
    (tell_a_result_twice, "The chronicle tells every serious tournament"),
    (mention_what_is_gone, "mentions no tournament that is gone"),
    (put_something_into_escrow, "holds its fees, chests and prize"),
    (take_a_fee_out_of_escrow, "holds its fees, chests and prize"),
    (leave_something_in_escrow, "that is over is empty"),
    (keep_an_escrow_of_nobody, "belongs to a serious one"),
    (keep_an_escrow_of_training, "belongs to a serious one"),
    (enter_without_a_chest, "Before the end every seat"),
    (bring_a_chest_unasked, "Before the end every seat"),
    (remember_the_chests_of_a_draw, "Where nobody won"),
    (replay_to_something_else, "to the byte"),
    (lose_an_order_of_the_record, "to the byte"),
    (change_the_winner, "its game came to"),
    (know_a_chest_that_nobody_captured, "was captured"),
]


@pytest.mark.parametrize(
    ("breaks", "sentence"), BROKEN, ids=lambda each: getattr(each, "__name__", "")
)
def test_what_breaks_an_invariant_is_reported(breaks: Callable[[], None], sentence: str) -> None:
    breaks()
    assert [breach for breach in run_audit(strict=True) if sentence in breach.sentence]


def test_every_invariant_of_this_floor_is_broken_by_something() -> None:
    ours = {
        each.sentence
        for each in all_invariants(strict=True)
        if each.find.__module__ == "tournaments.invariants"
    }
    assert len(ours) >= 15
    unbroken = {one for one in ours if not any(part in one for _breaks, part in BROKEN)}
    assert unbroken == set()


def test_tournaments_in_every_state_are_sound() -> None:
    announced(opens_at=timezone.now() + HOUR)
    seat(announced(), fighter())
    seat(announced("conquer", fee=50, fee_kind=kind("copper")), fighter(rich=True))
    with_an_order()
    running("training")
    finished("death")
    cancel(tournament=running("conquer"))
    draw = running("honour")
    end(draw, Ending.draw("agreed"))
    chests = announced("conquer", "four-islands", chests=True)
    filled(chests)
    assert [str(breach) for breach in run_audit(strict=True)] == []
    end(chests, ending("a", finds=[("a", "chest-b")]))
    assert [str(breach) for breach in run_audit()] == []
