"""A receiver of OTLP over HTTP: batches of spans and log records, compressed, repeated while that may help.

It goes to the address that the user named and nowhere else: redirects are not followed.
"""

import gzip
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
from google.protobuf.message import DecodeError
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from gnomon.calling import in_one_line
from gnomon.calling.endpoint import has_password, is_address, without_query
from gnomon.errors import GnomonError, InvalidInput

TRACES, LOGS = "/v1/traces", "/v1/logs"
_BUSY = {429, 502, 503, 504}
"""What the protocol calls retryable. Everything else stays as it is, however often it is asked."""
_TOO_LARGE = 413
_LONGEST_MESSAGE = 300
_SECONDS = 60.0


class Stopped(GnomonError):
    """The receiver takes no more."""

    default_code = "UNREACHABLE"


@dataclass(frozen=True, slots=True)
class ExportAnswer:
    """A batch was accepted, except for this many of its spans."""

    rejected: int
    message: str


@dataclass(frozen=True, slots=True)
class SendRetries:
    """How often a batch is sent, and how long is waited in between."""

    attempts: int = 8
    first_pause: float = 0.5
    longest_pause: float = 60.0

    def pause(self, attempt: int, asked_for: float | None) -> float:
        """Seconds until the next try: random, longer each time; what the receiver asks for holds, within the bound."""
        longest = min(self.longest_pause, self.first_pause * 2**attempt)
        chosen = random.uniform(longest / 2, longest)
        return chosen if asked_for is None else min(max(asked_for, 0.0), self.longest_pause)


class OtlpReceiver:
    """Use it in a `with`, or close it."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        retry_policy: SendRetries | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        if not is_address(url) or has_password(url):
            words = (
                f"--otlp {without_query(url)!r} is not the address of a receiver; write it like http://127.0.0.1:4318"
            )
            raise InvalidInput.of("otlp", words)
        self.url = url.rstrip("/").removesuffix(TRACES).removesuffix(LOGS)
        self._retry_policy, self._wait = retry_policy or SendRetries(), wait
        always = {"Content-Type": "application/x-protobuf", "Content-Encoding": "gzip", "User-Agent": "gnomon"}
        self._http = httpx2.Client(timeout=_SECONDS, headers={**(headers or {}), **always}, follow_redirects=False)

    def __enter__(self) -> "OtlpReceiver":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def send_spans(self, request: bytes) -> ExportAnswer | None:
        """Send an ExportTraceServiceRequest. None when it is too large; raises `Stopped`."""
        body = self._sent(TRACES, request)
        if body is None:
            return None
        partial = _parsed(ExportTraceServiceResponse, body).partial_success
        return ExportAnswer(partial.rejected_spans, _short(partial.error_message))

    def send_logs(self, request: bytes) -> ExportAnswer | None:
        """Send an ExportLogsServiceRequest, as `send_spans`."""
        body = self._sent(LOGS, request)
        if body is None:
            return None
        partial = _parsed(ExportLogsServiceResponse, body).partial_success
        return ExportAnswer(partial.rejected_log_records, _short(partial.error_message))

    def _sent(self, path: str, request: bytes) -> bytes | None:
        """The answer's body after as many attempts as it takes."""
        content, url = gzip.compress(request, compresslevel=6, mtime=0), self.url + path
        for attempt in range(1, self._retry_policy.attempts + 1):
            asked_for = None
            try:
                answer = self._http.post(url, content=content)
            except httpx2.RequestError as fault:
                why = in_one_line(str(fault)) or type(fault).__name__
            else:
                if answer.status_code not in _BUSY:
                    return _body(answer, url)
                why = f"it answered {answer.status_code}{_detail(answer)}"
                asked_for = _retry_after(answer)
            if attempt < self._retry_policy.attempts:
                self._wait(self._retry_policy.pause(attempt, asked_for))
        raise Stopped(f"{without_query(url)} accepts nothing after {self._retry_policy.attempts} attempts: {why}")


def _body(answer: httpx2.Response, url: str) -> bytes | None:
    if answer.status_code == _TOO_LARGE:
        return None
    if answer.is_success:
        return answer.content
    shown, remedy = without_query(url), ""
    if answer.status_code in (401, 403):
        remedy = "; give its key with --header 'Authorization=Bearer …'"
    elif answer.status_code == 404:
        remedy = f"; is it a receiver of OTLP over HTTP? --otlp names the part before {TRACES}"
    elif answer.is_redirect:
        remedy = f" to {in_one_line(answer.headers.get('location', 'elsewhere'))[:200]}; name that address"
    raise Stopped(f"{shown} answered {answer.status_code}{_detail(answer)}{remedy}")


def _detail(answer: httpx2.Response) -> str:
    """What a refusal says, as google.rpc.Status or as text."""
    kind = answer.headers.get("content-type", "")
    if kind.startswith("application/x-protobuf"):
        try:
            text = Status.FromString(answer.content).message
        except DecodeError:
            text = ""
    else:
        text = answer.content[: 4 * _LONGEST_MESSAGE].decode("utf-8", "replace")
    return f" ({_short(text)})" if text.strip() else ""


def _short(text: str) -> str:
    return in_one_line(text)[:_LONGEST_MESSAGE]


def _parsed(answer: Any, body: bytes) -> Any:
    """Some receivers answer with JSON, or with a word, whatever they are asked: then all was taken."""
    try:
        return answer.FromString(body)
    except DecodeError:
        return answer()


def _retry_after(answer: httpx2.Response) -> float | None:
    """Seconds, or a moment as HTTP writes it."""
    text = answer.headers.get("retry-after", "").strip()
    if text.isdigit():
        return float(text)
    try:
        return (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return None
