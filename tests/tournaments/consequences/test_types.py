"""What each type of tournament does to those who fought it: numbers that a player can check."""

import pytest

from dynasties.chronicle.models import Entry
from emperors.models import Emperor, Standing
from emperors.reputation import change_reputation
from tests.tournaments.consequences.endings import end, ending, fame, gather
from tests.tournaments.lists import announced
from tournaments.announcements.models import Tournament
from tournaments.consequences.verdicts import Ending

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sound_in_the_end")]

FOUR = "crossroads"


@pytest.fixture
def sound_in_the_end(audit):
    yield
    audit()


class TestGift:
    def test_the_winner_gets_ten_points_and_nobody_loses_any(self) -> None:
        tournament = announced("gift", FOUR)
        seats = gather(tournament, [50, 40, 30, 0])
        end(tournament, ending("c", takes=["ab", "dc"]))
        assert fame(seats) == [50, 40, 40, 0]

    def test_winners_share_it_and_the_first_seat_gets_what_is_left_over(self) -> None:
        tournament = announced("gift", FOUR)
        seats = gather(tournament, [0, 0, 0, 0])
        end(tournament, ending("d", "b", "a"))
        assert fame(seats) == [4, 3, 0, 3]

    def test_a_taken_emperor_stays_with_his_dynasty_and_lives(self) -> None:
        tournament = announced("gift", "duel")
        first, _second = gather(tournament, [5, 5])
        end(tournament, ending("b", seats="ab", takes=["ab"]))
        emperor = Emperor.objects.get(pk=first.emperor_id)
        assert (emperor.dynasty_id, emperor.life) == (first.dynasty_id, "at-rest")

    def test_nobody_wins_it_in_a_draw(self) -> None:
        tournament = announced("gift", "duel")
        seats = gather(tournament, [5, 5])
        end(tournament, ending(seats="ab", takes=["ab"]))
        assert fame(seats) == [5, 5]


class TestHonour:
    def test_the_winner_gets_the_stakes_of_all_others(self) -> None:
        tournament = announced("honour", FOUR, stake=5)
        seats = gather(tournament, [50, 40, 30, 5])
        end(tournament, ending("b", takes=["ab"]))
        assert fame(seats) == [45, 55, 25, 0]

    def test_a_pot_that_does_not_divide_favours_the_first_seats(self) -> None:
        tournament = announced("honour", FOUR, stake=5)
        seats = gather(tournament, [10, 10, 10, 10])
        end(tournament, ending("c", "b", "d"))
        assert fame(seats) == [5, 12, 12, 11]

    def test_a_shared_victory_of_all_changes_nothing(self) -> None:
        tournament = announced("honour", FOUR, stake=5)
        seats = gather(tournament, [10, 20, 30, 40])
        end(tournament, ending("a", "b", "c", "d"))
        assert fame(seats) == [10, 20, 30, 40]
        assert Entry.objects.filter(kind="tournament-shared").count() == 1

    def test_a_stake_that_decay_has_eaten_adds_only_what_is_left(self) -> None:
        tournament = announced("honour", "duel", stake=5)
        first, second = gather(tournament, [6, 20])
        change_reputation(emperor=first.emperor, change=-4, reason="test")
        end(tournament, ending("b", seats="ab"))
        assert fame([first, second]) == [0, 22]

    def test_a_stake_is_paid_from_what_he_had_not_from_what_he_gained_in_it(self) -> None:
        tournament = announced("honour", "duel", stake=5, reputation_a_capture=10)
        first, second = gather(tournament, [6, 20])
        change_reputation(emperor=first.emperor, change=-4, reason="test")
        end(tournament, ending("b", seats="ab", takes=["ba"], held={"b": "b"}))
        assert fame([first, second]) == [10, 22]

    def test_a_draw_gives_stakes_back_and_counts_as_a_fight(self) -> None:
        tournament = announced("honour", "duel")
        seats = gather(tournament, [5, 9])
        end(tournament, Ending.draw("agreed"))
        assert fame(seats) == [5, 9]
        assert {each.emperor.battles for each in seats} == {2}
        assert Entry.objects.filter(kind="tournament-drawn").count() == 1

    def test_a_seat_that_forfeits_loses_its_stake(self) -> None:
        tournament = announced("honour", "duel", stake=5)
        seats = gather(tournament, [5, 9])
        end(tournament, ending("b", seats="ab", forfeited=["a"]))
        assert fame(seats) == [0, 14]


