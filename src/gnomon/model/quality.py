"""How good the items of a dataset are: how hard, and how well they separate experiments."""

from typing import Literal

from pydantic import Field

from gnomon.model.aggregate import Interval
from gnomon.model.fields import Noun

QualityOrder = Literal["hardest", "easiest", "telling", "misleading"]
Solved = Literal["never", "always"]


class ItemQuality(Noun):
    """One item over the experiments that have numbers of one scorer on it."""

    item_id: str
    key: str | None
    input: str | None = Field(
        default=None, description="The first 300 characters of its input: a string as it is, all else as JSON text"
    )
    experiments: int = Field(description="Experiments with a number on it")
    n: int = Field(description="Numbers on it, over all experiments and trials")
    mean: float = Field(description="Mean of the experiments' means on it, 1 is easiest; each experiment counts once")
    confidence_interval_95: Interval
    never_solved: bool = Field(description="No score on it reached the pass threshold")
    always_solved: bool = Field(description="Every score on it reached the pass threshold")
    discrimination: float | None = Field(
        description="Correlation of the experiments' means on it with their means over all other items, −1 to 1: near "
        "1 it tells good experiments from weak ones, near 0 it does not, below 0 the weak ones do better on it"
    )
    discrimination_reason: str | None = Field(description="Why there is no such figure")


class DatasetQuality(Noun):
    dataset_id: str
    version: int = Field(description="Items of this version, the newest")
    scorer_name: str
    pass_threshold: float = Field(description="From which score on an item is solved")
    experiments: int = Field(description="Experiments with numbers of this scorer on these items")
    item_count: int
    scored_item_count: int = Field(description="Items with a number; only these are below")
    never_solved_count: int
    always_solved_count: int
    sort: QualityOrder
    items: list[ItemQuality] = Field(description="The first of them, as many as were asked for")
    notes: list[str]
