"""One text for one value."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit.codec import dumps, is_whole, loads

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_what_was_written_is_read_back(value: Any) -> None:
    assert loads(dumps(value)) == value


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_the_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    assert dumps(value) == dumps(dict(reversed(value.items())))


def test_the_text_is_short_and_plain() -> None:
    assert dumps({"b": (1, "é"), "a": None}) == '{"a":null,"b":[1,"\\u00e9"]}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"", object()])
def test_what_is_no_json_is_not_written(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        dumps(value)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "{", "nul", "NaN", "[Infinity]", "[-Infinity]", '{"a":NaN}', "'a'", "{} {}",
        b"\xff\xfe",
        b"\x80", "[" * 100_000, '{"a":' * 100_000, "9" * 10_000, "01", "\ufeff{}",
    ],
    ids=lambda text: repr(text)[:12],
)  # fmt: skip
def test_what_is_no_json_is_not_read(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        loads(text)


@pytest.mark.parametrize(
    ("value", "whole"), [(0, True), (-7, True), (True, False), (1.0, False), ("1", False)]
)
def test_only_whole_numbers_are_whole(value: Any, whole: bool) -> None:
    assert is_whole(value) is whole
