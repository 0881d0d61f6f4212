"""Which promise must catch which broken toy."""

from typing import Any

from tests.games.promises import Promise

CAUGHT_BY: dict[type, Promise] = {}


def caught_by(promise: Promise) -> Any:
    """Note the promise that must catch this mutant."""

    def note(mutant: type) -> type:
        CAUGHT_BY[mutant] = promise
        return mutant

    return note
