"""Lists that attributes with numbers in their names make up: `llm.input_messages.0.message.role`."""

from collections.abc import Iterable, Mapping
from typing import Any

from gnomon.interop.conventions.values import settled

_DEEPEST_NAME = 20
_LONGEST_NUMBER = 9

Shape = str | list["Shape"] | dict[str, "Shape"]
"""Where each attribute stands in the list; its name stands for its value."""


def shape(names: Iterable[str], prefix: str) -> list[Shape] | None:
    """The list that names below the prefix make up, before there are values. It follows from the names alone."""
    tree: dict[str, Any] = {}
    for name in names:
        *path, last = name[len(prefix) :].split(".")[:_DEEPEST_NAME]
        at: Any = tree
        for step in path:
            at = at.setdefault(step, {})
            if type(at) is not dict:
                break
        else:
            at.setdefault(last, name)
    relisted = _relisted(tree)
    return relisted if type(relisted) is list else None


def _relisted(tree: Any) -> Any:
    if type(tree) is not dict or not tree:
        return tree
    inner = {key: _relisted(value) for key, value in tree.items()}
    if all(key.isdecimal() and key.isascii() and len(key) <= _LONGEST_NUMBER for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def filled(at: Shape, attributes: Mapping[str, Any]) -> Any:
    """The list with its values."""
    if type(at) is str:
        return settled(attributes[at])
    if type(at) is dict:
        return {key: filled(inner, attributes) for key, inner in at.items()}
    return [filled(inner, attributes) for inner in at]
