"""Any Python value as JSON text: what a program passes around, written so that every store takes it.

What JSON cannot represent becomes its `repr`, cut at a limit. Nothing here raises: a trace must not break a program.
"""

import math
from typing import Any

import msgspec
from pydantic import BaseModel

from gnomon.model.jsonvalue import MAX_DEPTH, depth, dump, is_suspicious

LONGEST_VALUE = 1_000_000
"""Characters of one value's JSON text."""
LONGEST_REPR = 10_000
_LARGEST_INT = 2**1023
_BYTES = frozenset({bytes, bytearray, memoryview})


def json_text(value: Any) -> str:
    """The value as JSON text: at most some `LONGEST_VALUE` characters, no NaN, nothing that a store refuses.

    >>> json_text({"limit": float("nan"), "of": complex(1, 2)})
    '{"limit":"nan","of":"(1+2j)"}'
    """
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        value = cut(value, LONGEST_VALUE)
    text = _quick_text(value)
    if text is None:
        text = _careful_text(value)
    longest = 2 * LONGEST_VALUE if isinstance(value, str) else LONGEST_VALUE  # a text was cut before it was quoted
    return text if len(text) <= longest else dump(cut(text, LONGEST_VALUE))


def plain(value: Any) -> Any:
    """A copy of the value made of dicts, lists, texts and numbers only."""
    return msgspec.json.decode(json_text(value))


def cut(text: str, longest: int) -> str:
    """The beginning of a text that is too long, with a mark that says so."""
    return text if len(text) <= longest else f"{text[:longest]}… cut at {longest} characters"


def shown(value: Any) -> str:
    """The value as Python shows it."""
    try:
        return cut(repr(value), LONGEST_REPR)
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"


def storable(value: Any) -> Any:
    """A JSON value as every store takes it: no NUL, no half characters, no number beyond a double, not too deep."""
    if isinstance(value, str):
        return _cleaned(value)
    if depth(value) > MAX_DEPTH:
        return f"nested deeper than {MAX_DEPTH} levels"
    return _cleaned(value)


def _quick_text(value: Any) -> str | None:
    """None for what needs a second look, as most values do not."""
    if type(value) in _BYTES or (type(value) is dict and not _BYTES.isdisjoint(map(type, value.values()))):
        return None  # else they would be written in base64, which is long and tells nobody anything
    try:
        written = _encode(value)
    except Exception:  # a value's own methods may do anything
        return None
    # NaN is written as null.
    return None if b"null" in written or is_suspicious(written) else written.decode()


def _careful_text(value: Any) -> str:
    if type(value) is dict:  # what one argument cannot say must not hide the others
        return dump({_key(key): _careful(inner) for key, inner in value.items()})
    return dump(_careful(value))


def _careful(value: Any) -> Any:
    if isinstance(value, str):
        return _cleaned(value)
    if type(value) in _BYTES:
        return shown(value)
    try:
        return storable(msgspec.to_builtins(value, enc_hook=_foreign))
    except Exception:
        return _cleaned(shown(value))


def _key(key: Any) -> str:
    return str(_cleaned(key if isinstance(key, str) else shown(key)))


def _foreign(value: Any) -> Any:
    """What stands for a value of which JSON knows nothing."""
    if isinstance(value, BaseModel):
        return value.model_dump()
    if getattr(value, "shape", None) == () and callable(getattr(value, "item", None)):
        return value.item()  # a single number of NumPy, PyTorch and others
    return shown(value)


_encode = msgspec.json.Encoder(enc_hook=_foreign).encode


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        whole = value if value.isascii() else value.encode("utf-8", "replace").decode()
        return whole.replace("\0", "\ufffd")
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return value if -_LARGEST_INT < value < _LARGEST_INT else hex(value)
    if isinstance(value, dict):
        return {_cleaned(str(key)): _cleaned(element) for key, element in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(element) for element in value]
    return value
