"""Fees, prizes and chests: who gets which coins, and what nobody ever learns."""

import pytest

from dynasties.chronicle.models import Entry
from dynasties.treasury.models import Balance
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import Move, crown, mint, post
from tests.tournaments.consequences.endings import end, ending, fame, gather
from tests.tournaments.lists import WEALTHY, announced
from tournaments.announcements.models import Seat
from tournaments.consequences.verdicts import Ending
from tournaments.seating.services import cancel

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sound_in_the_end")]

CHESTS = "four-islands"
GRANT = 1000


@pytest.fixture
def sound_in_the_end(audit):
    yield
    audit()


def coins(seats: list[Seat], code: str = "copper") -> list[int]:
    """What each dynasty has gained or lost since it became rich."""
    had = WEALTHY + GRANT if code == "copper" else 0
    rows = [
        Balance.objects.filter(account__dynasty=each.dynasty_id, kind__code=code).first()
        for each in seats
    ]
    return [(row.amount if row else 0) - had for row in rows]


def escrow(place: str) -> dict[str, int]:
    rows = Balance.objects.filter(account__purpose=place).exclude(amount=0)
    return dict(rows.values_list("kind__code", "amount"))


def fill_the_crown(code: str, amount: int) -> None:
    moves = [Move(mint(), kind(code), -amount), Move(crown(), kind(code), amount)]
    post(key=f"test crown {code}", reason="mint", moves=moves)


def crowns(code: str) -> int:
    return Balance.objects.get(account=crown(), kind__code=code).amount


class TestFees:
    def test_the_winner_gets_the_fees_of_all(self) -> None:
        tournament = announced("conquer", "crossroads", fee=50, fee_kind=kind("copper"))
        seats = gather(tournament, [1, 1, 1, 1])
        assert escrow(tournament.place) == {"copper": 200}
        end(tournament, ending("b"))
        assert coins(seats) == [-50, 150, -50, -50]
        assert escrow(tournament.place) == {}

    def test_winners_share_them_and_what_is_left_over_goes_in_seat_order(self) -> None:
        tournament = announced("conquer", "crossroads", fee=2, fee_kind=kind("copper"))
        seats = gather(tournament, [1, 1, 1, 1])
        end(tournament, ending("d", "c", "a"))
        assert coins(seats) == [1, -2, 1, 0]

    def test_a_draw_gives_them_back(self) -> None:
        tournament = announced("conquer", "crossroads", fee=50, fee_kind=kind("copper"))
        seats = gather(tournament, [1, 1, 1, 1])
        end(tournament, Ending.draw("agreed"))
        assert coins(seats) == [0, 0, 0, 0]

    def test_fees_of_the_dead_are_paid_to_the_living(self) -> None:
        tournament = announced("death", "duel", fee=50, fee_kind=kind("copper"))
        seats = gather(tournament, [1, 1])
        end(tournament, ending("b", seats="ab", takes=["ab"]))
        assert coins(seats) == [-50, 50]


class TestPrizes:
    @pytest.fixture
    def tournament(self):
        fill_the_crown("gold", 10)
        return announced("gift", "crossroads", prize_wealth={"gold": 5})

    def test_it_leaves_the_crown_when_it_is_announced(self, tournament) -> None:
        assert (crowns("gold"), escrow(tournament.place)) == (5, {"gold": 5})

    def test_winners_share_it(self, tournament) -> None:
        seats = gather(tournament, [0, 0, 0, 0])
        end(tournament, ending("d", "b"))
        assert coins(seats, "gold") == [0, 3, 0, 2]

    def test_more_winners_than_coins_leave_the_last_ones_without(self, tournament) -> None:
        fill_the_crown("silver", 2)
        small = announced("gift", "crossroads", prize_reputation=0, prize_wealth={"silver": 2})
        seats = gather(small, [0, 0, 0, 0])
        end(small, ending("a", "b", "c"))
        assert coins(seats, "silver") == [1, 1, 0, 0]

    def test_nobody_won_it_so_the_crown_has_it_again(self, tournament) -> None:
        gather(tournament, [0, 0, 0, 0])
        end(tournament, ending())
        assert (crowns("gold"), escrow(tournament.place)) == (10, {})

    def test_a_cancelled_tournament_gives_it_back(self, tournament) -> None:
        assert cancel(tournament=tournament)
        assert (crowns("gold"), escrow(tournament.place)) == (10, {})


