"""Traces as pages show them: one without what may be large, one span of it, its scores, and counts over many."""

from datetime import datetime

from gnomon.model.traceviews import (
    Bucket,
    FoundSpans,
    SpanDetail,
    TraceFacets,
    TraceScores,
    TraceSkeleton,
    TraceTrends,
)
from gnomon.service.call import Call
from gnomon.store.spanstore import Filter

MAX_BYTES = 100_000_000


def skeleton(call: Call, id: str, project_id: str | None) -> TraceSkeleton:
    raise NotImplementedError


def span(call: Call, trace_id: str, id: str, project_id: str | None, max_bytes: int | None) -> SpanDetail:
    raise NotImplementedError


def scores(call: Call, trace_id: str, project_id: str | None) -> TraceScores:
    raise NotImplementedError


def find(call: Call, trace_id: str, text: str, project_id: str | None) -> FoundSpans:
    raise NotImplementedError


def facets(call: Call, project_id: str | None, only: Filter) -> TraceFacets:
    raise NotImplementedError


def trends(call: Call, project_id: str, bucket: Bucket, after: datetime | None, before: datetime | None) -> TraceTrends:
    raise NotImplementedError
