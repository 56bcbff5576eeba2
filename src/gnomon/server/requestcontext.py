"""What a route works with: the caller, the body, and the two ways to run a service function."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from fastapi import Depends, Query, Request
from pydantic import BaseModel, TypeAdapter
from starlette.responses import HTMLResponse, Response

from gnomon.errors import InvalidInput, OutcomeUnknown, Problem, StoreTrouble
from gnomon.model import jsonvalue
from gnomon.model.access import NewKey, Principal
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.fields import Draft
from gnomon.model.job import JobAccepted
from gnomon.model.problems import problems_of, refusal_of
from gnomon.model.reading import NotADraft, Unknown, read_draft
from gnomon.scorers.cost import CONFIGURATION
from gnomon.server.appstate import AppState
from gnomon.server.cursors import DEFAULT_LIMIT, MAX_LIMIT
from gnomon.server.errors import ErrorAnswer
from gnomon.server.strictness import APPLIED, IGNORED, STRICT, ignored_header, prefers_strict, problems_with
from gnomon.service.access import idempotency as answers
from gnomon.service.access.idempotency import StoredResponse
from gnomon.service.call import Call, Listing
from gnomon.service.scoring.measuring import ScoreToCompute
from gnomon.service.upkeep import removing
from gnomon.shorten import shorten_repr
from gnomon.store.engine import Transaction
from gnomon.store.pages import ListTally, Slice, Total, count

D = TypeVar("D", bound=Draft)
T = TypeVar("T")
_KEY_LIMIT = 256
_LARGE_BODY = 1_000_000

REFUSALS = {400: "malformed", 401: "no valid key", 403: "the key's role does not allow it", 404: "not found",
            409: "exists already, or ambiguous", 413: "too large", 415: "of a kind that is not read here",
            422: "well formed, but not possible", 429: "too often; ask again after Retry-After seconds",
            500: "something broke here", 501: "not available",
            503: "busy, or the database cannot be used now; ask again after Retry-After seconds"}  # fmt: skip
ALWAYS = (400, 401, 403, 404, 413, 500, 503)
"""What any call may answer; also a GET, whose body is read although nothing is done with it."""

ANYBODY = Principal("", "read", "")
"""The caller of a public endpoint, who sees no project."""


class RequestContext:
    """One request, after the gateway let it in."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.app_state: AppState = request.state.app_state
        self.principal: Principal = getattr(request.state, "principal", ANYBODY)
        self.is_strict = prefers_strict(request.headers)
        if self.is_strict and request.method not in ("GET", "DELETE"):
            self._answer_with(APPLIED, STRICT)

    def body(self, model: type[D]) -> D:
        """The body as this draft, or a refusal that names the fields."""
        try:
            draft, unknown = read_draft(model, self.json(), is_large=self.has_large_body)
        except NotADraft as bad:
            raise refusal_of([*problems_of(bad.invalid.errors()), *self.problems_with(bad.unknown)]) from None
        self.ignore(unknown)
        return draft

    def optional_body(self, model: type[D]) -> D:
        """The same, with an optional body: no body is an empty draft."""
        return self.body(model) if self.request.state.body else model()

    @property
    def has_large_body(self) -> bool:
        return len(self.request.state.body) > _LARGE_BODY

    def ignore(self, unknown: Unknown) -> None:
        """Name unknown fields in the answer, or refuse them for a caller who prefers that."""
        if unknown.count and self.is_strict:
            raise refusal_of(problems_with(unknown))
        if unknown.count:
            self._answer_with(IGNORED, ignored_header(unknown))

    def problems_with(self, unknown: Unknown) -> list[Problem]:
        """What unknown fields are to a caller who prefers strictness; to others they are none."""
        return problems_with(unknown) if self.is_strict else []

    def _answer_with(self, header: str, value: str) -> None:
        self.request.state.answer_headers.append((header.lower().encode(), value.encode()))

    def json(self) -> dict[str, Any]:
        value = jsonvalue.read(self.request.state.body)
        if not isinstance(value, dict):
            raise InvalidInput.of("body", f"the body is {shorten_repr(value, 60)}; send a JSON object with keys")
        return value

    def plan(self, work: Callable[[], T]) -> T:
        """Build scorers, before the transaction that uses them: a schema or a pattern may take a while to look at."""
        with self.app_state.lane.metered(CONFIGURATION):
            return work()

    def read(self, work: Callable[[Call], Any]) -> Response:
        return show(self.look(work))

    def look(self, work: Callable[[Call], T]) -> T:
        """What the work finds, not yet as an answer."""
        return self.app_state.store.read(lambda db: work(self._call(db)))

    def page(
        self, name: str, query: "PageQuery", filters: Mapping[str, Any], work: Callable[[Call, Slice], Listing[Any]]
    ) -> Response:
        """One page of the list `name`. A cursor holds for this list with these filters only."""
        filters = {**filters, "bound_to": self.principal.project_id}
        part = self.app_state.cursors.decode(name, filters, query.cursor, query.limit)
        if query.count is not None and part.after is None:
            part = replace(part, tally=ListTally())
        listing = self.app_state.store.read(lambda db: _counted(work(self._call(db), part), db, part.tally))
        cursor = self.app_state.cursors.encode(name, filters, listing.next_key)
        items = b",".join(_bytes(item) for item in listing.items)
        beside = {name: msgspec.Raw(_bytes(value)) for name, value in listing.beside.items()}
        tail = msgspec.json.encode({"next_cursor": cursor, "limit": query.limit, **beside})
        return Response(b'{"items":[' + items + b"]," + tail[1:], media_type="application/json")

    def write(
        self,
        work: Callable[[Call], Any],
        *,
        status: int = 200,
        body_hash: str | None = None,
        ahead: Callable[[Call], Sequence[ScoreToCompute]] | None = None,
    ) -> Response:
        """Run the work durably. With an Idempotency-Key, once: a retry gets the first answer."""
        key = self.request.headers.get("idempotency-key") if self.request.method == "POST" else None
        if key is None:
            noun = self._written(work, ahead)
            self._signal_worker(noun)
            return show(noun, status)
        if not 1 <= len(key) <= _KEY_LIMIT:
            raise InvalidInput.of("Idempotency-Key", f"an Idempotency-Key has 1 to {_KEY_LIMIT} characters")
        fingerprint = self._fingerprint(body_hash or sha256(self.request.state.body).hexdigest())
        path = self.request.url.path
        started: list[Any] = []

        def make(call: Call) -> StoredResponse:
            answer = work(call)
            started.append(answer)
            response = show(answer, status)
            kept = show(answer.without_secret()).body if isinstance(answer, NewKey) else None
            body = bytes(response.body).decode()
            return StoredResponse(response.status_code, body, kept=None if kept is None else bytes(kept).decode())

        try:
            stored_response = self._written(
                lambda call: answers.once(call, path, key, fingerprint, lambda: make(call)), ahead
            )
        except OutcomeUnknown as lost:  # with a key, asking again is safe
            raise StoreTrouble(f"{lost.message}; repeat the request with the same Idempotency-Key") from lost
        if started:
            self._signal_worker(started[-1])
        replayed = {"Idempotency-Replayed": "true"} if stored_response.replayed else None
        return Response(stored_response.body, stored_response.status, replayed, "application/json")

    def delete(self, work: Callable[[Call], Any]) -> Response:
        """Run a deletion durably. Much of what hangs on it leaves after that, the last of it by a worker."""
        projects: list[str | None] = []

        def noted(call: Call) -> Any:
            answer = work(call)
            projects.append(removing.project_of(call, answer.id))
            return answer

        response = self.write(noted)
        if not removing.begin(self.app_state.store, projects[-1]):
            self.app_state.work_arrived.set()
        return response

    def _fingerprint(self, body_hash: str) -> str:
        """What must be the same when an Idempotency-Key comes again: the body, and the query where there is one."""
        query = self.request.url.query
        return sha256(f"{body_hash}?{query}".encode()).hexdigest() if query else body_hash

    def _signal_worker(self, answer: Any) -> None:
        """Tell the worker when what was made is work for it."""
        noun = answer.noun if isinstance(answer, ReplyWithStatus) else answer
        if isinstance(noun, JobAccepted) or getattr(noun, "job_ids", None):
            self.app_state.work_arrived.set()

    def _written(self, work: Callable[[Call], T], ahead: Callable[[Call], Sequence[ScoreToCompute]] | None) -> T:
        return self.app_state.written(self.principal, work, ahead)

    def _call(self, db: Transaction) -> Call:
        return self.app_state.call(db, self.principal)


