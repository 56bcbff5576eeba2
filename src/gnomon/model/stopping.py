"""Why an evaluation ended before all of its items were run, as the experiment keeps it."""

from typing import Annotated, Literal, LiteralString

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.aggregate import Interval
from gnomon.model.fields import Count, Draft, Name, Noun

StoppingKind = Literal["gate", "difference"]
StoppingOutcome = Literal["passed", "failed", "better", "worse", "not_worse", "undecided", "cannot_be_decided"]
OPEN_OUTCOMES: tuple[StoppingOutcome, ...] = ("undecided", "cannot_be_decided")
OUTCOMES: dict[StoppingKind, tuple[StoppingOutcome, ...]] = {
    "gate": ("passed", "failed", *OPEN_OUTCOMES),
    "difference": ("better", "worse", "not_worse", *OPEN_OUTCOMES),
}
End = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
Ends = Annotated[tuple[End, End], Field(strict=False)]  # JSON has lists only


def _bad(field: str, words: LiteralString, **values: object) -> PydanticCustomError:
    return PydanticCustomError("INVALID_REQUEST", words, {**values, "field": field})


class StoppingDraft(Draft):
    """The question that could end an evaluation, and how it stood at the last look."""

    scorer_name: Name
    kind: StoppingKind = Field(description="A mean against a bar, or against that of another experiment")
    text: Annotated[str, Field(min_length=1, max_length=2000)] = Field(description="The gate as it was written")
    outcome: StoppingOutcome
    items: Count = Field(description="Items that had been run at the last look")
    max_items: Annotated[Count, Field(ge=1)] = Field(description="Items that could have been run")
    against: Annotated[str, Field(min_length=1)] | None = Field(
        default=None, description="The experiment that a difference is from"
    )
    mean: End | None = Field(default=None, description="Of the items' means, or of their differences")
    confidence_interval_95: Ends | None = Field(default=None, description="Of the last look, cut with those before")
    ci_method: Name | None = None

    @model_validator(mode="after")
    def _fits_together(self) -> "StoppingDraft":
        if self.outcome not in OUTCOMES[self.kind]:
            known = ", ".join(OUTCOMES[self.kind])
            words = "a {kind} does not end as {outcome}; it is one of {known}"
            raise _bad("outcome", words, kind=self.kind, outcome=self.outcome, known=known)
        if (self.kind == "difference") != (self.against is not None):
            raise _bad("against", "a difference names the experiment that it is from, a gate names none")
        if self.items > self.max_items:
            words = "{items} items were looked at, and at most {most} could be run; give the larger as max_items"
            raise _bad("items", words, items=self.items, most=self.max_items)
        ends = self.confidence_interval_95
        if ends is not None and ends[0] > ends[1]:
            raise _bad("confidence_interval_95", "the low end comes first")
        return self


class Stopping(Noun):
    """The question that could end the evaluation, and how it stood at the last look."""

    scorer_name: str
    kind: StoppingKind
    text: str
    outcome: StoppingOutcome
    items: int
    max_items: int
    against: str | None
    mean: float | None
    confidence_interval_95: Interval | None = Field(description="As the caller stated it; summaries compute their own")
    ci_method: str | None

    @property
    def flag(self) -> str:
        """What intervals of this experiment are flagged with."""
        return "stopped_early" if self.items < self.max_items else "could_stop_early"
