"""Traces as pages show them: one without what may be large, one span of it, its scores, and counts over many."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from gnomon.errors import NotFound
from gnomon.model.cutting import StringCutter, cut
from gnomon.model.jsonvalue import JsonValue, dump
from gnomon.model.trace import SpanEvent
from gnomon.model.traceviews import (
    CuttableField,
    FacetKey,
    FacetValue,
    FoundSpans,
    SpanColumns,
    SpanDetail,
    TraceBucket,
    TraceFacets,
    TraceScores,
    TraceSkeleton,
    TraceTrends,
)
from gnomon.model.trends import Bucket
from gnomon.service.access import projects
from gnomon.service.analysis import buckets
from gnomon.service.analysis.aggregate import shown
from gnomon.service.call import Call, project_in_scope
from gnomon.service.scoring import scoring
from gnomon.service.traces import textsearch, traces
from gnomon.stats.describe import round_shown
from gnomon.stats.interval import wilson
from gnomon.store import scores as stored_scores
from gnomon.store.spanstore import MODEL, BucketSums, SpanHead, SpanTexts, TraceFilter, TraceToCount, as_filter_text

MAX_BYTES = 100_000_000
"""What `max_bytes` may ask for."""
MOST_SCORES = 2_000
MOST_COUNTED = 10_000
MOST_MODELS, MOST_KEYS, MOST_VALUES = 20, 20, 10
LONGEST_FACET = 200
MOST_FOUND = 1_000
MOST_SEARCHED = 32_000_000
"""Characters that one call looks through."""
SPANS_TOGETHER = 500
_USUAL: dict[Bucket, timedelta] = {"hour": timedelta(days=7), "day": timedelta(days=30)}
_NANOSECONDS = 1_000_000
_CONTENTS: tuple[CuttableField, ...] = ("input", "output")


# --- one trace -----


def skeleton(call: Call, id: str, project_id: str | None) -> TraceSkeleton:
    row = traces.find_trace(call, id, project_id)
    heads = call.spans.span_heads(call.db, row.project_id, id)
    counts = stored_scores.counts_of_trace(call.db, row.project_id, id)
    first = heads[0].start_ns if heads else None
    return TraceSkeleton(
        trace=traces.noun(row),
        start_time_unix_nano=None if first is None else str(first),
        spans=_columns(heads, counts, first or 0),
    )


def _columns(heads: Sequence[SpanHead], score_counts: dict[str, int], first: int) -> SpanColumns:
    at = {head.id: position for position, head in enumerate(heads)}
    names, models, operations = ({}, {}, {})  # type: dict[str, int], dict[str, int], dict[str, int]
    # What comes from typed columns is not checked again: 10,000 spans have 150,000 values.
    return SpanColumns.model_construct(
        id=list(at),
        parent=[None if head.parent_span_id is None else at.get(head.parent_span_id) for head in heads],
        orphans={
            position: head.parent_span_id
            for position, head in enumerate(heads)
            if head.parent_span_id is not None and head.parent_span_id not in at
        },
        name=[names.setdefault(head.name, len(names)) for head in heads],
        names=list(names),
        start_ms=[round((head.start_ns - first) / _NANOSECONDS, 3) for head in heads],
        duration_ms=[None if head.duration_ms is None else round(head.duration_ms, 3) for head in heads],
        model=[_position(models, head.model) for head in heads],
        models=list(models),
        operation=[_position(operations, head.operation) for head in heads],
        operations=list(operations),
        tokens_input=[head.tokens_input for head in heads],
        tokens_output=[head.tokens_output for head in heads],
        cost_usd=[head.cost_usd for head in heads],
        has_error=[bool(head.has_error) for head in heads],
        score_count=[score_counts.get(head.id, 0) for head in heads],
        input_size=[head.input_size for head in heads],
        output_size=[head.output_size for head in heads],
    )


def _position(known: dict[str, int], text: str | None) -> int | None:
    return None if text is None else known.setdefault(text, len(known))


def span(call: Call, trace_id: str, id: str, project_id: str | None, max_bytes: int | None) -> SpanDetail:
    trace = traces.find_trace(call, trace_id, project_id)
    rows = call.spans.at(call.db, trace.project_id, [(trace_id, id)])
    if not rows:
        raise NotFound(f"trace {trace_id!r} has no span {id!r}")
    (whole,) = traces.span_nouns(call, trace.project_id, rows)
    fields: dict[str, Any] = {
        **dict(whole), "input_size": _size(whole.input), "output_size": _size(whole.output), "truncated": [],
    }  # fmt: skip
    if max_bytes is not None:
        fields["truncated"] = _cut(fields, max_bytes)
    return SpanDetail.model_construct(**fields)


def _size(value: JsonValue) -> int:
    return 0 if value is None else len(dump(value).encode())


def _cut(fields: dict[str, Any], most: int) -> list[CuttableField]:
    """Cut fields that are longer than `most` bytes; return the names of the cut ones."""
    truncated: list[CuttableField] = []
    for name in _CONTENTS:
        shown = cut(fields[name], most)
        fields[name] = shown.value
        if shown.truncated:
            truncated.append(name)
    cutter = StringCutter(most)
    if fields["attributes"] is not None:
        fields["attributes"] = cutter.inside(fields["attributes"])
        if cutter.count:
            truncated.append("attributes")
    cutter = StringCutter(most)
    if fields["events"] is not None:
        fields["events"] = [
            SpanEvent.model_construct(**{**dict(event), "attributes": cutter.inside(event.attributes)})
            for event in fields["events"]
        ]
        if cutter.count:
            truncated.append("events")
    return truncated


def scores(call: Call, trace_id: str, project_id: str | None) -> TraceScores:
    trace = traces.find_trace(call, trace_id, project_id)
    stored = scoring.of_trace(call, trace.project_id, trace_id, MOST_SCORES + 1)
    states = scoring.states_of_trace(call, trace.project_id, trace_id, MOST_SCORES + 1)
    return TraceScores(
        trace_id=trace_id,
        scores=stored[:MOST_SCORES],
        states=states[:MOST_SCORES],
        capped=max(len(stored), len(states)) > MOST_SCORES,
    )


def find(call: Call, trace_id: str, text: str, project_id: str | None) -> FoundSpans:
    """Input and output are searched as JSON text, so the text is looked for as it would be written there."""
    trace = traces.find_trace(call, trace_id, project_id)
    plain, escaped = text.casefold(), dump(text)[1:-1].casefold()
    ids: list[str] = []
    searched, looked, after = 0, 0, None
    while True:
        rows = call.spans.texts_of(call.db, trace.project_id, trace_id, after, SPANS_TOGETHER)
        for row in rows:
            searched += 1
            looked += len(row.input or "") + len(row.output or "")
            if _holds(row, plain, escaped):
                ids.append(row.id)
            if len(ids) >= MOST_FOUND or looked >= MOST_SEARCHED:
                return FoundSpans(span_ids=ids, searched=searched, capped=searched < trace.span_count)
        if len(rows) < SPANS_TOGETHER:
            return FoundSpans(span_ids=ids, searched=searched, capped=False)
        after = (rows[-1].start_ns, rows[-1].id)


def _holds(row: SpanTexts, plain: str, escaped: str) -> bool:
    if plain in row.name.casefold() or plain in (row.model or "").casefold():
        return True
    return escaped in (row.input or "").casefold() or escaped in (row.output or "").casefold()


# --- many traces -----


def facets(call: Call, project_id: str | None, only: TraceFilter) -> TraceFacets:
    scope = project_in_scope(call.principal, project_id)
    if only.q is not None:
        textsearch.need(call, scope)
    indexed = {key for key, is_ready in call.spans.indexed_keys(call.db, scope).items() if is_ready}
    rows, capped = call.spans.to_count(call.db, scope, only, indexed, MOST_COUNTED)
    models = Counter(row.model if row.root_model is None else row.root_model for row in rows)
    del models[None]
    return TraceFacets(
        total=len(rows),
        total_capped=capped,
        error_count=sum(row.error_count > 0 for row in rows),
        queued_count=sum(row.queued_at is not None for row in rows),
        models=_most_frequent(models, MOST_MODELS),
        metadata=_metadata_facets(rows, indexed - {MODEL}),
    )


def _metadata_facets(rows: Iterable[TraceToCount], indexed: set[str]) -> list[FacetKey]:
    values: dict[str, Counter[str]] = {}
    for text, times in Counter(row.root_metadata for row in rows).items():  # many spans say the same
        for key, value in (msgspec.json.decode(text) if text else {}).items():
            values.setdefault(key, Counter())[as_filter_text(value)] += times
    totals = Counter({key: counts.total() for key, counts in values.items()})
    return [
        FacetKey(
            key=facet.value,
            count=facet.count,
            indexed=facet.value in indexed,
            values=_most_frequent(values[facet.value], MOST_VALUES),
            distinct=len(values[facet.value]),
        )
        for facet in _most_frequent(totals, MOST_KEYS)
    ]


def _most_frequent(counts: Counter[Any], most: int) -> list[FacetValue]:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    short = (pair for pair in ordered if len(pair[0]) <= LONGEST_FACET)  # nobody filters by a long text
    return [FacetValue(value=value, count=count) for value, count in list(short)[:most]]


def trends(call: Call, project_id: str, bucket: Bucket, after: datetime | None, before: datetime | None) -> TraceTrends:
    projects.get(call, project_id)
    time = buckets.between(call, bucket, after, before, _USUAL)
    sums = call.spans.sums_by_time(call.db, project_id, time.width_ms, time.after, time.before)
    by_bucket = {row.bucket: row for row in sums}
    return TraceTrends(
        project_id=project_id, bucket=bucket, after=time.after, before=time.before,
        buckets=[_bucket(time.start_of(number), by_bucket.get(number)) for number in range(time.first, time.end)],
    )  # fmt: skip


def _bucket(start: datetime, row: BucketSums | None) -> TraceBucket:
    if row is None:
        return TraceBucket(
            start=start, count=0, error_count=0, error_rate=None, error_rate_ci_95=None, avg_duration_ms=None,
            avg_duration_ci_95_ms=None, tokens=0, cost_usd=None, unpriced_span_count=0,
        )  # fmt: skip
    return TraceBucket(
        start=start, count=row.traces, error_count=row.error_count,
        error_rate=round_shown(row.error_count / row.traces),
        error_rate_ci_95=shown(wilson(row.error_count, row.traces)),
        avg_duration_ms=round_shown(row.avg_duration_ms),
        avg_duration_ci_95_ms=projects.duration_interval(row.timed, row.avg_duration_ms, row.squared_ms),
        tokens=row.tokens, cost_usd=row.cost_usd, unpriced_span_count=row.unpriced,
    )  # fmt: skip