def _counted(listing: Listing[Any], db: Transaction, tally: ListTally | None) -> Listing[Any]:
    """A page, with how long its list is where that is wanted. The only page of a list needs no counting."""
    if tally is None:
        return listing
    total = Total(len(listing.items), is_capped=False) if listing.next_key is None else count(db, tally)
    shown = {"total": None if total is None else total.rows, "total_capped": total is not None and total.is_capped}
    return replace(listing, beside={**listing.beside, **shown})


def show(content: Any, status: int = 200) -> Response:
    """A noun as JSON. A service that decides the status itself returns a `ReplyWithStatus`."""
    if isinstance(content, ReplyWithStatus):
        content, status = content.noun, content.status
    return Response(_bytes(content), status, media_type="application/json")


class ReplyWithStatus:
    """A noun that leaves with another status than the route's usual one."""

    def __init__(self, noun: Any, status: int) -> None:
        self.noun, self.status = noun, status


def _bytes(noun: Any) -> bytes:
    if isinstance(noun, BaseModel):
        return noun.__pydantic_serializer__.to_json(noun)
    return msgspec.json.encode(noun)


async def _context(request: Request) -> RequestContext:
    return RequestContext(request)


class PageQuery(BaseModel):
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: str | None = None
    count: Literal["estimate"] | None = None


