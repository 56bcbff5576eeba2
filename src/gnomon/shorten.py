"""Long texts and long lists, shortened so that a message stays readable; counts with their noun."""

from collections.abc import Iterable, Sequence
from typing import Any


def shorten(text: str, longest: int) -> str:
    """The text, or its beginning and an ellipsis: at most `longest` characters.

    >>> shorten("a long story", 7)
    'a long…'
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def shorten_middle(text: str, longest: int) -> str:
    """The text, or its beginning and its end with an ellipsis between: long names mostly differ at their end.

    >>> shorten_middle("planner-with-tools-7", 9)
    'plan…ls-7'
    """
    if len(text) <= longest:
        return text
    start = longest // 2
    return f"{text[:start]}…{text[len(text) - (longest - start - 1) :]}"


def shorten_repr(value: Any, longest: int) -> str:
    """The value as Python writes it, shortened."""
    return shorten(repr(value), longest)


def excerpt(text: str, start: int, end: int, around: int) -> str:
    """The text from `start` to `end` with `around` characters on either side, on one line; ellipses show what is cut.

    >>> excerpt("one two three", 4, 7, 2)
    '…e two t…'
    """
    left, right = max(start - around, 0), min(end + around, len(text))
    words = " ".join(text[left:right].split())
    return f"{'…' if left else ''}{words}{'…' if right < len(text) else ''}"


def and_more(count: int, noun: str = "") -> str:
    """The end of a list that shows its first entries only; empty where none was left out.

    >>> and_more(1_200, "agents"), and_more(0)
    (' and 1,200 more agents', '')
    """
    if count <= 0:
        return ""
    return f" and {count:,} more {noun}".rstrip()


def list_some(names: Iterable[Any], most: int, *, noun: str = "", separator: str = ", ") -> str:
    """The first names, and how many more there are.

    >>> list_some(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    listed: Sequence[Any] = list(names)
    return separator.join(map(str, listed[:most])) + and_more(len(listed) - most, noun)


def count_more(message: str, count: int) -> str:
    """The message about the first of `count` problems, and how many more there are.

    >>> count_more("id: is required", 3)
    'id: is required (and 2 more)'
    """
    return f"{message} (and {count - 1:,} more)" if count > 1 else message


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """A count and its noun.

    >>> counted(1, "row"), counted(1_200, "row"), counted(2, "entry", "entries")
    ('1 row', '1,200 rows', '2 entries')
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def there_are(count: int, noun: str) -> str:
    """How many there are, in words.

    >>> there_are(1, "item"), there_are(12, "item")
    ('there is 1 item', 'there are 12 items')
    """
    return f"there {'is' if count == 1 else 'are'} {counted(count, noun)}"


def all_of(count: int, noun: str) -> str:
    """All of them, in words.

    >>> all_of(1, "run"), all_of(40, "run")
    ('the only run', 'all 40 runs')
    """
    return f"the only {noun}" if count == 1 else f"all {counted(count, noun)}"
