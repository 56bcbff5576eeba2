"""Two experiments item by item: pages of items with both outputs, and all of them as points."""

from typing import Annotated, Literal

from pydantic import Field

from gnomon.model.aggregate import MissingPolicy
from gnomon.model.experiment import RunError
from gnomon.model.fields import Noun, known_fields
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.page import Page

Change = Literal["regressed", "improved", "unchanged", "changed", "only_base", "only_other"]
"""What became of one item; `changed` is a label that differs."""
ItemOrder = Literal["delta", "-delta", "item"]
PerItem = Literal["all", "none"]

SHOWN_BYTES = 2048
"""Of an input or output in a page of items."""
MOST_TRIALS = 20
"""Of one item, on each side."""
MOST_POINTS = 5000


class ComparedTrial(Noun):
    """One run of an item."""

    run_id: str
    trial: int
    score: float | None = Field(description="The mean, where the scorer gave it several numbers")
    label: str | None = Field(description="The newest label, where the scorer gave it one")
    output: AnyJson = Field(description="Longer than 2,048 bytes it is cut: the beginning of its text")
    output_size: int = Field(description="Bytes of the whole text in UTF-8: of a string itself, else of its JSON")
    output_truncated: bool
    error: Annotated[RunError, known_fields(RunError)] | None


class ComparedItem(Noun):
    """One item in two experiments. Scores, delta and labels are those of the comparison."""

    dataset_item_id: str
    change: Change
    base_score: float | None = Field(description="Mean over the trials")
    other_score: float | None
    delta: float | None = Field(description="other − base")
    base_label: str | None = Field(description="The most frequent one over the trials")
    other_label: str | None
    input: AnyJson = Field(description="Longer than 2,048 bytes it is cut: the beginning of its text")
    input_size: int = Field(description="Bytes of the whole text in UTF-8: of a string itself, else of its JSON")
    input_truncated: bool
    expected_output: AnyJson
    expected_output_size: int
    expected_output_truncated: bool
    base: list[ComparedTrial] = Field(description="Runs of the base by trial; the first 20")
    other: list[ComparedTrial]
    base_run_count: int
    other_run_count: int


class ItemCounts(Noun):
    """How many items of one scorer became what; the same counts as in the comparison."""

    regressed: int
    improved: int
    unchanged: int
    changed: int = Field(description="Labels that differ")
    only_base: int
    only_other: int


class ComparedItems(Page[ComparedItem]):
    scorer_name: str
    missing_policy: MissingPolicy
    counts: ItemCounts = Field(description="Of all items, whatever `show` and `q` leave")


class ComparisonPoints(Noun):
    """Every item as a point: columns of equal length, items in the order of their ids."""

    scorer_name: str
    missing_policy: MissingPolicy
    counts: ItemCounts
    total: int = Field(description="Items that have a score on either side")
    truncated: bool = Field(description="Whether there are more than the 5,000 that are listed")
    dataset_item_ids: list[str]
    base_scores: list[float | str | None] = Field(description="Mean over the trials, or the most frequent label")
    other_scores: list[float | str | None]
    changes: list[Change]
