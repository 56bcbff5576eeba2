"""Experiments: runs of an application over a dataset, and what their scores say together."""

from typing import Annotated, Any, Literal, LiteralString

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from gnomon.model.aggregate import Aggregate, Interval, IntervalMethod, MissingPolicy
from gnomon.model.card import JudgeBrief
from gnomon.model.fields import ClientId, Draft, Name, Noun, ProjectId, known_fields
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.metrics import ExperimentMetric
from gnomon.model.moment import Moment
from gnomon.model.score import InlineScoreDraft, JsonObject, Score, ScorerSpec
from gnomon.model.stopping import Stopping, StoppingDraft

Status = Literal["created", "running", "completed"]
Metric = Literal["mean", "min", "max", "ci_low", "pass_at_k", "pass_pow_k"]
Comparison = Literal["gte", "gt", "lte", "lt"]
Verdict = Literal["improved", "regressed", "equivalent", "inconclusive"]
Bound = Literal["point", "ci"]
Decision = Literal["pass", "fail", "undecided"]
RunOrder = Literal["created_at", "-created_at", "score", "-score", "item"]
RunStanding = Literal["scored", "absent", "failed", "pending"]
"""Where a run stands with a scorer. The summary counts every run in one of these."""

MAX_TRIALS = 100_000
MAX_RUNS = 1000
"""In one batch."""


def _bad(field: str, words: LiteralString, **values: str) -> PydanticCustomError:
    return PydanticCustomError("INVALID_REQUEST", words, {**values, "field": field})


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
    run_count: int
    metadata: dict[str, Any] | None
    created_at: Moment
    completed_at: Moment | None
    stopping: Stopping | None = Field(
        default=None, description="The question that could end it before all items were run, and how it stood"
    )


class CompleteDraft(Draft):
    stopping: StoppingDraft | None = Field(
        default=None, description="When the evaluation could end before all items were run"
    )


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
            raise _bad("output", "a run has exactly one of `output` (not null) and `error`")
        return self


class RunsDraft(Draft):
    runs: Annotated[list[RunDraft], Field(min_length=1, max_length=MAX_RUNS)]
    replace_failed: bool = Field(
        default=False,
        description="Replace runs of the same item and trial that ended in an error, also in a completed experiment",
    )


class RunsAccepted(Noun):
    accepted: int
    run_ids: list[str]
    job_ids: list[str]


class RunScoreState(Noun):
    """Why a run has no score of a scorer that others in its experiment have, or are to have."""

    scorer_name: str
    state: Literal["absent", "failed", "pending"]
    reason: str | None = Field(description="As the summary's `reasons` has it; null while a job is to make the score")
    config_hash: str | None
    job_id: str | None


class Run(Noun):
    id: str
    experiment_id: str
    dataset_item_id: str
    trial: int
    output: AnyJson
    error: Annotated[RunError, known_fields(RunError)] | None
    trace_id: str | None
    input: AnyJson = Field(description="The dataset item's")
    expected_output: AnyJson = Field(description="The dataset item's")
    scores: list[Score]
    created_at: Moment = Field(description="Of the first attempt")
    attempts: int = Field(default=1, description="How often it was run: one more each time a failed run is replaced")
    score_states: list[RunScoreState] = Field(
        default_factory=list, description="The scorers of which it has no score, and why"
    )


class ThresholdDraft(Draft):
    scorer_name: Name
    metric: Metric
    threshold: Annotated[float, Field(allow_inf_nan=False)]
    comparison: Comparison = "gte"
    k: Annotated[int, Field(ge=1)] | None = None
    bound: Bound = "point"
    min_n: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = Field(
        default=None, description="Fewest items to decide on: 1 for a point, 5 for an interval unless given"
    )
    sequential: bool = Field(default=False, description="Decide on an interval that holds however often one looks")
    missing: MissingPolicy = "drop"
    cluster_by: Name | None = None
    interval: IntervalMethod | None = Field(default=None, description="How to make the interval, if not by the default")

    @model_validator(mode="after")
    def _fits_together(self) -> "ThresholdDraft":
        if self.metric in ("pass_at_k", "pass_pow_k") and self.k is None:
            raise _bad("k", "`k` is needed for the metric {metric}", metric=self.metric)
        if self.bound == "ci" and self.metric in ("min", "max", "ci_low"):
            raise _bad("bound", "{metric} has no interval of its own; use bound `point`", metric=self.metric)
        if self.sequential and (self.metric != "mean" or self.bound != "ci"):
            raise _bad("sequential", "`sequential` goes with the metric `mean` and the bound `ci`")
        if self.sequential and self.cluster_by is not None:
            raise _bad("cluster_by", "`sequential` counts items as they come; leave `cluster_by` out")
        if self.sequential and self.missing != "drop":
            raise _bad("missing", "`sequential` goes with `missing` drop: what is missing may still arrive")
        if self.sequential and self.interval is not None:
            raise _bad("interval", "`sequential` has an interval of its own; leave `interval` out")
        return self


