"""Shares: read-only links to one view, made, listed, revoked, and opened by whoever has the link."""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from gnomon.errors import InvalidInput, NotFound, Unauthorized
from gnomon.model.access import Principal
from gnomon.model.share import NewShare, SharedKind, ShareDraft, SharedView, ViewShare, read_path
from gnomon.model.trace import Deleted
from gnomon.service.access.keys import hash_secret
from gnomon.service.access.websessions import Held
from gnomon.service.call import Call, Listing, OfProject, listing, project_in_scope, visible
from gnomon.store import datasets, experiments, iterations
from gnomon.store import shares as store
from gnomon.store.engine import Transaction
from gnomon.store.pages import Slice
from gnomon.store.rows import ShareRow
from gnomon.store.spanstore import SpanStore

_NOUNS: dict[SharedKind, str] = {
    "compare": "experiment", "experiment": "experiment", "iteration": "iteration", "leaderboard": "dataset",
    "trace": "trace",
}  # fmt: skip
"""What the ids of a view stand for."""


def _is_there(db: Transaction, spans: SpanStore, kind: SharedKind, project_id: str, object_id: str) -> bool:
    """Whether this project has an object of that kind of view with this id."""
    if kind == "trace":
        return object_id in spans.heads(db, project_id, [object_id])
    get = _GET[_NOUNS[kind]]
    row = get(db, object_id)
    return row is not None and row.project_id == project_id


_GET: dict[str, Callable[[Transaction, str], OfProject | None]] = {
    "experiment": experiments.get, "iteration": iterations.get, "dataset": datasets.get,
}  # fmt: skip


def create(call: Call, draft: ShareDraft) -> NewShare:
    """A link to a view of objects that exist. Its token is kept as a hash only."""
    view = read_path(draft.path)
    project_in_scope(call.principal, view.project_id)
    for id in view.ids:
        if not _is_there(call.db, call.spans, view.kind, view.project_id, id):
            raise NotFound(f"{_NOUNS[view.kind]} {id!r} does not exist in project {view.project_id!r}")
    if view.kind == "compare" and len(set(view.ids)) == 1:
        raise InvalidInput.of("path", "this compares an experiment with itself; name two experiments")
    now, token = call.clock.now(), secrets.token_urlsafe(32)
    store.remove_expired(call.db, now)
    row = ShareRow(
        id=call.clock.new_id(), project_id=view.project_id, kind=view.kind, object_ids=list(view.ids), path=view.path,
        token_hash=hash_secret(token), created_at=now, expires_at=now + timedelta(days=draft.expires_in_days),
    )  # fmt: skip
    store.add(call.db, row)
    return NewShare(**dict(_noun(row)), url_path=f"/share#token={token}")


def page(call: Call, project_id: str | None, wanted: Slice) -> Listing[ViewShare]:
    rows = store.page(call.db, project_in_scope(call.principal, project_id), call.clock.now(), wanted)
    return listing(rows, wanted, _noun, lambda row: (row.id,))


def revoke(call: Call, id: str) -> Deleted:
    visible(call.principal, store.get(call.db, id), f"share {id!r}")
    store.remove(call.db, id)
    return Deleted(id=id)


def find(db: Transaction, spans: SpanStore, token_hash: str, now: datetime) -> Held | None:
    """The principal that opened this share, until it expires, is revoked, or what it shows is deleted."""
    row = store.by_hash(db, token_hash)
    if row is None or row.expires_at <= now:
        return None
    if not all(_is_there(db, spans, row.kind, row.project_id, id) for id in row.object_ids):
        return None
    view = SharedView(row.kind, row.project_id, tuple(row.object_ids), row.path)
    return Held(row.id, Principal(row.id, "read", row.project_id, share=view), row.expires_at)


def opened(held: Held | None) -> Held:
    """The share, or a refusal that says why a link may not work (any more)."""
    if held is None:
        raise Unauthorized(
            "this link does not work any more: it has expired, was revoked, or what it showed was deleted; ask for a"
            " new one"
        )
    return held


def _noun(row: ShareRow) -> ViewShare:
    return ViewShare(
        id=row.id, project_id=row.project_id, kind=row.kind, path=row.path, created_at=row.created_at,
        expires_at=row.expires_at,
    )  # fmt: skip
