"""The traces of an evaluation's runs: one per run, with the task as its root (`service/evaluation/traced.py`)."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from opentelemetry import context as otel_context
from opentelemetry import trace as otel
from opentelemetry.sdk.trace import ReadableSpan

from gnomon.interop.otlp.sdkspans import encode_spans
from gnomon.model.trace import Trace
from gnomon.sdk import exporting
from gnomon.sdk.connection import connection
from gnomon.sdk.provider import kept
from gnomon.sdk.spans import ActiveSpan, OpenSpan, attributes_of, record_error

log = logging.getLogger("gnomon.tracing")

_FLUSH_SECONDS = 60.0
_ROOM_SECONDS = 10.0


class RunRoot:
    """The root span of a run."""

    __slots__ = ("_ended", "_span", "span_id", "trace_id")

    def __init__(self, span: otel.Span, ended: Sequence[ReadableSpan]) -> None:
        known = ActiveSpan(span)
        self.trace_id, self.span_id = known.trace_id, known.span_id
        self._span, self._ended = span, ended

    def set_output(self, output: Any) -> None:
        """What the task returned."""
        ActiveSpan(self._span).set_output(output)

    def set_error(self, error: BaseException) -> None:
        """Why the task gave no output."""
        if self._span.is_recording():
            record_error(self._span, error)

    def trace(self) -> Trace:
        """The root and the spans that have ended so far, by start time. Only after `run(..., keep=True)`."""
        spans = list(self._ended)
        if self._span.is_recording() and isinstance(self._span, ReadableSpan):
            spans.append(self._span)
        from gnomon.service.traces.unstored import trace_of  # loaded here: few scorers ask for the trace

        project_id = connection().project_id
        return trace_of(encode_spans(spans, project_id).request, self.trace_id, self.span_id, project_id)


class RunTraces:
    """Opens a trace for each run of an evaluation and sees to it that they are stored."""

    @contextmanager
    def run(
        self, name: str, item_input: Any, metadata: Mapping[str, str | int | float | bool], *, keep: bool
    ) -> Iterator[RunRoot]:
        """A trace of its own around one run, in the thread or task that runs it. `keep` it to look at it at once."""
        exporting.outbox.wait_for_room(_ROOM_SECONDS)
        opened = OpenSpan.begin(name, attributes_of(item_input, metadata), otel_context.Context())
        id = opened.span.get_span_context().trace_id
        ended: list[ReadableSpan] = []
        if keep:
            kept[id] = ended
        try:
            yield RunRoot(opened.span, ended)
        except BaseException as error:
            opened.fail(error)
            raise
        finally:
            opened.end()
            kept.pop(id, None)

    def flush(self) -> None:
        """Store every trace whose run has ended. What cannot be stored is warned of, here or where it was found out."""
        if not exporting.flush(_FLUSH_SECONDS) and exporting.outbox.is_late():
            log.warning("Gnomon needs more than %d s to store the traces; it goes on in the background", _FLUSH_SECONDS)
