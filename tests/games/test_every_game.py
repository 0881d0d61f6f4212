"""One harness for every game: the registered ones, and toys that are unlike all of them."""

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.registry import GAMES
from tests.games.announcements import ANNOUNCEMENTS, OPEN, TWINS
from tests.games.entries import NAMES, TOYS, find
from tests.games.promises import PROMISES, Promise, check_junk
from tests.games.replaying import main
from tests.games.toys.mutants import HASHING, MUTANTS, entry_of


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_a_game_keeps_the_promise(name: str, promise: Promise) -> None:
    promise(find(name))


@pytest.mark.parametrize("key", GAMES)
def test_a_registered_game_is_announced_in_the_harness(key: str) -> None:
    assert GAMES[key].key == key
    assert GAMES[key].version >= 1
    assert ANNOUNCEMENTS.get(key), f"tell tests/games/announcements.py what {key} is played with"
    assert (key in TWINS) != (key in OPEN), f"say how twins of {key} are made, or that it is open"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.mark.parametrize("name", NAMES)
@given(junk=JSON, number=st.integers(0, 30))
def test_whatever_is_sent_is_refused_and_does_no_harm(name: str, junk: Any, number: int) -> None:
    playing = find(name).playings[0]
    state = playing.states[number % len(playing.states)]
    check_junk(find(name).game, state, playing.announcement.seats, junk)


# --- Under different hash seeds -----------------------------------------------------------------


def played_elsewhere(name: str, hash_seed: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "tests.games.replaying", name],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_the_same_under_every_hash_seed(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([name])
    here = capsys.readouterr().out
    assert len(here) > 64
    assert {played_elsewhere(name, seed) for seed in ("0", "1", "4242")} == {here}


@pytest.mark.parametrize("mutant", HASHING, ids=lambda mutant: mutant.__name__)
def test_a_game_that_follows_the_hash_seed_is_caught(mutant: type) -> None:
    assert len({played_elsewhere(mutant.__name__, str(seed)) for seed in range(6)}) > 1


# --- Random play is rich enough -----------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_some_are_away_when_they_are_waited_for(name: str) -> None:
    game = find(name).game
    steps = [step for playing in find(name).playings for step in playing.steps]
    assert any(set(game.due(step.before)) - set(step.orders) for step in steps)
    assert any(set(game.due(step.before)) == set(step.orders) for step in steps)


@pytest.mark.parametrize("name", TOYS)
def test_some_interrupt_who_are_not_due(name: str) -> None:
    game = find(name).game
    steps = [step for playing in find(name).playings for step in playing.steps]
    breaks = [
        (step, seat) for step in steps for seat, order in step.orders.items() if order.interrupts
    ]
    assert any(seat not in game.due(step.before) for step, seat in breaks)


# --- A harness that catches nothing proves nothing ----------------------------------------------


@pytest.mark.parametrize(
    ("mutant", "promise"), MUTANTS, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_broken_game_is_caught(mutant: type, promise: Promise) -> None:
    with pytest.raises(AssertionError):
        promise(entry_of(mutant))


def test_every_promise_has_caught_a_mutant() -> None:
    assert {promise for _, promise in MUTANTS} == set(PROMISES)