class TestConquer:
    def test_a_taken_emperor_goes_over_with_his_reputation(self) -> None:
        tournament = announced("conquer", "duel")
        first, second = gather(tournament, [30, 12])
        end(tournament, ending("b", seats="ab", takes=["ab"]))
        emperor = Emperor.objects.get(pk=first.emperor_id)
        assert (emperor.dynasty_id, emperor.reputation) == (second.dynasty_id, 30)
        assert emperor.life == Emperor.Life.AT_REST
        assert Standing.objects.get(pk=second.dynasty_id).reputation == 42
        assert Standing.objects.get(pk=first.dynasty_id).reputation == 0
        assert Entry.objects.filter(kind="emperor-captured").count() == 1

    def test_whoever_holds_him_when_it_ends_keeps_him_not_whoever_took_him_first(self) -> None:
        tournament = announced("conquer", FOUR)
        seats = gather(tournament, [1, 2, 3, 4])
        end(tournament, ending("d", takes=["ab", "ac"]))
        assert Emperor.objects.get(pk=seats[0].emperor_id).dynasty_id == seats[2].dynasty_id

    def test_he_belongs_to_the_dynasty_of_a_captor_who_was_taken_himself(self) -> None:
        tournament = announced("conquer", FOUR)
        seats = gather(tournament, [1, 2, 3, 4])
        end(tournament, ending("c", takes=["ab", "bc"]))
        houses = [Emperor.objects.get(pk=each.emperor_id).dynasty_id for each in seats]
        assert houses == [seats[each].dynasty_id for each in (1, 2, 2, 3)]

    def test_two_who_take_each_other_change_places(self) -> None:
        tournament = announced("conquer", "duel")
        first, second = gather(tournament, [1, 2])
        end(tournament, ending("a", seats="ab", takes=["ab", "ba"]))
        assert Emperor.objects.get(pk=first.emperor_id).dynasty_id == second.dynasty_id
        assert Emperor.objects.get(pk=second.emperor_id).dynasty_id == first.dynasty_id

    def test_whom_his_own_seat_takes_back_stays(self) -> None:
        tournament = announced("conquer", "duel")
        first, _second = gather(tournament, [1, 2])
        end(tournament, ending("b", seats="ab", takes=["ab", "aa"]))
        emperor = Emperor.objects.get(pk=first.emperor_id)
        assert (emperor.dynasty_id, emperor.reigns.count()) == (first.dynasty_id, 1)

    def test_who_forfeits_has_lost_but_is_nobodys_captive(self) -> None:
        tournament = announced("conquer", "duel")
        first, _second = gather(tournament, [1, 2])
        end(tournament, ending("b", seats="ab", forfeited=["a"]))
        assert Emperor.objects.get(pk=first.emperor_id).dynasty_id == first.dynasty_id

    def test_a_draw_frees_all_captives(self) -> None:
        tournament = announced("conquer", "duel")
        first, _second = gather(tournament, [1, 2])
        end(tournament, ending(seats="ab", takes=["ab"]))
        assert Emperor.objects.get(pk=first.emperor_id).dynasty_id == first.dynasty_id


