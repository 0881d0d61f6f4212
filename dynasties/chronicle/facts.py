"""What a sentence of the chronicle is made of, and how it is kept: as plain JSON."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias


class Subject(NamedTuple):
    """Somebody or something that entries can be about: `Subject("dynasty", 7)`."""

    subject: str
    number: int

    def __str__(self) -> str:
        return f"{self.subject}-{self.number}"


class Ref(NamedTuple):
    """A subject by the name that it had on that day. Shown as a link where there is a page."""

    subject: str
    number: int
    name: str

    @property
    def who(self) -> Subject:
        return Subject(self.subject, self.number)


class Refs(NamedTuple):
    """Several subjects together, named one after the other: “A, B and C”."""

    refs: tuple[Ref, ...]


class Term(NamedTuple):
    """A code that a vocabulary has words for: `Term("transfer", "grant")`."""

    vocabulary: str
    code: str


class Sums(NamedTuple):
    """Wealth that came (+) or went (-): pairs of a kind's code and an amount."""

    parts: tuple[tuple[str, int], ...]


Fact: TypeAlias = int | str | Ref | Refs | Term | Sums
Facts: TypeAlias = Mapping[str, Fact]


class UnfitFact(ValueError):
    """Something that is no number, text, reference (or several), term or sum."""


def encode(facts: Facts) -> dict[str, Any]:
    """The facts as plain JSON."""
    return {place: _encode(fact) for place, fact in facts.items()}


def decode(kept: Mapping[str, Any]) -> dict[str, Fact]:
    """The facts that `encode` made `kept` of."""
    return {place: _decode(value) for place, value in kept.items()}


def refs_in(facts: Facts) -> Iterator[Ref]:
    for fact in facts.values():
        if isinstance(fact, Ref):
            yield fact
        elif isinstance(fact, Refs):
            yield from fact.refs


def _encode(fact: Fact) -> Any:
    if isinstance(fact, Ref):
        return fact._asdict()
    if isinstance(fact, Refs):
        return {"refs": [ref._asdict() for ref in fact.refs]}
    if isinstance(fact, Term):
        return {"term": fact.vocabulary, "code": fact.code}
    if isinstance(fact, Sums):
        return {"sums": [[code, amount] for code, amount in fact.parts]}
    if isinstance(fact, int | str) and not isinstance(fact, bool):
        return fact
    raise UnfitFact(f"No fact for the chronicle: {fact!r}")


def _decode(value: Any) -> Fact:
    if not isinstance(value, dict):
        return _plain(value)
    if "subject" in value:
        return _ref(value)
    if "refs" in value:
        return Refs(tuple(_ref(each) for each in value["refs"]))
    if "term" in value:
        return Term(value["term"], value["code"])
    return Sums(tuple((code, amount) for code, amount in value["sums"]))


def _ref(value: Mapping[str, Any]) -> Ref:
    return Ref(value["subject"], value["number"], value["name"])


def _plain(value: Any) -> int | str:
    if isinstance(value, int | str) and not isinstance(value, bool):
        return value
    raise UnfitFact(f"No fact of the chronicle: {value!r}")
