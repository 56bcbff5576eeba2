"""What a reader finds in another tool's files: experiments with their runs and scores, traces, datasets."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gnomon.model.review import AnnotationDraft
from gnomon.model.trace import SpanDraft


@dataclass(frozen=True, slots=True)
class ForeignScore:
    """A score as another tool gave it: its value in [0, 1] or a label, or the reason why there is none."""

    name: str
    value: float | str | None = None
    absent: str | None = None
    failed: str | None = None
    rationale: str | None = None
    raw: Any = None
    """The value as the tool wrote it; kept beside the normalised one when they differ."""
    low: float | None = None
    high: float | None = None
    """The range that the raw value was normalised by."""
    direction: Literal["higher", "lower"] | None = None
    """Which raw values are better; a lower-is-better score is turned round on the way."""
    source: Literal["human"] | None = None
    metadata: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ForeignRun:
    """One item, answered once."""

    item_key: str
    """The item's id in the tool, the same for all trials of it."""
    input: Any
    output: Any = None
    expected_output: Any = None
    item_metadata: dict[str, Any] | None = None
    trial: int = 1
    """Counted from 1, also where the tool counts from 0."""
    error: str | None = None
    scores: Sequence[ForeignScore] = ()
    spans: Sequence[SpanDraft] = ()
    """The run's trace, where the file has one; ids follow from what the file says, the same each time."""
    error_type: str | None = None
    """Where the tool tells it; empty where it tells that there is none."""
    trace_id: str | None = None
    """The trace it belongs to, where its spans are not in `spans`."""
    annotations: Sequence[AnnotationDraft] = ()
    """What people said of it, the oldest first; whichever run they name, this one is meant."""


@dataclass(frozen=True, slots=True)
class ForeignExperiment:
    name: str
    dataset: str
    """Name of the dataset that its items belong to."""
    runs: Sequence[ForeignRun]
    metadata: dict[str, Any] | None = None
    """With `source` (which tool) and what identifies the run in it."""
    trials: int | None = None
    """Where more were planned than were run."""
    completed: bool = True


@dataclass(frozen=True, slots=True)
class ForeignItem:
    key: str | None
    input: Any
    expected_output: Any = None
    metadata: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ForeignDataset:
    name: str
    items: Sequence[ForeignItem]
    description: str | None = None
    """Where the tool tells it; empty where it tells that there is none."""


@dataclass(frozen=True, slots=True)
class SpanScore:
    """A score on a span of an imported trace."""

    trace_id: str
    span_id: str
    score: ForeignScore


@dataclass(slots=True)
class Bundle:
    """Everything that was found in one file or folder."""

    source: str
    """Which tool wrote it: `inspect`, `langfuse`, …"""
    experiments: list[ForeignExperiment] = field(default_factory=list)
    traces: list[Sequence[SpanDraft]] = field(default_factory=list)
    """Each a trace's spans."""
    otlp: list[bytes] = field(default_factory=list)
    """Spans that came from OpenTelemetry, as ExportTraceServiceRequests: what they say is kept whole."""
    span_scores: list[SpanScore] = field(default_factory=list)
    annotations: list[AnnotationDraft] = field(default_factory=list)
    """What people said of imported traces."""
    datasets: list[ForeignDataset] = field(default_factory=list)
    not_understood: Counter[str] = field(default_factory=Counter)
    """What was left out, by kind: `score of a type that is not known` → 3."""
    notes: list[str] = field(default_factory=list)
