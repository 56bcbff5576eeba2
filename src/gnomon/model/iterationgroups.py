"""Iterations of coding agents together: what there is to choose from, one group's scores, and two groups compared."""

from typing import Annotated, Literal

from pydantic import Field

from gnomon.model.aggregate import Interval, IntervalMethod, MissingPolicy
from gnomon.model.experiment import Bound, Comparison, ScorerSummary, Verdict
from gnomon.model.fields import Draft, Noun
from gnomon.model.traceviews import FacetValue

GroupBy = Literal["session", "agent", "model", "label", "period", "rubric", "rules-file"]
NO_RULES_FILE = "no rules file"
"""The group of iterations at whose commit there was none."""
ClusterBy = Literal["session", "task"]
GroupMetric = Literal["mean", "min", "max", "ci_low"]
"""What can be held against a bar; pass@k needs trials of one item, which iterations have not."""


class IterationOptions(Draft):
    """Which iterations of a project are meant; what is left out leaves all.

    Groups are of one rubric version: unless it is named, the last pushed one of the default profile.
    """

    source: str | None = None
    rubric_version: str | None = None
    session_id: str | None = None
    band: str | None = None
    agent: str | None = None
    model: str | None = None
    label: str | None = None
    rules_file: str | None = None
    """As the facets list it: the file's name @ the beginning of its content's SHA-256."""


class IterationSummaryOptions(IterationOptions):
    cluster_by: ClusterBy | None = None
    """`session` unless said."""
    missing: MissingPolicy | None = None
    interval: IntervalMethod | None = None


class IterationThresholdOptions(IterationSummaryOptions):
    comparison: Comparison | None = None
    bound: Bound | None = None
    min_n: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None


class IterationComparisonOptions(IterationOptions):
    a: str | None = None
    """The base: a session, an agent, …, or a period as FROM..TO. Where there are just two, the older one."""
    b: str | None = None
    """What is compared with it."""
    cluster_by: ClusterBy | None = None
    """`session` unless said; `task` when sessions are compared."""
    scorer_name: str | None = None
    """All that iterations of either group have, unless said."""
    min_effect: Annotated[float, Field(ge=0, le=1)] | None = None
    """The smallest difference that matters."""


class IterationFacets(Noun):
    """What iterations can be filtered and compared by. Values are the last stored first, at most 1,000 of each."""

    total: int
    provisional_count: int = Field(description="Iterations that stand on little evidence")
    sources: list[FacetValue]
    rubric_versions: list[FacetValue]
    sessions: list[FacetValue]
    agents: list[FacetValue]
    models: list[FacetValue]
    labels: list[FacetValue]
    bands: list[FacetValue]
    rules_files: list[FacetValue] = Field(description="File name @ the beginning of its content's SHA-256")


class IterationSummary(Noun):
    """The scores of a group of iterations, scorer by scorer. Provisional iterations are left out of every mean."""

    project_id: str
    rubric_version: str | None = Field(description="Null when there is no iteration")
    rubric_versions: list[str] = Field(description="All that are stored here, the last pushed first")
    cluster_by: ClusterBy
    n_iterations: int = Field(description="Without the provisional ones")
    n_provisional: int = Field(description="Left out: they stand on little evidence")
    scores_by_scorer: dict[str, ScorerSummary] = Field(description="Counts are of iterations")


class IterationGroup(Noun):
    """One of two groups that are compared."""

    name: str = Field(description="What its iterations have in common: a session, a model, a period, …")
    n_iterations: int = Field(description="Without the provisional ones")
    n_provisional: int = Field(description="Left out of every mean: they stand on little evidence")
    n_clusters: int = Field(description="Sessions or tasks; an iteration that names none is one of its own")


class GroupMean(Noun):
    """One scorer's numbers in one group."""

    n: int = Field(description="Iterations with a number")
    n_absent: int = Field(description="Iterations of the group without one")
    clusters: int
    mean: float | None
    confidence_interval_95: Interval | None


class GroupScorerComparison(Noun):
    """One scorer in two groups of iterations. `delta` is compare − base."""

    scorer_name: str
    base: GroupMean
    compare: GroupMean
    delta: float | None
    delta_ci_95: Interval | None
    ci_method: str | None = Field(description="Of `delta_ci_95`")
    p_value: float | None
    p_value_adjusted: float | None = Field(
        description="By Holm over the scorers of this comparison; the total, `outcome`, is the main question and stays"
    )
    verdict: Verdict
    words: str = Field(description="The verdict for people")
    more_clusters: int | None = Field(
        description="How many more sessions or tasks in each group would probably decide it; when inconclusive"
    )
    flags: list[str]


class GroupComparison(Noun):
    """Two groups of iterations, of a store or of a log on this machine: unpaired, sessions or tasks vary."""

    by: GroupBy
    cluster_by: ClusterBy
    rubric_version: str | None = Field(description="The one that both groups are scored by; null when compared by it")
    rubric_versions: list[str] = Field(description="All that are stored here, the last pushed first")
    base: IterationGroup
    compare: IterationGroup
    scorer_comparisons: list[GroupScorerComparison] = Field(
        description="`outcome` first, then by the evidence of regression"
    )
    notes: list[str] = Field(description="What was left out, and why")


class IterationComparison(GroupComparison):
    """Two groups of stored iterations: unpaired, with sessions or tasks as what varies."""

    project_id: str
