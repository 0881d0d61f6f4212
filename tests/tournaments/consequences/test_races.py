"""However many end a tournament at once, and whenever one of them dies, it ends once and whole."""

from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone

from dynasties.chronicle.models import Entry
from dynasties.treasury.models import Transfer
from dynasties.treasury.selectors import kind
from emperors.models import Emperor, Reign, ReputationChange
from tests.concurrency.rivals import all_at_once
from tests.concurrency.soundness import check_world
from tests.scale import figure
from tests.tournaments.consequences.endings import ending
from tests.tournaments.lists import announced, filled
from tournaments.announcements.models import Seat, Tournament
from tournaments.consequences import services
from tournaments.consequences.services import call_off, conclude
from tournaments.consequences.verdicts import Ending
from tournaments.seating.services import cancel
from tournaments.turns.models import Order
from tournaments.turns.services import close_turns

ROUNDS = figure(12, soak=1250)
ENDERS = 8
STEPS = ["_tell", "_reward", "_part", "_send_home", "_settle_wealth", "_seal_chests"]


def check_now_and_then(number: int) -> None:
    """The audit reads the whole past; it is asked once more when the test is over."""
    if number % figure(6, soak=50) == 0:
        check_world()


def ready_to_end(type_: str) -> Tournament:
    """A battle whose last turn is complete: whoever closes it ends it."""
    fee = {} if type_ == "gift" else {"fee": 50, "fee_kind": kind("copper")}
    tournament = announced(type_, "duel", options={"turn_limit": 1}, **fee)
    filled(tournament)
    now = timezone.now()
    Order.objects.bulk_create(
        Order(
            tournament=tournament,
            seat=each,
            turn=0,
            receipt=each.place,
            content={"hold": True},
            received_at=now,
        )
        for each in tournament.seats.all()
    )
    return tournament


def conclude_locked(tournament: Tournament, how: Ending) -> str:
    """End it as a closed turn does: lock, still being fought? conclude."""
    with transaction.atomic():
        held = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
        seats = list(held.seats.order_by("place"))
        conclude(tournament=held, seats=seats, ending=how, at=timezone.now())
        return held.ending


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    @pytest.mark.parametrize("type_", ["gift", "honour", "conquer", "death"])
    def test_a_tournament_closed_by_eight_ends_once(self, type_: str) -> None:
        for number in range(ROUNDS):
            tournament = ready_to_end(type_)
            ends = all_at_once([partial(close_turns, [tournament.pk])] * ENDERS)
            assert sorted(ends) == [0] * (ENDERS - 1) + [1]
            people = Emperor.objects.filter(seats__tournament=tournament)
            assert {(each.life, each.battles) for each in people} == {("at-rest", 2)}
            check_now_and_then(number)

    @pytest.mark.parametrize("type_", ["conquer", "death"])
    def test_eight_who_conclude_do_it_once(self, type_: str) -> None:
        for number in range(ROUNDS):
            tournament = announced(type_, "duel", fee=50, fee_kind=kind("copper"))
            first, _second = filled(tournament)
            how = ending("b", seats="ab", takes=["ab"])
            ends = all_at_once([partial(conclude_locked, tournament, how)] * ENDERS)
            assert set(ends) == {"made-up"}
            changed = Reign.objects.filter(emperor=first.emperor_id).exclude(ended_at=None)
            assert changed.count() == 1
            assert Transfer.objects.filter(key=f"{tournament.place} pot").count() == 1
            check_now_and_then(number)

    def test_ended_and_cancelled_at_once_it_is_one_of_both(self) -> None:
        for number in range(ROUNDS):
            tournament = ready_to_end("honour")
            close = partial(close_turns, [tournament.pk])
            ends = all_at_once([close, partial(cancel, tournament=tournament)] * 4)
            assert sum(map(int, ends)) == 1, ends
            check_now_and_then(number)


@pytest.mark.django_db(transaction=True)
class TestACrash:
    @pytest.mark.parametrize("step", STEPS)
    def test_before_the_commit_leaves_nothing_done(self, step: str, monkeypatch) -> None:
        tournament = ready_to_end("conquer")
        before = world()

        def crash(*args, **facts) -> None:
            raise SystemError("The power is out.")

        with monkeypatch.context() as patch:
            patch.setattr(services, step, crash)
            assert close_turns([tournament.pk]) == 0
        assert world() == before
        assert close_turns([tournament.pk]) == 1
        assert Entry.objects.filter(kind__startswith="tournament-").count() == 1

    def test_after_the_commit_leaves_nothing_to_do(self) -> None:
        tournament = ready_to_end("honour")
        assert close_turns([tournament.pk]) == 1
        before = world()
        assert close_turns([tournament.pk]) == 0
        tournament.refresh_from_db()
        seats = list(tournament.seats.all())
        conclude(tournament=tournament, seats=seats, ending=ending("a"), at=timezone.now())
        call_off(tournament=tournament, seats=seats, at=timezone.now())
        assert world() == before


def world() -> list[object]:
    """What a crash must not change; that closing failed is counted, and no more."""
    tournaments = Tournament.objects.order_by("pk").values()
    return [
        [{**each, "faults": 0} for each in tournaments],
        list(Seat.objects.order_by("pk").values()),
        list(Order.objects.order_by("pk").values()),
        list(Emperor.objects.order_by("pk").values()),
        list(ReputationChange.objects.order_by("pk").values()),
        Transfer.objects.count(),
        Entry.objects.count(),
    ]
