"""Texts and JSON values with placeholders for parts of an item: `{{input}}`, `{{input.KEY}}`, `{{metadata.KEY}}`.

A path goes on through objects and lists (`{{input.cities.0}}`). Places are filled in one pass: what a value holds is
never filled again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.model import jsonvalue
from gnomon.model.nearest import nearest
from gnomon.shorten import list_some

ROOTS = ("input", "metadata")
ANSWER = "expected_output"

_PLACEHOLDER = re.compile(r"\{\{\s*([\w.-][\w.\- ]*?)\s*\}\}")
_SHOWN_KEYS = 12


def placeholders(template: Any) -> Iterator[str]:
    """The paths that it names, in their order."""
    if isinstance(template, str):
        yield from _PLACEHOLDER.findall(template)
    elif isinstance(template, Mapping):
        for inner in template.values():
            yield from placeholders(inner)
    elif isinstance(template, list | tuple):
        for inner in template:
            yield from placeholders(inner)


def check(field: str, template: Any, *, allow_expected_output: bool) -> None:
    """Refuse placeholders that no item can fill, and the expected output unless it is allowed."""
    known = (*ROOTS, ANSWER) if allow_expected_output else ROOTS
    for path in placeholders(template):
        root, *keys = path.split(".")
        if root == ANSWER and not allow_expected_output:
            raise InvalidInput.of(
                field,
                f"{field} has {{{{{path}}}}}, which tells the answer; leave it out, or give allow_expected_output=True",
            )
        if root not in known or not all(keys):
            raise InvalidInput.of(field, f"{field} has {{{{{path}}}}}, which is not known; {_remedy(path, known)}")


def _remedy(path: str, known: Sequence[str]) -> str:
    root, *keys = path.split(".")
    near = nearest(root, known)
    if near is not None and near != root and all(keys):
        return f"did you mean {{{{{'.'.join([near, *keys])}}}}}?"
    written = path if all([root, *keys]) and root not in known else "KEY"
    return f"write {{{{input}}}}, {{{{input.{written}}}}} or {{{{metadata.{written}}}}}"


def fill_text(template: str, item: Mapping[str, Any]) -> str:
    """The text with the item's values: text as it is, anything else as JSON."""
    return _PLACEHOLDER.sub(lambda match: as_text(_value(match[1], item)), template)


def fill(template: Any, item: Mapping[str, Any]) -> Any:
    """The JSON value with the item's values. A text that is one place and nothing else becomes the value itself."""
    if isinstance(template, str):
        match = _PLACEHOLDER.fullmatch(template)
        return _value(match[1], item) if match else fill_text(template, item)
    if isinstance(template, Mapping):
        return {key: fill(inner, item) for key, inner in template.items()}
    if isinstance(template, list | tuple):
        return [fill(inner, item) for inner in template]
    return template


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else jsonvalue.dump(value)


def _value(path: str, item: Mapping[str, Any]) -> Any:
    root, *keys = path.split(".")
    value = item.get(root)
    if value is None and root != "input":
        raise InvalidInput(f"{{{{{path}}}}} cannot be filled: the item has no {root}")
    try:
        return pick(value, keys, root)
    except LookupError as bad:
        raise InvalidInput(f"{{{{{path}}}}} cannot be filled: {bad.args[0]}") from None


def pick(value: Any, keys: Sequence[str], name: str) -> Any:
    """What lies at this path; LookupError says what there is instead. `name` is what the value is called."""
    for key in keys:
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise LookupError(f"{name} {_holds(value, key)}")
        name = f"{name}.{key}"
    return value


def _holds(value: Any, key: str) -> str:
    if isinstance(value, Mapping):
        keys = list_some(value, _SHOWN_KEYS)
        return f"has no key {key!r}, only {keys}" if value else f"has no key {key!r}: it is empty"
    if isinstance(value, list):
        return f"has no entry {key!r}: it is a list of {len(value)}"
    return f"has no key {key!r}: it is {short(value)}"