async def _page_query(
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Rows per page")] = DEFAULT_LIMIT,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the page before")] = None,
) -> PageQuery:
    return PageQuery.model_construct(limit=limit, cursor=cursor)


async def _counted_page_query(
    paged: Annotated[PageQuery, Depends(_page_query)],
    count: Annotated[
        Literal["estimate"] | None,
        Query(description="`estimate`: the first page says how many rows the list has, counted up to 10,000"),
    ] = None,
) -> PageQuery:
    return PageQuery.model_construct(limit=paged.limit, cursor=paged.cursor, count=count)


Context = Annotated[RequestContext, Depends(_context)]
WantedPage = Annotated[PageQuery, Depends(_page_query)]
CountedWantedPage = Annotated[PageQuery, Depends(_counted_page_query)]
"""For a list that can be counted: the database decides alone what belongs to it."""
Missing = Annotated[MissingPolicy, Query(description="What to do about runs without a score")]
IntervalChoice = Annotated[
    IntervalMethod | None, Query(description="Make intervals by this method where it fits, instead of the default")
]
ProjectQuery = Annotated[str | None, Query(description="Needed unless the key is bound to a project")]


def gives(
    model: Any, status: int = 200, *refusals: int, also: Mapping[int, Any] | None = None, never: Sequence[int] = ()
) -> dict[str, Any]:
    """A route's answers, for OpenAPI: the noun, its own refusals, and those that every route shares but for `never`."""
    codes = sorted({*ALWAYS, *refusals} - {status, *never})
    refused = {code: {"model": ErrorAnswer, "description": REFUSALS[code]} for code in codes}
    described = REFUSALS.get(status, "Successful Response")
    responses = {**refused, **(also or {})}
    return {"response_model": model, "status_code": status, "response_description": described, "responses": responses}


def gives_page(*refusals: int) -> dict[str, Any]:
    """The answers of a route that gives a page of HTML, for OpenAPI."""
    return {"response_class": HTMLResponse, "responses": _refused_in_json(refusals)}


def gives_events(model: Any, *refusals: int) -> dict[str, Any]:
    """The answers of a route that gives server-sent events, whose data is this, for OpenAPI."""
    return {"response_model": model, "response_class": _ServerSentEvents, "responses": _refused_in_json(refusals)}


class _ServerSentEvents(Response):
    media_type = "text/event-stream"


def _refused_in_json(refusals: Sequence[int]) -> dict[int | str, dict[str, Any]]:
    """Refusals of a route whose answer is not JSON."""
    json = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorAnswer"}}}
    return {code: {"description": REFUSALS[code], "content": json} for code in sorted({*ALWAYS, *refusals})}


_OTLP_MEDIA = ("application/x-protobuf", "application/json")
_OTLP_REFUSALS = (400, 401, 403, 404, 413, 415, 500, 503)


def gives_otlp(message: str) -> dict[str, Any]:
    """The answers of an endpoint that speaks OpenTelemetry's protocol, for OpenAPI."""

    def described(name: str, words: str) -> dict[str, Any]:
        schema = {"type": "object", "description": name}
        binary = {"type": "string", "format": "binary", "description": name}
        return {
            "description": words,
            "content": {media: {"schema": schema if "json" in media else binary} for media in _OTLP_MEDIA},
        }

    refused = {code: described("google.rpc.Status", REFUSALS[code]) for code in _OTLP_REFUSALS}
    return {"response_model": None, "responses": {200: described(message, "accepted, at least in part"), **refused}}


def takes_otlp(message: str) -> dict[str, Any]:
    """Describe the body as OTLP; OpenTelemetry defines what is in it."""
    json = {"schema": {"type": "object", "description": f"{message} as OTLP/JSON"}}
    binary = {"schema": {"type": "string", "format": "binary", "description": f"{message} as protobuf"}}
    content = {"application/x-protobuf": binary, "application/json": json}
    return {"openapi_extra": {"requestBody": {"required": True, "content": content}}}


def takes(
    model: Any, *, media: str = "application/json", plain: bool = False, optional: bool = False
) -> dict[str, Any]:
    """A route's body, for OpenAPI. Bodies are read by `RequestContext.body`, so that one reader sees every byte."""
    if plain:
        schema = model
    else:
        schema = TypeAdapter(model).json_schema(ref_template="#/components/schemas/{model}")
        for part in (schema, *schema.get("$defs", {}).values()):
            _let_be_null(part)
    return {"openapi_extra": {"requestBody": {"required": not optional, "content": {media: {"schema": schema}}}}}


def _let_be_null(schema: dict[str, Any]) -> None:
    """Optional fields take null, which is as absent."""
    for name, field in schema.get("properties", {}).items():
        takes_anything = not field.keys() & {"type", "anyOf", "$ref", "enum", "const"}
        if name in schema.get("required", ()) or takes_anything or {"type": "null"} in field.get("anyOf", ()):
            continue
        description = {key: field.pop(key) for key in ("default", "description", "title") if key in field}
        schema["properties"][name] = {"anyOf": [field, {"type": "null"}], **description}
