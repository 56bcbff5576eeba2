"""Keyset pages: the next page begins after the last row's key, so nothing is counted or skipped.

Walking all pages while rows come in shows every old row exactly once. Whoever shows a first page may ask how long the
list is: rows are counted up to a bound, so that it costs the same however many there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Connection

MOST_COUNTED = 10_000
"""Rows of a list that are counted."""

PageKey: TypeAlias = tuple[str | float | None, ...]
"""What a list is ordered by, of one row."""


@dataclass(slots=True)
class ListTally:
    """How many rows a list has, counted after its first page was read."""

    rows: sa.Select[Any] | None = None
    """The whole list; None where the database does not decide alone what belongs to it."""
    is_partial: bool = False
    """Whether `rows` ends where one call has looked through enough."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A page of a list: `limit` rows after the row with this key."""

    limit: int = 50
    after: PageKey | None = None
    tally: ListTally | None = field(default=None, compare=False)
    """Where the list is to be counted too."""


def keyset(
    statement: sa.Select[Any], keys: Sequence[sa.ColumnElement[Any]], page: Slice, *, newest_first: bool = True
) -> sa.Select[Any]:
    """Order by `keys`, start after the wanted row, and ask for one row more than a page holds."""
    if page.tally is not None:
        page.tally.rows = statement
    if page.after is not None:
        position = sa.tuple_(*keys)
        last = sa.tuple_(
            *(sa.bindparam(None, value, type_=key.type) for key, value in zip(keys, page.after, strict=True))
        )
        statement = statement.where(position < last if newest_first else position > last)
    order = [key.desc() if newest_first else key.asc() for key in keys]
    return statement.order_by(*order).limit(page.limit + 1)


class Total(NamedTuple):
    """How many rows a list has; `is_capped`: at least so many."""

    rows: int
    is_capped: bool


def count(db: Connection, tally: ListTally) -> Total | None:
    """None where that would take a look at every row."""
    if tally.rows is None:
        return None
    ones: sa.Select[Any] = tally.rows.with_only_columns(sa.literal_column("1").label("one"), maintain_column_froms=True)
    part = ones.limit(MOST_COUNTED + 1).subquery("part")
    rows = int(db.execute(sa.select(sa.func.count()).select_from(part)).scalar_one())
    return Total(min(rows, MOST_COUNTED), rows > MOST_COUNTED or tally.is_partial)
