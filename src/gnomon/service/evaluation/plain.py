"""Python values as JSON has them: what tasks return and what tables hold, ready to be stored."""

import dataclasses
import enum
import math
from collections.abc import Mapping, Set
from datetime import date, datetime, time
from pathlib import PurePath
from typing import Any

from pydantic import BaseModel

from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.model import jsonvalue

_LARGEST_INT = 2**1024  # the first integer that no double can hold


def is_plain_text(value: Any) -> bool:
    """Whether it is text that can be stored as it is. Nearly all values of tables and tasks are, and need no more."""
    return type(value) is str and value.isascii() and "\0" not in value


def plain_json(value: Any, where: str, depth: int = 0) -> Any:
    """The value with dates as text, objects with fields as dicts, tuples and arrays as lists; refused if it cannot be.

    >>> plain_json({"when": date(2026, 1, 2), "places": ("Paris", "Rome")}, "the output")
    {'when': '2026-01-02', 'places': ['Paris', 'Rome']}
    """
    if value is None or value is True or value is False:
        return value
    if isinstance(value, enum.Enum):
        return plain_json(value.value, where, depth)
    if isinstance(value, str):
        return _text(str(value), where)
    if isinstance(value, int):
        return _whole(int(value), where)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"{where} holds {value}, which JSON cannot represent; leave it out or write null")
        return float(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if depth >= jsonvalue.MAX_DEPTH:
        raise InvalidInput(f"{where} is nested deeper than {jsonvalue.MAX_DEPTH} levels; flatten it")
    return _container(value, where, depth + 1)


def _container(value: Any, where: str, depth: int) -> Any:
    if isinstance(value, Mapping):
        refuse_odd_keys(where, value)
        return {_text(key, where): plain_json(inner, where, depth) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(inner, where, depth) for inner in value]
    if isinstance(value, Set):  # in an order of its own, so that the same set is the same value
        return sorted((plain_json(inner, where, depth) for inner in value), key=jsonvalue.canonical)
    if isinstance(value, BaseModel):
        return plain_json(value.model_dump(mode="json"), where, depth)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return plain_json(fields, where, depth)
    if isinstance(value, PurePath):
        return _text(str(value), where)
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        return plain_json(value.tolist(), where, depth)
    kind = type(value).__name__
    raise InvalidInput(
        f"{where} holds {short(value)} of type {kind}, which JSON cannot represent; convert it to text first"
    )


def refuse_odd_keys(where: str, row: Mapping[Any, Any]) -> None:
    for key in row:
        if not isinstance(key, str):
            raise InvalidInput(f"{where} has the key {short(key)}, which is not text; use text as keys")


def _text(value: str, where: str) -> str:
    if "\0" in value:
        raise InvalidInput(f"{where} holds the character NUL, which cannot be stored; remove it")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InvalidInput(f"{where} holds half a character (a lone surrogate); remove it") from None
    return value


def _whole(value: int, where: str) -> int:
    if not -_LARGEST_INT < value < _LARGEST_INT:
        raise InvalidInput(f"{where} holds a number beyond the range of a double; write it as text")
    return value
