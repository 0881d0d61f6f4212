"""Entries as sentences in the reader's language: HTML with links, and plain text."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import number_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from dynasties.chronicle.codes import code_of
from dynasties.chronicle.facts import Fact, Facts, Ref, Refs, Sums, Term, decode, refs_in
from dynasties.chronicle.kinds import (
    Known,
    Telling,
    UnknownKind,
    UnknownSubject,
    Words,
    subject_named,
    telling,
    words_for,
)
from dynasties.chronicle.models import Entry

WEALTH = "wealth"


class Figure(int):
    """A number that decides between singular and plural, and is written as readers do."""

    def __str__(self) -> str:
        return number_format(int(self), force_grouping=True)


@dataclass(frozen=True)
class Line:
    """An entry as it is read. Pages show its code, never its number."""

    number: int
    kind: str
    at: datetime
    html: SafeString
    text: str
    icon: str
    is_private: bool

    @property
    def code(self) -> str:
        return code_of(self.number)


@dataclass(frozen=True)
class Lexicon:
    """What has to be looked up for some entries: who is known, and words for codes."""

    known: Mapping[str, Mapping[int, Known]]
    words: Mapping[str, Mapping[str, Words]]

    def known_as(self, ref: Ref) -> Known:
        """Where the subject's page is, and the name to show."""
        today = self.known.get(ref.subject, {}).get(ref.number, Known(None))
        return Known(today.url, today.name or ref.name)

    def word(self, vocabulary: str, code: str) -> str:
        return str(self.words.get(vocabulary, {}).get(code, code))


def tell(entries: Iterable[Entry], *, origin: str = "") -> list[Line]:
    """Every entry as a line, in their order; `origin` goes before the addresses of links.

    Asks the database once for each kind of subject and vocabulary, however many entries.
    """
    told = [(entry, decode(entry.facts)) for entry in entries]
    lexicon = _look_up([facts for _entry, facts in told])
    return [_line(entry, facts, lexicon, origin) for entry, facts in told]


def sentence(telling: Telling, facts: Facts, lexicon: Lexicon) -> str:
    """The sentence as plain text."""
    words = {place: _text(fact, lexicon) for place, fact in facts.items()}
    return str(telling.template % words)


def sentence_html(telling: Telling, facts: Facts, lexicon: Lexicon, origin: str) -> SafeString:
    """The sentence with its links. The template is ours; every fact is escaped."""
    words = {place: _html(fact, lexicon, origin) for place, fact in facts.items()}
    return mark_safe(str(telling.template % words))  # noqa: S308


def _line(entry: Entry, facts: Facts, lexicon: Lexicon, origin: str) -> Line:
    how = _telling_of(entry)
    return Line(
        number=entry.pk,
        kind=entry.kind,
        at=entry.at,
        html=sentence_html(how, facts, lexicon, origin),
        text=sentence(how, facts, lexicon),
        icon=how.icon,
        is_private=entry.owner_id is not None,
    )


def _telling_of(entry: Entry) -> Telling:
    """How an entry is told; of a kind that is registered no more, that words are missing."""
    try:
        return telling(entry.kind)
    except UnknownKind:
        lost = _("There are no words left for what happened here.")
        return Telling(entry.kind, lost, entry.kind, {}, private=True, icon="scroll")


# --- What has to be looked up ---------------------------------------------------------


def _look_up(all_facts: Collection[Facts]) -> Lexicon:
    numbers: dict[str, set[int]] = defaultdict(set)
    codes: dict[str, set[str]] = defaultdict(set)
    for facts in all_facts:
        for ref in refs_in(facts):
            numbers[ref.subject].add(ref.number)
        for vocabulary, code in _codes_in(facts):
            codes[vocabulary].add(code)
    return Lexicon(
        {name: _known(name, wanted) for name, wanted in numbers.items()},
        {name: words_for(name, wanted) for name, wanted in codes.items()},
    )


def _known(name: str, numbers: Collection[int]) -> Mapping[int, Known]:
    try:
        return subject_named(name).look_up(numbers)
    except UnknownSubject:
        return {}


def _codes_in(facts: Facts) -> Iterable[tuple[str, str]]:
    for fact in facts.values():
        if isinstance(fact, Term):
            yield fact.vocabulary, fact.code
        elif isinstance(fact, Sums):
            yield from ((WEALTH, code) for code, _amount in fact.parts)


# --- Facts as words -------------------------------------------------------------------


def _text(fact: Fact, lexicon: Lexicon) -> str | Figure:
    if isinstance(fact, Ref):
        return lexicon.known_as(fact).name or fact.name
    if isinstance(fact, Refs):
        return _listed(_text(ref, lexicon) for ref in fact.refs)
    if isinstance(fact, Term):
        return lexicon.word(fact.vocabulary, fact.code)
    if isinstance(fact, Sums):
        return ", ".join(_sum(code, amount, lexicon) for code, amount in fact.parts)
    return Figure(fact) if isinstance(fact, int) else fact


def _html(fact: Fact, lexicon: Lexicon, origin: str) -> str | Figure:
    if isinstance(fact, Refs):
        return _listed(_html(ref, lexicon, origin) for ref in fact.refs)
    words = _text(fact, lexicon)
    if isinstance(words, Figure):
        return words  # digits, and what stands between them
    if isinstance(fact, Ref):
        return _link(words, lexicon.known_as(fact).url, origin)
    return format_html("<bdi>{}</bdi>", words) if isinstance(fact, str) else escape(words)


def _listed(names: Iterable[str | Figure]) -> str:
    return get_text_list([str(name) for name in names], _("and"))


def _link(name: str, url: str | None, origin: str) -> SafeString:
    shown = format_html("<bdi>{}</bdi>", name)
    return format_html('<a href="{}{}">{}</a>', origin, url, shown) if url else shown


def _sum(code: str, amount: int, lexicon: Lexicon) -> str:
    sign = "+" if amount >= 0 else "−"
    return f"{sign}{Figure(abs(amount))} × {lexicon.word(WEALTH, code)}"
