"""Keys: made, listed, revoked. A secret is shown once and kept only as a hash."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from gnomon.errors import InvalidInput, NotFound
from gnomon.model.access import Key, KeyDraft, NewKey, Principal
from gnomon.model.moment import from_ms, iso, to_ms
from gnomon.model.trace import Deleted
from gnomon.service.call import Call, Listing, listing, project_in_scope
from gnomon.store import projects as store
from gnomon.store import websessions
from gnomon.store.engine import Transaction
from gnomon.store.locks import lock
from gnomon.store.pages import Slice
from gnomon.store.rows import ApiKeyRow

_ADMIN = "admin_key:"
"""Begins the names under which a database remembers the admin keys of its servers, the revoked ones too."""


def hash_secret(secret: str) -> str:
    # Secrets are 256 random bits, so a plain hash cannot be searched; a slow one would cost every request.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_secret() -> str:
    return "gn_" + secrets.token_urlsafe(32)


def identify(db: Transaction, hashed: str, now: datetime) -> Principal | None:
    return holder(store.key_by_hash(db, hashed), now)


def holder(row: ApiKeyRow | None, now: datetime) -> Principal | None:
    """The principal that holds this key; None when there is no such key, or it has expired."""
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    return Principal(row.id, row.role, row.project_id, row.name)


@dataclass(frozen=True, slots=True)
class AdminKey:
    """The key with which a server's first caller comes, as far as this server knows it."""

    secret: str | None
    is_new: bool = False
    made_at: datetime | None = None
    """When the database's key was made by another server, which alone has its secret."""
    revoked: bool = False
    """Whether `secret` was good once and is no more."""


def admin_key(call: Call, kept: Callable[[], str | None], keep: Callable[[str], None], fresh: str) -> AdminKey:
    """The admin key of this database, made once: by whichever server comes first.

    `kept` reads the secret that this server keeps, `keep` keeps one; both are asked while no other server may pass. A
    secret that is kept already and that the database has never seen (of an earlier Gnomon, or of a home that served
    another database before) becomes a key of it. `fresh` is the secret to use when there is no key.
    """
    lock(call.db, "admin key")
    known = store.values_like(call.db, _ADMIN)
    secret = kept()
    if secret is None:
        if known:
            return AdminKey(None, made_at=min(from_ms(int(moment)) for moment in known.values()))
        keep(secret := fresh)  # before the commit: a key that is kept and not yet known is taken at the next start
    hashed = hash_secret(secret)
    if _ADMIN + hashed in known:
        return AdminKey(secret, revoked=store.key_by_hash(call.db, hashed) is None)
    now = call.clock.now()
    store.setting(call.db, _ADMIN + hashed, str(to_ms(now)))
    if store.key_by_hash(call.db, hashed) is None:
        row = ApiKeyRow(
            id=call.clock.new_id(), name="admin key of a server", role="admin", project_id=None, secret_hash=hashed,
            created_at=now,
        )  # fmt: skip
        store.add_key(call.db, row)
    return AdminKey(secret, is_new=secret == fresh)


def create(call: Call, draft: KeyDraft) -> NewKey:
    """A key bound to a project can make keys of that project only."""
    now, bound_to = call.clock.now(), draft.project_id
    if call.principal.project_id is not None:
        bound_to = project_in_scope(call.principal, draft.project_id)
    if draft.role == "reviewer" and bound_to is None:
        raise InvalidInput.of("project_id", "a reviewer's key needs a `project_id`: it sees the queue of one project")
    if draft.expires_at is not None and draft.expires_at <= now:
        message = f"expires_at is {iso(draft.expires_at)}, which is in the past; give a later time, or leave it out"
        raise InvalidInput.of("expires_at", message)
    if bound_to is not None:
        store.ensure(call.db, bound_to, now)
    secret = new_secret()
    row = ApiKeyRow(
        id=call.clock.new_id(), name=draft.name, role=draft.role, project_id=bound_to, secret_hash=hash_secret(secret),
        created_at=now, expires_at=draft.expires_at,
    )  # fmt: skip
    store.add_key(call.db, row)
    return NewKey(**dict(_noun(row)), key=secret)


def all_of(call: Call, page: Slice) -> Listing[Key]:
    return listing(store.keys_page(call.db, page, call.principal.project_id), page, _noun, lambda row: (row.id,))


def delete(call: Call, id: str) -> Deleted:
    row = store.key(call.db, id)
    if row is None or (call.principal.project_id is not None and row.project_id != call.principal.project_id):
        raise NotFound(f"key {id!r} does not exist; `gnomon key list` shows those that do")
    store.remove_key(call.db, id)
    websessions.remove_of_key(call.db, id)
    return Deleted(id=id)


def _noun(row: ApiKeyRow) -> Key:
    return Key(
        id=row.id, name=row.name, role=row.role, project_id=row.project_id, created_at=row.created_at,
        expires_at=row.expires_at,
    )  # fmt: skip
