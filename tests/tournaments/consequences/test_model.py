"""Tournaments of all types, and a model that was written from the rules alone: they agree."""

import pytest

from dynasties.treasury.services import NotEnough
from emperors.services import NotAliveError
from tests.scale import figure
from tests.tournaments.consequences.mutants import MUTANTS, Mutant
from tests.tournaments.consequences.sagas import Saga

pytestmark = pytest.mark.django_db

A_SAGA = 20
SAGAS = figure(15, soak=500)
BATTLES_A_SAGA = 5
BATTLE_SAGAS = figure(8, soak=200)
MOST_TO_CATCH = 120


@pytest.mark.parametrize("chance", range(SAGAS))
def test_the_world_after_a_tournament_is_what_the_rules_say(chance: int, audit) -> None:
    saga = Saga(chance)
    for _tournament in range(A_SAGA):
        saga.fight()
    audit()


@pytest.mark.parametrize("chance", range(BATTLE_SAGAS))
def test_the_world_after_a_battle_is_what_the_rules_say(chance: int, audit) -> None:
    saga = Saga(chance)
    for _battle in range(BATTLES_A_SAGA):
        saga.fight(really=True)
    audit()


@pytest.mark.parametrize(
    ("mutant", "types"), MUTANTS, ids=lambda each: getattr(each, "__name__", "")
)
def test_the_model_catches_wrong_consequences(
    mutant: Mutant, types: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    saga = Saga(1, types=types)
    mutant(monkeypatch)
    for _tournament in range(MOST_TO_CATCH):
        try:
            saga.fight()
        except (AssertionError, NotAliveError, NotEnough):
            return
    pytest.fail("The model lets it pass.")
