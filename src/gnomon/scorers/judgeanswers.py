"""What a judge's answer says: the number, or the label, that stands in its prose.

Only texts come in here; which reading applies, and how votes are combined, is decided in
`judge.py`. Whatever a model writes, reading takes time in proportion to its length: numbers are
found by RE2, labels by patterns without repetition.
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gnomon.model.fields import NAME_LIMIT
from gnomon.scorers.protocol import Failed, Scored
from gnomon.scorers.text import compiled

LONGEST_LABEL = NAME_LIMIT
"""A label is a category's name. What is longer is an essay, and no two essays fall into one category."""

_MINUS_SIGN = "\N{MINUS SIGN}"
_SCALE_WORDS = (b"/", b"out of")
_EMPHASIS = b" \t*_`"

# A chain is what stands together: "gpt-4", "1.5.2", "8". Its first link may be a number; a later one never is.
_CHAIN = (
    r"[._+-]*(?:[A-Za-z]+(?:[.+-]|_+))*[A-Za-z]*[0-9][A-Za-z0-9]*"  # up to and with the first digits
    r"(?:(?:[.+-]|_+)[A-Za-z0-9]+)*"
)
_FRONT = re.compile(rb"[._+-]*")
_EXPONENT = rb"(?:[eE][+-]?[0-9]+)?"
_WHOLE = re.compile(rb"[0-9]+(?:\.[0-9]+)?" + _EXPONENT)
_AFTER_POINT = re.compile(rb"[0-9]+" + _EXPONENT)


def storable(answer: str) -> str:
    """A model's text without the characters that no database takes: NUL and halves of surrogate pairs."""
    return answer.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()


def first_number(answer: str) -> float | None:
    return next(numbers(answer), None)


def last_number(answer: str) -> float | None:
    last = None
    for last in numbers(answer):  # noqa: B007
        pass
    return last


def numbers(answer: str) -> Iterator[float]:
    """The numbers of a text in order. In "8/10" and "8 out of 10" the ten is the scale, not a number said."""
    plain = _in_ascii(answer)
    ended: int | None = None
    for chain in compiled(_CHAIN).finditer(plain):
        start, end = chain.span()
        number = _leading_number(plain, start, end)
        if number is None:
            continue
        written, stop = number
        between = None if ended is None else plain[ended:start]
        ended = stop
        if between is None or between.strip(_EMPHASIS).lower() not in _SCALE_WORDS:
            yield float(written)


def scaled(number: float, low: float, high: float, answer: str) -> Scored | Failed:
    """Where on the scale from `low` to `high` a number stands, as a share."""
    if not low <= number <= high:  # NaN included
        return Failed("out_of_range", answer)
    # Rounding keeps order, so the share is never above 1. Halves, where the whole span is beyond a double.
    part = 1.0 if high - low < math.inf else 0.5
    share = (number * part - low * part) / (high * part - low * part)
    return Scored(share + 0.0)  # -0.0 becomes 0.0


def _leading_number(plain: bytes, start: int, end: int) -> tuple[bytes, int] | None:
    """The number that a chain begins with, and where it ends; None when the chain is to be passed over whole."""
    front = _FRONT.match(plain, start, end)
    assert front is not None  # the pattern also matches nothing
    sign, point = _sign_and_point(front[0])
    body = front.end()
    match = (_AFTER_POINT if point else _WHOLE).match(plain, body, end)
    if match is None or _continues(plain, body) or _runs_on(plain, match.end(), end):
        return None
    return sign + point + match[0], match.end()


def _sign_and_point(front: bytes) -> tuple[bytes, bytes]:
    """A sign or a point counts when it stands alone: two of them are a dash, or dots that lead to the number."""
    point = b"." if front.endswith(b".") and not front.endswith(b"..") else b""
    rest = front.removesuffix(point)
    alone = rest[-1:] in (b"+", b"-") and rest[-2:-1] not in (b"+", b"-")
    return (rest[-1:] if alone else b""), point


