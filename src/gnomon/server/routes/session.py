"""Logging in and out from a browser, and who is calling."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.errors import Forbidden, InvalidInput, NotFound
from gnomon.model.session import LoginCode, Session, SessionDraft
from gnomon.model.trace import Deleted
from gnomon.server.desk import Desk, Here, gives, show, takes
from gnomon.server.endpoints import needs, public
from gnomon.server.sessions import Cookie
from gnomon.service import websessions
from gnomon.service.call import Call
from gnomon.service.websessions import Begun, Held

router = APIRouter(prefix="/v1", tags=["session"])

_LOGIN: dict[str, Any] = takes(SessionDraft)
_LOGIN["openapi_extra"]["security"] = []


@router.post("/session", **gives(Session, 201, 403, 429), **_LOGIN)
@public(body="whole")
def log_in(desk: Here) -> Response:
    """Begin a session with a key, or with the code of a login link. The answer sets its cookie.

    After ten failures from an address within a minute: 429.
    """
    house, request = desk.house, desk.request
    house.origins.check_login(request.headers)
    draft = desk.body(SessionDraft)
    if (draft.key is None) == (draft.code is None):
        raise InvalidInput.of("key", "logging in takes a `key` or the `code` of a login link; give one of them")
    address = request.client.host if request.client else ""
    house.attempts.count(address)
    begun = _begun(desk, draft)
    house.attempts.forgive(address)
    response = show(begun.session, 201)
    response.headers["Set-Cookie"] = Cookie.of(request, house.origins).set(begun.token)
    return response


def _begun(desk: Desk, draft: SessionDraft) -> Begun:
    house = desk.house

    def begin(call: Call) -> Begun:
        if draft.code is not None:
            return websessions.begin_with_code(call, draft.code, house.server_key)
        secret = draft.key or ""
        return websessions.begin_with_key(call, secret, house.server_key if house.is_own_key(secret) else None)

    return house.written(desk.who, begin)


@router.get("/session", **gives(Session))
@needs("read")
def get_session(desk: Here) -> Response:
    """Who is calling, with a key or with a session: role, project, key, and when the session ends."""
    held = _held(desk)
    return desk.read(lambda call: websessions.current(call, None if held is None else held.expires_at))


@router.delete("/session", **gives(Deleted))
@needs("read")
def log_out(desk: Here) -> Response:
    """End the session that the call came with."""
    held = _held(desk)
    if held is None:
        raise NotFound("this call came with a key and not with a session; there is none to end")
    response = desk.write(lambda call: websessions.end(call, held.id))
    desk.house.forget_keys()
    response.headers["Set-Cookie"] = Cookie.of(desk.request, desk.house.origins).clear()
    return response


@router.post("/session/codes", **gives(LoginCode, 201))
@needs("read")
def create_login_code(desk: Here) -> Response:
    """A code for a login link, `/login#code=…`: whoever opens it first logs in as the holder of this key.

    It works once and for ten minutes. A session cannot make one: it would outlive itself.
    """
    if _held(desk) is not None:
        raise Forbidden("a session makes no login codes; call this with a key")
    # Not by `desk.write`, which would keep the answer for a retry: a code is kept as its hash only.
    return show(desk.house.written(desk.who, lambda call: websessions.new_code(call, desk.house.server_key)), 201)


def _held(desk: Desk) -> Held | None:
    held: Held | None = getattr(desk.request.state, "session", None)
    return held
