"""What a route works with: the caller, the body, and the two ways to run a service function."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends, Query, Request
from pydantic import BaseModel, TypeAdapter
from starlette.responses import Response

from gnomon.errors import InvalidInput, OutcomeUnknown, Problem, StoreTrouble
from gnomon.model import jsonvalue
from gnomon.model.access import NewKey, Principal
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.fields import Draft
from gnomon.model.job import JobAccepted
from gnomon.model.problems import problems_of, refusal_of
from gnomon.model.reading import NotADraft, Unknown, read_draft
from gnomon.scorers.cost import CONFIGURATION
from gnomon.server.errors import ErrorAnswer
from gnomon.server.house import House
from gnomon.server.pages import DEFAULT_LIMIT, MAX_LIMIT
from gnomon.server.strictness import APPLIED, IGNORED, STRICT, ignored_header, prefers_strict, problems_with
from gnomon.service import answers
from gnomon.service.answers import Answer
from gnomon.service.call import Call, Listing
from gnomon.service.measuring import Question
from gnomon.store.engine import Transaction
from gnomon.store.pages import Slice

D = TypeVar("D", bound=Draft)
T = TypeVar("T")
_KEY_LIMIT = 256
_LARGE_BODY = 1_000_000

REFUSALS = {400: "malformed", 401: "no valid key", 403: "the key's role does not allow it", 404: "not found",
            409: "exists already, or ambiguous", 413: "too large", 415: "of a kind that is not read here",
            422: "well formed, but not possible", 429: "too often; ask again after Retry-After seconds",
            500: "something broke here", 501: "not available",
            503: "busy, or the database cannot be used now; ask again after Retry-After seconds"}  # fmt: skip
ALWAYS = (400, 401, 404, 413, 500, 503)
"""What any call may answer; also a GET, whose body is read although nothing is done with it."""
WRITING = (403,)
"""What the front desk may answer to a call that writes; POST adds 422 for a reused Idempotency-Key."""

ANYBODY = Principal("", "read", "")
"""The caller of a public endpoint, who sees no project."""


class Desk:
    """One request, after the front desk let it in."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.house: House = request.state.house
        self.who: Principal = getattr(request.state, "who", ANYBODY)
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
        """The same where nothing need be sent: no body is a draft of which nothing is said."""
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
        given = jsonvalue.read(self.request.state.body)
        if not isinstance(given, dict):
            raise InvalidInput.of("body", "the body is a JSON object")
        return given

    def plan(self, work: Callable[[], T]) -> T:
        """Build scorers, before the transaction that uses them: a schema or a pattern may take a while to look at."""
        with self.house.lane.metered(CONFIGURATION):
            return work()

    def read(self, work: Callable[[Call], Any]) -> Response:
        return show(self.look(work))

    def look(self, work: Callable[[Call], T]) -> T:
        """What the work finds, not yet as an answer."""
        return self.house.store.read(lambda db: work(self._call(db)))

    def page(
        self, name: str, wanted: "PageQuery", filters: Mapping[str, Any], work: Callable[[Call, Slice], Listing[Any]]
    ) -> Response:
        """One page of the list `name`. A cursor holds for this list with these filters only."""
        filters = {**filters, "bound_to": self.who.project_id}
        part = self.house.cursors.decode(name, filters, wanted.cursor, wanted.limit)
        found = self.house.store.read(lambda db: work(self._call(db), part))
        cursor = self.house.cursors.encode(name, filters, found.next_key)
        items = b",".join(_bytes(item) for item in found.items)
        beside = {name: msgspec.Raw(_bytes(value)) for name, value in found.beside.items()}
        tail = msgspec.json.encode({"next_cursor": cursor, "limit": wanted.limit, **beside})
        return Response(b'{"items":[' + items + b"]," + tail[1:], media_type="application/json")

    def write(
        self,
        work: Callable[[Call], Any],
        *,
        status: int = 200,
        body_hash: str | None = None,
        ahead: Callable[[Call], Sequence[Question]] | None = None,
    ) -> Response:
        """Run the work durably. With an Idempotency-Key, once: a retry gets the first answer."""
        key = self.request.headers.get("idempotency-key") if self.request.method == "POST" else None
        if key is None:
            found = self._written(work, ahead)
            self._ring_for(found)
            return show(found, status)
        if not 1 <= len(key) <= _KEY_LIMIT:
            raise InvalidInput.of("Idempotency-Key", f"an Idempotency-Key has 1 to {_KEY_LIMIT} characters")
        fingerprint = self._fingerprint(body_hash or sha256(self.request.state.body).hexdigest())
        path = self.request.url.path
        started: list[Any] = []

        def make(call: Call) -> Answer:
            found = work(call)
            started.append(found)
            response = show(found, status)
            kept = show(found.without_secret()).body if isinstance(found, NewKey) else None
            body = bytes(response.body).decode()
            return Answer(response.status_code, body, kept=None if kept is None else bytes(kept).decode())

        try:
            given = self._written(lambda call: answers.once(call, path, key, fingerprint, lambda: make(call)), ahead)
        except OutcomeUnknown as lost:  # with a key, asking again is safe
            raise StoreTrouble(f"{lost.message}; repeat the request with the same Idempotency-Key") from lost
        if started:
            self._ring_for(started[-1])
        replayed = {"Idempotency-Replayed": "true"} if given.replayed else None
        return Response(given.body, given.status, replayed, "application/json")

    def _fingerprint(self, body_hash: str) -> str:
        """What must be the same when an Idempotency-Key comes again: the body, and the query where there is one."""
        query = self.request.url.query
        return sha256(f"{body_hash}?{query}".encode()).hexdigest() if query else body_hash

    def _ring_for(self, found: Any) -> None:
        """Tell the worker when what was made is work for it."""
        noun = found.noun if isinstance(found, Reply) else found
        if isinstance(noun, JobAccepted) or getattr(noun, "job_ids", None):
            self.house.work_arrived.set()

    def _written(self, work: Callable[[Call], T], ahead: Callable[[Call], Sequence[Question]] | None) -> T:
        return self.house.written(self.who, work, ahead)

    def _call(self, db: Transaction) -> Call:
        return self.house.call(db, self.who)


