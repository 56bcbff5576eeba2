"""Sessions of browsers and the codes of login links, found by the hash of a secret."""

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_first
from gnomon.store.rows import LoginCodeRow, WebSessionRow
from gnomon.store.schema import is_any_of, login_codes, web_sessions


def add_session(db: Connection, row: WebSessionRow) -> None:
    db.execute(sa.insert(web_sessions).values(row._asdict()))


def session(db: Connection, token_hash: str) -> WebSessionRow | None:
    return fetch_first(db, WebSessionRow, sa.select(web_sessions).where(web_sessions.c.token_hash == token_hash))


def valid_sessions(db: Connection, ids: Collection[str], now: datetime) -> set[str]:
    """Those of these sessions that go on."""
    valid = is_any_of(db, web_sessions.c.id, ids) & (web_sessions.c.expires_at > now)
    return set(db.execute(sa.select(web_sessions.c.id).where(valid)).scalars())


def remove_session(db: Connection, id: str) -> None:
    db.execute(sa.delete(web_sessions).where(web_sessions.c.id == id))


def add_code(db: Connection, row: LoginCodeRow) -> None:
    db.execute(sa.insert(login_codes).values(row._asdict()))


def take_code(db: Connection, code_hash: str, now: datetime) -> LoginCodeRow | None:
    """The code, if it is valid, which is gone afterwards: of several callers at once only one gets it."""
    valid = (login_codes.c.code_hash == code_hash) & (login_codes.c.expires_at > now)
    taken = sa.delete(login_codes).where(valid).returning(*login_codes.c)
    return fetch_first(db, LoginCodeRow, taken)


def remove_expired(db: Connection, now: datetime) -> None:
    for table in (web_sessions, login_codes):
        db.execute(sa.delete(table).where(table.c.expires_at <= now))


def remove_of_key(db: Connection, key_id: str) -> None:
    for table in (web_sessions, login_codes):
        db.execute(sa.delete(table).where(table.c.key_id == key_id))
