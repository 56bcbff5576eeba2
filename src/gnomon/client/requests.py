"""What is asked over HTTP and what an answer means, as plain values and functions: no network here.

Every POST carries an Idempotency-Key that is made before the first attempt, so that asking again after a lost answer
does nothing twice; OpenTelemetry's requests (`otlp.py`) need none.
"""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

from pydantic import BaseModel, ValidationError

from gnomon.errors import (
    Conflict,
    Forbidden,
    GnomonError,
    InvalidInput,
    NotAvailable,
    NotFound,
    Problem,
    Refused,
    StoreTrouble,
    TooLarge,
    Unauthorized,
    WrongMedia,
)
from gnomon.model.checks import body_of, text
from gnomon.model.page import Page
from gnomon.model.trace import Deleted

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

PAGE = 200
UNREACHABLE = "UNREACHABLE"
"""The code of the error that says: no server answered, or the answer was not Gnomon's."""

JSON, NDJSON, HTML = "application/json", "application/x-ndjson", "text/html"
_REFUSALS = (
    InvalidInput, Unauthorized, Forbidden, NotFound, Conflict, TooLarge, WrongMedia, Refused, NotAvailable,
    StoreTrouble,
)  # fmt: skip
_FAMILY: dict[int, type[GnomonError]] = {family.status: family for family in _REFUSALS}


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """One request, and how to read its answer."""

    method: str
    path: str
    reads: Callable[[Any], T]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: bytes | None = None
    media_type: str = JSON
    accepts: str = JSON

    def headers(self) -> dict[str, str]:
        """Made once for all attempts: that is what makes a second one safe."""
        headers = {"Accept": self.accepts}
        if self.body is not None:
            headers["Content-Type"] = self.media_type
        if self.method == "POST":
            headers["Idempotency-Key"] = uuid4().hex
        return headers

    @property
    def may_repeat(self) -> bool:
        """Whether asking again is safe although the first request may have been carried out."""
        return self.method in ("GET", "POST", "PUT")

    def read(self, status: int, body: bytes) -> T:
        if self.accepts != JSON and 200 <= status < 300:
            return self.reads(body.decode(errors="replace"))
        return read_answer(status, body, self.reads)


@dataclass(frozen=True, slots=True)
class ListRequest(Generic[M]):
    """A list, which comes page by page."""

    path: str
    noun: type[M]
    query: Mapping[str, Any] = field(default_factory=dict)

    def page(self, cursor: str | None) -> Request[Page[M]]:
        return get(self.path, Page[self.noun], **self.query, limit=PAGE, cursor=cursor)  # type: ignore[name-defined]


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often to ask, and how long to wait in between."""

    attempts: int = 5
    first_pause: float = 0.25
    longest_pause: float = 8.0

    def pause(self, attempt: int, retry_after: float | None = None) -> float | None:
        """Seconds to wait after attempt number `attempt` (from 1); None when it was the last.

        At random up to twice the pause before, so that clients that failed together do not come back together. A
        server that says how long it needs is believed.
        """
        if attempt >= self.attempts:
            return None
        longest = min(self.longest_pause, self.first_pause * 2 ** (attempt - 1))
        chosen = random.uniform(longest / 2, longest)
        return chosen if retry_after is None else min(max(retry_after, chosen), self.longest_pause)


def read_answer(status: int, body: bytes, reads: Callable[[Any], T]) -> T:
    """The noun in an answer, or the refusal in it, raised as the error that the server raised."""
    try:
        content = json.loads(body) if body else None
    except ValueError:
        raise not_ours(status) from None
    if 200 <= status < 300:
        try:
            return reads(content)
        except (ValidationError, KeyError, TypeError):
            raise not_ours(status) from None
    error = content.get("error") if isinstance(content, dict) else None
    if not isinstance(error, dict):
        raise not_ours(status)
    details = (error.get("details") or {}).get("errors") or []
    problems = [
        Problem(detail.get("field", ""), detail.get("code", ""), detail.get("message", ""), detail.get("index"))
        for detail in details
        if isinstance(detail, dict)
    ]
    message = str(error.get("message") or f"the server answered {status}")
    raise family_of(status)(message, code=error.get("code"), problems=problems)


def family_of(status: int) -> type[GnomonError]:
    """The error class of an error answer."""
    return _FAMILY.get(status, GnomonError)


def not_ours(status: int) -> GnomonError:
    """The error for an answer that cannot be read."""
    message = f"the answer ({status}) is not one of Gnomon's, or of another version of it; check the server's address"
    return GnomonError(message, code=UNREACHABLE)


def get(path: str, noun: type[M], **query: Any) -> Request[M]:
    return Request("GET", path, noun.model_validate, query=_without_none(query))


def get_text(path: str, media_type: str = HTML, **query: Any) -> Request[str]:
    return Request("GET", path, str, query=_without_none(query), accepts=media_type)


def get_all(path: str, noun: type[M], **query: Any) -> ListRequest[M]:
    return ListRequest(path, noun, _without_none(query))


def post(path: str, noun: type[M], draft: BaseModel | None = None, **query: Any) -> Request[M]:
    body = None if draft is None else body_of(draft)
    return Request("POST", path, noun.model_validate, query=_without_none(query), body=body)


def put(path: str, noun: type[M], draft: BaseModel) -> Request[M]:
    return Request("PUT", path, noun.model_validate, body=body_of(draft))


def patch(path: str, noun: type[M], draft: BaseModel) -> Request[M]:
    return Request("PATCH", path, noun.model_validate, body=body_of(draft))


def delete(path: str, noun: type[M] = Deleted, **query: Any) -> Request[M]:  # type: ignore[assignment]
    return Request("DELETE", path, noun.model_validate, query=_without_none(query))


def part(id: str) -> str:
    """An id as one part of a path, whatever characters it has: `..` is an id too, and not the way up."""
    return id.replace(".", "%2E") if id in (".", "..") else quote(text("id", id), safe="")


def _without_none(query: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that have a value; the server decides the others."""
    return {
        name: text(name, value) if isinstance(value, str) else value
        for name, value in query.items()
        if value is not None
    }
