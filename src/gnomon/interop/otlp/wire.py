"""Protobuf's wire format, as far as it is needed to find the messages inside a message.

A parser refuses a whole request for one bad byte in one span. Here a request is taken apart without being parsed, so
that each span can be judged for itself and be kept byte for byte as it was sent.
"""

from collections.abc import Iterator

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10
_LARGEST_TAG = 2**32


class Malformed(ValueError):
    """The bytes are not a protobuf message."""


def fields(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Every field between two positions: its number and where its content is. Numbers have none: (n, 0, 0)."""
    while start < end:
        tag = data[start]
        start += 1
        if tag > 127:
            tag, start = _varint(data, start - 1, end)
            if tag >= _LARGEST_TAG:
                raise Malformed(f"a field tag of {tag}")
        number, kind = tag >> 3, tag & 7
        if number == 0:
            raise Malformed("a field with the number 0")
        if kind == _BYTES:
            if start < end and data[start] < 128:
                size, start = data[start], start + 1
            elif start + 1 < end and data[start + 1] < 128:  # most messages have fewer than 16 KB
                size, start = data[start] & 127 | data[start + 1] << 7, start + 2
            else:
                size, start = _varint(data, start, end)
            if size > end - start:
                raise Malformed(f"field {number} has {size:,} bytes, of which {end - start:,} came")
            yield number, start, start + size
            start += size
        else:
            start = _after_number(data, start, end, number, kind)
            yield number, 0, 0


def _after_number(data: bytes, start: int, end: int, number: int, kind: int) -> int:
    if kind == _VARINT:
        return _varint(data, start, end)[1]
    if kind not in (_FIXED64, _FIXED32):
        raise Malformed(f"field {number} has the wire type {kind}")
    start += 8 if kind == _FIXED64 else 4
    if start > end:
        raise Malformed(f"field {number} is cut off")
    return start


def _varint(data: bytes, start: int, end: int) -> tuple[int, int]:
    value = shift = 0
    for at in range(start, min(end, start + _LONGEST_VARINT)):
        byte = data[at]
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at + 1
        shift += 7
    raise Malformed("a number that does not end")


def framed(number: int, content: bytes) -> bytes:
    """The content as a field of a message around it."""
    out = bytearray()
    for value in (number << 3 | _BYTES, len(content)):
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return bytes(out) + content
