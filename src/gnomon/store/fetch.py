"""What a query returns, as rows of a type.

A query names the columns and a row type names the attributes. They are compared each time, which costs a microsecond
or two: columns that changed places would otherwise go unnoticed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

R = TypeVar("R", bound=NamedTuple)


def fetch_all(
    db: Connection, kind: type[R], statement: sa.Executable, values: Mapping[str, object] | None = None
) -> list[R]:
    rows = _checked(db, kind, statement, values).all()  # one by one they would be asked of the driver one by one
    make = kind._make
    return [make(row) for row in rows]


def fetch_first(
    db: Connection, kind: type[R], statement: sa.Executable, values: Mapping[str, object] | None = None
) -> R | None:
    row = _checked(db, kind, statement, values).first()
    return None if row is None else kind._make(row)


def fetch_one(db: Connection, kind: type[R], statement: sa.Executable, values: Mapping[str, object] | None = None) -> R:
    """The only row, of a query that always has one."""
    return kind._make(_checked(db, kind, statement, values).one())


def _checked(
    db: Connection, kind: type[R], statement: sa.Executable, values: Mapping[str, object] | None
) -> sa.CursorResult[Any]:
    result = db.execute(statement, values)
    if tuple(result.keys()) != kind._fields:
        raise TypeError(f"a query returns the columns {', '.join(result.keys())}; {kind.__name__} has other ones")
    return result
