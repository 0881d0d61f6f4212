"""Names: what may be one, and which two are one."""

import unicodedata
from collections.abc import Callable
from functools import cache

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from dynasties.houses.names import (
    LONGEST_MOTTO,
    LONGEST_NAME,
    clean_motto,
    clean_name,
    name_key,
    name_slug,
    searchable,
)
from dynasties.houses.scripts import BLOCKS, script_of

any_text = st.text(st.characters(codec=None, exclude_categories=[]), max_size=60)
words = st.text(st.sampled_from("abdefghjkmopqsuxyz"), min_size=3, max_size=12).map(str.title)


@cache
def characters_of(script: str, *categories: str) -> list[str]:
    """The characters of a script that stay as they are, whatever stands beside them."""
    every = (chr(code) for low, high in BLOCKS[script] for code in range(low, high + 1))
    return [
        character
        for character in every
        if unicodedata.category(character) in categories
        and unicodedata.is_normalized("NFKC", character)
        and "SEONG" not in unicodedata.name(character)  # parts of a Korean syllable join
    ]


def names_in(script: str) -> st.SearchStrategy[str]:
    """Names as people may write them. Sifted out of all texts, there would hardly be any."""
    letters = st.sampled_from(characters_of(script, "Lu", "Ll", "Lt", "Lm", "Lo"))
    marks = st.sampled_from(characters_of(script, "Mn", "Mc") or [""])
    syllables = st.builds(str.__add__, letters, marks | st.just(""))
    first = st.lists(syllables, min_size=3, max_size=8).map("".join)
    further = st.builds(str.__add__, st.sampled_from([" ", "'", "-", ".", ". "]), first)
    return st.text(letters, min_size=3, max_size=LONGEST_NAME) | st.builds(
        str.__add__, first, further
    )


names = st.sampled_from(sorted(BLOCKS)).flatmap(names_in)


def refusal(text: str) -> str:
    with pytest.raises(ValidationError) as caught:
        clean_name(text)
    return str(caught.value.code)


def outcome(clean: Callable[[str], str], text: str) -> tuple[str | None, str]:
    """What `clean` makes of a text, or the sentence with which it refuses it."""
    try:
        return clean(text), ""
    except ValidationError as refused:
        return None, refused.messages[0]


