"""Change one list in a JSON file and leave every other byte as it is: spaces, order, line ends, a byte-order mark.

What is added can be removed again by its content, also after somebody has edited the file.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r"[^,\]}\s]+")
_INDENT = re.compile(r"\n([ \t]+)\S")
_DEEPEST = 200
_DECODER = json.JSONDecoder()


class BadJsonText(ValueError):
    """Not JSON, or not of the shape that the change needs. The message is one line."""


@dataclass(slots=True)
class JsonNode:
    """A value and its position. Members of an object have keys, items of a list have none."""

    start: int
    end: int = 0
    kind: str = "value"
    keys: list[str] = field(default_factory=list)
    key_starts: list[int] = field(default_factory=list)
    values: list["JsonNode"] = field(default_factory=list)

    def member(self, key: str) -> "JsonNode | None":
        return self.values[self.keys.index(key)] if self.kind == "object" and key in self.keys else None


def with_item(text: str, path: Sequence[str], item: Any) -> str:
    """The text with one more item at the end of the list at `path`; the list and what is around it made where missing.

    An empty text becomes a file of its own.
    """
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps(_nested(path, [item]), indent=2, ensure_ascii=False) + "\n"
    root = _parsed(text)
    if root.kind != "object":
        raise BadJsonText("it is not an object")
    node, depth = root, 0
    for depth, key in enumerate(path, start=1):
        below = node.member(key)
        if below is None:
            addition = _nested(path[depth:], [item])
            return _checked(text, _appended(text, node, depth, addition, key))
        wanted = "array" if depth == len(path) else "object"
        if below.kind != wanted:
            raise BadJsonText(f"{'.'.join(path[:depth])} is no {'list' if wanted == 'array' else 'object'}")
        node = below
    return _checked(text, _appended(text, node, depth + 1, item))


def without_items(text: str, path: Sequence[str], unwanted: Callable[[Any], bool]) -> str:
    """The text without those items of the list; containers that become empty are removed too."""
    while True:
        root = _parsed(text)
        line = [root]
        for key in path:
            below = line[-1].member(key)
            if below is None:
                return text
            line.append(below)
        indexes = [
            index for index, item in enumerate(line[-1].values) if unwanted(json.loads(text[item.start : item.end]))
        ]
        if line[-1].kind != "array" or not indexes:
            return text
        index, depth = indexes[-1], len(path)
        while depth > 0 and len(line[depth].values) == 1:
            index, depth = line[depth - 1].keys.index(path[depth - 1]), depth - 1
        text = _removed(text, line[depth], index)


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _appended(text: str, node: JsonNode, depth: int, value: Any, key: str | None = None) -> str:
    """The text with a value at the end of a list or object whose members stand at that depth."""
    newline = "\r\n" if "\r\n" in text else "\n"
    several_lines = "\n" in text[node.start : node.end] or (not node.values and "\n" in text.strip())
    match = _INDENT.search(text)
    unit = match[1] if match else "  "
    shown = json.dumps(value, indent=unit if several_lines else None, ensure_ascii=False)
    shown = f"{json.dumps(key)}: {shown}" if key is not None else shown
    if not several_lines:
        return _inserted(text, node, ", " if node.values else "", shown, "")
    before = newline + unit * depth
    shown = shown.replace("\n", before)
    return _inserted(text, node, "," + before if node.values else before, shown, newline + unit * (depth - 1))


def _inserted(text: str, node: JsonNode, before: str, shown: str, after: str) -> str:
    if node.values:
        at = node.values[-1].end
        return text[:at] + before + shown + text[at:]
    return text[: node.start + 1] + before + shown + after + text[node.end - 1 :]


def _removed(text: str, node: JsonNode, index: int) -> str:
    if len(node.values) == 1:
        return text[: node.start + 1] + text[node.end - 1 :]
    starts = node.key_starts or [value.start for value in node.values]
    if index:
        return text[: node.values[index - 1].end] + text[node.values[index].end :]
    return text[: starts[0]] + text[starts[1] :]


def _checked(before: str, after: str) -> str:
    """The change, once it is sure that it is still JSON."""
    try:
        json.loads(after.removeprefix("\ufeff"))
    except ValueError as bad:
        raise BadJsonText(f"it cannot be changed: {bad}") from None
    return after


# ── where things stand ──────────────────────────────────────────────────────────────────────────────────────────


def _parsed(text: str) -> JsonNode:
    try:
        json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as bad:
        raise BadJsonText(f"it is not JSON: {bad}") from None
    return _value(text, _spaces(text, 1 if text.startswith("\ufeff") else 0), 0)


def _spaces(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, depth: int) -> JsonNode:
    if depth > _DEEPEST:
        raise BadJsonText(f"it is nested deeper than {_DEEPEST} levels")
    if text[at] == '"':
        return JsonNode(at, _DECODER.raw_decode(text, at)[1])
    if text[at] in "[{":
        return _container(text, at, depth)
    match = _PLAIN.match(text, at)
    return JsonNode(at, match.end() if match else at)


def _container(text: str, start: int, depth: int) -> JsonNode:
    node = JsonNode(start, kind="object" if text[start] == "{" else "array")
    at = _spaces(text, start + 1)
    while text[at] not in "]}":
        if node.kind == "object":
            node.key_starts.append(at)
            key, at = _DECODER.raw_decode(text, at)
            node.keys.append(key)
            at = _spaces(text, _spaces(text, at) + 1)
        value = _value(text, at, depth + 1)
        node.values.append(value)
        at = _spaces(text, value.end)
        at = _spaces(text, at + 1) if text[at] == "," else at
    node.end = at + 1
    return node
