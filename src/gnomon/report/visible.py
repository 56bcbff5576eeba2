"""Text from outside, made safe to look at: what cannot be seen, or reorders what can, is spelled out."""

import re

_HIDDEN = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff"
# Controls, bidirectional overrides, and what XML 1.0 cannot hold. Joiners stay: emoji and Persian need them.
_IN_LINES = re.compile(f"[{_HIDDEN}]")
_IN_ONE_LINE = re.compile(f"[{_HIDDEN}\t\n\r]")


def visible(text: str) -> str:
    """The text on one line, with `\\x1b` for an escape character."""
    return _IN_ONE_LINE.sub(_spelled, text)


def visible_lines(text: str) -> str:
    """The same for text that may have several lines: line ends and tabs stay."""
    return _IN_LINES.sub(_spelled, text)


def _spelled(hidden: re.Match[str]) -> str:
    return hidden[0].encode("unicode_escape").decode("ascii")
