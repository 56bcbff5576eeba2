"""Spans that have ended are stored where the SDK works, in the background (`outbox.py`).

They go by OpenTelemetry's protocol, to the embedded store and to a server alike, with everything that OpenTelemetry
says of them. One span that is refused never costs the others of its batch; what was stored already, because an answer
got lost, counts as stored. The project goes along in the resource, of which the program's own is not touched.
"""

import logging
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from opentelemetry import context as otel_context
from opentelemetry.context import _SUPPRESS_INSTRUMENTATION_KEY  # where instrumentations look, and under no other name

from gnomon.errors import Conflict, InvalidInput, Refused, TooLarge
from gnomon.interop.conventions.own import INPUT, OUTPUT
from gnomon.interop.otlp.answers import refusals_in_words
from gnomon.interop.otlp.sdkspans import encode_spans
from gnomon.sdk.connection import SdkConnection, before_change, connection
from gnomon.sdk.outbox import Outbox

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

log = logging.getLogger("gnomon.tracing")

EXIT_SECONDS = 5.0
_SMALL_SPAN = 1_000
"""What a span takes besides input and output, at a guess."""
_MOST_REMEMBERED = 20_000
_traces: OrderedDict[int, int] = OrderedDict()
"""Of the newest spans that were sent: span id → trace id."""
_reported: set[str] = set()
"""Kinds of refusals that were warned of."""
_is_prepared = False
_forked_at = 0
"""Nanoseconds; spans that began before belong to the process that was forked."""


def add(span: "ReadableSpan") -> None:
    """Store this span soon."""
    if _forked_at and (span.start_time or 0) < _forked_at:
        return
    if not _is_prepared:
        _prepare()
    attributes = span.attributes or {}
    outbox.add(span, _SMALL_SPAN + _length(attributes.get(INPUT)) + _length(attributes.get(OUTPUT)))


def _length(value: object) -> int:
    return len(value) if isinstance(value, str) else 0


def flush(timeout: float = 10.0) -> bool:
    """Store everything that has ended by now; whether all of it was stored within `timeout` seconds.

    Programs that end need not call it: what waits then is stored, for up to five seconds. The call waits; inside of an
    event loop write `await asyncio.to_thread(gnomon.flush)`.

    >>> gn.flush()
    True
    """
    return outbox.flush(timeout)


def _deliver(spans: Sequence["ReadableSpan"]) -> int:
    token = otel_context.attach(otel_context.set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))
    try:
        return _deliver_quietly(spans)
    finally:
        otel_context.detach(token)


def _deliver_quietly(spans: Sequence["ReadableSpan"]) -> int:
    """Where instrumentations of HTTP and of databases keep still: storing spans must not make more of them."""
    refused = _store(connection(), spans)
    for span in spans:
        if (context := span.get_span_context()) is not None:
            _traces[context.span_id] = context.trace_id
    while len(_traces) > _MOST_REMEMBERED:
        _traces.popitem(last=False)
    return refused


def trace_of(span_id: str) -> str | None:
    """The trace of a span of this process, unless thousands have ended since. A store finds spans in their trace."""
    try:
        trace_id = _traces.get(int(span_id, 16))
    except ValueError:
        return None
    return None if trace_id is None else format(trace_id, "032x")


def _store(sdk: SdkConnection, spans: Sequence["ReadableSpan"]) -> int:
    """How many were refused. Raises what may be over later: no server, no database."""
    encoded = encode_spans(spans, sdk.project_id)
    try:
        received = sdk.backend.send_traces(encoded.request)
    except (InvalidInput, Conflict, Refused, TooLarge) as refusal:
        if isinstance(refusal, TooLarge) and len(spans) > 1:
            half = len(spans) // 2
            return _store(sdk, spans[:half]) + _store(sdk, spans[half:])
        _warn_once(refusal.code, refusal.message, len(spans))
        return len(spans)
    refused = len(encoded.refused) + received.rejected
    if encoded.refused:
        _warn_once("unsaid", refusals_in_words(encoded.refused), refused)
    if received.message:
        _warn_once("rejected" if received.rejected else "told", received.message, refused)
    return refused


def _warn_once(kind: str, why: str, count: int) -> None:
    if kind not in _reported:
        _reported.add(kind)
        trouble = f"Gnomon refused {count} of" if count else "Gnomon did not take everything of"
        log.warning("%s the spans that ended last: %s", trouble, why)


outbox: Outbox["ReadableSpan"] = Outbox(_deliver, "spans")


# When a place is left, a process is forked, or ends


def drain() -> None:
    """Before the place changes and at the end: what cannot be stored in time is given up."""
    if not outbox.flush(EXIT_SECONDS):
        outbox.discard()


def _prepare() -> None:
    """Processes of `multiprocessing` end without the functions that others run at their end."""
    global _is_prepared
    _is_prepared = True
    util, process = sys.modules.get("multiprocessing.util"), sys.modules.get("multiprocessing.process")
    if util is not None and process is not None and process.parent_process() is not None:
        util.Finalize(None, drain, exitpriority=10)


def _in_child() -> None:
    global _forked_at, _is_prepared
    _forked_at, _is_prepared = time.time_ns(), False
    outbox.start_anew()


before_change(drain)
if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_in_child)
