"""Spans by hand: `span` opens one, `current_span` is the one that is open, `score` attaches a score to it.

A span here is one of OpenTelemetry's, so that those of instrumentations stand in the same trace. Nothing in this file
breaks the program: what goes wrong with a span leaves the program's own work as it is.
"""

from collections.abc import Iterator, Mapping
from contextvars import Token
from types import TracebackType
from typing import Any

from opentelemetry import context as otel_context
from opentelemetry import trace as otel

from gnomon.errors import InvalidInput, NotFound
from gnomon.interop.conventions.genai import MODEL, TOKENS_INPUT, TOKENS_OUTPUT
from gnomon.interop.conventions.own import INPUT, OUTPUT
from gnomon.interop.conventions.signals import (
    SCORE,
    SCORE_ABSENT,
    SCORE_FAILED,
    SCORE_LABEL,
    SCORE_METADATA,
    SCORE_NAME,
    SCORE_RATIONALE,
    SCORE_VALUE,
)
from gnomon.interop.jsontext import json_text, plain
from gnomon.model.fields import REASON_LIMIT
from gnomon.model.score import ScoreDraft
from gnomon.scorers import Absent, Failed, Measurement
from gnomon.sdk import exporting
from gnomon.sdk.connection import connection
from gnomon.sdk.provider import tracer
from gnomon.service.evaluation.binding import check_scorer_name
from gnomon.service.evaluation.measured import measured
from gnomon.shorten import shorten

SpanMetadata = Mapping[str, str | int | float | bool]


class ActiveSpan:
    """An open span. If there is none, or it has ended, its setters do nothing."""

    __slots__ = ("_span",)

    def __init__(self, span: otel.Span) -> None:
        self._span = span

    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits; empty outside of any span."""
        context = self._span.get_span_context()
        return format(context.trace_id, "032x") if context.is_valid else ""

    @property
    def span_id(self) -> str:
        """16 hexadecimal digits; empty outside of any span."""
        context = self._span.get_span_context()
        return format(context.span_id, "016x") if context.is_valid else ""

    @property
    def is_here(self) -> bool:
        """Whether this is a span of this process, and not only the one that another process called from."""
        context = self._span.get_span_context()
        return context.is_valid and not context.is_remote

    def set_input(self, input: Any) -> None:
        """Set the input. A value that JSON cannot represent is stored as its `repr`."""
        self._set_value(INPUT, input)

    def set_output(self, output: Any) -> None:
        """What came out."""
        self._set_value(OUTPUT, output)

    def set_metadata(self, key: str, value: Any) -> None:
        """One thing about the span: a text, a number or a boolean; anything else is kept as JSON text."""
        if self._span.is_recording():
            self._span.set_attribute(key, flat(value))

    def set_model(self, name: str) -> None:
        """The model that was asked."""
        self.set_metadata(MODEL, name)

    def set_tokens(self, *, input: int | None = None, output: int | None = None) -> None:
        """How many tokens the model read and wrote."""
        for name, count in ((TOKENS_INPUT, input), (TOKENS_OUTPUT, output)):
            if count is not None:
                self.set_metadata(name, count)

    def score(
        self, name: str, value: Any, *, rationale: str | None = None, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Attach a score to this span, as `gnomon.score` does. It may have ended already."""
        self._attach(_Results(name, value, rationale, metadata))

    def _attach(self, results: "_Results") -> None:
        if self._span.is_recording():
            for attributes in results.events():
                self._span.add_event(SCORE, attributes)
        elif getattr(self._span, "end_time", None) is not None:
            _send(results, "span", self.span_id, self.trace_id)

    def _set_value(self, name: str, value: Any) -> None:
        if value is not None and self._span.is_recording():
            self._span.set_attribute(name, json_text(value))


def flat(value: Any) -> str | int | float | bool:
    """A value of metadata."""
    return value if isinstance(value, str | int | float) else json_text(value)


# Opening and ending


