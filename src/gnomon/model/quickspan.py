"""Batches of spans, decoded in one step.

Most batches are plain and right. They are decoded here straight into small objects, three times as fast as
through the drafts. Whatever is wrong, or only unusual, is answered with None: then the drafts in `trace.py`
look at it, and say what is wrong. A property test holds the two to the same answers.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import msgspec

from gnomon.model import jsonvalue, moment
from gnomon.model.fields import ID_LIMIT, LARGEST_COUNT
from gnomon.model.trace import MAX_BATCH, SpanDraft, SpanError, lasting

_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=ID_LIMIT)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_COUNT)]


class QuickSpan(msgspec.Struct, forbid_unknown_fields=True):
    """A span as `SpanDraft` has it, without inline scores."""

    id: _Id
    trace_id: _Id
    name: Annotated[str, msgspec.Meta(min_length=1)]
    start_time: Any
    parent_span_id: _Id | None = None
    input: Any = None
    output: Any = None
    end_time: Any = None
    duration_ms: Annotated[float, msgspec.Meta(ge=0, le=LARGEST_COUNT)] | None = None
    tokens_input: _Count | None = None
    tokens_output: _Count | None = None
    model: str | None = None
    metadata: dict[str, str | int | float | bool | None] | None = None
    error: Any = None
    scores: Any = None

    @property
    def duration(self) -> float | None:
        return lasting(self.start_time, self.end_time, self.duration_ms)


ArrivedSpan = SpanDraft | QuickSpan
"""A span as it came in, decoded either way."""


class _OpenSpan(QuickSpan, forbid_unknown_fields=False):
    """The same, whatever else it has."""


ProjectText = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9._:-]{1,128}\Z")]


class _SpanBatch(msgspec.Struct, forbid_unknown_fields=True):
    spans: Annotated[list[QuickSpan], msgspec.Meta(min_length=1, max_length=MAX_BATCH)]
    project_id: ProjectText | None = None


class _OpenBatch(msgspec.Struct):
    spans: Annotated[list[_OpenSpan], msgspec.Meta(min_length=1, max_length=MAX_BATCH)]
    project_id: ProjectText | None = None


_decode = msgspec.json.Decoder(_SpanBatch).decode
_decode_open = msgspec.json.Decoder(_OpenBatch).decode


class QuickBatch(NamedTuple):
    project_id: str | None
    spans: Sequence[QuickSpan]
    has_unknown: bool
    """Some field is not known, and was ignored; which one is for the drafts to say."""


def decode(body: bytes) -> QuickBatch | None:
    """The project and the spans, or None when the drafts should look at this batch."""
    if jsonvalue.is_suspicious(body):
        return None
    has_unknown = False
    try:
        try:
            batch: _SpanBatch | _OpenBatch = _decode(body)
        except msgspec.ValidationError:
            batch, has_unknown = _decode_open(body), True
        for span in batch.spans:
            _settle(span)
    except (ValueError, RecursionError):  # msgspec's errors and pydantic's are ValueErrors
        return None
    return QuickBatch(batch.project_id, batch.spans, has_unknown)


def _settle(span: QuickSpan) -> None:
    """What a type cannot say; raises ValueError where the drafts have to decide."""
    if span.scores is not None:
        raise ValueError("inline scores are planned from drafts")
    for id in (span.id, span.trace_id, span.parent_span_id):
        if id is not None and (not id.isprintable() or "/" in id):
            raise ValueError("not an id")
    span.start_time = start = moment.parse(span.start_time)
    if span.end_time is not None:
        span.end_time = end = moment.parse(span.end_time)
        _in_order(start, end)
    jsonvalue.not_too_deep(span.input)
    jsonvalue.not_too_deep(span.output)
    if span.error is not None:
        span.error = SpanError.model_validate(span.error)


def _in_order(start: datetime, end: datetime) -> None:
    if end < start:
        raise ValueError("ends before it starts")
