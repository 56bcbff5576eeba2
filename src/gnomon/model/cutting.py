"""Values that are too long to be shown whole: a string is cut as plain text, all else as JSON text."""

from typing import NamedTuple

from gnomon.model.jsonvalue import JsonValue, dump


def as_text(value: JsonValue) -> str | None:
    """A string as it is, all else as JSON; None for nothing."""
    return value if value is None or isinstance(value, str) else dump(value)


def size(text: str | None) -> int:
    return 0 if text is None else len(text.encode())


class Cut(NamedTuple):
    """A value, or the beginning of its text where that is too long."""

    value: JsonValue
    size: int
    """Bytes of the whole text."""
    truncated: bool


def cut(value: JsonValue, most: int | None) -> Cut:
    """Cut to at most this many bytes, between two characters."""
    text = as_text(value)
    if text is None:
        return Cut(None, 0, False)
    encoded = text.encode()
    if most is None or len(encoded) <= most:
        return Cut(value, len(encoded), False)
    return Cut(encoded[:most].decode(errors="ignore"), len(encoded), True)


class StringCutter:
    """Cuts the strings inside of values, and counts those it cut."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.count = 0

    def inside(self, value: JsonValue) -> JsonValue:
        """The value with the same shape, and with strings of so many bytes at the most."""
        if isinstance(value, str):
            shown = cut(value, self._most)
            self.count += shown.truncated
            return shown.value
        if isinstance(value, dict):
            return {key: self.inside(inner) for key, inner in value.items()}
        return [self.inside(inner) for inner in value] if isinstance(value, list) else value
