"""JSON with something wrong in it."""

from collections.abc import Iterator
from typing import Any

from games.kit.rng import Rng, choose

Path = tuple[Any, ...]
"""The keys and indexes that lead to a part of some JSON."""

JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 10**40, 1.5, "", "move", "\x00", [], [[]], [None], {}, {"": {}},
    {"order": "move"}, {"piece": []}, {"to": {}}, {"resign": "yes"}, [1, 2], {"hold": 1},
)  # fmt: skip
"""What is no order in any game, or in hardly any."""


def spoiled(data: Any) -> Iterator[Any]:
    """A readable order with one thing wrong: a part missing, one too many, one of another kind."""
    yield from ([data], dict(data, nonsense=1), {"order": data})
    for key in data:
        yield {name: value for name, value in data.items() if name != key}
        for junk in JUNK:
            yield {**data, key: junk}
            if isinstance(data[key], list | tuple):
                for index in range(len(data[key])):
                    yield {**data, key: [*data[key][:index], junk, *data[key][index + 1 :]]}


def spoiled_anywhere(data: Any, rng: Rng) -> Iterator[Any]:
    """Some JSON with one thing wrong at any depth, a few times for every kind of place in it.

    Junk, something that is nearly right, what stands elsewhere, a part missing, too many or twice.
    """
    kinds: dict[Path, list[Path]] = {}
    for path in places(data):
        kinds.setdefault(tuple("*" if type(k) is int else k for k in path), []).append(path)
    leaves = [leaf for path in places(data) if not isinstance(leaf := at(data, path), list | dict)]
    for paths in kinds.values():
        for path in dict.fromkeys((choose(rng, paths), choose(rng, paths))):
            others = [choose(rng, values) for values in (JUNK, JUNK, leaves)]
            for other in (*others, *unlike(at(data, path))):
                yield changed(data, path, other)


def places(data: Any, path: Path = ()) -> Iterator[Path]:
    """The way to every part of some JSON."""
    yield path
    inner = enumerate(data) if isinstance(data, list) else ()
    for key, item in data.items() if isinstance(data, dict) else inner:
        yield from places(item, (*path, key))


def at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def changed(data: Any, path: Path, value: Any) -> Any:
    """The same JSON with another value in one place."""
    if not path:
        return value
    key, *rest = path
    copy = data.copy()
    copy[key] = changed(data[key], tuple(rest), value)
    return copy


def unlike(value: Any) -> Iterator[Any]:
    """What is of the same kind, and yet something else."""
    if isinstance(value, str):
        yield from ("", f"{value}.")
    elif type(value) is int:
        yield from (-1, value + 1, 10**40)
    elif isinstance(value, list):
        for index, item in enumerate(value[:3]):
            yield value[:index] + value[index + 1 :]
            yield [*value, item]
        yield value[::-1]
    elif isinstance(value, dict):
        yield {**value, "nonsense": 1}
        for key in value:
            yield {name: item for name, item in value.items() if name != key}
