"""The text of a case file: keys with values, and indented lines below them."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple


class BadCase(ValueError):
    """A case file that can't be read, and where."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(f"{path.name}, line {line}: {why}")
        self.line = line


class Entry(NamedTuple):
    """A key's value: the rest of its line, and the indented lines below."""

    line: int
    value: str
    body: tuple[str, ...]


class CaseText:
    """A file, entry by entry. Whatever is wrong is said with the line where it stands."""

    def __init__(
        self, path: Path, text: str, keys: Collection[str], needed: Collection[str]
    ) -> None:
        self.path = path
        self.entries = self._split(text.split("\n"), keys)
        for key in needed:
            if key not in self.entries:
                raise BadCase(path, 1, f"{key}: is missing")

    def _split(self, lines: list[str], keys: Collection[str]) -> dict[str, Entry]:
        heads = [n for n, line in enumerate(lines) if line.strip() and not line[0].isspace()]
        entries: dict[str, Entry] = {}
        for begin, end in zip(heads, [*heads[1:], len(lines)], strict=False):
            key, colon, value = lines[begin].partition(":")
            if not colon or key not in keys:
                why = f"{key!r} is no key; there are {', '.join(keys)}"
                raise BadCase(self.path, begin + 1, why)
            if key in entries:
                raise BadCase(self.path, begin + 1, f"{key}: is there twice")
            entries[key] = Entry(begin + 1, value.strip(), tuple(lines[begin + 1 : end]))
        return entries

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def bad(self, key: str, why: str) -> BadCase:
        """A complaint about the value of a key."""
        return BadCase(self.path, self.entries[key].line, why)

    def value(self, key: str, default: str = "") -> str:
        """What stands behind a key, on its line."""
        return self.entries[key].value if key in self.entries else default

    def number(self, key: str, default: int) -> int:
        value = self.value(key, str(default))
        if not value.isdecimal():
            raise self.bad(key, f"{value!r} is no number")
        return int(value)

    def rows(self, key: str) -> Iterator[tuple[int, str]]:
        """The lines below a key that are not empty, with their numbers."""
        entry = self.entries[key]
        for number, text in enumerate(entry.body, start=entry.line + 1):
            if text.strip():
                yield number, text.strip()

    def lines(self, key: str) -> list[str]:
        return [text for _, text in self.rows(key)]

    def items(self, key: str) -> list[str]:
        """A value that is a list with commas."""
        return [item.strip() for item in self.value(key).split(",") if item.strip()]

    def pairs(
        self, key: str, first: Callable[[str], Any], second: Callable[[str], Any]
    ) -> list[tuple[Any, Any]]:
        """A value that is a list of pairs: `C3 b0, C4 b1`."""
        pairs = []
        for item in self.items(key):
            one, _, other = item.partition(" ")
            try:
                pairs.append((first(one), second(other.strip())))
            except ValueError as bad:
                raise self.bad(key, f"{item!r}: {bad}") from None
        return pairs
