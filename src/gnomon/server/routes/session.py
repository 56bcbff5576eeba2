"""Logging in and out from a browser, and who is calling."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.errors import Forbidden, InvalidInput, NotFound
from gnomon.model.access import ReviewLink, ReviewLinkDraft
from gnomon.model.trace import Deleted
from gnomon.model.websession import LoginCode, Session, SessionDraft
from gnomon.server.endpoints import needs, public
from gnomon.server.requestcontext import Context, RequestContext, gives, show, takes
from gnomon.server.sessions import Cookie
from gnomon.server.sharing import always
from gnomon.service.access import websessions
from gnomon.service.access.shares import opened
from gnomon.service.access.websessions import Begun, Held
from gnomon.service.call import Call

router = APIRouter(prefix="/v1", tags=["session"])

_LOGIN: dict[str, Any] = takes(SessionDraft)
_LOGIN["openapi_extra"]["security"] = []


@router.post("/session", **gives(Session, 201, 403, 429), **_LOGIN)
@public(body="whole")
def log_in(context: Context) -> Response:
    """Begin a session with a key, with the code of a login link, or with the token of a share.

    The answer sets its cookie. That of a share is a cookie of its own, which counts in requests that name the share's
    id in the header `X-Gnomon-Share`.

    After ten failures from an address within a minute: 429.
    """
    app_state, request = context.app_state, context.request
    app_state.origins.check_login(request.headers)
    draft = context.body(SessionDraft)
    if [draft.key, draft.code, draft.share].count(None) != 2:
        raise InvalidInput.of(
            "key", "logging in takes a `key`, the `code` of a login link or the token of a `share`; give one of them"
        )
    address = request.client.host if request.client else ""
    app_state.attempts.count(address)
    if draft.share is not None:
        return _open_share(context, draft.share, address)
    begun = _begun(context, draft)
    app_state.attempts.forgive(address)
    response = show(begun.session, 201)
    response.headers["Set-Cookie"] = Cookie.of(request, app_state.origins).set(begun.token, begun.seconds)
    return response


def _open_share(context: RequestContext, token: str, address: str) -> Response:
    """The cookie holds the token itself, half a day at the longest: the link opens the share again."""
    app_state, request = context.app_state, context.request
    held = opened(app_state.find_share(token))
    app_state.attempts.forgive(address)
    left = held.expires_at - app_state.clock.now()
    seconds = max(1, min(websessions.SESSION_SECONDS, int(left.total_seconds())))
    response = show(websessions.of_share(held), 201)
    response.headers["Set-Cookie"] = Cookie.of_share(request, app_state.origins, held.id).set(token, seconds)
    return response


def _begun(context: RequestContext, draft: SessionDraft) -> Begun:
    app_state = context.app_state

    def begin(call: Call) -> Begun:
        if draft.code is not None:
            return websessions.begin_with_code(call, draft.code, app_state.server_key)
        secret = draft.key or ""
        return websessions.begin_with_key(call, secret, app_state.server_key if app_state.is_own_key(secret) else None)

    return app_state.written(context.principal, begin)


@router.get("/session", **gives(Session))
@needs("read", reviewer=True, shared=always)
def get_session(context: Context) -> Response:
    """Who is calling, with a key or with a session: role, project, key, and when the session ends."""
    held = _held(context)
    if held is not None and context.principal.share is not None:
        return show(websessions.of_share(held))
    return context.read(lambda call: websessions.current(call, None if held is None else held.expires_at))


@router.delete("/session", **gives(Deleted))
@needs("read", reviewer=True)
def log_out(context: Context) -> Response:
    """End the session that the call came with."""
    held = _held(context)
    if held is None:
        raise NotFound("this call came with a key, not with a session; there is no session to end")
    response = context.write(lambda call: websessions.end(call, held.id))
    context.app_state.forget_keys()
    response.headers["Set-Cookie"] = Cookie.of(context.request, context.app_state.origins).clear()
    return response


@router.post("/session/codes", **gives(LoginCode, 201))
@needs("read")
def create_login_code(context: Context) -> Response:
    """A code for a login link, `/login#code=…`: the first browser to open it is logged in with this key.

    It works once and for ten minutes. A session cannot make one: it would outlive itself.
    """
    if _held(context) is not None:
        raise Forbidden("a session makes no login codes; call this with a key")
    # Not by `context.write`, which would keep the answer for a retry: a code is kept as its hash only.
    return show(
        context.app_state.written(
            context.principal, lambda call: websessions.new_code(call, context.app_state.server_key)
        ),
        201,
    )


@router.post("/review-links", **gives(ReviewLink, 201), **takes(ReviewLinkDraft))
@needs("admin")
def create_review_link(context: Context) -> Response:
    """A link for a reviewer: it logs one browser in, once, and gives access to the review queue only.

    It makes a key of the role `reviewer`, which is among the project's keys: to revoke it ends the session too.
    """
    draft = context.body(ReviewLinkDraft)
    # As with login codes: the answer holds a secret that is kept as its hash only.
    return show(context.app_state.written(context.principal, lambda call: websessions.review_link(call, draft)), 201)


def _held(context: RequestContext) -> Held | None:
    held: Held | None = getattr(context.request.state, "session", None)
    return held