def _continues(plain: bytes, start: int) -> bool:
    """Whether a comma joins the digits at `start` to digits before, as the zeros in "1,000"."""
    return plain[max(start - 1, 0) : start] == b"," and plain[max(start - 2, 0) : start - 1].isdigit()


def _runs_on(plain: bytes, stop: int, end: int) -> bool:
    """Whether what follows makes the number part of something else, as in "8th", "1.5.2", "1,000" and "8_000"."""
    after = plain[stop : stop + 1]
    if after in (b".", b","):
        return plain[stop + 1 : stop + 2].isdigit()
    return stop < end and after not in (b"+", b"-")


def _in_ascii(answer: str) -> bytes:
    """The text with one ASCII character for each of its own: the grammar knows ASCII numbers only."""
    if answer.isascii():
        return answer.encode()
    return "".join(character if character < "\x80" else _stand_in(character) for character in answer).encode()


def _stand_in(character: str) -> str:
    # Letters with case glue ("модель4"); those of scripts without spaces do not ("得分8分" says 8).
    # Other digits glue, so that "8½" and "8万" are not 8, and a typographic minus never reads as plus.
    if character.isnumeric() or character.lower() != character.upper() or character == _MINUS_SIGN:
        return "x"
    return " " if character.isspace() else "?"


def folded(label: str) -> str:
    """How labels are compared: without regard to case, and with any run of whitespace as one blank."""
    return " ".join(label.casefold().split())


def label_said(text: str, labels: Sequence[str] | None, answer: str) -> Scored | Failed:
    """The label that a text is, or the one of a closed set that it names."""
    label = text.strip()
    if not label:
        return Failed("empty", answer)
    if labels is not None:
        named = named_labels(text, labels)
        if len(named) != 1:
            return Failed("ambiguous_label" if named else "no_label", answer)
        label = named[0].strip()
    return Scored(label) if len(label) <= LONGEST_LABEL else Failed("label_too_long", answer)


def named_labels(answer: str, labels: Sequence[str]) -> list[str]:
    """The labels that an answer names: the one that it is, else all that occur in it as whole words."""
    text = folded(answer)
    equal = _the_same(text, labels)
    return [equal] if equal is not None else _occurring(text, tuple(labels))


def _the_same(text: str, labels: Sequence[str]) -> str | None:
    bare = _bare(text)
    for candidate in (text, bare):
        for label in labels:
            if folded(label) == candidate:
                return label
    # A label with signs of its own ("A+") may be meant without them, unless another one could be ("A-").
    same_labels = [label for label in labels if bare and _bare(folded(label)) == bare]
    return same_labels[0] if len(same_labels) == 1 else None


def _occurring(text: str, labels: tuple[str, ...]) -> list[str]:
    occurring = []
    for label, pattern in _whole_words(labels):
        # What a longer label covers is taken out, so that "partially correct" does not name "correct" too.
        text, times = pattern.subn("\0", text)
        if times:
            occurring.append(label)
    return occurring


@lru_cache(maxsize=128)
def _whole_words(labels: tuple[str, ...]) -> list[tuple[str, re.Pattern[str]]]:
    """Longest first. A hyphen or an underscore joins words: "non-toxic" does not name "toxic"."""
    patterns = []
    for label in sorted(labels, key=lambda label: len(folded(label)), reverse=True):
        text = folded(label)
        before = r"(?<![^\W_])(?<![^\W_][-_])" + (r"(?<!\d[.,])" if text[:1].isdigit() else "")
        after = r"(?![^\W_]|[-_][^\W_])" + (r"(?![.,]\d)" if text[-1:].isdigit() else "")
        patterns.append((label, re.compile(before + re.escape(text) + after)))
    return patterns


def _bare(text: str) -> str:
    """The label without the punctuation around it."""
    return text.strip("".join(character for character in set(text) if not character.isalnum()))
