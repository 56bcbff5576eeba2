"""Sessions of browsers: begun with a key or with the code of a login link, and ended with the key at the latest."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from gnomon.errors import NotFound, Unauthorized
from gnomon.model.access import Principal
from gnomon.model.trace import Deleted
from gnomon.model.websession import LoginCode, Session
from gnomon.service.access.keys import hash_secret
from gnomon.service.call import Call
from gnomon.store import projects
from gnomon.store import websessions as store
from gnomon.store.engine import Transaction
from gnomon.store.rows import LoginCodeRow, WebSessionRow

SESSION_SECONDS = 43_200
CODE_SECONDS = 600


@dataclass(frozen=True, slots=True)
class ServerKey:
    """The key that a server's environment names, which is no row of the database.

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


def begin_with_key(call: Call, secret: str, server: ServerKey | None) -> Begun:
    """`server` is given when the secret is that server's own key."""
    if server is not None:
        return _begin(call, server.mark, server.principal)
    row = projects.key_by_hash(call.db, hash_secret(secret))
    if row is None:
        raise Unauthorized("this key is not valid; make one with `gnomon key create`")
    return _begin(call, row.id, Principal(row.id, row.role, row.project_id))


def begin_with_code(call: Call, code: str, server: ServerKey | None) -> Begun:
    row = store.take_code(call.db, hash_secret(code), call.clock.now())
    principal = None if row is None else _holder(call.db, row.key_id, server)
    if row is None or principal is None:
        raise Unauthorized(
            "this login link is not valid any more: a link works once, for ten minutes, and as long as its key is"
            " valid; print a new one with `gnomon key login-link`, or paste a key"
        )
    return _begin(call, row.key_id, principal)


def _begin(call: Call, stands_for: str, principal: Principal) -> Begun:
    now, token = call.clock.now(), secrets.token_urlsafe(32)
    store.remove_expired(call.db, now)
    row = WebSessionRow(
        token_hash=hash_secret(token), id=call.clock.new_id(), key_id=stands_for, created_at=now,
        expires_at=now + timedelta(seconds=SESSION_SECONDS),
    )  # fmt: skip
    store.add_session(call.db, row)
    return Begun(token, _noun(call.db, principal, row.expires_at))


def find(db: Transaction, token_hash: str, now: datetime, server: ServerKey | None) -> Held | None:
    """The session of this token, while it and its key are valid."""
    row = store.session(db, token_hash)
    if row is None or row.expires_at <= now:
        return None
    principal = _holder(db, row.key_id, server)
    return None if principal is None else Held(row.id, principal, row.expires_at)


def _holder(db: Transaction, key_id: str, server: ServerKey | None) -> Principal | None:
    if server is not None and key_id == server.mark:
        return server.principal
    row = projects.key(db, key_id)
    return None if row is None else Principal(row.id, row.role, row.project_id)


def current(call: Call, expires_at: datetime | None = None) -> Session:
    """Who is calling."""
    return _noun(call.db, call.who, expires_at)


def _noun(db: Transaction, who: Principal, expires_at: datetime | None) -> Session:
    row = projects.key(db, who.key_id)
    return Session(
        role=who.role, project_id=who.project_id, key_id=who.key_id, key_name=None if row is None else row.name,
        expires_at=expires_at,
    )  # fmt: skip


def end(call: Call, id: str) -> Deleted:
    store.remove_session(call.db, id)
    return Deleted(id=id)


def new_code(call: Call, server: ServerKey | None = None) -> LoginCode:
    """A code with which its holder logs in as the caller."""
    if server is not None and call.who == server.principal:
        return _new_code(call, server.mark, call.who.key_id)
    return _new_code(call, call.who.key_id, call.who.key_id)


def admin_code(call: Call, server: ServerKey | None = None, secret: str | None = None) -> LoginCode:
    """A code with which its holder logs in as administrator.

    As the server's own key, else as the key of this secret, else as the oldest admin key of the database.
    """
    if server is not None:
        return _new_code(call, server.mark, server.principal.key_id)
    row = None if secret is None else projects.key_by_hash(call.db, hash_secret(secret))
    row = row or projects.oldest_admin_key(call.db)
    if row is None:
        raise NotFound(
            "this database has no admin key to log in with; make one with `gnomon key create --role admin`,"
            " or name a server and its key with --url and --key"
        )
    return _new_code(call, row.id, row.id)


def _new_code(call: Call, stands_for: str, key_id: str) -> LoginCode:
    now, code = call.clock.now(), secrets.token_urlsafe(32)
    store.remove_expired(call.db, now)
    until = now + timedelta(seconds=CODE_SECONDS)
    store.add_code(call.db, LoginCodeRow(code_hash=hash_secret(code), key_id=stands_for, expires_at=until))
    return LoginCode(code=code, key_id=key_id, expires_at=until)
