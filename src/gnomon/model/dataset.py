"""Datasets: named lists of inputs with the answers hoped for. Every change makes a new version."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from gnomon.model.fields import Draft, Noun, ProjectId, TrimmedName
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.moment import Moment
from gnomon.model.score import JsonObject

MAX_LINE = 1_000_000
"""The longest line of an import, in bytes."""
MAX_LISTED = 1000
"""How many of the lines that an import skipped are listed."""


def _not_null(value: Any) -> Any:
    if value is None:
        raise ValueError('must not be null; an empty text "" is fine')
    return value


class DatasetDraft(Draft):
    project_id: ProjectId | None = None
    name: TrimmedName
    description: str | None = None


class Dataset(Noun):
    id: str
    project_id: str
    name: str
    description: str | None
    version: int = Field(ge=1)
    item_count: int
    created_at: Moment
    updated_at: Moment


class ItemDraft(Draft):
    input: Annotated[AnyJson, AfterValidator(_not_null)]
    expected_output: AnyJson = None
    metadata: JsonObject | None = None


class DatasetItem(Noun):
    id: str
    dataset_id: str
    input: AnyJson
    expected_output: AnyJson
    metadata: dict[str, Any] | None
    created_at: Moment


class SkippedLine(Noun):
    line: int = Field(description="Counted from 1")
    reason: str


class Imported(Noun):
    imported_count: int
    skipped_count: int
    skipped: list[SkippedLine] = Field(description="The first 1000")