_NOT_RECORDED = otel_context.create_key("gnomon-not-recorded")
"""Set in blocks whose span is not real: tracing is switched off, or opening it failed."""


class OpenSpan:
    """A span that has begun. It is the current span until its block ends."""

    __slots__ = ("_token", "span")

    def __init__(self, span: otel.Span, inside: otel_context.Context) -> None:
        self.span = span
        self._token: Token[otel_context.Context] | None = otel_context.attach(inside)

    @classmethod
    def begin(cls, name: str, attributes: dict[str, Any], around: otel_context.Context | None = None) -> "OpenSpan":
        """A child of the current span, or of that of the context `around`."""
        try:
            span = tracer().start_span(name, around, attributes=attributes)
            if span.get_span_context().is_valid:
                return cls(span, otel.set_span_in_context(span))
        except Exception:  # a sampler or a processor of the program
            pass
        return cls(otel.INVALID_SPAN, otel_context.set_value(_NOT_RECORDED, True))

    def step_out(self) -> None:
        """Make the previous span current again."""
        token, self._token = self._token, None
        if token is not None:
            restore(token)

    def fail(self, error: BaseException) -> None:
        """The span ends because of this. That a generator is closed is no error."""
        if not isinstance(error, GeneratorExit):
            record_error(self.span, error)

    def end(self) -> None:
        self.step_out()
        try:
            self.span.end()
        except Exception:  # a processor of the program
            return


def restore(token: Token[otel_context.Context]) -> None:
    """Make current what was so before.

    In another context than that of `attach`, as when the garbage collector closes a generator, there is nothing to
    restore; OpenTelemetry's own `detach` would log an error.
    """
    try:
        token.var.reset(token)
    except ValueError:
        return


def record_error(span: otel.Span, error: BaseException) -> None:
    """Type, message and stack of an exception, as OpenTelemetry records them."""
    try:
        span.record_exception(error)
        span.set_status(otel.StatusCode.ERROR, f"{type(error).__name__}: {error}")
    except Exception:  # its own __str__ may do anything
        span.set_status(otel.StatusCode.ERROR, type(error).__name__)


class SpanBlock:
    """The `with` of a span. Each use opens another one."""

    __slots__ = ("_attributes", "_name", "_open")

    def __init__(self, name: str, attributes: dict[str, Any]) -> None:
        self._name, self._attributes = name, attributes

    def __enter__(self) -> ActiveSpan:
        self._open = OpenSpan.begin(self._name, self._attributes)
        return ActiveSpan(self._open.span)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is not None:
            self._open.fail(error)
        self._open.end()

    async def __aenter__(self) -> ActiveSpan:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, at)


def span(name: str, *, input: Any = None, metadata: SpanMetadata | None = None) -> SpanBlock:
    """Open a span for a block: `with` or `async with`. What is called inside becomes its child.

    An exception that leaves the block becomes the span's error and goes on unchanged.

    >>> with gn.span("retrieve", input={"question": "Where?"}, metadata={"k": 3}) as retrieval:
    ...     retrieval.set_output(["In Paris."])
    """
    return SpanBlock(str(name) or "unnamed", attributes_of(input, metadata))


def attributes_of(input: Any, metadata: SpanMetadata | None) -> dict[str, Any]:
    """What a span begins with."""
    attributes: dict[str, Any] = {} if input is None else {INPUT: json_text(input)}
    for key, value in (metadata or {}).items():
        attributes[str(key)] = flat(value)
    return attributes


def current_span() -> ActiveSpan:
    """The innermost open span, also one that a library opened. Outside any span, one whose setters do nothing.

    >>> gn.current_span().set_output("kept nowhere")
    >>> gn.current_span().trace_id
    ''
    """
    current = otel.get_current_span()
    if current.get_span_context().is_valid:
        tracer()  # so that it is stored, whoever opened it
    return ActiveSpan(current)


# Scores


