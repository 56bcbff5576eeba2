"""Whether a world is as it was expected to be, on the paths that matter.

Objects are compared key by key, lists of the same length item by item, and others as a whole. What matters are the
values that had to change, and those that did: a world in which little had to happen is not nearly right because nothing
happened.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gnomon.bench.tasks import paths
from gnomon.bench.tasks.expressions import equal
from gnomon.bench.tasks.nouns import Expected
from gnomon.bench.tasks.package import Task
from gnomon.bench.tasks.paths import MISSING, Path
from gnomon.bench.tasks.world import World, replayed
from gnomon.model import jsonvalue
from gnomon.shorten import shorten


@dataclass(frozen=True, slots=True)
class PathResult:
    """What was expected at a path, and what is there."""

    path: str
    expected: Any
    actual: Any

    @property
    def matches(self) -> bool:
        return _same(self.expected, self.actual)

    def in_words(self) -> str:
        if self.matches:
            return f"{self.path} is {_shown(self.actual)}"
        return f"{self.path} is {_shown(self.actual)}, expected {_shown(self.expected)}"


def expected_world(task: Task) -> World:
    """The world after the reference calls, with the explicit values in their places."""
    expected = task.file.expected
    calls = [(call.tool, call.args) for call in expected.calls or ()]
    return _with_explicit_values(replayed(task.tools, task.world, calls), expected)


def _with_explicit_values(world: World, expected: Expected) -> World:
    for text, value in expected.world.items():
        path = paths.parse(text)
        if paths.value_at(world, path[:-1]) is MISSING:
            continue  # compared by itself below; lint says that nothing can stand there
        world = paths.with_value(world, path, value)
    for text in expected.absent:
        if paths.value_at(world, paths.parse(text)) is not MISSING:
            world = paths.without(world, paths.parse(text))
    return world


def compare(task: Task, final: World) -> list[PathResult]:
    """Every value that had to change or did change, and every value that the task names, in order of their paths."""
    expected = task.file.expected
    ignored = [paths.parse(text) for text in expected.ignore]
    unordered = [paths.parse(text) for text in expected.any_order]
    before, wanted, after = (
        _sorted_lists(paths.pruned(world, ignored), unordered) for world in (task.world, expected_world(task), final)
    )
    named = {**expected.world, **dict.fromkeys(expected.absent, MISSING)}
    results = {text: PathResult(text, value, paths.value_at(after, paths.parse(text))) for text, value in named.items()}
    for root in _roots(expected):
        for path in _outermost({*_differences(before, wanted, root), *_differences(before, after, root)}):
            text = paths.written(path)
            results[text] = PathResult(text, paths.value_at(wanted, path), paths.value_at(after, path))
    return [results[text] for text in sorted(results)]


def _roots(expected: Expected) -> list[Path]:
    if expected.compare is not None:
        return [paths.parse(text) for text in expected.compare]
    return [()] if expected.calls is not None else []


def _differences(first: Any, second: Any, root: Path) -> Iterator[Path]:
    """The paths at and below `root` where two worlds differ, as deep as they are alike in shape."""
    waiting = [root]
    while waiting:
        path = waiting.pop()
        value, other = paths.value_at(first, path), paths.value_at(second, path)
        if isinstance(value, dict) and isinstance(other, dict):
            waiting += [(*path, key) for key in {**value, **other}]
        elif isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
            waiting += [(*path, str(index)) for index in range(len(value))]
        elif not _same(value, other):
            yield path


def _outermost(differences: set[Path]) -> Iterator[Path]:
    """The paths that lie inside no other: a list that grew counts once, and its items do not."""
    return (path for path in differences if not any(path[:length] in differences for length in range(len(path))))


def _sorted_lists(world: World, patterns: list[Path]) -> World:
    for pattern in patterns:
        for path in list(paths.matching(world, pattern)):
            items = paths.value_at(world, path)
            if isinstance(items, list):
                world = paths.with_value(world, path, sorted(items, key=jsonvalue.canonical))
    return world


def _same(value: Any, other: Any) -> bool:
    if value is MISSING or other is MISSING:
        return value is other
    return equal(value, other)


def _shown(value: Any) -> str:
    if value is MISSING:
        return "missing"
    return shorten(jsonvalue.canonical(value), 200)
