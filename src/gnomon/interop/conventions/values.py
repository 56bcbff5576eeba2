"""Readers of single values. None of them raises; what they give can be stored."""

from collections.abc import Callable, Container, Mapping
from math import isfinite
from typing import Any, TypeVar

import msgspec

from gnomon.interop.jsontext import LONGEST_VALUE, cut, json_text, plain, shown, storable
from gnomon.model.fields import LARGEST_COUNT
from gnomon.model.jsonvalue import MAX_DEPTH, depth, is_suspicious

T = TypeVar("T")
LONGEST_ID = 256
LONGEST_METADATA = 100_000
_DEEPEST = MAX_DEPTH - 10
"""Of a value that was read: messages are put around it."""
_decode = msgspec.json.Decoder().decode
_NOT_JSON = object()
_BLANK = frozenset(" \n\r\t")


def text(value: Any, _is_model_call: bool = False) -> str | None:
    """A text as it is."""
    return _clean(value, LONGEST_VALUE) if type(value) is str and value else None


def identifier(value: Any, _is_model_call: bool = False) -> str | None:
    """A text or a number that can be an id."""
    if type(value) is str and 0 < len(value) <= LONGEST_ID and value.isascii() and "\0" not in value:
        return value  # as most are
    if type(value) is int:
        value = str(value) if abs(value) <= LARGEST_COUNT else None
    return _clean(value, LONGEST_ID) if type(value) is str and 0 < len(value) <= LONGEST_ID else None


def count(value: Any, _is_model_call: bool = False) -> int | None:
    """A count. Programs without integers write 7.0."""
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value <= LARGEST_COUNT else None


def decoded(value: Any) -> Any:
    """What a text says that plainly is a JSON object or list; any other value as it is, made storable."""
    if type(value) is str:
        begins = value[:1] if value[:1] not in _BLANK else value.lstrip()[:1]
        parsed = _from_json(value) if begins in ("{", "[") else _NOT_JSON
        return _clean(value, LONGEST_VALUE) if parsed is _NOT_JSON else parsed
    return settled(value)


def json(value: Any) -> Any:
    """What a JSON text says, whichever JSON value it is."""
    parsed = _from_json(value) if type(value) is str else _NOT_JSON
    return decoded(value) if parsed is _NOT_JSON else parsed


def settled(value: Any) -> Any:
    """Any value of an attribute, so that it can be stored."""
    if value is None or type(value) is bool:
        return value
    if type(value) is str:
        return _clean(value, LONGEST_VALUE)
    if type(value) is float and not isfinite(value):
        return str(value)
    return plain(value)


def shallow(value: Any) -> Any:
    """The value, or its beginning as text where it is nested too deeply."""
    return value if depth(value) <= MAX_DEPTH else cut(shown(value), LONGEST_VALUE)


def typed(written: str, decode: Callable[[bytes], T]) -> T | None:
    """A JSON text, read by a decoder of one form; None where it has another form, or needs a second look."""
    if len(written) > LONGEST_VALUE:
        return None
    try:
        raw = written.encode()
        value = decode(raw)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        return None
    return None if is_suspicious(raw) or _may_be_deep(raw) else value


def _from_json(written: str) -> Any:
    if len(written) > LONGEST_VALUE:
        return _NOT_JSON
    try:
        raw = written.encode()
        value = _decode(raw)
    except (ValueError, RecursionError):
        return _NOT_JSON
    if is_suspicious(raw):
        value = storable(value)
    if _may_be_deep(raw) and depth(value) > _DEEPEST:
        return _NOT_JSON
    return value


def _may_be_deep(raw: bytes) -> bool:
    return len(raw) > _DEEPEST and raw.count(b"[") + raw.count(b"{") > _DEEPEST


def flat(value: Any) -> Any:
    """A value of metadata: a list or a map is JSON text."""
    kind = type(value)
    if kind is str:
        return _clean(value, LONGEST_METADATA)
    if kind is bool or value is None:
        return value
    if kind is int or kind is float:
        return storable(value)
    return cut(json_text(value), LONGEST_METADATA)


def flat_map(
    attributes: Mapping[Any, Any], hidden: Container[str] = (), *, has_plain_names: bool = False
) -> dict[str, Any]:
    """All attributes but the hidden ones as metadata. What most values are needs no call: this runs for every span."""
    flattened: dict[str, Any] = {}
    for key, value in attributes.items():
        if key in hidden:
            continue
        kind = type(value)
        if kind is str:
            if not value.isascii() or len(value) > LONGEST_METADATA or "\0" in value:
                value = _clean(value, LONGEST_METADATA)
        elif kind is int:
            if not -LARGEST_COUNT <= value <= LARGEST_COUNT:
                value = flat(value)
        elif kind is not float or not isfinite(value):
            value = flat(value)
        flattened[key] = value
    return (
        flattened
        if has_plain_names
        else {key if is_plain_name(key) else name(key): flattened[key] for key in flattened}
    )


def is_plain_name(key: Any) -> bool:
    """Whether a key of metadata can stay as it is."""
    return type(key) is str and key.isascii() and "\0" not in key


def name(key: Any) -> str:
    return _clean(key, LONGEST_METADATA) if type(key) is str else str(storable(str(key)))


def _clean(written: str, longest: int) -> str:
    if len(written) <= longest and written.isascii() and "\0" not in written:
        return written
    return cut(str(storable(written)), longest)
