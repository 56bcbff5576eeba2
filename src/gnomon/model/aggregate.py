"""What several scores say together: how many, how large, how sure, and what is missing."""

from typing import Literal

from pydantic import Field

from gnomon.model.fields import Noun

Interval = tuple[float, float]
MissingPolicy = Literal["drop", "zero", "bracket"]
IntervalMethod = Literal["wilson", "beta_moments", "cluster_wilson", "clopper_pearson", "jeffreys", "t_clipped", "bca"]
"""What a caller may choose instead of the default, by name."""


class LabelShare(Noun):
    """How often one label was given, among all labels."""

    count: int
    share: float
    confidence_interval_95: Interval


class Aggregate(Noun):
    """Scores of one kind. Whatever cannot be said is null, and `flags` or `reasons` say why."""

    n_total: int = Field(description="Runs")
    n_scored: int
    n_absent: int
    n_failed: int
    n_pending: int
    reasons: dict[str, int] = Field(description="Why runs have no score → how many")
    missing_policy: MissingPolicy = Field(description="What was done about runs without a score")
    missing_bracket: Interval | None = Field(description="The mean if all missing scores were 0, and if all were 1")
    mean: float | None
    min: float | None
    max: float | None
    standard_deviation: float | None = Field(description="Of the scores (n − 1); null for one score")
    standard_error: float | None = Field(description="Of the mean, with items as what varies")
    confidence_interval_95: Interval | None
    ci_method: str | None
    clusters: int | None = Field(description="Items, when several scores of one item stood together")
    flags: list[str] = Field(description="What a reader should know before trusting the interval")
    items_fixed_standard_error: float | None = Field(
        default=None, description="Of the mean if the same items were tried again; it says nothing about others"
    )
    items_fixed_ci_95: Interval | None = Field(default=None, description="The same as an interval")
    distribution: dict[str, int] | None = Field(default=None, description="Label → count")
    label_shares: dict[str, LabelShare] | None = Field(default=None, description="Label → its share, with interval")
    pass_at_k: dict[str, float] | None = Field(default=None, description="By k; with more than one trial")
    pass_pow_k: dict[str, float] | None = Field(default=None, description="By k; with more than one trial")
    pass_at_k_ci_95: dict[str, Interval] | None = Field(default=None, description="By k, over items")
    pass_pow_k_ci_95: dict[str, Interval] | None = Field(default=None, description="By k, over items")
