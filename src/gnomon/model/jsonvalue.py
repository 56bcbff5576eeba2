"""JSON values as Gnomon takes, keeps and compares them.

`read` is the only way in from bytes: it refuses what two databases would store differently
(NUL, lone surrogates, numbers beyond a double, bottomless nesting). `canonical` is the one
text form that comparisons and hashes use.
"""

import json
import math
from typing import Annotated, Any, TypeAlias

import msgspec
from pydantic import AfterValidator

from gnomon.errors import InvalidInput

MAX_DEPTH = 100
_CONTAINERS = (dict, list)
_LARGEST_PLAIN_INT = 1e21  # beyond it JavaScript, and so most JSON, writes an exponent
_LARGEST_INT = 2**1024  # the first integer that no double can hold
_LONG_NUMBER = b"0" * 309  # as many digits as that has
_THREE_DIGITS = b"000"  # that many hundredth bytes lie in it
_ALL_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"000000000")

_encode_sorted = msgspec.json.Encoder(order="sorted").encode
_encode = msgspec.json.Encoder().encode


def read(body: bytes | str) -> Any:
    """Parse one JSON text, or say in one line why it cannot be taken."""
    text = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    try:
        value = msgspec.json.decode(text)
        if is_suspicious(text):
            _check(value)
    except (msgspec.DecodeError, UnicodeDecodeError) as bad:
        if not text.strip():
            raise InvalidInput("the body is empty; send JSON") from None
        raise InvalidInput(f"the body is not JSON that Gnomon can take: {why_not_json(text, bad)}") from None
    except RecursionError:
        raise InvalidInput(f"the body is nested deeper than {MAX_DEPTH} levels; flatten it") from None
    return value


def why_not_json(text: bytes, fault: Exception) -> str:
    """Why a text is not JSON: in plain words for what other programs often write, else as the parser says it.

    >>> why_not_json(b'{"value": NaN}', ValueError("JSON is malformed: invalid character (byte 10)"))
    'NaN is not JSON; write null'
    """
    if isinstance(fault, RecursionError):
        return "it is nested too deeply"
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        return "it is not UTF-8; save it as UTF-8"
    constants: list[str] = []
    try:
        json.loads(decoded, parse_constant=constants.append)
    except (ValueError, RecursionError):  # something else is wrong as well, perhaps before it
        constants = []
    return f"{constants[0]} is not JSON; write null" if constants else str(fault)


def is_suspicious(text: bytes) -> bool:
    """Whether the text may hold a NUL or a number beyond a double: two scans instead of a walk through every value.

    Most texts need not even those: without a backslash there is no NUL, and of a number that long, every hundredth
    byte is a digit too.
    """
    if b"\\" in text and b"\\u0000" in text:
        return True
    if len(text) < len(_LONG_NUMBER) or _THREE_DIGITS not in text[::100].translate(_ALL_DIGITS_ALIKE):
        return False
    return _LONG_NUMBER in text.translate(_ALL_DIGITS_ALIKE)


def _check(value: Any) -> None:
    """Walk through a value and refuse what cannot be stored alike on every database."""
    if isinstance(value, str) and "\0" in value:
        raise InvalidInput("a string holds the character NUL (\\u0000), which cannot be stored; remove it")
    if isinstance(value, int) and not -_LARGEST_INT < value < _LARGEST_INT:
        raise InvalidInput("a number is beyond the range of a double; send it as a string")
    if isinstance(value, dict):
        for key, inner in value.items():
            _check(key)
            _check(inner)
    elif isinstance(value, list):
        for inner in value:
            _check(inner)


def most_values(text: bytes) -> int:
    """An upper bound on the values of a JSON text, keys included: every value but the first follows one of these."""
    return 1 + sum(text.count(sign) for sign in (b",", b":", b"[", b"{"))


def count(value: Any) -> int:
    """How many values lie in a value, itself included."""
    waiting, values = [value], 0
    while waiting:
        part = waiting.pop()
        values += 1
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list | tuple):
            waiting += part
    return values


def depth(value: Any) -> int:
    """How many containers lie inside each other; a plain value has none."""
    level = [value] if type(value) in _CONTAINERS else []
    levels = 0
    while level:
        levels += 1
        level = [
            item
            for part in level
            for item in (part.values() if type(part) is dict else part)
            if type(item) in _CONTAINERS
        ]
    return levels


def not_too_deep(value: Any) -> Any:
    if type(value) in _CONTAINERS and depth(value) > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels; flatten it")
    return value


JsonValue: TypeAlias = object
"""A JSON value of which nothing is known: look at it before you use it."""

AnyJson = Annotated[Any, AfterValidator(not_too_deep)]
"""Any JSON value, nested 100 levels at the most."""


def dump(value: Any) -> str:
    """JSON text as it is stored: compact, keys in the order given."""
    return _encode(value).decode()


def canonical(value: Any) -> str:
    """The one text of a JSON value: sorted keys, no spaces, 42.0 written as 42.

    Two values are equal for a scorer exactly when these texts are.
    """
    return _encode_sorted(value if type(value) is str else _plain_numbers(value)).decode()


def as_text(value: Any) -> str:
    """What a scorer compares: a string as it is, anything else as canonical JSON."""
    return value if isinstance(value, str) else canonical(value)


def _plain_numbers(value: Any) -> Any:
    if type(value) is str or value is None:  # most values are
        return value
    if isinstance(value, float):
        whole = math.isfinite(value) and value.is_integer() and abs(value) < _LARGEST_PLAIN_INT
        return int(value) if whole else value
    if isinstance(value, dict):
        return {key: _plain_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [inner if type(inner) is str else _plain_numbers(inner) for inner in value]
    return value
