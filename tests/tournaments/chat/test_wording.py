"""A line is plain text that shows everything it holds."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.chat.errors import TooLong, Unspeakable
from tournaments.chat.wording import LONGEST_INPUT, LONGEST_LINE, clean_line
from tournaments.errors import Refused


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Well \t met,\r\n friend.\u2028 ", "Well met, friend."),
        ("ﬁne", "fine"),
        ("\u202eevil\u202c", "evil"),
        ("a\u200bb\u200dc\ufeffd", "abcd"),
        ("nul\0 \x07bell", "nul bell"),
        ("half \ud800 a character", "half a character"),
        ("❤️", "❤"),
        ("e\u0301", "é"),
        ("e\u200b\u0301", "é"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("שלום", "שלום"),
    ],
)
def test_a_line_is_kept_as_it_is_seen(typed: str, kept: str) -> None:
    assert clean_line(typed) == unicodedata.normalize("NFC", kept)


def test_marks_are_not_piled_over_the_lines_around() -> None:
    line = clean_line("Z" + "\u0327\u0323\u0331\u0332\u0333" * 20 + "y")
    assert line[0] in "ZẒ"
    assert line[-1] == "y"
    assert len(line) <= 5


@pytest.mark.parametrize("typed", ["", "   ", "\0\0", "\u200b\u200b", "\u0301", None, 7, ["x"], {}])
def test_nothing_is_no_line(typed: object) -> None:
    with pytest.raises(Unspeakable):
        clean_line(typed)


@pytest.mark.parametrize("typed", ["x" * (LONGEST_LINE + 1), "ﷺ" * 30, "x" * 10_000_000])
def test_a_line_has_an_end(typed: str) -> None:
    with pytest.raises(TooLong):
        clean_line(typed)
    assert len(clean_line("x" * LONGEST_LINE)) == LONGEST_LINE


@given(st.text(max_size=LONGEST_INPUT + 10))
def test_a_clean_line_is_short_visible_and_stays_as_it_is(typed: str) -> None:
    try:
        line = clean_line(typed)
    except Refused:
        return
    assert 0 < len(line) <= LONGEST_LINE
    assert clean_line(line) == line
    assert not any(unicodedata.category(each) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for each in line)
    assert "  " not in line
    line.encode()
