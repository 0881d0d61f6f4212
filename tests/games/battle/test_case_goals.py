"""A case whose goal nobody could meet would prove whatever it says."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.games.battle.case_text import BadCase
from tests.games.battle.cases import read_text

CASE = """name: A free move
story: a moves.
{head}
before:
    +---+---+---+
    |(a)|   |(b)|
    +---+---+---+

orders:
    a: holds

after:
    +---+---+---+
    |(a)|   |(b)|
    +---+---+---+

events:
"""


def read_with(head: str) -> Any:
    return read_text(Path("001-a-free-move.txt"), CASE.format(head=head))


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("goals: opposite-square\n", "no seat has a target"),
        ("goals: opposite-square\nopposites: a-b\n", "no seat has a target"),
        ("goals: emperor-strike\n", "no seat has an opposite"),
        ("goals: treasure\nunder: A1 [b]\n", "there is no treasure"),
        ("goals: last-emperor, survive 31 0\nturn_limit: 30\n", "the turn limit comes before"),
    ],
)
def test_a_goal_that_nobody_could_meet_is_refused(head: str, why: str) -> None:
    with pytest.raises(BadCase, match=re.escape(why)) as bad:
        read_with(head)
    assert bad.value.line == 3


@pytest.mark.parametrize(
    "head",
    [
        "goals: opposite-square\ntargets: a B1\n",
        "goals: emperor-strike\nopposites: a-b\n",
        "goals: treasure\nunder: A1 (x)\n",
        "goals: survive 30 0\nturn_limit: 30\n",
        "goals: last-emperor, take-superior\n",
    ],
)
def test_a_goal_that_somebody_could_meet_is_read(head: str) -> None:
    kinds = [goal.kind for goal in read_with(head).state.options.goals]
    assert ", ".join(kinds) in head.replace(" 30 0", "")
