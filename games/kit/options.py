"""What can be announced of a game, as a schema: read strictly, and described for forms.

An unknown or bad option is an error that names it, never a silent default.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from reprlib import Repr
from typing import Protocol

from games.kit.codec import Json, JsonObject, is_whole
from games.kit.errors import BadOptions

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


class Option(Protocol):
    """One thing that can be announced."""

    @property
    def name(self) -> str: ...

    @property
    def default(self) -> Json:
        """What holds where nothing is announced; None if it must be."""

    def read(self, value: Json) -> Json:
        """The value as the game wants it. Raises ValueError with a sentence."""

    def describe(self) -> JsonObject:
        """All that a form needs to ask for it."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Exactly one of some named values."""

    name: str
    values: tuple[str, ...]
    default: str

    def read(self, value: Json) -> Json:
        if not isinstance(value, str) or value not in self.values:
            raise ValueError(f"{shown(value)} is not one of {', '.join(self.values)}")
        return value

    def describe(self) -> JsonObject:
        return {"name": self.name, "kind": "one", "values": self.values, "default": self.default}


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Any number of some named values, each once; kept in the order of the schema."""

    name: str
    values: tuple[str, ...]
    default: tuple[str, ...] = ()

    def read(self, value: Json) -> Json:
        chosen = sequence(value)
        for item in chosen:
            if not isinstance(item, str) or item not in self.values:
                raise ValueError(f"{shown(item)} is not one of {', '.join(self.values)}")
            if chosen.count(item) > 1:
                raise ValueError(f"{shown(item)} is named twice")
        return tuple(item for item in self.values if item in chosen)

    def describe(self) -> JsonObject:
        return {"name": self.name, "kind": "any", "values": self.values, "default": self.default}


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    name: str
    default: bool

    def read(self, value: Json) -> Json:
        if not isinstance(value, bool):
            raise ValueError(f"{shown(value)} is neither true nor false")
        return value

    def describe(self) -> JsonObject:
        return {"name": self.name, "kind": "flag", "default": self.default}


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within limits."""

    name: str
    low: int
    high: int
    default: int | None = None

    def read(self, value: Json) -> Json:
        if not isinstance(value, int) or not is_whole(value):
            raise ValueError(f"{shown(value)} is not a whole number")
        if not self.low <= value <= self.high:
            raise ValueError(f"{value} is not from {self.low} to {self.high}")
        return value

    def describe(self) -> JsonObject:
        return {
            "name": self.name,
            "kind": "whole",
            "low": self.low,
            "high": self.high,
            "default": self.default,
        }


@dataclass(frozen=True, slots=True)
class Text:
    """A text of at most so many characters; it must be given."""

    name: str
    longest: int
    default: None = None

    def read(self, value: Json) -> Json:
        if not isinstance(value, str):
            raise ValueError(f"{shown(value)} is not a text")
        if len(value) > self.longest:
            raise ValueError(f"the text is longer than {self.longest} characters")
        return value

    def describe(self) -> JsonObject:
        return {"name": self.name, "kind": "text", "longest": self.longest, "default": None}


@dataclass(frozen=True, slots=True)
class Several:
    """One or more objects; each says what it is by `kind` and has that kind's own options."""

    name: str
    kinds: Mapping[str, tuple[Option, ...]]
    default: tuple[JsonObject, ...]

    def read(self, value: Json) -> Json:
        items = tuple(self._item(item) for item in sequence(value))
        if not items:
            raise ValueError("name at least one")
        names = [item["kind"] for item in items]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{shown(name)} is named twice")
        return items

    def _item(self, item: Json) -> JsonObject:
        if not isinstance(item, Mapping) or not isinstance(item.get("kind"), str):
            raise ValueError(f'{shown(item)} is no object with a "kind"')
        kind = str(item["kind"])
        if kind not in self.kinds:
            raise ValueError(f"{shown(kind)} is not one of {', '.join(self.kinds)}")
        parts = {name: part for name, part in item.items() if name != "kind"}
        try:
            return {"kind": kind, **read_options(self.kinds[kind], parts)}
        except BadOptions as bad:
            raise ValueError(f"{kind}: {bad.sentence}") from None

    def describe(self) -> JsonObject:
        kinds = {kind: [part.describe() for part in parts] for kind, parts in self.kinds.items()}
        return {"name": self.name, "kind": "several", "kinds": kinds, "default": self.default}


def read_options(schema: Sequence[Option], data: Json, whole: str = "options") -> dict[str, Json]:
    """Every option of the schema with its value. Raises BadOptions for the first bad one.

    `whole` is what the object itself is called in a refusal.
    """
    if not isinstance(data, Mapping):
        raise BadOptions(whole, f"{shown(data)} is no object")
    known = {option.name for option in schema}
    for name in data:
        if name not in known:
            others = ", ".join(sorted(known))
            raise BadOptions(str(name), f"there is no such option; there are {others}")
    return {option.name: _read(option, data) for option in schema}


def _read(option: Option, data: Mapping[str, Json]) -> Json:
    if option.name not in data:
        if option.default is None:
            raise BadOptions(option.name, "it must be given")
        return option.default
    try:
        return option.read(data[option.name])
    except ValueError as bad:
        raise BadOptions(option.name, str(bad)) from None


def sequence(value: Json) -> Sequence[Json]:
    """`value` if it is a list. Raises ValueError otherwise."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"{shown(value)} is no list")
    return value


def shown(value: object) -> str:
    """A value in a sentence: as JSON has it, but never at length."""
    named = {None: "null", True: "true", False: "false"}
    return named[value] if value is None or value is True or value is False else _SHORT.repr(value)
