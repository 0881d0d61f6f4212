"""Entries as sentences: every kind can be told, and nothing that players wrote is HTML."""

import re

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy, ngettext_lazy

from dynasties.chronicle import kinds
from dynasties.chronicle.facts import Ref, Sums, Term, encode
from dynasties.chronicle.kinds import Known, all_tellings, subject, tells, vocabulary
from dynasties.chronicle.models import Entry
from dynasties.chronicle.rendering import Line, tell
from dynasties.houses.services import rename_dynasty
from tests.config.test_templates import drawn
from tests.dynasties.chronicle.words import NOON, private_entry, public_entry
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db

LANGUAGES = [code for code, _name in settings.LANGUAGES]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registries to write into, forgotten afterwards."""
    for name in ("_tellings", "_subjects", "_vocabularies"):
        monkeypatch.setattr(kinds, name, dict(getattr(kinds, name)))


def told(kind: str, **facts: object) -> Line:
    """How an entry would read that was never written."""
    entry = Entry(pk=1, kind=kind, facts=encode(facts), at=NOON)  # type: ignore[arg-type]
    return tell([entry])[0]


# --- Everything that is registered --------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("telling", all_tellings(), ids=lambda telling: telling.kind)
def test_every_kind_can_be_told_with_the_facts_it_asks_for(
    telling: kinds.Telling, language: str
) -> None:
    with translation.override(language):
        line = told(telling.kind, **telling.sample)
        assert str(telling.title)
    assert line.text
    assert "%(" not in line.text
    assert "<" not in line.text
    for fact in telling.sample.values():
        if isinstance(fact, Ref):
            assert fact.name in line.text


@pytest.mark.parametrize("telling", all_tellings(), ids=lambda telling: telling.kind)
def test_every_kind_needs_every_fact_of_its_sample(telling: kinds.Telling) -> None:
    assert telling.sample
    for place in telling.sample:
        others = {other: fact for other, fact in telling.sample.items() if other != place}
        with pytest.raises(KeyError):
            told(telling.kind, **others)


@pytest.mark.parametrize("telling", all_tellings(), ids=lambda telling: telling.kind)
def test_every_kind_has_an_icon_that_is_drawn(telling: kinds.Telling) -> None:
    assert telling.icon in drawn()


@pytest.mark.parametrize("telling", all_tellings(), ids=lambda telling: telling.kind)
def test_every_kind_fits_into_its_column(telling: kinds.Telling) -> None:
    assert len(telling.kind) <= 40
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", telling.kind)


def test_nothing_can_be_registered_twice(registry: None) -> None:
    with pytest.raises(ValueError, match="Registered twice"):
        tells("dynasty-founded", "", title="", sample={})
    with pytest.raises(ValueError, match="Registered twice"):
        subject("dynasty")
    vocabulary("a vocabulary", lambda codes: {})
    with pytest.raises(ValueError, match="Registered twice"):
        vocabulary("a vocabulary", lambda codes: {})


# --- Words --------------------------------------------------------------------------------


def test_a_reference_is_a_link_and_as_text_a_name() -> None:
    house = DynastyFactory(name="House of Ash")
    (line,) = tell([public_entry(house)])
    link = f'<a href="{house.get_absolute_url()}"><bdi>House of Ash</bdi></a>'
    assert line.html == f"{link} has fallen."
    assert line.text == "House of Ash has fallen."


def test_links_can_be_whole_addresses() -> None:
    (line,) = tell([public_entry(DynastyFactory())], origin="https://emperors.example")
    assert '<a href="https://emperors.example/dynasties/' in line.html


def test_somebody_without_a_page_is_a_name_and_no_link() -> None:
    line = told("dynasty-fallen", dynasty=Ref("dynasty", 10**9, "House of Nobody"))
    assert line.html == "<bdi>House of Nobody</bdi> has fallen."
    line = told("dynasty-fallen", dynasty=Ref("dragon", 1, "Fafnir"))
    assert line.text == "Fafnir has fallen."


def test_a_name_that_was_taken_down_is_not_shown_by_the_chronicle_either() -> None:
    house = DynastyFactory(name="House of Slander")
    entry = public_entry(house)
    rename_dynasty(dynasty=house, name="House of Ash")
    entry.refresh_from_db()
    (line,) = tell([entry])
    assert "Slander" not in line.html + line.text
    assert "House of Ash" in line.text


HOSTILE = "<script>alert(1)</script>\"'&%(x)s%"


def test_what_players_wrote_is_never_html(registry: None) -> None:
    tells("hostile", "%(a)s %(b)s %(c)s %(d)s", title="", sample={})
    vocabulary("hostile", lambda codes: dict.fromkeys(codes, HOSTILE))
    subject("hostile", look_up=lambda numbers: {1: Known(f'/"{HOSTILE}', HOSTILE)})
    line = told(
        "hostile",
        a=HOSTILE,
        b=Ref("hostile", 1, "x"),
        c=Term("hostile", "x"),
        d=Sums(((HOSTILE, 1),)),
    )
    assert "<script" not in line.html
    assert line.html.count("&lt;script&gt;") == 5
    assert line.text.count("<script>") == 4


def test_numbers_are_grouped_and_decide_between_one_and_many(registry: None) -> None:
    template = ngettext_lazy("%(points)s point.", "%(points)s points.", "points")
    tells("points", template, title="", sample={"points": 1})
    assert told("points", points=1).text == "1 point."
    assert told("points", points=12345).html == "12,345 points."


def test_terms_and_kinds_of_wealth_have_the_words_of_their_vocabulary(
    registry: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds._vocabularies.clear()
    vocabulary("transfer", lambda codes: {"grant": gettext_lazy("Founding grant")})
    vocabulary("wealth", lambda codes: {"copper": "copper coin"})
    facts = {
        "reason": Term("transfer", "grant"),
        "wealth": Sums((("copper", 1000), ("gold", -2))),
    }
    line = told("wealth-changed", **facts)
    assert line.text == "Founding grant: +1,000 × copper coin, −2 × gold."


def test_codes_that_nobody_has_words_for_are_shown_as_they_are(registry: None) -> None:
    kinds._vocabularies.clear()
    line = told("wealth-changed", reason=Term("transfer", "gift"), wealth=Sums((("ruby", 3),)))
    assert line.text == "gift: +3 × ruby."


def test_an_entry_whose_kind_is_gone_says_so_and_breaks_nothing() -> None:
    assert "no words" in told("dragon-seen", whom="x").text


def test_many_entries_are_looked_up_together(django_assert_max_num_queries) -> None:
    houses = DynastyFactory.create_batch(3)
    entries = [public_entry(house) for house in houses] + [private_entry(houses[0])]
    with django_assert_max_num_queries(2):  # dynasties, kinds of wealth
        assert len(tell(entries)) == 4
