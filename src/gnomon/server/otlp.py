"""Answers of the two endpoints that speak OpenTelemetry's protocol, in the encoding of the request."""

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response

from gnomon.errors import WrongMedia
from gnomon.interop.otlp.answers import CONTENT_TYPES, encoding_of, grpc_code_of, status_body
from gnomon.interop.otlp.records import Encoding

_KEPT = ("retry-after", "www-authenticate", "allow")


def encoding_for(headers: Headers) -> Encoding:
    """How the request's body is encoded; refused unless it is one of the protocol's two ways."""
    told = headers.get("content-type")
    encoding = encoding_of(told)
    if encoding is None:
        known = " or ".join(CONTENT_TYPES)
        raise WrongMedia(f"Content-Type {(told or '')[:100]!r} is not read here; send {known}")
    return encoding


def answered(body: bytes, encoding: Encoding) -> Response:
    return Response(body, 200, media_type=_media_type(encoding))


def in_otlp(refusal: Response, headers: Headers) -> Response:
    """A refusal as the protocol has it: google.rpc.Status. A request of unknown encoding gets JSON."""
    encoding = encoding_of(headers.get("content-type")) or "json"
    message = msgspec.json.decode(bytes(refusal.body))["error"]["message"]
    body = status_body(encoding, grpc_code_of(refusal.status_code), message)
    kept = {name: value for name, value in refusal.headers.items() if name in _KEPT}
    return Response(body, refusal.status_code, kept, media_type=_media_type(encoding))


def _media_type(encoding: Encoding) -> str:
    return next(name for name, other in CONTENT_TYPES.items() if other == encoding)
