"""What the chronicle can tell, about whom, and in which words: rooms and floors register it.

    tells(
        "emperor-born",
        _("%(emperor)s of %(dynasty)s was born."),
        title=_("Births"),
        sample={
            "emperor": Ref("emperor", 1, "Amaterasu I"),
            "dynasty": Ref("dynasty", 1, "House of Ash"),
        },
    )
    subject("emperor", url=lambda number: reverse("emperor", args=[number]))
    vocabulary("transfer", words_of_reasons)

Where a number decides the words, the template is `ngettext_lazy(one, many, "points")`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from django.utils.functional import Promise

from dynasties.chronicle.facts import Fact, Facts, Ref, Refs, Subject, Sums, Term

__all__ = [
    "Fact",
    "Known",
    "Ref",
    "Refs",
    "Subject",
    "Sums",
    "Term",
    "UnknownKind",
    "UnknownSubject",
    "all_tellings",
    "subject",
    "subject_named",
    "telling",
    "tells",
    "vocabulary",
]

Words: TypeAlias = str | Promise


class UnknownKind(LookupError):
    """Nobody registered this kind of entry."""


class UnknownSubject(LookupError):
    """Nobody registered that entries can be about this."""


class Known(NamedTuple):
    """What is known of a subject today: where its page is, and by which name it goes.

    Without a name the one of that day is shown.
    """

    url: str | None
    name: str | None = None


LookUp: TypeAlias = Callable[[Collection[int]], Mapping[int, Known]]
Find: TypeAlias = Callable[[str], Iterable[Ref]]
Vocabulary: TypeAlias = Callable[[Collection[str]], Mapping[str, Words]]


@dataclass(frozen=True)
class Telling:
    """A kind of entry: its sentence, with a named place for each fact of the sample."""

    kind: str
    template: Words
    title: Words
    sample: Facts
    private: bool
    icon: str


@dataclass(frozen=True)
class SubjectKind:
    """A kind of subject: how many of them are looked up at once, and found by a text."""

    name: str
    title: Words
    look_up: LookUp
    find: Find


_tellings: dict[str, Telling] = {}
_subjects: dict[str, SubjectKind] = {}
_vocabularies: dict[str, Vocabulary] = {}


def tells(
    kind: str,
    template: Words,
    *,
    title: Words,
    sample: Facts,
    private: bool = False,
    icon: str = "scroll",
) -> None:
    """Register a kind of entry.

    `title` is what the kind is called where readers choose among kinds ("Births"); `sample`
    has a fact for every place of the template, and an entry must have the same places;
    entries of a private kind have an owner, and nobody else ever sees them; `icon` is one
    of the site's.
    """
    if kind in _tellings:
        raise ValueError(f"Registered twice: {kind}")
    _tellings[kind] = Telling(kind, template, title, dict(sample), private, icon)


def subject(
    name: str,
    *,
    title: Words = "",
    url: Callable[[int], str | None] | None = None,
    look_up: LookUp | None = None,
    find: Find | None = None,
) -> None:
    """Register a kind of subject, and how its pages are found.

    `url` makes an address of a number without asking the database. Where that can't be,
    `look_up` takes many numbers at once and leaves out those that the world doesn't know.
    `find` returns the few that a reader may mean by a text.
    """
    if name in _subjects:
        raise ValueError(f"Registered twice: {name}")
    _subjects[name] = SubjectKind(
        name, title or name, look_up or _one_by_one(url), find or _find_nobody
    )


def vocabulary(name: str, words: Vocabulary) -> None:
    """Register words for the codes of a `Term`, or (as "wealth") for kinds of `Sums`.

    `words` takes many codes at once; a code that it leaves out is shown as it is.
    """
    if name in _vocabularies:
        raise ValueError(f"Registered twice: {name}")
    _vocabularies[name] = words


def telling(kind: str) -> Telling:
    """The registered kind, or UnknownKind."""
    try:
        return _tellings[kind]
    except KeyError:
        raise UnknownKind(kind) from None


def subject_named(name: str) -> SubjectKind:
    """The registered kind of subject, or UnknownSubject."""
    try:
        return _subjects[name]
    except KeyError:
        raise UnknownSubject(name) from None


def all_tellings(*, private: bool | None = None) -> tuple[Telling, ...]:
    """Every registered kind; with `private`, those that are or are not."""
    return tuple(each for each in _tellings.values() if private in (None, each.private))


def all_subjects() -> tuple[SubjectKind, ...]:
    return tuple(_subjects.values())


def words_for(name: str, codes: Collection[str]) -> Mapping[str, Words]:
    """Words for the codes that the vocabulary knows; none if there is no such vocabulary."""
    words = _vocabularies.get(name)
    return words(codes) if words and codes else {}


def _one_by_one(url: Callable[[int], str | None] | None) -> LookUp:
    return lambda numbers: {number: Known(url(number) if url else None) for number in numbers}


def _find_nobody(text: str) -> Iterable[Ref]:
    return ()
