"""The first three promises: one result, whatever the labels, and the same bytes for ever."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.battle import contract
from games.battle.game import BATTLE
from games.kit.codec import dumps
from games.kit.replay import replay
from tests.games.announcements import random_battle
from tests.games.battle import invariants, oracle
from tests.games.battle.likeness import liken
from tests.games.battle.mutants import PARTIAL_RULES, WRONG_RULES, Mutant
from tests.games.battle.playback import Case, Playback
from tests.games.battle.positions import random_case
from tests.games.harness import play
from tests.games.replaying import digests
from tests.scale import figure

CHUNKS = 20
TURNS = figure(100_000, soak=20_000_000) // CHUNKS
PAIRS = figure(20_000, soak=2_000_000) // CHUNKS
BATTLES = figure(200, soak=20_000)

ENOUGH = 20_000
"""Within so many cases every mutant must be caught."""


def cases(seed: str, number: int) -> Iterator[Case]:
    dice = Random(seed)
    return (random_case(dice) for _ in range(number))


# --- 1: every set of orders has one result; resolution ends -------------------------------------


def check_turn(case: Case) -> dict[str, Any]:
    """The engine's outcome, which the model, the invariants and the events agree with."""
    outcome: dict[str, Any] = dict(contract.resolve(case))
    model = oracle.resolve(case)
    pieces = [{**piece, "at": list(piece["at"])} for piece in outcome["pieces"]]
    assert pieces == model["pieces"], case
    assert outcome["taken"] == model["taken"], case
    invariants.check(case, outcome)
    assert Playback(case).play(outcome["events"]).outcome() == outcome["pieces"], case
    return outcome


def check_turns(seed: str, number: int) -> None:
    for case in cases(seed, number):
        check_turn(case)


def check_traces(seed: str, number: int, missing: str) -> None:
    """The events without those of one kind would have to lead to the same outcome."""
    for case in cases(seed, number):
        outcome: Any = contract.resolve(case)
        events = [event for event in outcome["events"] if event["what"] != missing]
        assert Playback(case).play(events).outcome() == outcome["pieces"]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_turn_comes_out_as_the_model_says_and_as_the_events_tell(chunk: int) -> None:
    check_turns(f"turns {chunk}", TURNS)


def test_the_random_turns_meet_every_event_under_every_policy() -> None:
    met = {
        (case["rules"].get("conflict", "rollback"), event["what"])
        for case in cases("richness", 2_000)
        for event in dict(contract.resolve(case))["events"]
    }
    kinds = "charge land conflict return take toll push spring grow orphans".split()
    policies = ("rollback", "bounce", "rollback-and-stay", "bounce-and-stay")
    assert met == {(policy, kind) for policy in policies for kind in kinds}


@pytest.mark.parametrize("mutant", WRONG_RULES, ids=lambda mutant: mutant.__name__)
def test_a_wrong_rule_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    with pytest.raises(AssertionError):
        check_turns("mutants", ENOUGH)


@pytest.mark.parametrize("what", "charge land return take toll push spring grow orphans".split())
def test_a_trace_that_lacks_an_event_is_caught(what: str) -> None:
    with pytest.raises(AssertionError):
        check_traces("mutants", ENOUGH, missing=what)


# --- 2: labels, orientation and the order of the list do not matter -----------------------------


def check_pair(case: Case, dice: Random) -> None:
    """A case that is alike has a like outcome, and like events."""
    outcome = dict(contract.resolve(case))
    likeness = liken(case, outcome, dice)
    expected = json.loads(dumps(likeness.outcome(outcome)))
    found = json.loads(dumps(contract.resolve(likeness.case(case, dice))))
    assert found["pieces"] == expected["pieces"], (case, likeness)
    assert found["taken"] == expected["taken"], (case, likeness)
    assert likeness.told(found["events"]) == likeness.told(expected["events"]), (case, likeness)


def check_pairs(seed: str, number: int) -> None:
    dice = Random(f"likeness of {seed}")
    for case in cases(seed, number):
        check_pair(case, dice)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_labels_orientation_and_lists_do_not_matter(chunk: int) -> None:
    check_pairs(f"pairs {chunk}", PAIRS)


@pytest.mark.parametrize("mutant", PARTIAL_RULES, ids=lambda mutant: mutant.__name__)
def test_a_rule_that_looks_at_labels_is_caught(
    mutant: Mutant, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant(monkeypatch)
    with pytest.raises(AssertionError):
        check_pairs("mutants", ENOUGH)


def test_most_lists_and_receipts_are_really_shuffled() -> None:
    dice = Random("shuffled")
    made = [liken(case, dict(contract.resolve(case)), dice) for case in cases("shuffled", 1_000)]
    assert sum(not likeness.keeps_list for likeness in made) > 900
    assert sum(not likeness.keeps_receipt for likeness in made) > 400


# --- 3: a record replays to the same bytes ------------------------------------------------------


def replayed_elsewhere(records: list[str], hash_seed: str) -> list[list[str]]:
    """What another process, with another hash seed, makes of the records."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.replaying"],
        input="\n".join(records) + "\n",
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("chunk", range(4))
def test_a_finished_battle_replays_to_the_same_bytes_under_another_hash_seed(chunk: int) -> None:
    records, told = [], []
    for number in range(chunk, BATTLES, 4):
        playing = play(BATTLE, random_battle(number), seed=f"battle {number}")
        assert BATTLE.outcome(playing.last) is not None
        records.append(playing.record.dumps())
        told.append(digests(BATTLE, [step.resolution for step in playing.steps], playing.start))
    assert replayed_elsewhere(records, str(chunk + 1)) == told


def test_a_record_with_one_order_changed_does_not_replay_to_the_same_bytes() -> None:
    playing = play(BATTLE, random_battle(1), seed="battle 1")
    told = digests(BATTLE, [step.resolution for step in playing.steps], playing.start)
    (seat, _), *others = playing.record.turns[0]
    forged = replace(playing.record, turns=(((seat, {"resign": True}), *others),))
    first, second = replay(BATTLE, forged)
    assert digests(BATTLE, [second], first.state)[0] == told[0]
    assert digests(BATTLE, [second], first.state)[1] != told[1]
