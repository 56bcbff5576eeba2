"""Projects and their keys."""

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as lite_insert
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ApiKeyRow, ProjectRow, SettingRow
from gnomon.store.schema import api_keys, is_any_of, projects, settings

_KNOWN = sa.select(projects.c.id).where(projects.c.id == sa.bindparam("project"))
"""Asked by every batch that comes in, so it is made once."""


def ensure(db: Connection, id: str, now: datetime) -> None:
    """Make the project unless it is there."""
    if db.execute(_KNOWN, {"project": id}).first() is None:
        add(db, ProjectRow(id=id, name=id, created_at=now))


def add(db: Connection, row: ProjectRow) -> bool:
    """Make the project; False when it is there already."""
    insert = pg_insert if db.dialect.name == "postgresql" else lite_insert
    statement = insert(projects).values(row._asdict()).on_conflict_do_nothing().returning(projects.c.id)
    return db.execute(statement).first() is not None


def get(db: Connection, id: str) -> ProjectRow | None:
    return fetch_first(db, ProjectRow, sa.select(projects).where(projects.c.id == id))


def all_ids(db: Connection) -> list[str]:
    return list(db.execute(sa.select(projects.c.id)).scalars())


def page(db: Connection, part: Slice, only: str | None) -> list[ProjectRow]:
    query = sa.select(projects)
    if only is not None:
        query = query.where(projects.c.id == only)
    keys = [sa.type_coerce(projects.c.created_at, sa.BigInteger), projects.c.id]
    return fetch_all(db, ProjectRow, keyset(query, keys, part))


def add_key(db: Connection, row: ApiKeyRow) -> None:
    db.execute(sa.insert(api_keys).values(row._asdict()))


def key_by_hash(db: Connection, secret_hash: str) -> ApiKeyRow | None:
    return fetch_first(db, ApiKeyRow, sa.select(api_keys).where(api_keys.c.secret_hash == secret_hash))


def key(db: Connection, id: str) -> ApiKeyRow | None:
    return fetch_first(db, ApiKeyRow, sa.select(api_keys).where(api_keys.c.id == id))


def valid_keys(db: Connection, ids: Collection[str], now: datetime) -> set[str]:
    """Those of these keys that are neither revoked nor expired."""
    valid = sa.or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at > now)
    return set(db.execute(sa.select(api_keys.c.id).where(is_any_of(db, api_keys.c.id, ids), valid)).scalars())


def oldest_admin_key(db: Connection, now: datetime) -> ApiKeyRow | None:
    """The oldest valid admin key that is bound to no project; usually the one that the first server made."""
    valid = sa.or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at > now)
    admins = sa.select(api_keys).where(api_keys.c.role == "admin", api_keys.c.project_id.is_(None), valid)
    return fetch_first(db, ApiKeyRow, admins.order_by(api_keys.c.created_at, api_keys.c.id).limit(1))


def keys_page(db: Connection, wanted: Slice, project_id: str | None) -> list[ApiKeyRow]:
    query = sa.select(api_keys)
    if project_id is not None:
        query = query.where(api_keys.c.project_id == project_id)
    return fetch_all(db, ApiKeyRow, keyset(query, [api_keys.c.id], wanted))


def remove_key(db: Connection, id: str) -> None:
    db.execute(sa.delete(api_keys).where(api_keys.c.id == id))


def values_like(db: Connection, prefix: str) -> dict[str, str]:
    """The database's settings whose names begin with `prefix`."""
    query = sa.select(settings).where(settings.c.name.startswith(prefix, autoescape=True))
    return {row.name: row.value for row in fetch_all(db, SettingRow, query)}


def setting(db: Connection, name: str, otherwise: str) -> str:
    """A value that this database keeps for all its processes; set to `otherwise` when it is new."""
    insert = pg_insert if db.dialect.name == "postgresql" else lite_insert
    db.execute(insert(settings).values(name=name, value=otherwise).on_conflict_do_nothing())
    return str(db.execute(sa.select(settings.c.value).where(settings.c.name == name)).scalar_one())