def show(found: Any, status: int = 200) -> Response:
    """A noun as JSON. A service that decides the status itself returns a `Reply`."""
    if isinstance(found, Reply):
        found, status = found.noun, found.status
    return Response(_bytes(found), status, media_type="application/json")


class Reply:
    """A noun that leaves with another status than the route's usual one."""

    def __init__(self, noun: Any, status: int) -> None:
        self.noun, self.status = noun, status


def _bytes(found: Any) -> bytes:
    if isinstance(found, BaseModel):
        return found.__pydantic_serializer__.to_json(found)
    return msgspec.json.encode(found)


async def _desk(request: Request) -> Desk:
    return Desk(request)


class PageQuery(BaseModel):
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: str | None = None


async def _page_query(
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Rows a page")] = DEFAULT_LIMIT,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the page before")] = None,
) -> PageQuery:
    return PageQuery.model_construct(limit=limit, cursor=cursor)


Here = Annotated[Desk, Depends(_desk)]
Wanted = Annotated[PageQuery, Depends(_page_query)]
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
    return {"response_model": None, "responses": {200: described(message, "taken, or in part"), **refused}}


def takes_otlp(message: str) -> dict[str, Any]:
    """Its body. What is in it is OpenTelemetry's to describe."""
    json = {"schema": {"type": "object", "description": f"{message} as OTLP/JSON"}}
    binary = {"schema": {"type": "string", "format": "binary", "description": f"{message} as protobuf"}}
    content = {"application/x-protobuf": binary, "application/json": json}
    return {"openapi_extra": {"requestBody": {"required": True, "content": content}}}


def takes(
    model: Any, *, media: str = "application/json", plain: bool = False, optional: bool = False
) -> dict[str, Any]:
    """A route's body, for OpenAPI. Bodies are read by `Desk.body`, so that one reader sees every byte."""
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
        said = {key: field.pop(key) for key in ("default", "description", "title") if key in field}
        schema["properties"][name] = {"anyOf": [field, {"type": "null"}], **said}
