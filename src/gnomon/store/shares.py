"""Shares of views, found by the hash of a token."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ShareRow
from gnomon.store.schema import shares


def add(db: Connection, row: ShareRow) -> None:
    db.execute(sa.insert(shares).values(row._asdict()))


def get(db: Connection, id: str) -> ShareRow | None:
    return fetch_first(db, ShareRow, sa.select(shares).where(shares.c.id == id))


def by_hash(db: Connection, token_hash: str) -> ShareRow | None:
    return fetch_first(db, ShareRow, sa.select(shares).where(shares.c.token_hash == token_hash))


def page(db: Connection, project_id: str, now: datetime, wanted: Slice) -> list[ShareRow]:
    """The shares that have not expired, newest first."""
    query = sa.select(shares).where(shares.c.project_id == project_id, shares.c.expires_at > now)
    return fetch_all(db, ShareRow, keyset(query, [shares.c.id], wanted))


def remove(db: Connection, id: str) -> None:
    db.execute(sa.delete(shares).where(shares.c.id == id))


def remove_expired(db: Connection, now: datetime) -> None:
    db.execute(sa.delete(shares).where(shares.c.expires_at <= now))
