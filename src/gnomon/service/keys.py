"""Keys: made, listed, revoked. A secret is shown once and kept only as a hash."""

import hashlib
import secrets
from typing import Any

from sqlalchemy.engine import Connection

from gnomon.errors import NotFound
from gnomon.model.access import Key, KeyDraft, NewKey, Principal
from gnomon.model.trace import Deleted
from gnomon.service.call import Call, Listing, listing, project_in_scope
from gnomon.store import projects as store
from gnomon.store.pages import Slice


def hash_secret(secret: str) -> str:
    # Secrets are 256 random bits, so a plain hash cannot be searched; a slow one would cost every request.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_secret() -> str:
    return "gn_" + secrets.token_urlsafe(32)


def identify(db: Connection, hashed: str) -> Principal | None:
    row = store.key_by_hash(db, hashed)
    return None if row is None else Principal(row.id, row.role, row.project_id)


def create(call: Call, draft: KeyDraft) -> NewKey:
    """A key bound to a project can make keys of that project only."""
    bound_to = draft.project_id
    if call.who.project_id is not None:
        bound_to = project_in_scope(call.who, draft.project_id)
    if bound_to is not None:
        store.ensure(call.db, bound_to, call.clock.now())
    secret = new_secret()
    made = NewKey(
        id=call.clock.new_id(), name=draft.name, role=draft.role, project_id=bound_to, created_at=call.clock.now(),
        key=secret,
    )  # fmt: skip
    store.add_key(call.db, **made.model_dump(exclude={"key"}), secret_hash=hash_secret(secret))
    return made


def all_of(call: Call, wanted: Slice) -> Listing[Key]:
    return listing(store.keys_page(call.db, wanted, call.who.project_id), wanted, _noun, lambda row: (row.id,))


def delete(call: Call, id: str) -> Deleted:
    row = store.key(call.db, id)
    if row is None or (call.who.project_id is not None and row.project_id != call.who.project_id):
        raise NotFound(f"key {id!r} does not exist")
    store.remove_key(call.db, id)
    return Deleted(id=id)


def _noun(row: Any) -> Key:
    return Key(id=row.id, name=row.name, role=row.role, project_id=row.project_id, created_at=row.created_at)
