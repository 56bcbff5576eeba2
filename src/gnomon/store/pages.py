"""Keyset pages: the next page begins after the last row's key, so nothing is counted or skipped.

Walking all pages while rows come in shows every old row exactly once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import sqlalchemy as sa

PageKey: TypeAlias = tuple[str | float | None, ...]
"""What a list is ordered by, of one row."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Which part of a list is wanted: `limit` rows after the row with this key."""

    limit: int = 50
    after: PageKey | None = None


def keyset(
    statement: sa.Select[Any], keys: Sequence[sa.ColumnElement[Any]], wanted: Slice, *, newest_first: bool = True
) -> sa.Select[Any]:
    """Order by `keys`, start after the wanted row, and ask for one row more than a page holds."""
    if wanted.after is not None:
        here = sa.tuple_(*keys)
        last = sa.tuple_(
            *(sa.bindparam(None, value, type_=key.type) for key, value in zip(keys, wanted.after, strict=True))
        )
        statement = statement.where(here < last if newest_first else here > last)
    order = [key.desc() if newest_first else key.asc() for key in keys]
    return statement.order_by(*order).limit(wanted.limit + 1)
