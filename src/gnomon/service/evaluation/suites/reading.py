"""A suite's YAML as a `Suite`. Everything that is wrong is refused with file, line, field and remedy."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.model.nearest import not_a_field
from gnomon.model.suite import TASK_KEYS, Suite, SuiteCommandTask, SuiteHttpTask, SuiteModelTask
from gnomon.model.yamltree import BadYaml, Mapping, Node, Scalar, Series, read
from gnomon.shorten import count_more

_LARGEST = 8 << 20
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_TAGS = ("function", *TASK_KEYS)
_TASKS: dict[str, type[BaseModel]] = {"model": SuiteModelTask, "http": SuiteHttpTask, "command": SuiteCommandTask}

Location = tuple[str | int, ...]


def read_suite(content: bytes, source: str) -> Suite:
    """The suite in this file, which is called `source` in messages."""
    tree = read_tree(content, source)
    if not isinstance(tree, Mapping):
        raise InvalidInput(f"{source} is not a suite; write keys such as data, task and scorers")
    try:
        return Suite.model_validate(plain(tree))
    except ValidationError as bad:
        raise _refusal(bad, tree, source) from None


def read_tree(content: bytes, source: str) -> Node | None:
    if len(content) > _LARGEST:
        raise InvalidInput(f"{source} has more than {_LARGEST >> 20} MiB; keep the data in a file of its own")
    try:
        return read(content)
    except BadYaml as bad:
        raise InvalidInput(f"{source}: {bad}") from None


def plain(node: Node) -> Any:
    """The node as JSON: a number, true, false or null is one unless it is quoted. `no` stays a text."""
    if isinstance(node, Mapping):
        return {key: plain(value) for key, value in node.items.items()}
    if isinstance(node, Series):
        return [plain(value) for value in node.items]
    if not node.plain:
        return node.text
    if node.null:
        return None
    if node.text in ("true", "false"):
        return node.text == "true"
    if _INTEGER.fullmatch(node.text):
        return int(node.text)
    return float(node.text) if _NUMBER.fullmatch(node.text) else node.text


def line_of(tree: Node, location: Sequence[str | int]) -> int:
    """Where the value at this place is written; of what is missing, where it would belong."""
    node, line = tree, 1 if isinstance(tree, Mapping) and tree.line == 0 else tree.line
    for step in location:
        if isinstance(node, Mapping) and step in node.items:
            line = node.key_lines.get(str(step), node.items[str(step)].line)
            node = node.items[str(step)]
        elif isinstance(node, Series) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            line = node.line
        elif isinstance(node, Scalar):
            break
    return line


def _refusal(bad: ValidationError, tree: Mapping, source: str) -> InvalidInput:
    """The first problem in the order of the file."""
    problems = [(line_of(tree, location), location, error) for location, error in _located(bad)]
    line, location, error = min(problems, key=lambda problem: problem[0])
    message = f"{source}, line {line}: {_words(location, error)}"
    return InvalidInput(count_more(message, len(problems)), code="INVALID_SUITE")


def _located(bad: ValidationError) -> list[tuple[Location, Any]]:
    """Every error with its place in the file: pydantic's places also name the members of unions."""
    located: dict[Location, Any] = {}
    for error in bad.errors():
        location = tuple(part for part in error["loc"] if not _is_union_member(part, error["loc"]))
        located.setdefault(location, error)
    return list(located.items())


def _is_union_member(part: str | int, location: Sequence[str | int]) -> bool:
    if isinstance(part, int):
        return False
    tag_of_task = location[:1] == ("task",) and len(location) > 1 and location[1] is part and part in _TAGS
    return tag_of_task or "[" in part or part in ("str", "constrained-str")


def _words(location: Location, error: Any) -> str:
    kind, field = str(error["type"]), _dotted(location)
    if kind == "extra_forbidden":
        return f"{field} {not_a_field(str(location[-1]), _known_keys(location, error))}"
    if kind == "missing":
        return f"{field} is missing; {_REMEDIES.get(field, f'add {field}: …')}"
    if kind in ("no_data", "task_kind"):
        return f"{field or 'the suite'} {error['msg']}"
    message = str(error["msg"])
    return f"{field} is {short(error['input'])}: {message[:1].lower()}{message[1:]}"


_REMEDIES = {"task": "add task: module:function, file.py:function, or an object with http, command or model"}


def _known_keys(location: Location, error: Any) -> list[str]:
    if len(location) == 1:
        return list(Suite.model_fields)
    kind = next((part for part in error["loc"] if part in _TASKS), "model")
    return list(_TASKS[str(kind)].model_fields)


def _dotted(location: Location) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
