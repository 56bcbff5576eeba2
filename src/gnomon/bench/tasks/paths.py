"""Paths into a JSON world, `orders.W1.items.0.status`, and changes along them that leave the old world as it was.

A key that has a dot in it is written in double quotes: `accounts."iris@example.com".plan`. A number is an index where
the path meets a list. `*` stands for every key or index, in patterns only.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Path = tuple[str, ...]

LONGEST = 500
_SEGMENT = re.compile(r'"([^"]*)"|([^."\[\]]+)')


class PathError(ValueError):
    """A path that cannot be read, or leads nowhere. The message is one sentence."""


def parse(text: str) -> Path:
    """The keys of a path, in order."""
    segments: list[str] = []
    at = 0
    if not text or len(text) > LONGEST:
        raise PathError(f"the path {text[:60]!r} is empty or longer than {LONGEST} characters")
    while True:
        segment = _SEGMENT.match(text, at)
        if segment is None:
            raise PathError(f"{text!r} is not a path; write keys with dots between them, like orders.W1.status")
        segments.append(segment[1] if segment[1] is not None else segment[2])
        at = segment.end()
        if at == len(text):
            return tuple(segments)
        if text[at] != ".":
            raise PathError(f"{text!r} is not a path; there is no dot before {text[at:][:20]!r}")
        at += 1


def written(path: Sequence[str]) -> str:
    """A path as text; `parse` reads it back."""
    return ".".join(f'"{key}"' if not key or re.search(r'[."\[\]]', key) else key for key in path)


MISSING: Any = type("Missing", (), {"__repr__": lambda self: "(missing)"})()
"""What stands at a path where nothing is: not null, which is a value."""


def value_at(world: Any, path: Sequence[str]) -> Any:
    """The value at a path, or `MISSING`."""
    for key in path:
        if isinstance(world, dict) and key in world:
            world = world[key]
        elif isinstance(world, list) and _is_index(key, world):
            world = world[int(key)]
        else:
            return MISSING
    return world


def with_value(world: Any, path: Path, value: Any) -> Any:
    """The world with a value set. All but the last key must be there."""
    return _changed(world, path, 0, lambda parent: _set(parent, path, value))


def with_appended(world: Any, path: Path, value: Any) -> Any:
    """The world with one more item at the end of the list at a path."""
    items = value_at(world, path)
    if not isinstance(items, list):
        raise PathError(f"nothing can be appended at {written(path)}: there is no list")
    return with_value(world, path, [*items, value])


def without(world: Any, path: Path) -> Any:
    """The world without the value at a path, which must exist."""
    return _changed(world, path, 0, lambda parent: _removed(parent, path))


def _changed(world: Any, path: Path, depth: int, change: Callable[[Any], Any]) -> Any:
    """Copy what lies on the way, share the rest, and let `change` make the last container anew."""
    if depth == len(path) - 1:
        return change(world)
    key = path[depth]
    inner = value_at(world, (key,))
    if inner is MISSING:
        raise PathError(f"there is nothing at {written(path[: depth + 1])}")
    return _set(world, (key,), _changed(inner, path, depth + 1, change))


def _set(parent: Any, path: Path, value: Any) -> Any:
    key = path[-1]
    if isinstance(parent, dict):
        return {**parent, key: value}
    if isinstance(parent, list) and _is_index(key, parent):
        return [*parent[: int(key)], value, *parent[int(key) + 1 :]]
    raise PathError(f"{written(path)} cannot be set: there is no object or list that has it")


def _removed(parent: Any, path: Path) -> Any:
    key = path[-1]
    if isinstance(parent, dict) and key in parent:
        return {name: value for name, value in parent.items() if name != key}
    if isinstance(parent, list) and _is_index(key, parent):
        return [*parent[: int(key)], *parent[int(key) + 1 :]]
    raise PathError(f"there is nothing at {written(path)}")


def _is_index(key: str, items: list[Any]) -> bool:
    return key.isascii() and key.isdecimal() and len(key) < 10 and int(key) < len(items)


def matching(world: Any, pattern: Path) -> Iterator[Path]:
    """The paths of a world that a pattern stands for."""
    if not pattern:
        yield ()
        return
    for key in _keys(world) if pattern[0] == "*" else [pattern[0]]:
        inner = value_at(world, (key,))
        if inner is not MISSING:
            yield from ((key, *rest) for rest in matching(inner, pattern[1:]))


def pruned(world: Any, patterns: Sequence[Path]) -> Any:
    """The world without everything that the patterns stand for."""
    for pattern in patterns:
        # From the back: removing an item of a list moves those behind it.
        for path in reversed(list(matching(world, pattern))):
            world = without(world, path)
    return world


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return list(value)
    return [str(index) for index in range(len(value))] if isinstance(value, list) else []
