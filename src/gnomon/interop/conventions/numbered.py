"""Lists that attributes with numbers in their names make up: `llm.input_messages.0.message.role`."""

from collections.abc import Iterable, Mapping
from typing import Any

from gnomon.interop.conventions.values import settled

_DEEPEST_KEY = 20
_LONGEST_NUMBER = 9


def listed(attributes: Mapping[str, Any], keys: Iterable[str], prefix: str) -> list[Any] | None:
    """The list that the keys below the prefix were made of."""
    tree: dict[str, Any] = {}
    for key in keys:
        *path, last = key[len(prefix) :].split(".")[:_DEEPEST_KEY]
        at: Any = tree
        for step in path:
            at = at.setdefault(step, {})
            if type(at) is not dict:
                break
        else:
            at[last] = settled(attributes[key])
    found = _relisted(tree)
    return found if type(found) is list else None


def _relisted(tree: Any) -> Any:
    if type(tree) is not dict or not tree:
        return tree
    inner = {key: _relisted(value) for key, value in tree.items()}
    if all(key.isdecimal() and key.isascii() and len(key) <= _LONGEST_NUMBER for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner
