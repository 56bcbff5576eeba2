"""Lists that are looked through for what no index answers: so much work per page, and the next page goes on from there.

Text is compared in Python, so that both databases find the same: case-folded, anywhere in a string or a number of the
value, or in a key.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from gnomon.model.jsonvalue import JsonValue, dump
from gnomon.service.call import Listing
from gnomon.store.pages import PageKey, Slice

Row = TypeVar("Row")
T = TypeVar("T")


class Effort(NamedTuple):
    """How much one page may look through."""

    rows: int
    """Read at a time."""
    most: int
    """In all, as `weigh` counts them."""


def search(
    page: Slice,
    read: Callable[[Slice], Sequence[Row]],
    key: Callable[[Row], PageKey],
    matches: Callable[[Sequence[Row]], Iterable[bool]],
    effort: Effort,
    weigh: Callable[[Sequence[Row]], int] = len,
) -> Listing[Row]:
    """The next rows that match. `read` gives one row more than its slice asks for, when there is one."""
    kept: list[Row] = []
    after, done = page.after, 0
    while True:
        rows = read(Slice(effort.rows, after))
        batch, more = rows[: effort.rows], len(rows) > effort.rows
        for row, is_match in zip(batch, matches(batch), strict=True):
            if is_match and len(kept) == page.limit:
                return Listing(kept, key(kept[-1]))
            if is_match:
                kept.append(row)
        if not more:
            return Listing(kept, None)
        after, done = key(batch[-1]), done + weigh(batch)
        if done >= effort.most:
            return Listing(kept, after)


def says(value: JsonValue, text: str) -> bool:
    """Whether a value holds this text, which is case-folded already."""
    waiting: list[Any] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            if text in part.casefold():
                return True
        elif isinstance(part, dict):
            waiting += part
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
        elif part is not None and text in dump(part):
            return True
    return False
