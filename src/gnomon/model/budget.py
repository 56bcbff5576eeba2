"""What a project may spend on judges, and what a scoring would cost."""

from typing import Annotated, Literal

from pydantic import Field

from gnomon.model.fields import Count, Draft, Noun

Usd = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]


class BudgetDraft(Draft):
    """The whole budget: a limit that is left out, or null, is none. 0 allows nothing."""

    usd_per_day: Usd | None = None
    tokens_per_day: Count | None = None


class ModelSpending(Noun):
    model: str
    calls: int
    tokens: int
    usd: float


class Budget(Noun):
    project_id: str
    usd_per_day: float | None
    tokens_per_day: int | None
    day: str = Field(description="Today in UTC; at midnight spending starts again at 0")
    spent_usd: float
    spent_tokens: int
    left_usd: float | None = Field(description="Null without a limit")
    left_tokens: int | None = Field(description="Null without a limit")
    by_model: list[ModelSpending] = Field(description="Today's spending, the dearest first")


class ScorerPreview(Noun):
    scorer_name: str
    model: str | None = Field(description="Null for rules, which cost nothing")
    to_score: int = Field(description="Targets that would be scored")
    already_scored: int = Field(description="Targets that `only_missing` leaves out")
    cached: int = Field(description="Answers that are known from earlier calls")
    calls: int = Field(description="Calls to the model, votes counted")
    tokens_input_estimate: int
    tokens_output_estimate: int
    cost_usd_estimate: float | None = Field(description="Null when nothing says what the model costs")
    estimate_from: Literal["past calls", "price list"] | None = Field(description="Where the price comes from")


class ScoringPreview(Noun):
    """What a scoring would cost. Nothing was stored, and no model was called."""

    targets: int
    by_scorer: list[ScorerPreview]
    cost_usd_estimate: float | None = Field(description="Null when a part of it is not known")
    budget_left_usd: float | None = Field(description="Of today; null without a limit")
    notes: list[str]
