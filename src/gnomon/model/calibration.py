"""How well a judge agrees with human labels, and its mean corrected by them."""

from typing import Literal

from pydantic import Field

from gnomon.model.fields import Noun

Scale = Literal["binary", "grades", "numbers", "labels"]


class Estimate(Noun):
    """A number with its 95 % interval. What is missing is null, and `reason` says why."""

    value: float | None
    confidence_interval_95: tuple[float, float] | None
    method: str | None = Field(description="How the interval was made")
    reason: str | None


class ConfusionTable(Noun):
    """How often which rating of the judge met which of people's."""

    ratings: list[str]
    counts: list[list[int]] = Field(description="A row for each of people's ratings, a column for each of the judge's")


class BaseRate(Noun):
    rating: str
    judge: float = Field(description="The share of targets that the judge rated so")
    judge_ci_95: tuple[float, float]
    human: float
    human_ci_95: tuple[float, float]


class Calibration(Noun):
    """Agreement is over the targets that both rated; the judge's mean is over all that the judge rated."""

    judge: str
    human: str
    config_hash: str | None = Field(description="The judge's configuration, when one was asked for")
    scale: Scale = Field(description="grades: at most 20 different numbers")
    n_labelled: int = Field(description="Targets that both rated")
    n_judge_only: int
    n_human_only: int
    base_rates: list[BaseRate] | None = Field(description="Over the labelled; null for numbers")
    accuracy: Estimate
    cohen_kappa: Estimate
    weighted_kappa_linear: Estimate
    weighted_kappa_quadratic: Estimate
    gwet_ac1: Estimate
    krippendorff_alpha: Estimate = Field(description="Nominal for binary and labels, ordinal for grades, else interval")
    spearman_rho: Estimate
    confusion: ConfusionTable | None
    judge_mean: Estimate = Field(description="Raw, over all targets that the judge rated")
    human_mean: Estimate = Field(description="Over the labelled")
    bias: Estimate = Field(description="Mean of judge − human over the labelled")
    prediction_powered_mean: Estimate = Field(description="The judge's mean corrected by PPI++")
    rogan_gladen_mean: Estimate = Field(
        description="The judge's mean corrected by Rogan–Gladen, rates from all targets (double sampling); binary only"
    )
    corrected_mean: Estimate = Field(description="Double sampling's for binary, else PPI++'s")
    flags: list[str]
    notes: list[str] = Field(description="The flags, and what else a reader should know, in words")
