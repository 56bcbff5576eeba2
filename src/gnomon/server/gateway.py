"""Authentication, body limit, routing and authorisation, in this order, before any endpoint.

Refusals come in one order: 421, 401, 413, 404/405, 403 (the role, then CSRF); then 400, 404, 409, 422, of which this
place decides the 400 of an address and of a body's encoding. That order is only true when one place decides it, so this
is that place. What each endpoint demands is declared at the endpoint (`endpoints.py`), which is looked up once for the
whole request.
"""

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

from fastapi.exceptions import RequestValidationError
from fastapi.middleware.asyncexitstack import AsyncExitStackMiddleware
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from gnomon.errors import Forbidden, GnomonError, InvalidInput, Problem, Unauthorized
from gnomon.model.access import Principal
from gnomon.model.nearest import did_you_mean
from gnomon.model.problems import from_pydantic
from gnomon.server import errors
from gnomon.server.authentication import Authenticator, authenticate, challenges
from gnomon.server.bodies import DRAIN_FACTOR, BodyMemory, receive_body
from gnomon.server.compression import encoded, may_be_encoded
from gnomon.server.endpoints import Endpoint, Endpoints, Protocol, Resolved, Rules, is_api
from gnomon.server.guards import guarded
from gnomon.server.inflate import InflatedStream, comes_as_gzip
from gnomon.server.origins import Origins
from gnomon.server.otlp import in_otlp
from gnomon.shorten import count_more, shorten

access_log = logging.getLogger("gnomon.access")
log = logging.getLogger("gnomon")

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_MAX_NAMED = 20
_DOCS = "/docs lists what there is"
_LONGEST_SHOWN = 60


@dataclass
class Gateway:
    """The ASGI application: everything that is not said by an endpoint itself."""

    endpoints: Endpoints
    authenticators: Sequence[Authenticator]
    state: dict[str, Any]
    """What every request finds as `request.state`."""
    origins: Origins
    max_body_bytes: int
    memory: BodyMemory = field(default_factory=BodyMemory)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
        if scope["type"] != "http":
            return
        _take_off_base_path(scope, self.origins.base_path)
        scope["state"] = dict(self.state)
        exchange = _Exchange(scope, send)
        try:
            await self._admit(scope, receive, exchange)
        except Exception as trouble:
            refusal = self._refusal(trouble, exchange.request_id)
            await exchange.refuse(in_otlp(refusal, Headers(scope=scope)) if exchange.speaks == "otlp" else refusal)
        finally:
            exchange.record()

    async def _admit(self, scope: Scope, receive: Receive, exchange: "_Exchange") -> None:
        resolved = self.endpoints.resolve(scope)
        exchange.speaks = resolved.rules.speaks
        headers = Headers(scope=scope)
        # Whoever has a key to send is not a page that was led here by a name: such a call may use any.
        if not resolved.rules.any_host and (resolved.rules.role is None or "authorization" not in headers):
            self.origins.check_host(headers)
        if resolved.rules.role is not None:
            exchange.principal = scope["state"]["principal"] = await authenticate(
                self.authenticators, HTTPConnection(scope)
            )
        if resolved.rules.body == "streamed":
            await self._stream(resolved, scope, receive, exchange)
        elif resolved.rules.body == "whole":
            await self._read_and_serve(resolved, scope, receive, exchange)
        else:
            await _serve(self._permitted(resolved, scope, exchange.principal), resolved, scope, receive, exchange)

    async def _stream(self, resolved: Resolved, scope: Scope, receive: Receive, exchange: "_Exchange") -> None:
        endpoint = self._permitted(resolved, scope, exchange.principal)
        if comes_as_gzip(Headers(scope=scope)):
            receive = InflatedStream(receive, self.max_body_bytes, self.max_body_bytes * DRAIN_FACTOR)
        await _serve(endpoint, resolved, scope, receive, exchange)

    async def _read_and_serve(self, resolved: Resolved, scope: Scope, receive: Receive, exchange: "_Exchange") -> None:
        is_json = resolved.rules.speaks == "json"
        body = await receive_body(Headers(scope=scope), receive, self.max_body_bytes, is_json=is_json)
        try:
            async with self.memory.hold(body.weight):
                scope["state"]["body"] = await body.load()
                endpoint = self._permitted(resolved, scope, exchange.principal)
                if body.problem is not None:
                    raise body.problem
                await _serve(endpoint, resolved, scope, _after_body(receive), exchange)
                scope["state"]["body"] = b""
        finally:
            body.close()

    def _permitted(self, resolved: Resolved, scope: Scope, principal: Principal | None) -> Endpoint:
        """The endpoint, or in this order: 404 or 405, 403, the 400 of an address."""
        endpoint = resolved.endpoint
        if endpoint is None:
            raise _Misrouted(scope, resolved.allowed)
        if principal is not None:
            _check_caller(endpoint.rules, principal, {**scope, **resolved.scope})
            if "session" in scope["state"]:
                self.origins.check_session_request(scope["method"], Headers(scope=scope))
        if endpoint.query is not None:
            _check_address(endpoint, scope)
        return endpoint

    def _refusal(self, trouble: Exception, request_id: str) -> Response:
        if isinstance(trouble, GnomonError):
            asks = challenges(self.authenticators) if isinstance(trouble, Unauthorized) else None
            return errors.answer(trouble, asks)
        if isinstance(trouble, RequestValidationError):
            return errors.answer(from_pydantic(trouble))
        if isinstance(trouble, _Misrouted):
            return trouble.answer
        log.error("request %s crashed", request_id, exc_info=trouble)
        return errors.crashed(request_id)