@pytest.mark.parametrize(
    "name",
    [
        "House of Ashdown",
        "D'Este",
        "St. Clair",
        "Al-Rashid",
        "Ñuñoa",
        "Nguyễn",
        "Łukasz",
        "Əliyev",
        "Дом Ветровых",
        "Οίκος Θαλασσινού",
        "בית דוד",
        "بيت النخيل",
        "राम गुप्त",
        "บ้านทอง",
        "月影の家",
        "ラーメン",
        "민준 이",
        "Ծովինար",
    ],
)
def test_names_of_many_alphabets_are_taken_as_they_are(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  House   of  Ash ", "House of Ash"),
        ("D\u2019Este", "D'Este"),
        ("O\u00b4Neil", "O'Neil"),
        ("Al\u2010Rashid", "Al-Rashid"),
        ("ﬁnch", "finch"),
        ("Ｗｉｄｅ", "Wide"),
        ("Casa\u00a0Real", "Casa Real"),
    ],
)
def test_one_form_is_kept_of_what_is_typed_in_many(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("hidden", ["a\0bc", "a\u200bbc", "a\u202ebc", "a\u2066bc", "a\ue000bc", "a\ud800bc"]),
        ("hidden", ["a\nbc", "a\tbc", "a\u115fbc", "a\u3164bc", "a\ufe0fbc", "a\u034fbc"]),
        ("hidden", ["a\U000e0041bc", "a\u0378bc", "a\xadbc", "a\u2028bc"]),
        (
            "characters",
            ["🐉 dragons", "R2 D2", "a_b_c", "<script>", "ᚠᚢᚦ", "ɐʇɐ", "c\u20dde", "a@b.c"],
        ),
        ("script", ["Pаris", "Ρaris", "House 月影", "アlpha", "a\u0901b"]),
        ("length", ["", "ab", "x" * 41, "\ufdfa\ufdfa\ufdfa"]),
        ("letters", ["a.  ", "a .", "a''"]),
        (
            "shape",
            ["O''Neil", "-Ash", "'Ash", "Ash-", "Ash'", "A--b", "A - b", ".Ash", "\u0301abc"],
        ),
        ("shape", ["e" + "\u0316" * 4 + "ab"]),
        ("reserved", ["Crown", "The Crown", "Crovvn", "Ad min", "La Corona", "ceca", "Emperors"]),
        ("reserved", ["Admin Team", "Moderator", "Moderador Juan", "Staff", "Guest"]),
    ],
)
def test_what_cannot_be_a_name_is_refused_with_its_reason(code: str, names: list[str]) -> None:
    for name in names:
        assert refusal(name) == ("length" if len(name.strip()) < 3 else code), ascii(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hail", "HaIl"),
        ("Hall", "HaIl"),
        ("Ashdown", "ASHDOWN"),
        ("Modern", "Modem"),
        ("Savvy", "Sawy"),
        ("Ordóñez", "Ordonez"),
        ("Al-Amin", "Al Amin"),
        ("O'Neil", "ONeil"),
        ("Сара", "Capa"),
        ("РОСА", "POCA"),
        ("ΚΑΡΤΑ", "KAPTA"),
        ("Łódź", "Lodz"),
        ("Straße", "Strasse"),
        ("Øster", "Oster"),
        ("ロクサ", "口クサ"),
        ("كريم", "کریم"),
    ],
)
def test_names_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert name_key(clean_name(one)) == name_key(clean_name(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ashdown", "Ashdowne"), ("राम", "रम"), ("がく", "かく"), ("Дом", "Том"), ("月影", "月光")],
)
def test_names_that_differ_have_two_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(any_text)
def test_any_text_gives_a_clean_name_or_a_reason(text: str) -> None:
    name, reason = outcome(clean_name, text)
    if name is None:
        assert reason
        return
    assert 3 <= len(name) <= LONGEST_NAME
    assert clean_name(name) == name
    name.encode()
    assert all(char in " '-." or script_of(char) or "\u0300" <= char <= "\u0344" for char in name)


@given(names)
def test_a_name_of_one_alphabet_is_clean_and_its_key_and_address_fit(text: str) -> None:
    name, _reason = outcome(clean_name, text)
    if name is None:
        assert refusal(text) == "reserved"
        return
    assert 0 < len(name_key(name)) <= 120
    assert name_slug(name)
    assert not set(name_slug(name)) & set(" /?#%'\0")


@given(words, st.sampled_from(["\u0301", "\u0308", "-", "'", " "]), st.data())
def test_accents_case_and_joints_do_not_make_another_name(word: str, extra: str, data) -> None:
    place = data.draw(st.integers(1, len(word) - 1))
    disguised = word[:place] + extra + word[place:]
    assert name_key(disguised.swapcase()) == name_key(word)


@given(any_text)
def test_a_search_text_never_holds_what_a_database_cannot(text: str) -> None:
    searchable(text).encode()
    assert "\0" not in searchable(text)


@given(any_text)
def test_any_text_gives_a_clean_motto_or_a_reason(text: str) -> None:
    motto, reason = outcome(clean_motto, text)
    if motto is None:
        assert reason
        return
    assert len(motto) <= LONGEST_MOTTO
    assert clean_motto(motto) == motto
    assert not any(unicodedata.category(char)[0] == "C" for char in motto)


@pytest.mark.parametrize(
    "motto", ["", "Ni un paso atrás", "静かなること林の如く", "We remember, & return: 1,000 times!"]
)
def test_a_motto_may_say_much(motto: str) -> None:
    assert clean_motto(motto) == motto


@pytest.mark.parametrize("motto", ["x" * 121, "win 🐉", "a\u202eb", "a\0b", "a\nb", "x" * 10_000])
def test_a_motto_has_its_bounds(motto: str) -> None:
    with pytest.raises(ValidationError):
        clean_motto(motto)
