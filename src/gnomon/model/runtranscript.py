"""A run to be read: what the agent received, said and did, step by step, with the places that its score stands on."""

from typing import Any

from pydantic import Field

from gnomon.model.fields import Noun

TEXT_BYTES = 4_000
"""Longer texts in a transcript are cut; the trace has them whole."""
MOST_STEPS = 500


class TranscriptClaim(Noun):
    """One claim of a score about a run, and its place in the transcript."""

    claim: str = Field(description="What it shows: the name of a metric, or the family's own word")
    label: str = Field(description="The same for people")
    excerpt: str = Field(description="The words or the call, shortened")
    step: int | None = Field(description="Place in `steps`; null where the transcript has no such step")
    turn: int | None = Field(description="Place in the step's `turns`; null: the step as a whole")
    call: int | None = Field(description="Place in the turn's `calls`; null: the turn as a whole")


class TranscriptCall(Noun):
    """A tool that was called, and what came back."""

    tool: str
    arguments: Any = Field(description="As JSON; text where it was cut")
    result: Any = Field(description="As JSON; text where it was cut")
    ok: bool | None = Field(description="False when it came back as an error; null where that is not known")
    claims: list[int] = Field(description="Places in `claims` that are seen here")


class TranscriptTurn(Noun):
    text: str | None = Field(description="What the agent wrote")
    calls: list[TranscriptCall] = Field(description="What it called, in order")
    claims: list[int] = Field(description="Places in `claims` that are seen here")


class TranscriptStep(Noun):
    """What one message to the agent set off."""

    step_id: int
    span_id: str | None = Field(description="Of the trace, where its texts are whole")
    timestamp: str = Field(description="Simulated time; empty where there is none")
    message: str | None = Field(description="What the agent was given")
    turns: list[TranscriptTurn]
    error: str | None
    claims: list[int] = Field(description="Places in `claims` that are seen in the step as a whole")


class TranscriptMetric(Noun):
    """One metric of the run's score."""

    name: str
    label: str
    value: bool | int | float | str | list[str] | None
    reason: str | None = Field(description="Why it does not apply to this run")
    claims: list[int] = Field(description="Places in `claims` that it stands on")


class RunTranscript(Noun):
    """One run of an experiment as a transcript, read from its trace."""

    run_id: str
    experiment_id: str
    dataset_id: str
    dataset_item_id: str
    trial: int
    trace_id: str
    agent_id: str
    scenario_id: str
    family: str | None = Field(description="Of the benchmark; null where the run is not a benchmark's")
    success: bool | None = Field(description="By the family's rules; null where there is no result")
    reason: str | None = Field(description="Why the run has no result")
    metrics: list[TranscriptMetric]
    claims: list[TranscriptClaim] = Field(description="In the order of the score's evidence")
    steps: list[TranscriptStep] = Field(description=f"At most {MOST_STEPS}")
    step_count: int
    truncated: int = Field(description=f"Texts that were longer than {TEXT_BYTES:,} bytes and are cut")
    notes: list[str]