class _Results:
    """The scores that one value means, each under its name."""

    def __init__(self, name: str, value: Any, rationale: str | None, metadata: Mapping[str, Any] | None) -> None:
        check_scorer_name(name)
        self._rationale = None if rationale is None else plain(str(rationale))
        self._metadata = None if metadata is None else plain(dict(metadata))
        self._results = measured(name, value)

    def events(self) -> Iterator[dict[str, Any]]:
        """Each as the attributes of an event."""
        for name, result in self._results:
            fields = self._fields(result)
            value = fields.get("value")
            attributes = {
                SCORE_NAME: name,
                SCORE_VALUE: value if isinstance(value, float) else None,
                SCORE_LABEL: value if isinstance(value, str) else None,
                SCORE_ABSENT: fields.get("absent"),
                SCORE_FAILED: fields.get("failed"),
                SCORE_RATIONALE: fields.get("rationale"),
                SCORE_METADATA: None if self._metadata is None else json_text(self._metadata),
            }
            yield {key: attribute for key, attribute in attributes.items() if attribute is not None}

    def drafts(self, **target: Any) -> list[ScoreDraft]:
        return [
            ScoreDraft(scorer_name=name, metadata=self._metadata, **self._fields(result), **target)
            for name, result in self._results
        ]

    def _fields(self, result: Measurement) -> dict[str, Any]:
        if isinstance(result, Absent):
            fields: dict[str, Any] = {"absent": shorten(result.reason, REASON_LIMIT), "rationale": self._rationale}
        elif isinstance(result, Failed):
            fields = {"failed": shorten(result.reason, REASON_LIMIT), "rationale": self._rationale or result.evidence}
        else:
            fields = {"value": result.value, "rationale": self._rationale or result.rationale}
        return {name: value for name, value in fields.items() if value is not None}


def score(
    name: str,
    value: Any,
    *,
    rationale: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    span_id: str | None = None,
    trace_id: str | None = None,
    run_id: str | None = None,
) -> None:
    """Attach a score to the current span; with an id, to that span, to the root of that trace, or to that run.

    A span of another process is named by both `span_id` and `trace_id`.

    The value is a number in [0, 1], a bool, a label, `Scored(...)`, `Absent(reason)`, None, or a dict of several of
    these. What is none of them, such as 1.5, is kept as a failed score with its reason and does not raise.

    >>> with gn.span("answer"):
    ...     gn.score("helpful", 0.75, rationale="names the city")
    """
    results = _Results(name, value, rationale, metadata)
    if run_id is not None and (span_id is not None or trace_id is not None):
        raise InvalidInput.of("run_id", "run_id and span_id or trace_id name two targets; give one of them")
    if run_id is not None:
        _send(results, "run", run_id, None)
    elif span_id is not None or trace_id is not None:
        _send(results, "span", span_id, trace_id)
    elif (current := current_span()).is_here:
        current._attach(results)
    elif not otel_context.get_value(_NOT_RECORDED):
        words = "there is no span here; score inside of @trace or span(...), or give span_id, trace_id or run_id"
        raise InvalidInput.of("span_id", words)


def _send(results: _Results, kind: str, id: str | None, trace_id: str | None) -> None:
    """Store scores at once, after the span that they may be about."""
    sdk = connection()
    if kind == "span":
        exporting.flush()
        trace_id = trace_id or exporting.trace_of(id or "")
    drafts = results.drafts(target_type=kind, target_id=id or _root(trace_id or ""), trace_id=trace_id)
    try:
        if len(drafts) == 1:
            sdk.backend.add_score(drafts[0])
        else:
            sdk.backend.add_scores(drafts)
    except NotFound as refusal:
        if kind == "run" or trace_id is not None:
            raise
        raise NotFound(f"{refusal.message}; a span of another process is found with its trace_id: give both") from None


def _root(trace_id: str) -> str:
    sdk = connection()
    root = sdk.backend.trace(trace_id, sdk.project_id).root_span_id
    if root is None:
        raise InvalidInput.of("trace_id", f"trace {trace_id!r} has no root span yet; give span_id, or score it later")
    return root
