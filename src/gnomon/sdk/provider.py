"""Gnomon in OpenTelemetry: one processor, added to the program's TracerProvider, or to one of ours if it has none.

OpenTelemetry takes one provider per process, for good. So a program that wants its own sets it before the first span:
then ours is not made, and all that is touched is that one processor is added. After our first span it is too late;
OpenTelemetry says so in its log, and ours stays.
"""

import logging
import threading

from opentelemetry import trace as otel
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider

from gnomon._version import __version__
from gnomon.sdk import exporting

log = logging.getLogger("gnomon.tracing")

_lock = threading.Lock()
_tracer: otel.Tracer | None = None
kept: dict[int, list[ReadableSpan]] = {}
"""By trace id: the spans that have ended in it, for those who want to look at them at once."""


class Processor(SpanProcessor):
    """Hands every span that has ended, and is to be recorded, to the background."""

    def on_end(self, span: ReadableSpan) -> None:
        context = span.get_span_context()
        if context is None or not context.trace_flags.sampled:
            return
        if kept and (ended := kept.get(context.trace_id)) is not None:
            ended.append(span)
        exporting.add(span)

    def shutdown(self) -> None:
        exporting.drain()

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        return exporting.flush(timeout_millis / 1000)


def tracer() -> otel.Tracer:
    """The tracer of Gnomon's own spans; the first call puts the processor in place."""
    return _tracer or _set_up()


def _set_up() -> otel.Tracer:
    global _tracer
    with _lock:
        if _tracer is None:
            provider = otel.get_tracer_provider()
            if isinstance(provider, otel.ProxyTracerProvider):  # the program has set none
                provider = TracerProvider()
                otel.set_tracer_provider(provider)
            add = getattr(provider, "add_span_processor", None)
            if callable(add):
                add(Processor())
            else:
                log.warning("Gnomon stores no spans: this program's %s takes no processors", type(provider).__name__)
            _tracer = otel.get_tracer("gnomon", __version__)
        return _tracer
