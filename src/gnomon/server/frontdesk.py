"""What happens before any route: who is it, how much is it, where does it go, may they?

Refusals come in one order: 401, 413, 404/405, 403; routes then decide 400, 404, 409, 422.
That order is only true when one place decides it, so this is that place.
"""

import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gnomon.errors import Forbidden, GnomonError, InvalidInput, Unauthorized
from gnomon.model.access import Principal, Role
from gnomon.server import errors
from gnomon.server.bodies import Memory, receive_body
from gnomon.server.guards import GUARDS

access_log = logging.getLogger("gnomon.access")
log = logging.getLogger("gnomon")

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_STREAMED = re.compile(r"/v1/datasets/[^/]+/items/import")

Identify = Callable[[str], Principal | None]


@dataclass
class FrontDesk:
    """ASGI middleware around the whole application."""

    app: ASGIApp
    routes: Sequence[APIRoute]
    recall: Identify
    identify: Identify
    max_body_bytes: int
    memory: Memory = field(default_factory=Memory)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        visit = _Visit(scope, send)
        try:
            await self._admit(scope, receive, visit)
        except GnomonError as refusal:
            await visit.refuse(errors.answer(refusal, _challenge(refusal)))
        except Exception:  # the envelope is sent by now, unless it broke before the routes
            log.exception("request %s crashed", visit.request_id)
            await visit.refuse(errors.crashed(visit.request_id))
        finally:
            visit.record()

    async def _admit(self, scope: Scope, receive: Receive, visit: "_Visit") -> None:
        path: str = scope["path"]
        state = scope.setdefault("state", {})
        if not (path.startswith("/v1/") or path == "/v1"):
            await self._route(scope, receive, visit)
            return
        visit.who = state["who"] = await self._authenticate(scope)
        if scope["method"] == "POST" and _STREAMED.fullmatch(path):
            await self._route(scope, receive, visit)
            return
        body = await receive_body(Headers(scope=scope), receive, self.max_body_bytes)
        try:
            async with self.memory.hold(body.weight):
                state["body"] = await body.load()
                await self._route(scope, _nothing_more, visit)
                state["body"] = b""
        finally:
            body.close()

    async def _route(self, scope: Scope, receive: Receive, visit: "_Visit") -> None:
        path: str = scope["path"]
        refusal = self._misrouted(scope)
        if refusal is not None:
            await visit.refuse(refusal)
            return
        if visit.who is not None:
            _check_role(visit.who, scope["method"], path)
            if "\0" in path or b"%00" in scope["query_string"]:
                raise InvalidInput("the address holds the character NUL (%00), which nothing here has in its name")
        await self.app(scope, receive, visit.send)

    async def _authenticate(self, scope: Scope) -> Principal:
        given = Headers(scope=scope).get("authorization", "")
        kind, _, token = given.partition(" ")
        token = token.strip()
        if kind.lower() != "bearer" or not token:
            raise Unauthorized("no key was given; send the header Authorization: Bearer <key>")
        found = self.recall(token) or await run_in_threadpool(self.identify, token)
        if found is None:
            raise Unauthorized("this key is not valid; make one with `gnomon key create`")
        return found

    def _misrouted(self, scope: Scope) -> Response | None:
        allowed: set[str] = set()
        for route in self.routes:
            if route.path_regex.match(scope["path"]):
                allowed |= route.methods or set()
        if scope["method"] in allowed:
            return None
        if allowed:
            listed = ", ".join(sorted(allowed))
            return errors.envelope(
                405,
                "METHOD_NOT_ALLOWED",
                f"{scope['method']} is not allowed here; use {listed}",
                None,
                {"Allow": listed},
            )
        return errors.envelope(404, "NOT_FOUND", f"there is nothing at {scope['path'][:200]}")


def _challenge(refusal: GnomonError) -> dict[str, str] | None:
    return {"WWW-Authenticate": "Bearer"} if isinstance(refusal, Unauthorized) else None


def _check_role(who: Principal, method: str, path: str) -> None:
    needed: Role = "admin" if path.startswith("/v1/keys") else "read" if method in ("GET", "HEAD") else "write"
    if not who.may(needed):
        raise Forbidden(f"this key's role is `{who.role}`; {method} here needs `{needed}`")


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


class _Visit:
    """One request: its id, its answer's status, and the line it leaves in the access log."""

    def __init__(self, scope: Scope, send: Send) -> None:
        given = Headers(scope=scope).get("x-request-id", "")
        self.request_id = given if _REQUEST_ID.fullmatch(given) else uuid4().hex
        self.who: Principal | None = None
        self._scope, self._send = scope, send
        self._status: int | None = None
        self._began = time.perf_counter()
        scope.setdefault("state", {})["request_id"] = self.request_id

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"] = [*message["headers"], *GUARDS, (b"x-request-id", self.request_id.encode())]
        await self._send(message)

    async def refuse(self, response: Response) -> None:
        if self._status is None:  # otherwise the answer is under way and cannot be changed
            await response(self._scope, _nothing_more, self.send)

    def record(self) -> None:
        """Method, path, status and time; never a payload, a query or a key."""
        if access_log.isEnabledFor(logging.INFO):
            line = {
                "message": "request",
                "request_id": self.request_id,
                "method": self._scope["method"],
                "path": self._scope["path"][:300],
                "status": self._status,
                "ms": round((time.perf_counter() - self._began) * 1000, 1),
                "key_id": self.who.key_id if self.who else None,
            }
            access_log.info("request", line)
