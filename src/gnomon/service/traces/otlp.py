"""Store OpenTelemetry spans and log records.

Exporters send again what they are not sure of: what is stored already stays as it is, and is accepted again. What is
wrong with one span costs only that span. Everything that was said of it is kept as it was sent; the fields of a span
are a view of that, read by `interop/conventions`.

`prepare_traces` and `prepare_logs` need no database and come before the transaction.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from gnomon.errors import InvalidInput
from gnomon.interop.conventions import SpanView, error_of, log_event, scores_of, view
from gnomon.interop.conventions.events import Event
from gnomon.interop.jsontext import storable
from gnomon.interop.otlp.answers import refusals_in_words
from gnomon.interop.otlp.decoding import Decoded, ReceivedSpan, Refusal, SpanSource
from gnomon.interop.otlp.stored import stored_log
from gnomon.llm.prices import Tokens
from gnomon.model.jsonvalue import dump
from gnomon.model.moment import from_ms
from gnomon.model.otlp import OtlpReceived
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import SpanError
from gnomon.scorers import Sample
from gnomon.service.call import Call, project_for_writing, project_in_scope
from gnomon.service.judges.costs import SpanCosts
from gnomon.service.scoring import attach, scoring
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.targets import Target
from gnomon.service.traces import rules
from gnomon.service.traces.metadata import MetadataIndex
from gnomon.shorten import shorten
from gnomon.store.rows import SpanLogRow, SpanSourceRow, StoredSpan
from gnomon.store.spanstore import CONVERSATION, SESSION, USER, Arrivals, SpanKey, SpanToFilter

PROJECT_NAMES = ("gnomon.project", "openinference.project.name", "service.name")
"""Attributes of a resource that name the project, for a key that is bound to none."""
NAMELESS = "unknown_service"
"""What OpenTelemetry calls a service that says no name."""
OFF_SCALE = "evaluation results are neither scores in [0, 1] nor labels; divide by your scale first"
_ILLEGAL = re.compile(r"[^A-Za-z0-9._:-]")
_LONGEST_PROJECT = 128
_MILLISECOND = 1_000_000
SpanOrLog = TypeVar("SpanOrLog")
PROVIDER_NAMES = ("gen_ai.provider.name", "gen_ai.system", "llm.provider")


class PreparedSpan(NamedTuple):
    """A span, read by the conventions."""

    span: ReceivedSpan
    view: SpanView
    error: SpanError | None
    scores: Sequence[InlineScoreDraft]


class PreparedTraces(NamedTuple):
    spans: list[PreparedSpan]
    refused: list[Refusal]
    left_out: int
    """Scores that are on another scale than ours."""


def prepare_traces(decoded: Decoded) -> PreparedTraces:
    """Read what each span says."""
    spans, left_out = [], 0
    for span in decoded.spans:
        prepared, missed = _prepared(span)
        spans.append(prepared)
        left_out += missed
    return PreparedTraces(spans, decoded.refused, left_out)


def _prepared(span: ReceivedSpan) -> tuple[PreparedSpan, int]:
    events = span.events
    seen = view(span.name, span.source.scope_name, span.attributes, events)
    if not events and span.status_code != "error":
        return PreparedSpan(span, seen, None, ()), 0
    scores = scores_of(events)
    error = error_of(span.status_code, span.status_message, events)
    return PreparedSpan(span, seen, error, scores.taken), scores.left_out


def receive_traces(call: Call, prepared: PreparedTraces, project_id: str | None = None) -> OtlpReceived:
    """Store the spans that are new, with the scores that travel with them."""
    job_ids: list[str] = []
    for project, spans in by_project(call, prepared.spans, lambda span: span.span.source, project_id).items():
        job_ids += _Arriving(call, project, spans).store()
    return _received(len(prepared.spans), prepared.refused, prepared.left_out, job_ids)


def _received(accepted: int, refused: Sequence[Refusal], left_out: int, job_ids: list[str]) -> OtlpReceived:
    sentences = [refusals_in_words(refused)] if refused else []
    if left_out:
        sentences.append(f"{left_out} {OFF_SCALE}")
    return OtlpReceived(accepted=accepted, rejected=len(refused), message="; ".join(sentences) or None, job_ids=job_ids)


class _Arriving:
    """Spans of one project on their way into the store."""

    def __init__(self, call: Call, project_id: str, spans: Sequence[PreparedSpan]) -> None:
        self._call = call
        self._project_id = project_for_writing(call, project_id)
        self._spans = _with_logs(call, project_id, spans)

    def store(self) -> list[str]:
        """Store what is new; the jobs that it started."""
        call, costs = self._call, SpanCosts(self._call, self._project_id)
        rows = [_row(self._project_id, span, costs) for span in self._spans]
        index = MetadataIndex(call, self._project_id)
        values = [index.values(span.span.trace_id, span.view.model, span.view.metadata) for span in self._spans]
        added = call.spans.add(call.db, Arrivals(self._project_id, rows, values, call.clock.now_ms()), "keep")
        if not added.stored:
            return []
        arrived = self._new(added.stored)
        sources = {span.span.source.id: span.span.source for span in arrived}
        add_sources(call, self._project_id, sources.values())
        job_ids = self._score(arrived)
        return job_ids + rules.enqueue(call, self._project_id, _to_filter(added.stored, arrived))

    def _new(self, stored: Sequence[StoredSpan]) -> Sequence[PreparedSpan]:
        """The spans behind these rows, in their order."""
        if len(stored) == len(self._spans):  # as nearly always
            return self._spans
        by_key = {
            (span.span.trace_id, span.span.span_id): span for span in reversed(self._spans)
        }  # the first of a kind
        return [by_key[row.trace_id, row.id] for row in stored]

    def _score(self, arrived: Sequence[PreparedSpan]) -> list[str]:
        work = [
            (_target(self._project_id, span), plan)
            for span in arrived
            if span.scores
            for plan in plan_scores(span.scores)
        ]
        return attach.job_ids(attach.carry_out(self._call, work, fresh=True)) if work else []


def plan_scores(drafts: Sequence[InlineScoreDraft]) -> list[Planned]:
    """Scores that carry their values; there is nothing to compute, so nothing can be wrong with them any more."""
    plans, _ = scoring.plan_inline(drafts, 0, scoring.Planner())
    return plans


def _with_logs(call: Call, project_id: str, spans: Sequence[PreparedSpan]) -> Sequence[PreparedSpan]:
    """The spans, and of those whose log records came before them what these say too."""
    waiting = call.spans.logs_of(call.db, project_id, {prepared.span.trace_id for prepared in spans}, lock=True)
    if not waiting:
        return spans
    by_span: dict[SpanKey, list[Event]] = {}
    for row in waiting:
        by_span.setdefault((row.trace_id, row.span_id), []).append(event_in(row))
    joined = []
    for span in spans:
        logged = by_span.get((span.span.trace_id, span.span.span_id))
        joined.append(span if logged is None else _joined(span, logged))
    return joined


def _joined(prepared: PreparedSpan, logged: Sequence[Event]) -> PreparedSpan:
    """The span as it would be if its log records had come after it: every result among them is a score of its own."""
    span = prepared.span
    seen = view(span.name, span.source.scope_name, span.attributes, [*span.events, *logged])
    scores = [draft for event in logged for draft in scores_of([event]).taken]
    return prepared._replace(view=seen, scores=[*prepared.scores, *scores])


def event_in(row: SpanLogRow) -> Event:
    """A stored log record as an event of its span."""
    log = stored_log(row.record)
    return log_event(log.name, log.attributes, log.body)


def add_sources(call: Call, project_id: str, sources: Iterable[SpanSource]) -> None:
    call.spans.add_sources(call.db, [SpanSourceRow(project_id, source.id, source.body) for source in sources])


def _row(project_id: str, prepared: PreparedSpan, costs: SpanCosts) -> StoredSpan:
    span, seen, tokens = prepared.span, prepared.view, prepared.view.tokens
    metadata = metadata_of(seen)
    start_ms, end_ns = span.start_ns // _MILLISECOND, span.end_ns
    duration = None
    if end_ns is not None and end_ns >= span.start_ns:  # a clock that was set back says nothing of how long it took
        duration = (end_ns - span.start_ns) / _MILLISECOND
    cost = None
    if tokens.input is not None or tokens.output is not None:
        cost = costs.of(seen.model, _provider(span.attributes), _tokens(seen), start_ms)
    return StoredSpan(  # by position, which takes half the time of names
        project_id,
        span.trace_id,
        span.span_id,
        span.parent_id,
        span.name if "\0" not in span.name else str(storable(span.name)),
        None if seen.input is None else dump(seen.input),
        None if seen.output is None else dump(seen.output),
        start_ms,
        None if end_ns is None else end_ns // _MILLISECOND,
        duration,
        tokens.input,
        tokens.output,
        seen.model,
        dump(metadata) if metadata else None,
        None if prepared.error is None else prepared.error.model_dump_json(),
        seen.operation,
        cost,
        span.source.id,
        span.body,
        span.start_ns,
    )


def metadata_of(seen: SpanView) -> dict[str, str | int | float | bool | None]:
    """The metadata, with the ids of conversation, session and user under one name each in every convention."""
    metadata = seen.metadata
    if seen.conversation_id is not None and seen.conversation_id != seen.session_id:
        metadata[CONVERSATION] = seen.conversation_id
    if seen.session_id is not None:
        metadata[SESSION] = seen.session_id
    if seen.user_id is not None:
        metadata[USER] = seen.user_id
    return metadata


def _tokens(seen: SpanView) -> Tokens:
    counts = seen.tokens
    return Tokens(counts.input or 0, counts.output or 0, counts.cached or 0, counts.written or 0, counts.reasoning or 0)


def _provider(attributes: Mapping[str, object]) -> str | None:
    for name in PROVIDER_NAMES:
        value = attributes.get(name)
        if isinstance(value, str):
            return value
    return None


def _target(project_id: str, span: PreparedSpan) -> Target:
    return Target(
        project_id, "span", span.span.span_id, Sample(span.view.input, span.view.output), trace_id=span.span.trace_id,
        model=span.view.model, started_ms=span.span.start_ns // _MILLISECOND,
    )  # fmt: skip


def _to_filter(stored: Iterable[StoredSpan], arrived: Iterable[PreparedSpan]) -> Iterator[SpanToFilter]:
    """What rules look at, made only where there are rules."""
    for row, span in zip(stored, arrived, strict=True):
        error = None if span.error is None else span.error.model_dump()
        yield SpanToFilter(
            row.trace_id, row.id, from_ms(row.start_time), row.parent_span_id, row.name, row.model, span.view.metadata,
            error,
        )  # fmt: skip


# --- projects -----


def by_project(
    call: Call, items: Iterable[SpanOrLog], source: Callable[[SpanOrLog], SpanSource], project_id: str | None = None
) -> dict[str, list[SpanOrLog]]:
    """The project that each belongs to: the key's own, or what the request names, or what its resource says."""
    named = call.principal.project_id if project_id is None else _named(call, project_id)
    groups: dict[str, list[SpanOrLog]] = {}
    names: dict[str, str] = {}
    for item in items:
        origin = source(item)
        if origin.id not in names:
            names[origin.id] = named or project_of(origin.resource)
        groups.setdefault(names[origin.id], []).append(item)
    return dict(sorted(groups.items()))  # so that two requests never wait in a ring


def _named(call: Call, project_id: str) -> str:
    if _ILLEGAL.search(project_id) or not 0 < len(project_id) <= _LONGEST_PROJECT:
        shown = shorten(project_id, _LONGEST_PROJECT)
        message = f"1 to {_LONGEST_PROJECT} letters, digits, `.`, `_`, `:` or `-`"
        raise InvalidInput.of("project_id", f"project_id {shown!r} names no project; give {message}")
    return project_in_scope(call.principal, project_id)


def project_of(resource: Mapping[str, object]) -> str:
    """The project that a resource names, with what a project's id may not hold replaced."""
    names = (resource.get(name) for name in PROJECT_NAMES)
    name = next((value for value in names if isinstance(value, str) and value), NAMELESS)
    return _ILLEGAL.sub("-", name)[:_LONGEST_PROJECT]
