"""Attribute values: OpenTelemetry's AnyValue as Python values and as JSON, and metadata as AnyValue."""

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

from gnomon.errors import TooLarge
from gnomon.interop.otlp.records import MAX_ATTRIBUTES, MAX_VALUE_DEPTH, MAX_VALUES, Unfit

_BEYOND_DOUBLES = 2**1023
_LONGEST_KNOWN, _MOST_KNOWN = 80, 8_192

_parse_pair = KeyValue.FromString
_known_pairs: dict[bytes, tuple[str, Any]] = {}
"""Attributes that came before, as they were sent → name and value. Programs send the same short ones over and over.

A value among them is shared by many spans, so nobody may change it."""


class ValueReader:
    """Reads the values of one request, and no more of them than a request may hold."""

    __slots__ = ("_left",)

    def __init__(self, most: int = MAX_VALUES) -> None:
        self._left = most

    def take(self, count: int) -> None:
        """Count values before they are made."""
        self._left -= count
        if self._left < 0:
            raise TooLarge(f"the request holds more than {MAX_VALUES:,} values; send smaller batches")

    def attributes(self, pairs: Sequence[KeyValue]) -> dict[str, Any]:
        """Attributes by name. Of two with one name the later one counts."""
        self._take_attributes(len(pairs))
        attributes: dict[str, Any] = {}
        for pair in pairs:
            value = pair.value
            # Most values are texts and numbers, and which field is set costs as much to ask as to read.
            attributes[pair.key] = value.string_value or value.int_value or self.value(value)
        return attributes

    def attributes_in_bytes(self, pairs: Sequence[bytes]) -> dict[str, Any]:
        """Like `attributes`, for pairs that are not parsed yet."""
        self._take_attributes(len(pairs))
        known = _known_pairs.get
        return dict([known(pair) or self._pair(pair) for pair in pairs[:]])

    def _pair(self, written: bytes) -> tuple[str, Any]:
        pair = _parse_pair(written)
        value = pair.value
        decoded = (pair.key, value.string_value or value.int_value or self.value(value))
        if len(written) <= _LONGEST_KNOWN:
            if len(_known_pairs) >= _MOST_KNOWN:
                _known_pairs.clear()
            _known_pairs[written] = decoded
        return decoded

    def _take_attributes(self, count: int) -> None:
        if count > MAX_ATTRIBUTES:
            raise Unfit(f"{count:,} attributes in one place are more than {MAX_ATTRIBUTES:,}; send fewer")
        self.take(count)

    def value(self, value: AnyValue, level: int = 0) -> Any:
        match value.WhichOneof("value"):
            case "array_value":
                inside = value.array_value.values
                self._enter(level, len(inside))
                return [self.value(element, level + 1) for element in inside]
            case "kvlist_value":
                pairs = value.kvlist_value.values
                self._enter(level, len(pairs))
                return {pair.key: self.value(pair.value, level + 1) for pair in pairs}
            case None | "string_value_strindex":  # the latter only means something in profiles
                return None
            case name:
                return getattr(value, name)

    def _enter(self, level: int, count: int) -> None:
        if level >= MAX_VALUE_DEPTH:
            raise Unfit(f"a value is nested deeper than {MAX_VALUE_DEPTH} levels; flatten it or send it as JSON text")
        self.take(count)


def any_value(value: str | float | bool | None) -> AnyValue:
    """A value of a span's metadata, which is flat, as AnyValue."""
    if value is None:
        return AnyValue()
    if isinstance(value, bool):
        return AnyValue(bool_value=value)
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return AnyValue(int_value=value)
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < _BEYOND_DOUBLES):
        return AnyValue(double_value=value)
    return AnyValue(string_value=str(value))


def key_values(attributes: Mapping[str, Any]) -> Iterable[KeyValue]:
    return (KeyValue(key=key, value=any_value(value)) for key, value in attributes.items())


def storable(value: Any) -> Any:
    """A value as JSON: bytes as {"bytes": base64}, and what is not a number by the name that OTLP/JSON has for it."""
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, list):
        return [storable(element) for element in value]
    if isinstance(value, dict):
        return {key: storable(element) for key, element in value.items()}
    return value
