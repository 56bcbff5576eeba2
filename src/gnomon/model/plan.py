"""The sources of the variance of scores, from which an evaluation is planned."""

from pydantic import Field

from gnomon.model.fields import Noun


class VarianceOfScores(Noun):
    """One agent's scores by one scorer, taken apart."""

    items: int
    trials: float = Field(description="Runs an item has, on average")
    votes: float = Field(description="Scores a run has, on average")
    between_items: float
    within_items: float | None = Field(
        description="Null when no item has several runs: then it is part of `between_items`"
    )
    judge: float | None = Field(description="Null when no run has several scores: then it is part of the others")


class Variance(Noun):
    """The variance of one agent's scores, or of two agents' scores over the same items."""

    base: VarianceOfScores
    against: VarianceOfScores | None
    differences: float | None = Field(
        description="Of item-level differences between the two, without what runs and votes add"
    )
    paired_items: int | None
    notes: list[str] = Field(description="What could not be measured, and what was taken instead")


class Reach(Noun):
    """The smallest difference that this many items and trials show."""

    items: int
    trials: int
    effect: float


class Plan(Noun):
    """What it takes to see a difference between two agents."""

    effect: float
    power: float
    alpha: float
    items: int = Field(description="How many it takes")
    trials: int
    votes: int
    variance: Variance | None = Field(description="What was measured; null when everything is assumed")
    differences: float = Field(description="The variance of item-level differences that was used")
    runs: float = Field(description="What one run of each agent adds to it")
    judge: float = Field(description="What one vote on each adds")
    now: Reach | None = Field(description="What the items that were measured show")
    grid: list[Reach]
    gains: dict[str, float | None] = Field(
        description="How fast the variance falls per unit of cost, by what is bought; items are 1, null is unknown"
    )
    advice: str
    notes: list[str]
