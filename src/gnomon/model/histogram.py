"""How one scorer's scores in one experiment are spread."""

from pydantic import Field

from gnomon.model.experiment import RunStanding
from gnomon.model.fields import Noun

MOST_VALUES = 400
"""So many scores are listed one by one."""
MOST_BINS = 200


class MissingCount(Noun):
    """Runs without a score, for one reason."""

    state: RunStanding
    reason: str | None = Field(description="Null while a job is to make the score")
    count: int


class Histogram(Noun):
    """A run with several numbers of the scorer counts once, with their mean."""

    experiment_id: str
    scorer_name: str
    edges: list[float] = Field(
        description="From 0 to 1, one more than bins. A score on an edge belongs to the bin above it, 1 to the last"
    )
    counts: list[int] = Field(description="Runs per bin")
    n_values: int = Field(description="Runs with a number")
    quartiles: tuple[float, float, float] | None = Field(description="Null without numbers")
    labels: dict[str, int] = Field(description="Label → scores")
    n_missing: int = Field(description="Runs without any score of this scorer")
    missing: list[MissingCount] = Field(description="The same by state and reason, the most frequent first")
    run_ids: list[str] | None = Field(description="Of `values`; null when there are more than 400")
    values: list[float] | None = Field(description="Each run's number, by item and run; null when there are over 400")
