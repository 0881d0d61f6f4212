"""Canonical JSON: one text for one value, so that equal states have equal bytes."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
"""What games write: no fractions, for they differ from machine to machine, and no sets."""

JsonObject: TypeAlias = Mapping[str, Json]


def dumps(value: Json) -> str:
    """The canonical text of `value`: sorted keys, no spaces, plain ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def loads(text: str | bytes) -> Json:
    """Read JSON strictly.

    Raises ValueError for whatever is not JSON: `NaN`, nesting without end and numbers without
    end included. Fractions are left to whoever looks at them; no game has a use for one.
    """
    try:
        value: Json = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def is_whole(value: object) -> bool:
    """Whether `value` is a whole number; JSON's true and false are not, though Python's are."""
    return type(value) is int
