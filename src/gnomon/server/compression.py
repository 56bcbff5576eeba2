"""Compress answers with gzip for callers that accept it.

Only what was read with GET: that is where large answers are, and storing shall not cost more than it does.
"""

import gzip

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import Message

LEAST_BYTES = 1024
"""A smaller body gains less than it costs."""
LEVEL = 1
"""The cheapest: answers are made for one reader, once."""
_AT_ONCE = 32_768
"""What is compressed between two other requests without making them wait; more goes to a thread."""
_KINDS = (b"application/json", b"text/")


def takes_gzip(headers: Headers) -> bool:
    """Whether `Accept-Encoding` has gzip, and not with a weight of 0."""
    for choice in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = choice.partition(";")
        if name.strip() in ("gzip", "x-gzip"):
            return weight.replace(" ", "").rstrip("0.") != "q="
    return False


def may_be_encoded(method: str, message: Message) -> bool:
    """Whether it is the whole body of an answer, and large enough."""
    return method == "GET" and len(message.get("body", b"")) >= LEAST_BYTES and not message.get("more_body", False)


async def encoded(start: Message, body: bytes, headers: Headers) -> tuple[Message, bytes]:
    """The start of an answer and its body, compressed if the caller takes that and it is text."""
    sent_headers = dict(start["headers"])
    if b"content-encoding" in sent_headers or not sent_headers.get(b"content-type", b"").startswith(_KINDS):
        return start, body
    changed = {b"vary": _varied(sent_headers.get(b"vary", b""))}
    if takes_gzip(headers):
        body = _zipped(body) if len(body) <= _AT_ONCE else await run_in_threadpool(_zipped, body)
        changed |= {b"content-encoding": b"gzip", b"content-length": str(len(body)).encode()}
    kept = [header for header in start["headers"] if header[0] not in changed]
    return {**start, "headers": [*kept, *changed.items()]}, body


def _varied(vary: bytes) -> bytes:
    if b"accept-encoding" in vary.lower():
        return vary
    return vary + b", Accept-Encoding" if vary else b"Accept-Encoding"


def _zipped(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
