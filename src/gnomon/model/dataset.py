"""Datasets: named lists of inputs with expected outputs. Every change makes a new version."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from gnomon.model.fields import Draft, Name, Noun, ProjectId, TrimmedName
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.moment import Moment
from gnomon.model.score import JsonObject, Score

MAX_LINE = 1_000_000
"""The longest line of an import, in bytes."""
MAX_LISTED = 1000
"""How many of the lines that an import skipped are listed."""
MAX_SYNCED = 100_000
"""How many items a dataset may be synchronised with in one call."""


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


class DatasetRow(Dataset):
    """A dataset as a row of a table."""

    experiment_count: int = Field(description="Experiments on it, on any of its versions")


class ItemDraft(Draft):
    input: Annotated[AnyJson, AfterValidator(_not_null)]
    expected_output: AnyJson = None
    metadata: JsonObject | None = None
    key: Name | None = Field(
        default=None, description="Your own id of the item, unique in the dataset's newest version"
    )


class ItemsDraft(Draft):
    """The whole list: items that are left out are removed."""

    items: Annotated[list[ItemDraft], Field(max_length=MAX_SYNCED)]


class ItemsSynced(Noun):
    dataset_id: str
    version: int = Field(description="The new version; the old one when nothing changed")
    added: int
    changed: int = Field(description="Items whose key was there with other content: the old item left, a new one came")
    removed: int
    kept: int
    item_ids: list[str] = Field(description="In the order of the items that were sent")


class DatasetItem(Noun):
    id: str
    dataset_id: str
    key: str | None = Field(description="The caller's own id of it")
    input: AnyJson
    expected_output: AnyJson
    metadata: dict[str, Any] | None
    created_at: Moment


ItemFields = Literal["all", "lean"]
LEAN_CHARACTERS = 300
"""Of a text in a lean item."""


class LeanItem(Noun):
    """An item as a row of a table: texts are cut at 300 characters."""

    id: str
    dataset_id: str
    key: str | None
    input: str = Field(description="The beginning of the input: a string as it is, all else as JSON text")
    input_size: int = Field(description="Bytes of the whole text in UTF-8")
    expected_output: str | None = Field(description="The beginning of the expected output, as with `input`")
    expected_output_size: int
    metadata: str | None = Field(description="The beginning of the metadata as JSON text")
    metadata_size: int
    created_at: Moment


class SkippedLine(Noun):
    line: int = Field(description="Counted from 1")
    reason: str


class Imported(Noun):
    imported_count: int
    skipped_count: int
    skipped: list[SkippedLine] = Field(description="The first 1000")


class DatasetVersion(Noun):
    """One version of a dataset, and what changed since the one before."""

    version: int
    created_at: Moment | None = Field(description="Null for old versions of which that was not kept")
    item_count: int
    added: int = Field(description="New items, without those that replace another one")
    removed: int = Field(description="Items that left, without those that were replaced")
    changed: int = Field(description="Items that were replaced: edited, or synchronised under the same key")


class ItemRun(Noun):
    """A run on a dataset item, with its experiment and its scores."""

    run_id: str
    experiment_id: str
    experiment_name: str
    trial: int
    output: AnyJson
    error: AnyJson = Field(description="Null for a run that did not fail")
    trace_id: str | None
    scores: list[Score]
    created_at: Moment