def _take_off_base_path(scope: Scope, base_path: str) -> None:
    """Proxies that serve us below a path cut it off, or do not: both are understood."""
    if base_path and f"{scope['path']}/".startswith(f"{base_path}/"):
        scope["path"] = scope["path"][len(base_path) :] or "/"
        scope["raw_path"] = scope["raw_path"][len(base_path) :] or b"/"


class _Misrouted(Exception):
    """There is no endpoint for this address, or none for this method."""

    def __init__(self, scope: Scope, allowed: frozenset[str] = frozenset()) -> None:
        method, path = scope["method"], scope["path"]
        if allowed:
            listed = ", ".join(sorted(allowed))
            message = f"{method} is not allowed here; use {listed}"
            self.answer = errors.envelope(405, "METHOD_NOT_ALLOWED", message, None, {"Allow": listed})
        else:
            self.answer = errors.envelope(404, "NOT_FOUND", f"there is nothing at {path[:200]}; {_DOCS}")


def _check_caller(rules: Rules, principal: Principal, scope: Scope) -> None:
    if not rules.admit(principal, scope):
        if principal.share is not None:
            raise Forbidden("this link shows one view, read only; the requested address is not part of it")
        if principal.is_reviewer:
            raise Forbidden("this key's role is `reviewer`; it sees the review queue and what is in it, nothing else")
        raise Forbidden(f"this key's role is `{principal.role}`; {scope['method']} here needs `{rules.role}`")
    if rules.also is not None:
        rules.also(principal)


def _check_address(endpoint: Endpoint, scope: Scope) -> None:
    query: bytes = scope["query_string"]
    if "\0" in scope["path"] or b"%00" in query:
        raise InvalidInput("the address holds the character NUL (%00), which nothing here has in its name")
    if query:
        named = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
        unknown = [name for name in dict.fromkeys(name for name, _ in named) if not endpoint.knows(name)]
        if unknown:
            raise _unknown_parameters(unknown, endpoint.query or frozenset())


def _unknown_parameters(unknown: Sequence[str], known: frozenset[str]) -> InvalidInput:
    problems = []
    for name in unknown[:_MAX_NAMED]:
        shown = shorten(name, _LONGEST_SHOWN)
        remedy = did_you_mean(name, known, f"known are {', '.join(sorted(known)) or 'none'}")
        problems.append(Problem(shown, "INVALID_REQUEST", f"query parameter {shown!r} is not known here; {remedy}"))
    return InvalidInput(count_more(problems[0].message, len(unknown)), problems=problems)


async def _serve(endpoint: Endpoint, resolved: Resolved, scope: Scope, receive: Receive, exchange: "_Exchange") -> None:
    scope.update(resolved.scope)
    await AsyncExitStackMiddleware(endpoint.route.handle)(scope, receive, exchange.send)


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def _after_body(receive: Receive) -> Receive:
    """The rest of a request whose body was read: nothing, and then what a streamed answer listens for, its end."""
    messages = iter([_nothing_more])

    async def rest() -> Message:
        return await next(messages, receive)()

    return rest


class _Exchange:
    """One request: its id, its answer's status, and the line it leaves in the access log."""

    def __init__(self, scope: Scope, send: Send) -> None:
        sent_id = Headers(scope=scope).get("x-request-id", "")
        self.request_id = sent_id if _REQUEST_ID.fullmatch(sent_id) else uuid4().hex
        self.principal: Principal | None = None
        self.speaks: Protocol = "json"
        self._scope, self._send = scope, send
        self._status: int | None = None
        self._start: Message | None = None
        self._began = time.perf_counter()
        self._answer_headers: list[tuple[bytes, bytes]] = []
        scope["state"].update(request_id=self.request_id, answer_headers=self._answer_headers)

    async def send(self, message: Message) -> None:
        """The start of an answer waits for its body: one that comes whole may be compressed."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            id_header = (b"x-request-id", self.request_id.encode())
            guards = guarded(message, is_api=is_api(self._scope["path"]))
            message["headers"] = [*message["headers"], *self._answer_headers, *guards, id_header]
            self._start = message
            return
        start, self._start = self._start, None
        if start is not None:
            if may_be_encoded(self._scope["method"], message):
                start, body = await encoded(start, message["body"], Headers(scope=self._scope))
                message = {**message, "body": body}
            await self._send(start)
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
                "key_id": self.principal.key_id if self.principal else None,
            }
            access_log.info("request", line)
