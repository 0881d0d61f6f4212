"""Invariants of the standing world: questions to the database whose answer must be nothing.

Each room registers its own; `manage.py audit` and the tests ask them all. Those that take long,
because they go through the whole past, are strict ones: `manage.py audit --strict` asks them too.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

Finder = Callable[[], Iterable[object]]

MOST_EXAMPLES = 5


@dataclass(frozen=True)
class Invariant:
    """A sentence that must hold, and how to find what breaks it."""

    sentence: str
    find: Finder
    strict: bool = False


@dataclass(frozen=True)
class Breach:
    """A sentence that does not hold, with a few rows that break it."""

    sentence: str
    examples: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.sentence} Not so: {', '.join(self.examples)}"


_invariants: dict[str, Invariant] = {}


def invariant(sentence: str, *, strict: bool = False) -> Callable[[Finder], Finder]:
    """Register the decorated function: it returns the rows that break `sentence`."""

    def register(find: Finder) -> Finder:
        if sentence in _invariants:
            raise ValueError(f"Registered twice: {sentence}")
        _invariants[sentence] = Invariant(sentence, find, strict)
        return find

    return register


def all_invariants(*, strict: bool = False) -> tuple[Invariant, ...]:
    """Those to be asked; the strict ones only if they are wanted."""
    return tuple(each for each in _invariants.values() if strict or not each.strict)


def run_audit(*, strict: bool = False) -> list[Breach]:
    """Ask every invariant; return what is broken, an empty list when the world is sound."""
    breaches = []
    for each in all_invariants(strict=strict):
        examples = tuple(describe(row) for row in islice(each.find(), MOST_EXAMPLES))
        if examples:
            breaches.append(Breach(each.sentence, examples))
    return breaches


def describe(row: object) -> str:
    """Name a row by kind and key only: an audit must not tell what is private."""
    key = getattr(row, "pk", None)
    return f"{type(row).__name__} {key}" if key is not None else str(row)
