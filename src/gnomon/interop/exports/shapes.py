"""The lines of an export, read again: as much of each noun as can come back.

What a newer Gnomon adds to a noun is ignored here, and what it leaves out is an error that names the field.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from gnomon.model.jsonvalue import AnyJson
from gnomon.model.score import ScoreValue


class DatasetShape(BaseModel):
    id: str
    name: str
    description: str | None = None
    version: int


class ItemShape(BaseModel):
    id: str
    dataset_id: str
    key: str | None = None
    input: AnyJson
    expected_output: AnyJson = None
    metadata: dict[str, Any] | None = None


class ExperimentShape(BaseModel):
    id: str
    project_id: str
    name: str
    dataset_id: str
    dataset_version: int
    trials: int
    status: str
    metadata: dict[str, Any] | None = None


class ScoreShape(BaseModel):
    id: str | None = None
    target_id: str
    target_type: str
    trace_id: str | None = None
    scorer_name: str
    value: ScoreValue
    rationale: str | None = None
    source: str
    scorer: str | None = None
    config: dict[str, Any] | None = None
    config_hash: str | None = None
    metadata: dict[str, Any] | None = None


class StateShape(BaseModel):
    target_id: str
    target_type: str
    trace_id: str | None = None
    scorer_name: str
    state: str
    reason: str | None = None


class RunErrorShape(BaseModel):
    message: str
    type: str | None = None


class RunShape(BaseModel):
    id: str
    experiment_id: str
    dataset_item_id: str
    trial: int
    output: AnyJson = None
    error: RunErrorShape | None = None
    trace_id: str | None = None
    input: AnyJson
    expected_output: AnyJson = None
    scores: list[ScoreShape]


class SaidScoreShape(BaseModel):
    score_id: str
    scorer_name: str
    value: float | None = None
    label: str | None = None
    rationale: str | None = None


class AnnotationShape(BaseModel):
    trace_id: str | None = None
    run_id: str | None = None
    span_id: str | None = None
    annotator: str
    label: str | None = None
    correction: AnyJson = None
    notes: str | None = None
    created_at: str | None = None
    scores: list[SaidScoreShape] = []


class TraceShape(BaseModel):
    """A trace, or a part of one."""

    id: str
    spans: list[dict[str, Any]]
    scores: list[ScoreShape] = []
    scoring_states: list[StateShape] = []
    annotations: list[AnnotationShape] = []


Shape = DatasetShape | ItemShape | ExperimentShape | RunShape | ScoreShape | StateShape | AnnotationShape | TraceShape
SHAPES: Mapping[str, type[Shape]] = {
    "dataset": DatasetShape, "item": ItemShape, "experiment": ExperimentShape, "run": RunShape, "score": ScoreShape,
    "scoring_state": StateShape, "annotation": AnnotationShape, "trace": TraceShape,
}  # fmt: skip
