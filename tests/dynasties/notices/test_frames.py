"""Whatever a client sends is an object or refused with a reason."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from dynasties.notices.sockets import Refused, readable

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda c: st.lists(c) | st.dictionaries(st.text(), c),
)


@given(st.text() | st.builds(str, JSON))
def test_any_text_is_an_object_or_refused(text: str) -> None:
    with suppress(Refused):
        assert isinstance(readable({"text": text}), dict)


@given(st.binary())
def test_binary_is_refused(data: bytes) -> None:
    with suppress(Refused):
        readable({"bytes": data})
        raise AssertionError("A binary frame was read.")