class ThresholdResult(Noun):
    passed: bool
    decision: Decision = Field(description="By the value (`point`) or by its interval (`ci`)")
    reason: str | None = Field(default=None, description="Why it is undecided")
    actual_value: float | None
    threshold: float
    scorer_name: str
    metric: Metric
    comparison: Comparison
    k: int | None
    bound: Bound = "point"
    sequential: bool = False
    n: int | None = Field(default=None, description="Items behind the value")
    min_n: int = 1
    gap: float | None = Field(description="actual value − threshold")
    confidence_interval_95: Interval | None = Field(description="Of the metric; of the mean where it has none")
    ci_method: str | None = None
    missing_policy: MissingPolicy = "drop"
    flags: list[str] = Field(default_factory=list, description="What a reader should know before trusting the interval")
    more_items: int | None = Field(
        default=None, description="About how many more items would probably decide it; when undecided"
    )
    more_items_reason: str | None = Field(
        default=None, description="Why an undecided one has no such number, or what it would take instead"
    )


class ThresholdRecord(Noun):
    """A gate that was evaluated, when, and what came of it."""

    id: str
    experiment_id: str
    evaluated_at: Moment
    result: ThresholdResult


class ScorerSummary(Aggregate):
    """One scorer's scores in one experiment. Numbers and labels are aggregated apart."""

    scorer_name: str
    scored_run_count: int = Field(description="Distinct runs")
    score_count: int
    mixed: bool = Field(description="Numbers and labels under one name")
    judge: JudgeBrief | None = Field(default=None, description="Its report card in a few numbers, where it is a judge")


class ExperimentCost(Noun):
    """What the model calls in the traces of an experiment's runs cost."""

    usd: float | None = Field(description="Null when a model call has no known price")
    known_usd: float = Field(description="Of the model calls whose price is known")
    unpriced_span_count: int = Field(description="Model calls without a known price")
    traced_run_count: int = Field(description="Runs whose trace is stored; the others' cost is not known")


class Summary(Noun):
    experiment_id: str
    name: str
    status: Status
    dataset_id: str
    dataset_version: int
    created_at: Moment
    completed_at: Moment | None
    metadata: dict[str, Any] | None
    run_count: int
    failed_run_count: int = Field(description="Runs that ended in an error")
    dataset_item_count: int = Field(description="Items that the dataset has now")
    expected_item_count: int = Field(description="Items of the dataset's version that the experiment is pinned to")
    expected_run_count: int = Field(description="Those items × trials")
    trials: int
    missing_policy: MissingPolicy
    pass_threshold: float = Field(description="From which score on a run passed, for pass@k and pass^k")
    cluster_by: str | None = Field(
        default=None, description="Key of the items' metadata that says what belongs together"
    )
    threshold_result: ThresholdResult | None = Field(description="The last one evaluated")
    scores_by_scorer: dict[str, ScorerSummary]
    stopping: Stopping | None = Field(
        default=None, description="The question that could end it early; intervals then hold at every look"
    )
    metrics: dict[str, ExperimentMetric] = Field(
        default_factory=dict, description="Numbers about the whole experiment that are no mean of scores"
    )
    cost: ExperimentCost | None = Field(default=None, description="Null when no run's trace has a model call")


class ScorerComparison(Noun):
    """One scorer in two experiments over the same dataset. `delta` is compare − base."""

    scorer_name: str
    base_mean: float | None
    base_ci_95: Interval | None
    compare_mean: float | None
    compare_ci_95: Interval | None
    delta: float | None
    paired_delta: float | None = Field(description="Over the items scored in both")
    delta_ci_95: Interval | None
    ci_method: str | None = Field(description="Of `delta_ci_95`")
    p_value: float | None
    p_value_adjusted: float | None = Field(description="Holm, over the scorers of this comparison")
    permutation_p_value: float | None = Field(description="By flipping signs, as a check below 30 items")
    verdict: Verdict
    words: str = Field(description="The verdict for people")
    more_items: int | None = Field(description="How many more items would probably decide it; when inconclusive")
    flags: list[str]
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
    base_name: str
    compare_experiment_id: str
    compare_name: str
    missing_policy: MissingPolicy
    scorer_comparisons: list[ScorerComparison] = Field(description="The strongest evidence of regression first")
    per_item_results: list[ItemComparison]


class ScoreExperimentDraft(Draft):
    scorers: Annotated[list[ScorerSpec], Field(min_length=1, max_length=100)]
    only_missing: bool = True
    no_cache: bool = Field(default=False, description="Ask judges again, also what they were asked before")
