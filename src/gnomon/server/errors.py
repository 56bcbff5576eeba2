"""Error answers of the server: one JSON envelope for every failure."""

from typing import Any

import msgspec
from pydantic import BaseModel, Field
from starlette.responses import Response

from gnomon.errors import GnomonError, TooMany

RETRY_SECONDS = 2
"""When to ask again while the database cannot be used."""


class ErrorItem(BaseModel):
    index: int | None = Field(default=None, description="Position in a batch")
    field: str
    code: str
    message: str


class ErrorDetails(BaseModel):
    errors: list[ErrorItem]


class ErrorBody(BaseModel):
    code: str
    message: str
    details: ErrorDetails | None


class ErrorAnswer(BaseModel):
    """What every failure looks like."""

    error: ErrorBody


def answer(refusal: GnomonError, headers: dict[str, str] | None = None) -> Response:
    if isinstance(refusal, TooMany):
        headers = {"Retry-After": str(refusal.retry_after), **(headers or {})}
    return envelope(refusal.status, refusal.code, refusal.message, refusal.details, headers)


def envelope(
    status: int, code: str, message: str, details: Any = None, headers: dict[str, str] | None = None
) -> Response:
    body = {"error": {"code": code, "message": message, "details": details}}
    if status == 503:
        headers = {"Retry-After": str(RETRY_SECONDS), **(headers or {})}
    return Response(msgspec.json.encode(body), status, headers, media_type="application/json")


def crashed(request_id: str) -> Response:
    """The answer after an internal error: no details, but the id to find it in the log."""
    return envelope(500, "INTERNAL", f"something went wrong here; the log tells more under request {request_id}")
