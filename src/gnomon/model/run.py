"""Runs as they are looked at: many of them cut short, or a single one with all that is known of it."""

from typing import Annotated, Literal

from pydantic import Field

from gnomon.model.experiment import Run, RunError, RunStanding
from gnomon.model.fields import Noun, known_fields
from gnomon.model.moment import Moment
from gnomon.model.score import Score

LEAN_CHARACTERS = 300
"""Of a text in a lean run."""

RunFields = Literal["all", "lean"]


class LeanScore(Noun):
    """The state of a run for one scorer: its score, or why there is none."""

    scorer_name: str
    value: float | str | None = Field(description="Of several scores by one scorer each has an entry, newest first")
    state: RunStanding
    reason: str | None
    has_rationale: bool


class LeanRun(Noun):
    """A run as a row of a table: texts are cut at 300 characters, scores are reduced to their values."""

    id: str
    experiment_id: str
    dataset_item_id: str
    trial: int
    input: str | None = Field(description="The beginning of the item's input: a string as it is, all else as JSON text")
    input_size: int = Field(description="Bytes of the whole text in UTF-8")
    output: str | None = Field(description="The beginning of the output, as with `input`")
    output_size: int
    expected_output: str | None = Field(description="The beginning of the item's expected output, as with `input`")
    expected_output_size: int
    error: Annotated[RunError, known_fields(RunError)] | None
    trace_id: str | None
    scores: list[LeanScore] = Field(description="By scorer")
    created_at: Moment
    attempts: int


class ScoreWithJob(Score):
    """A score with the job that made it."""

    job_id: str | None = Field(description="The judge's job that made it; its votes and cost are there")


class RunDetail(Run):
    """A single run. With `max_bytes`, what is longer is cut and becomes text."""

    scores: list[ScoreWithJob]  # type: ignore[assignment]
    input_size: int = Field(description="Bytes of the whole text in UTF-8: of a string itself, else of its JSON")
    output_size: int
    expected_output_size: int
    truncated: list[Literal["input", "output", "expected_output"]] = Field(
        description="Which of them are cut: they are then the beginning of the text, whatever they were before"
    )
