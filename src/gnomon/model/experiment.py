"""Experiments: runs of an application over a dataset, and what their scores say together."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from gnomon.model.fields import ClientId, Draft, Name, Noun, ProjectId
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.moment import Moment
from gnomon.model.score import InlineScoreDraft, JsonObject, Score

Status = Literal["created", "running", "completed"]
Metric = Literal["mean", "min", "max", "ci_low", "pass_at_k", "pass_pow_k"]
Comparison = Literal["gte", "gt", "lte", "lt"]
Verdict = Literal["improved", "regressed", "equivalent", "inconclusive"]
Interval = tuple[float, float]

MAX_TRIALS = 100_000


class ExperimentDraft(Draft):
    project_id: ProjectId | None = None
    name: Name
    dataset_id: Annotated[str, Field(min_length=1)]
    trials: Annotated[int, Field(ge=1, le=MAX_TRIALS)] = 1
    auto_complete: bool = False
    metadata: JsonObject | None = None


class Experiment(Noun):
    id: str
    project_id: str
    name: str
    dataset_id: str
    dataset_version: int
    trials: int
    auto_complete: bool
    status: Status
    metadata: dict[str, Any] | None
    created_at: Moment
    completed_at: Moment | None


class RunError(Draft):
    message: str
    type: str | None = None


class RunDraft(Draft):
    dataset_item_id: Annotated[str, Field(min_length=1)]
    trial: Annotated[int, Field(ge=0, le=MAX_TRIALS)] = 0
    output: AnyJson = None
    error: RunError | None = None
    trace_id: ClientId | None = None
    scores: list[InlineScoreDraft] | None = None

    @model_validator(mode="after")
    def _output_or_error(self) -> "RunDraft":
        if (self.output is None) == (self.error is None):
            raise PydanticCustomError(
                "INVALID_REQUEST", "a run has exactly one of `output` (not null) and `error`", {"field": "output"}
            )
        return self


class RunsDraft(Draft):
    runs: Annotated[list[RunDraft], Field(min_length=1, max_length=1000)]


class RunsAccepted(Noun):
    accepted: int
    run_ids: list[str]
    job_ids: list[str]


class Run(Noun):
    id: str
    experiment_id: str
    dataset_item_id: str
    trial: int
    output: AnyJson
    error: RunError | None
    trace_id: str | None
    input: AnyJson = Field(description="The dataset item's")
    expected_output: AnyJson = Field(description="The dataset item's")
    scores: list[Score]
    created_at: Moment


class ThresholdDraft(Draft):
    scorer_name: Name
    metric: Metric
    threshold: Annotated[float, Field(allow_inf_nan=False)]
    comparison: Comparison = "gte"
    k: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _k_where_needed(self) -> "ThresholdDraft":
        if self.metric in ("pass_at_k", "pass_pow_k") and self.k is None:
            raise PydanticCustomError(
                "INVALID_REQUEST", "`k` is needed for the metric {metric}", {"metric": self.metric, "field": "k"}
            )
        return self


class ThresholdResult(Noun):
    passed: bool
    actual_value: float | None
    threshold: float
    scorer_name: str
    metric: Metric
    comparison: Comparison
    k: int | None
    gap: float | None = Field(description="actual value − threshold")
    confidence_interval_95: Interval | None


class ScorerSummary(Noun):
    """One scorer's scores in one experiment. Numbers and labels are aggregated apart."""

    scorer_name: str
    scored_run_count: int = Field(description="Distinct runs")
    score_count: int
    mean: float | None
    min: float | None
    max: float | None
    standard_deviation: float | None
    standard_error: float | None
    confidence_interval_95: Interval | None
    ci_method: str | None
    clusters: int | None = Field(description="Dataset items, when they were taken as clusters")
    flags: list[str] = Field(description="What a reader should know before trusting the interval")
    distribution: dict[str, int] | None = Field(description="Label → count")
    mixed: bool = Field(description="Numbers and labels under one name")
    n_total: int = Field(description="Runs of the experiment")
    n_scored: int
    n_absent: int
    n_failed: int
    n_pending: int
    reasons: dict[str, int] = Field(description="Why runs have no score of this scorer → how many")
    pass_at_k: dict[str, float] | None = Field(default=None, description="By k; with more than one trial")
    pass_pow_k: dict[str, float] | None = Field(default=None, description="By k; with more than one trial")


class Summary(Noun):
    experiment_id: str
    name: str
    status: Status
    run_count: int
    failed_run_count: int = Field(description="Runs that ended in an error")
    dataset_item_count: int
    trials: int
    threshold_result: ThresholdResult | None = Field(description="The last one evaluated")
    scores_by_scorer: dict[str, ScorerSummary]


class ScorerComparison(Noun):
    """One scorer in two experiments over the same dataset. `delta` is compare − base."""

    scorer_name: str
    base_mean: float | None
    compare_mean: float | None
    delta: float | None
    paired_delta: float | None = Field(description="Over the items scored in both")
    delta_ci_95: Interval | None
    p_value: float | None
    p_value_adjusted: float | None = Field(description="Holm, over the scorers of this comparison")
    verdict: Verdict
    improved_count: int
    regressed_count: int
    unchanged_count: int
    changed_count: int = Field(description="Labels that differ")
    paired_count: int
    only_in_base: int
    only_in_compare: int
    mixed: bool


class ItemComparison(TypedDict):
    """One item in two experiments. A plain dict: a comparison may hold a hundred thousand of them."""

    dataset_item_id: str
    scorer_name: str
    base_score: float | str | None
    compare_score: float | str | None
    delta: float | None


class ExperimentComparison(Noun):
    base_experiment_id: str
    compare_experiment_id: str
    scorer_comparisons: list[ScorerComparison]
    per_item_results: list[ItemComparison]


class ScorerSpec(Draft):
    """A built-in scorer, by name and configuration."""

    scorer_name: Name
    scorer: Name | None = None
    config: JsonObject | None = None


class ScoreExperimentDraft(Draft):
    scorers: Annotated[list[ScorerSpec], Field(min_length=1, max_length=100)]
    only_missing: bool = True