class TestChests:
    def fought(self, how: Ending, chests: list[int]) -> list[Seat]:
        tournament = announced("conquer", CHESTS, chests=True)
        seats = gather(tournament, [50, 50, 50, 50], chests)
        assert escrow(tournament.place) == {"copper": sum(chests)}
        end(tournament, how)
        assert escrow(tournament.place) == {}
        return seats

    def kept(self) -> dict[str, int]:
        return dict(Seat.objects.exclude(chest=None).values_list("name", "chest"))

    def test_a_captured_chest_goes_to_its_captor_whoever_wins(self) -> None:
        seats = self.fought(ending("a", finds=[("c", "chest-b")]), [100, 300, 500, 700])
        assert coins(seats) == [0, -300, 300, 0]

    def test_an_uncaptured_chest_goes_back_and_is_forgotten(self) -> None:
        self.fought(ending("a", finds=[("c", "chest-b")]), [100, 300, 500, 700])
        assert self.kept() == {"b": 300}

    def test_who_picks_up_his_own_keeps_it_and_nobody_learns_what_was_in_it(self) -> None:
        seats = self.fought(ending("a", finds=[("b", "chest-b")]), [100, 300, 500, 700])
        assert coins(seats) == [0, 0, 0, 0]
        assert self.kept() == {}
        assert fame(seats) == [50, 50, 50, 50]

    def test_the_fullest_of_the_captured_gains_ten_and_the_emptiest_loses_ten(self) -> None:
        finds = [("a", "chest-b"), ("a", "chest-c"), ("b", "chest-d")]
        seats = self.fought(ending("a", finds=finds), [1000, 300, 500, 700])
        assert fame(seats) == [50, 40, 50, 60]

    def test_of_equals_nobody_gains_and_nobody_loses(self) -> None:
        finds = [("a", "chest-b"), ("b", "chest-c"), ("b", "chest-d")]
        seats = self.fought(ending("a", finds=finds), [1000, 300, 300, 700])
        assert fame(seats) == [50, 50, 50, 60]
        assert coins(seats) == [300, 700, -300, -700]

    def test_all_equal_changes_nobody(self) -> None:
        finds = [("a", "chest-b"), ("b", "chest-c")]
        seats = self.fought(ending("a", finds=finds), [300, 300, 300, 300])
        assert fame(seats) == [50, 50, 50, 50]

    def test_the_only_captured_chest_is_fullest_and_emptiest_at_once(self) -> None:
        seats = self.fought(ending("a", finds=[("a", "chest-b")]), [1000, 300, 500, 700])
        assert fame(seats) == [50, 50, 50, 50]

    def test_nobody_falls_below_nothing(self) -> None:
        tournament = announced("conquer", CHESTS, chests=True)
        seats = gather(tournament, [50, 4, 50, 50], [100, 100, 200, 300])
        end(tournament, ending("a", finds=[("a", "chest-b"), ("a", "chest-c")]))
        assert fame(seats) == [50, 0, 60, 50]

    def test_a_draw_gives_captured_chests_back_too_and_forgets_them(self) -> None:
        seats = self.fought(ending(finds=[("c", "chest-b")]), [100, 300, 500, 700])
        assert coins(seats) == [0, 0, 0, 0]
        assert self.kept() == {}

    def test_a_cancelled_tournament_forgets_all_of_them(self) -> None:
        tournament = announced("conquer", CHESTS, chests=True)
        seats = gather(tournament, [50, 50, 50, 50], [100, 300, 500, 700])
        assert cancel(tournament=tournament)
        assert coins(seats) == [0, 0, 0, 0]
        assert self.kept() == {}

    def test_what_is_made_public_names_captured_chests_and_no_other(self) -> None:
        tournament = announced("conquer", CHESTS, chests=True, wealth_is_public=True)
        gather(tournament, [50, 50, 50, 50], [111, 333, 555, 777])
        end(tournament, ending("a", finds=[("c", "chest-b")]))
        (entry,) = Entry.objects.filter(kind="tournament-spoils")
        assert "333" in str(entry.facts["wealth"])
        assert not any(secret in str(entry.facts) for secret in ("111", "555", "777"))
