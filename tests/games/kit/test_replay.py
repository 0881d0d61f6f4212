"""Records: what they say, what they refuse, and that a forged one does not replay."""

import json
from dataclasses import replace
from typing import Any

import pytest

from games.kit.errors import BadRecord
from games.kit.replay import Record, replay
from tests.games.harness import Playing, play
from tests.games.toys.camps import CAMPS, CAMPS_ENTRY
from tests.games.toys.parley import PARLEY, PARLEY_ENTRY


def a_playing() -> Playing:
    return next(it for it in PARLEY_ENTRY.playings if all(turn for turn in it.record.turns))


def a_record() -> Record:
    return a_playing().record


def replayed(record: Record) -> list[Any]:
    return [PARLEY.encode(it.state) for it in replay(PARLEY, record)]


def test_a_record_is_canonical_json() -> None:
    record = Record(
        "parley", 1, ("ann", "bob"), {"rounds": 3}, "s", ((("ann", {"roll": True}),), ())
    )
    assert record.dumps() == (
        '{"game":"parley","options":{"rounds":3},"seats":["ann","bob"],"seed":"s",'
        '"turns":[[["ann",{"roll":true}]],[]],"version":1}'
    )
    assert Record.loads(record.dumps()) == record


def test_the_seed_decides_what_chance_brings() -> None:
    """Policies and passes are always possible, so that any seed can carry these orders."""
    turns = ((), ()) * 3
    coins = {
        replayed(Record("parley", 1, ("ann", "bob"), {"rounds": 3}, seed, turns))[-1]["coins"]
        for seed in "abcdef"
    }
    assert len(coins) > 1


def test_the_order_of_receipt_is_kept() -> None:
    playing = play(CAMPS, CAMPS_ENTRY.announcements[0], "receipt")
    first, second = playing.steps[0].orders, dict(Record.loads(playing.record.dumps()).turns[0])
    assert list(first) == list(second)


@pytest.mark.parametrize("change", [{"game": "camps"}, {"version": 2}])
def test_a_record_of_another_game_or_version_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadRecord, match="This is a record of"):
        replayed(replace(a_record(), **change))


@pytest.mark.parametrize(
    "forged",
    [
        (("ann", {"fly": True}),),
        (("ann", {"answer": True}),),
        (("zoe", {"roll": True}),),
        (("bob", {"roll": True}),),
    ],
    ids=["unreadable", "forbidden", "no such seat", "not due"],
)
def test_an_order_that_cannot_have_been_given_is_refused(forged: Any) -> None:
    record = a_record()
    with pytest.raises(BadRecord):
        replayed(replace(record, turns=(forged, *record.turns[1:])))


def test_two_orders_of_one_seat_in_a_turn_are_refused() -> None:
    roll = ("ann", {"roll": True})
    with pytest.raises(BadRecord):
        replayed(replace(a_record(), turns=((roll, roll),)))


@pytest.mark.parametrize("more", [(), (("ann", {"roll": True}),)], ids=["silence", "an order"])
def test_nothing_can_be_added_after_the_end(more: Any) -> None:
    record = a_record()
    with pytest.raises(BadRecord):
        replayed(replace(record, turns=(*record.turns, more)))


@pytest.mark.parametrize(
    "change", [{"options": {"rounds": 0}}, {"options": {"x": 1}}, {"seats": ("ann",)}]
)
def test_what_cannot_have_been_announced_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadRecord):
        replayed(replace(a_record(), **change))


@pytest.mark.parametrize("key", ["game", "version", "seats", "options", "seed", "turns"])
def test_a_record_with_a_wrong_part_is_refused_or_means_just_that(key: str) -> None:
    for value in (None, 5, 1.5, "x", [], {}, [1], [[1]], [[["ann"]]], True):
        data = {**json.loads(a_record().dumps()), key: value}
        try:
            record = Record.loads(json.dumps(data))
        except BadRecord:
            continue
        assert json.loads(record.dumps()) == data, "it was read as something else"


@pytest.mark.parametrize(
    "text", ["", "[]", "5", "{}", "null", "NaN", '{"game":"battle"}', b"\xff", "[" * 9999]
)
def test_what_is_no_record_is_refused(text: str | bytes) -> None:
    with pytest.raises(BadRecord, match="This is no record"):
        Record.loads(text)


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 5000])
def test_a_record_with_a_number_without_end_is_refused(number: str) -> None:
    with pytest.raises(BadRecord):
        Record.loads(a_record().dumps().replace('"version":1', f'"version":{number}'))
