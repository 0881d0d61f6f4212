"""Chance that anybody can check: the vectors of the rules of record, and what is even about it."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit.rng import HashRng, choose, fingerprint, shuffle, weigh


@pytest.mark.parametrize(
    ("seed", "label", "low", "high", "numbers"),
    [
        (1, "start", 0, 4, [0, 1, 2, 1]),
        (1, "0", 0, 99, [32, 62, 97, 8, 24, 9, 75, 9]),
        ("1", "0", 0, 99, [32, 62, 97, 8, 24, 9, 75, 9]),
        ("amaterasu", "7:bot2", 1, 4, [3, 2, 3, 2, 3, 3, 4, 3]),
    ],
)
def test_the_numbers_are_those_of_the_rules_of_record(
    seed: str | int, label: str, low: int, high: int, numbers: list[int]
) -> None:
    rng = HashRng(seed, label)
    assert [rng.number(low, high) for _ in numbers] == numbers


def test_a_label_under_a_label_is_joined_by_a_colon() -> None:
    rng = HashRng("amaterasu", "7").under("bot2")
    assert [rng.number(1, 4) for _ in range(8)] == [3, 2, 3, 2, 3, 3, 4, 3]


def test_what_is_drawn_for_one_purpose_does_not_change_another() -> None:
    alone = HashRng("seed", "1").under("dice").number(1, 10**9)
    turn = HashRng("seed", "1")
    turn.number(1, 6)
    turn.under("cards").number(1, 52)
    assert turn.under("dice").number(1, 10**9) == alone


def test_nothing_is_drawn_where_there_is_no_choice() -> None:
    one, other = HashRng(1, "0"), HashRng(1, "0")
    assert other.number(5, 5) == 5
    assert one.number(0, 99) == other.number(0, 99)


@given(st.text(), st.text(), st.integers(), st.integers(0, 2**70))
def test_a_number_lies_between_its_ends(seed: str, label: str, low: int, width: int) -> None:
    rng = HashRng(
        seed.encode("utf-8", "replace").decode(), label.encode("utf-8", "replace").decode()
    )
    assert all(low <= rng.number(low, low + width) <= low + width for _ in range(5))


def test_each_number_is_about_as_likely_as_the_others() -> None:
    rng = HashRng("even", "dice")
    count = Counter(rng.number(1, 6) for _ in range(6_000))
    assert set(count) == set(range(1, 7))
    assert all(900 < times < 1_100 for times in count.values())


def test_a_choice_is_one_of_the_items() -> None:
    rng = HashRng(1, "choose")
    assert {choose(rng, "abc") for _ in range(50)} == {"a", "b", "c"}
    assert choose(rng, ["only"]) == "only"


def test_weights_are_kept_and_what_weighs_nothing_is_never_drawn() -> None:
    rng = HashRng(1, "weigh")
    count = Counter(weigh(rng, (0, 1, 3, 0)) for _ in range(4_000))
    assert set(count) == {1, 2}
    assert 2_850 < count[2] < 3_150


@pytest.mark.parametrize("weights", [(), (0, 0)])
def test_there_must_be_something_to_weigh(weights: tuple[int, ...]) -> None:
    with pytest.raises((ValueError, IndexError)):
        weigh(HashRng(1, "weigh"), weights)


def test_a_shuffle_keeps_all_items_and_reaches_every_order() -> None:
    rng = HashRng(1, "shuffle")
    seen = Counter()
    for _ in range(600):
        items = [1, 2, 3]
        shuffle(rng, items)
        seen[tuple(items)] += 1
    assert len(seen) == 6
    assert all(60 < times < 140 for times in seen.values())
    assert all(sorted(order) == [1, 2, 3] for order in seen)


def test_the_fingerprint_of_a_seed_is_its_sha256() -> None:
    assert fingerprint("amaterasu") == hashlib.sha256(b"amaterasu").hexdigest()
    assert fingerprint(7) == fingerprint("7")
