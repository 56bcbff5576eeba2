"""The tables of an export: their columns, and which type each of them has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from gnomon.model.score import Score
from gnomon.model.trace import Span

Type = Literal["text", "integer", "number", "flag", "moment", "json"]
ExportKind = Literal["experiments", "datasets", "traces", "scores"]

_TYPES: Mapping[Any, Type] = {str: "text", int: "integer", float: "number", bool: "flag", datetime: "moment"}


@dataclass(frozen=True, slots=True)
class ExportColumn:
    name: str
    type: Type


def columns_of(noun: type[BaseModel], **renamed: str) -> list[ExportColumn]:
    """A column per field of the noun: what it gains later is exported without a word here."""
    return [ExportColumn(renamed.get(name, name), _type(field.annotation)) for name, field in noun.model_fields.items()]


def _type(annotation: Any) -> Type:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _type(get_args(annotation)[0])
    if origin is Literal:
        return "text"
    if origin in (Union, UnionType):
        inner = [part for part in get_args(annotation) if part is not NoneType]
        return _type(inner[0]) if len(inner) == 1 else "json"
    return _TYPES.get(annotation, "json")


def _columns(type: Type, names: str) -> list[ExportColumn]:
    return [ExportColumn(name, type) for name in names.split()]


SPAN_NAMES = {"id": "span_id", "name": "span_name"}
SCORE_NAMES = {"id": "score_id"}

DATASET_COLUMNS = [
    *_columns("text", "project_id dataset_id dataset_name dataset_description"),
    ExportColumn("dataset_version", "integer"),
    *_columns("text", "item_id item_key"),
    *_columns("json", "input expected_output item_metadata"),
    ExportColumn("created_at", "moment"),
]
EXPERIMENT_COLUMNS = [
    *_columns("text", "project_id experiment_id experiment_name experiment_status"),
    *_columns("integer", "trials"),
    *_columns("json", "experiment_metadata"),
    *_columns("text", "dataset_id dataset_name"),
    *_columns("integer", "dataset_version"),
    *_columns("text", "run_id item_id item_key"),
    *_columns("json", "item_metadata"),
    *_columns("integer", "trial"),
    *_columns("json", "input expected_output output"),
    *_columns("text", "error_type error_message trace_id"),
    *_columns("integer", "attempts"),
    *_columns("moment", "created_at"),
    *_columns("json", "scores scoring_states annotations"),
]
TRACE_COLUMNS = [
    *_columns("text", "project_id"),
    *columns_of(Span, **SPAN_NAMES),
    *_columns("json", "scores scoring_states annotations"),
]
SCORE_COLUMNS = [
    *columns_of(Score, **SCORE_NAMES),
    *_columns("text", "state reason experiment_id experiment_name item_id"),
    *_columns("integer", "trial"),
]

COLUMNS: Mapping[ExportKind, list[ExportColumn]] = {
    "experiments": EXPERIMENT_COLUMNS,
    "datasets": DATASET_COLUMNS,
    "traces": TRACE_COLUMNS,
    "scores": SCORE_COLUMNS,
}
SCORE_PREFIX = "score."
"""Columns of experiments beside those above: `score.exact_match` has that scorer's newest value on the run."""


def kind_of(names: Iterable[str]) -> ExportKind | None:
    """Which table has these columns."""
    columns = set(names)
    return next((kind for kind, needed in _NEEDED.items() if needed <= columns), None)


_NEEDED: Mapping[ExportKind, frozenset[str]] = {
    "experiments": frozenset({"experiment_id", "experiment_name", "dataset_name", "run_id", "item_id", "trial"}),
    "datasets": frozenset({"dataset_id", "dataset_name", "dataset_version", "item_id", "item_key"}),
    "traces": frozenset({"span_id", "trace_id", "parent_span_id", "span_name", "scoring_states"}),
    "scores": frozenset({"score_id", "target_id", "target_type", "scorer_name", "state"}),
}
"""What tells a table of ours from others. Experiments come first: they have all that datasets need."""
