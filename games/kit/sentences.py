"""What happened, in words: templates with values, which the site translates and puts together."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = str | int | tuple[str, ...]
"""Something to be named; several of them are joined as the reader's language does it."""

Values: TypeAlias = Mapping[str, Value]


def gettext_noop(text: str) -> str:
    """Mark a template for the site's catalogs, which look for this name; change nothing."""
    return text


@dataclass(frozen=True, slots=True)
class Sentence:
    """What to say of an event: a template, and the values that belong into it."""

    text: str
    values: Values
    event: int
    """Which of the events it tells, counted from 0: an animation can keep step with it."""

    @property
    def english(self) -> str:
        """The finished sentence."""
        return self.text % {key: _in_english(value) for key, value in self.values.items()}

    def __str__(self) -> str:
        return self.english


def _in_english(value: Value) -> str:
    if not isinstance(value, tuple):
        return str(value)
    *most, last = value
    return f"{', '.join(most)} and {last}" if most else last