class TestDeath:
    def test_the_taken_dies_for_ever_and_his_reputation_goes_to_his_taker(self) -> None:
        tournament = announced("death", "duel")
        seats = gather(tournament, [30, 12])
        end(tournament, ending("b", seats="ab", takes=["ab"]))
        assert fame(seats) == [0, 42]
        assert (seats[0].emperor.life, seats[0].emperor.dynasty_id) == ("dead", None)

    def test_what_a_killer_inherited_goes_on_to_his_own_killer(self) -> None:
        tournament = announced("death", FOUR)
        seats = gather(tournament, [10, 20, 30, 40])
        end(tournament, ending("c", takes=["ab", "bc"]))
        assert fame(seats) == [0, 0, 60, 40]

    def test_who_is_dead_inherits_nothing(self) -> None:
        tournament = announced("death", FOUR)
        seats = gather(tournament, [10, 20, 30, 40])
        end(tournament, ending("c", takes=["bc", "ab"]))
        assert fame(seats) == [0, 0, 50, 40]

    def test_of_two_who_take_each_other_both_die_and_the_first_death_counts_first(self) -> None:
        tournament = announced("death", "duel")
        seats = gather(tournament, [10, 20])
        end(tournament, ending("a", seats="ab", takes=["ab", "ba"]))
        assert fame(seats) == [0, 0]
        assert {each.emperor.life for each in seats} == {"dead"}
        spoils = seats[1].emperor.changes.get(reason="spoils")
        assert (spoils.change, spoils.after) == (10, 30)

    def test_the_last_take_decides_when_and_by_whom_he_dies(self) -> None:
        tournament = announced("death", FOUR)
        seats = gather(tournament, [10, 20, 30, 40])
        end(tournament, ending("d", takes=["ab", "bc", "ad"]))
        assert fame(seats) == [0, 0, 50, 50]

    def test_whom_his_own_seat_takes_back_lives(self) -> None:
        tournament = announced("death", "duel")
        seats = gather(tournament, [10, 20])
        end(tournament, ending("b", seats="ab", takes=["ab", "aa"]))
        assert fame(seats) == [10, 20]

    def test_who_was_taken_back_as_a_pawn_and_lost_again_is_inherited_by_his_holder(self) -> None:
        tournament = announced("death", FOUR)
        seats = gather(tournament, [10, 20, 30, 40])
        end(tournament, ending("d", takes=["ab", "aa"], held={"a": "c"}))
        assert fame(seats) == [0, 20, 40, 40]

    def test_even_a_winner_dies_if_he_was_taken(self) -> None:
        tournament = announced("death", "duel")
        seats = gather(tournament, [10, 20])
        end(tournament, ending("a", seats="ab", takes=["ab"]))
        assert fame(seats) == [0, 30]

    def test_who_forfeits_lives(self) -> None:
        tournament = announced("death", "duel")
        seats = gather(tournament, [10, 20])
        end(tournament, ending("b", seats="ab", forfeited=["a"]))
        assert fame(seats) == [10, 20]

    def test_nobody_dies_in_a_draw(self) -> None:
        tournament = announced("death", "duel")
        seats = gather(tournament, [10, 20])
        end(tournament, ending(seats="ab", takes=["ab"]))
        assert fame(seats) == [10, 20]


class TestEvents:
    def test_each_rival_emperor_taken_counts_and_ones_own_does_not(self) -> None:
        tournament = announced("gift", FOUR, prize_reputation=1, reputation_a_capture=3)
        seats = gather(tournament, [0, 0, 0, 0])
        end(tournament, ending("d", takes=["ab", "cb", "aa"]))
        assert fame(seats) == [0, 6, 0, 1]

    def test_a_treasure_counts_and_a_chest_does_not(self) -> None:
        tournament = announced("gift", FOUR, prize_reputation=1, reputation_a_treasure=2)
        seats = gather(tournament, [0, 0, 0, 0])
        end(tournament, ending("a", finds=[("b", "treasure"), ("c", "chest-1")]))
        assert fame(seats) == [1, 2, 0, 0]

    def test_what_is_gained_by_events_is_inherited_and_taken_along(self) -> None:
        tournament = announced("death", "duel", reputation_a_capture=3)
        seats = gather(tournament, [10, 20])
        end(tournament, ending("b", seats="ab", takes=["ba", "bb", "ab"]))
        assert fame(seats) == [0, 36]


def test_the_row_says_who_won_in_seat_order_and_how() -> None:
    tournament = announced("gift", FOUR)
    gather(tournament, [0, 0, 0, 0])
    end(tournament, ending("d", "b"))
    assert tournament.state == Tournament.State.FINISHED
    assert (tournament.winners, tournament.ending) == (["b", "d"], "made-up")
    assert tournament.ranks == {"a": 2, "b": 1, "c": 2, "d": 1}


def test_all_absent_is_abandoned_and_ranks_nobody_who_was_not_there() -> None:
    tournament = announced("gift", "duel")
    gather(tournament, [0, 0])
    end(tournament, Ending.draw("all-absent"))
    assert tournament.state == Tournament.State.ABANDONED
    assert (tournament.winners, tournament.ranks) == ([], {"a": 1, "b": 1})
