"""A turn is told in sentences that say why each piece ended where it did."""

import re
from random import Random
from typing import get_args

import pytest

from games.battle import contract
from games.battle.events import (
    NAMES,
    Charged,
    Clashed,
    Event,
    Forfeited,
    Landed,
    Orphaned,
    Returned,
    Took,
)
from games.battle.rules import Rules, read_rules
from games.battle.stages import RESOLUTION, run
from games.battle.turn import Turn
from games.battle.words import TELLERS, TEXTS, Sentence, tell
from tests.games.battle.positions import random_case

RULES = read_rules({})


def rules(**announced: str) -> Rules:
    return read_rules(announced)


def test_every_kind_of_event_can_be_told() -> None:
    assert set(TELLERS) == set(get_args(Event)) == set(NAMES)


def test_a_sentence_is_a_template_with_values_and_knows_its_event() -> None:
    events = [Charged("a1", (0, 0), (1, 0)), Landed(1, "a1", (1, 0))]
    (sentence,) = tell(events, RULES)
    assert sentence.text == "%(piece)s moved from %(origin)s to %(at)s."
    assert sentence.values == {"piece": "a1", "origin": "A1", "at": "B1"}
    assert sentence.event == 1
    assert str(sentence) == sentence.english == "a1 moved from A1 to B1."


@pytest.mark.parametrize(
    ("pieces", "english"),
    [
        (("a1", "b1"), "a1 and b1 met at B1 and were rolled back."),
        (("a1", "b1", "c1"), "a1, b1 and c1 met at B1 and were rolled back."),
    ],
)
def test_a_list_stays_a_list_until_it_is_put_into_english(
    pieces: tuple[str, ...], english: str
) -> None:
    (sentence,) = tell([Clashed(1, (1, 0), pieces, None)], RULES)
    assert sentence.values["pieces"] == pieces
    assert sentence.english == english


def test_who_is_rolled_back_is_not_told_to_have_returned() -> None:
    events = [Clashed(1, (1, 0), ("a1", "b1"), None), Returned(1, "a1", (0, 0))]
    assert len(tell(events, RULES)) == 1


def test_who_bounced_home_is_told_to_have_returned() -> None:
    events = [
        Charged("a1", (0, 0), (2, 0)),
        Clashed(1, (2, 0), ("a1", "b1"), None),
        Returned(1, "a1", (0, 0)),
    ]
    assert [str(sentence) for sentence in tell(events, rules(conflict="bounce"))] == [
        "a1 and b1 met at C1 and bounced.",
        "a1 found no free tile on its way and returned home to A1.",
    ]


def test_whoever_goes_on_does_so_by_receipt_or_by_precedence() -> None:
    clash = Clashed(1, (1, 0), ("a1", "b0"), "b0")
    (by_precedence,) = tell([clash], rules(conflict="bounce-and-stay"))
    assert "precedence" in by_precedence.english
    (by_receipt,) = tell([clash._replace(stays="a1")], rules(conflict="bounce-and-stay"))
    assert "order came first" in by_receipt.english


def test_orphans_of_a_seat_that_left_are_not_said_to_have_lost_their_emperor() -> None:
    events = [Forfeited("b", "b0"), Orphaned("b", ("b1",), None, gone=False)]
    assert str(tell(events, RULES)[1]) == "Nobody commands b1 any more."


def test_nothing_is_told_of_a_turn_in_which_nothing_happened() -> None:
    assert tell([], RULES) == []


def test_every_template_is_a_sentence_with_named_values_only() -> None:
    for text in TEXTS.values():
        assert text.endswith(".")
        words = re.sub(r"%\([a-z]+\)s", "a1", text)
        assert "%" not in words
        assert "  " not in words


def test_no_two_templates_are_the_same() -> None:
    assert len(set(TEXTS.values())) == len(TEXTS)


# --- Whatever happens ---------------------------------------------------------------------------


def random_turns(count: int) -> list[tuple[tuple[Event, ...], list[Sentence]]]:
    dice = Random("words")
    turns = []
    for _ in range(count):
        state, orders = contract.read(random_case(dice))
        turn = Turn(state, orders)
        run(turn, RESOLUTION)
        turns.append((tuple(turn.events), tell(turn.events, turn.rules)))
    return turns


@pytest.fixture(scope="module")
def turns() -> list[tuple[tuple[Event, ...], list[Sentence]]]:
    return random_turns(1500)


def test_any_turn_can_be_told_in_order(turns: list) -> None:
    for events, sentences in turns:
        places = [sentence.event for sentence in sentences]
        assert places == sorted(set(places))
        assert all(place < len(events) for place in places)
        assert all(sentence.english for sentence in sentences)


def test_every_piece_that_set_out_is_spoken_of(turns: list) -> None:
    for events, sentences in turns:
        text = " ".join(sentence.english for sentence in sentences)
        for event in events:
            if isinstance(event, Charged):
                assert re.search(rf"\b{event.piece}\b", text), (event, text)


def test_every_take_is_told_with_what_became_of_it(turns: list) -> None:
    for events, sentences in turns:
        told = {sentence.event: sentence for sentence in sentences}
        for place, event in enumerate(events):
            if isinstance(event, Took):
                values = told[place].values
                assert (values["by"], values["piece"]) == (event.by, event.piece)
