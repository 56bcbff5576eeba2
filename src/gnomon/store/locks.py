"""Locks by name, held until the transaction ends, over all processes that use the database."""

import sqlalchemy as sa
from sqlalchemy.engine import Connection

_LOCK = sa.text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")


def lock(db: Connection, name: str) -> None:
    """Wait until no other transaction holds this name. SQLite has one writer, which holds everything."""
    if db.dialect.name == "postgresql":
        db.execute(_LOCK, {"name": name})
