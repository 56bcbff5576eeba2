"""Sessions of browsers: begun with a key or with the code of a login link, and ended with the key at the latest."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from gnomon.errors import NotFound, Unauthorized
from gnomon.model.access import KeyDraft, Principal, ReviewLink, ReviewLinkDraft
from gnomon.model.share import SharedSession
from gnomon.model.trace import Deleted
from gnomon.model.websession import LoginCode, Session
from gnomon.service.access.keys import create, hash_secret, holder
from gnomon.service.call import Call, project_in_scope
from gnomon.store import projects
from gnomon.store import websessions as store
from gnomon.store.engine import Transaction
from gnomon.store.rows import LoginCodeRow, WebSessionRow

SESSION_SECONDS = 43_200
CODE_SECONDS = 600


@dataclass(frozen=True, slots=True)
class ServerKey:
    """The key that a server's environment names, which is not a row of the database.

    `mark` stands for it in the database: a slow hash, since people choose such a key themselves. A session of it ends
    when the environment names another one.
    """

    mark: str
    principal: Principal


@dataclass(frozen=True, slots=True)
class Held:
    """A session that is valid: whose it is, and until when."""

    id: str
    principal: Principal
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Begun:
    """A new session and the token for its cookie; the token is not stored."""

    token: str
    session: Session
    seconds: int
    """How long it lasts."""


def begin_with_key(call: Call, secret: str, server: ServerKey | None) -> Begun:
    """`server` is given when the secret is that server's own key."""
    if server is not None:
        return _begin(call, server.mark, server.principal)
    principal = holder(projects.key_by_hash(call.db, hash_secret(secret)), call.clock.now())
    if principal is None:
        raise Unauthorized("this key is not valid; make one with `gnomon key create`")
    return _begin(call, principal.key_id, principal)


def begin_with_code(call: Call, code: str, server: ServerKey | None) -> Begun:
    row = store.take_code(call.db, hash_secret(code), call.clock.now())
    principal = None if row is None else _holder(call.db, row.key_id, server, call.clock.now())
    if row is None or principal is None:
        raise Unauthorized(
            "this login link is not valid any more: a link works once, for ten minutes (a reviewer's for some days),"
            " and as long as its key is valid; print a new one with `gnomon key login-link` or"
            " `gnomon key review-link`, or paste a key"
        )
    return _begin(call, row.key_id, principal)


def _begin(call: Call, stands_for: str, principal: Principal) -> Begun:
    now, token = call.clock.now(), secrets.token_urlsafe(32)
    store.remove_expired(call.db, now)
    row = WebSessionRow(
        token_hash=hash_secret(token), id=call.clock.new_id(), key_id=stands_for, created_at=now,
        expires_at=_end(call, principal, now),
    )  # fmt: skip
    store.add_session(call.db, row)
    seconds = int((row.expires_at - now).total_seconds())
    return Begun(token, _noun(call.db, principal, row.expires_at), seconds)


def _end(call: Call, principal: Principal, now: datetime) -> datetime:
    """Half a day, and with the key at the latest. A reviewer's link works once, so its session lasts as long as its
    key: there is no second way in."""
    usual = now + timedelta(seconds=SESSION_SECONDS)
    row = projects.key(call.db, principal.key_id)
    if row is None or row.expires_at is None:
        return usual
    return row.expires_at if principal.is_reviewer else min(usual, row.expires_at)


def find(db: Transaction, token_hash: str, now: datetime, server: ServerKey | None) -> Held | None:
    """The session of this token, while it and its key are valid."""
    row = store.session(db, token_hash)
    if row is None or row.expires_at <= now:
        return None
    principal = _holder(db, row.key_id, server, now)
    return None if principal is None else Held(row.id, principal, row.expires_at)


def _holder(db: Transaction, key_id: str, server: ServerKey | None, now: datetime) -> Principal | None:
    if server is not None and key_id == server.mark:
        return server.principal
    return holder(projects.key(db, key_id), now)


def current(call: Call, expires_at: datetime | None = None) -> Session:
    """The session of the caller."""
    return _noun(call.db, call.principal, expires_at)


def _noun(db: Transaction, principal: Principal, expires_at: datetime | None) -> Session:
    row = projects.key(db, principal.key_id)
    return Session(
        role=principal.role, project_id=principal.project_id, key_id=principal.key_id,
        key_name=None if row is None else row.name, expires_at=expires_at,
    )  # fmt: skip


def of_share(held: Held) -> Session:
    """What a share's link says of itself."""
    view = held.principal.share
    shown = None if view is None else SharedSession(id=held.id, kind=view.kind, path=view.path)
    return Session(
        role=held.principal.role, project_id=held.principal.project_id, key_id=held.id, key_name=None,
        expires_at=held.expires_at, share=shown,
    )  # fmt: skip


def end(call: Call, id: str) -> Deleted:
    store.remove_session(call.db, id)
    return Deleted(id=id)


def new_code(call: Call, server: ServerKey | None = None) -> LoginCode:
    """A code with which its holder logs in as the caller."""
    if server is not None and call.principal == server.principal:
        return _new_code(call, server.mark, call.principal.key_id)
    return _new_code(call, call.principal.key_id, call.principal.key_id)


def admin_code(call: Call, server: ServerKey | None = None, secret: str | None = None) -> LoginCode:
    """A code with which its holder logs in as administrator.

    As the server's own key, else as the key of this secret, else as the oldest admin key of the database.
    """
    if server is not None:
        return _new_code(call, server.mark, server.principal.key_id)
    row = None if secret is None else projects.key_by_hash(call.db, hash_secret(secret))
    row = row or projects.oldest_admin_key(call.db, call.clock.now())
    if row is None:
        raise NotFound(
            "this database has no admin key to log in with; make one with `gnomon key create --role admin`,"
            " or name a server and its key with --url and --key"
        )
    return _new_code(call, row.id, row.id)


def review_link(call: Call, draft: ReviewLinkDraft) -> ReviewLink:
    """A key of the role reviewer, and a code that logs its holder in once, both valid for some days."""
    until = call.clock.now() + timedelta(days=draft.days)
    project_id = project_in_scope(call.principal, draft.project_id)
    key = create(call, KeyDraft(name=draft.name, role="reviewer", project_id=project_id, expires_at=until))
    login_code = _new_code(call, key.id, key.id, until)
    return ReviewLink(url_path=f"/login#code={login_code.code}", key_id=key.id, expires_at=until)


def _new_code(call: Call, stands_for: str, key_id: str, until: datetime | None = None) -> LoginCode:
    now, code = call.clock.now(), secrets.token_urlsafe(32)
    store.remove_expired(call.db, now)
    until = until or now + timedelta(seconds=CODE_SECONDS)
    store.add_code(call.db, LoginCodeRow(code_hash=hash_secret(code), key_id=stands_for, expires_at=until))
    return LoginCode(code=code, key_id=key_id, expires_at=until)
