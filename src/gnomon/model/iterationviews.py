"""What pages show of iterations: values over time in brief, and the context of one iteration."""

from typing import Annotated

from pydantic import Field

from gnomon.model.fields import LARGEST_COUNT, Noun
from gnomon.model.iterationgroups import IterationOptions
from gnomon.model.outcome import OutcomeSession

MOST_POINTS = 1_000
POINTS = 200
"""Unless another number is asked for."""


class IterationTrendOptions(IterationOptions):
    """Which iterations to show over time. Unless they are named, the last pushed source and rubric version."""

    provisional: bool | None = None
    before: Annotated[int, Field(ge=0, le=LARGEST_COUNT)] | None = None
    """Only iterations with a lower number."""
    limit: Annotated[int, Field(ge=1, le=MOST_POINTS)] | None = None
    """200 unless said."""


class SignalLoss(Noun):
    """The signal that kept an iteration's value down most."""

    signal: str
    label: str
    lost: float = Field(description="Effective weight minus contribution: what more the value could have been")
    detail: str


class IterationPoint(Noun):
    """An iteration in a list or a plot: its value, the evidence for it, and what lowered it most."""

    id: str
    iteration: int
    value: float | None = Field(description="Null when not scored")
    band: str
    coverage: float
    provisional: bool
    why_provisional: str | None = Field(description="Null when the score is a verdict")
    session_id: str | None
    date: str | None
    task_id: str | None
    commit: str | None
    agent: str | None
    model: str | None
    labels: list[str]
    rules_files: list[str] | None = Field(description="Null when they are not known")
    observed: list[str] = Field(
        description="Signals that facts stand behind; values of iterations in which these differ are not alike"
    )
    largest_loss: SignalLoss | None = Field(description="Null when nothing was lost or nothing was scored")


class IterationTrend(Noun):
    """Values of one source by one rubric version, in the order of the iterations' numbers."""

    project_id: str
    source: str | None = Field(description="Null when nothing matches")
    sources: list[str] = Field(description="All that are stored here, the last stored first; of these one is shown")
    rubric_version: str | None
    rubric_versions: list[str] = Field(description="All of this source, the last pushed first; of these one is shown")
    total: int = Field(description="Iterations that match, those before and after the ones shown included")
    has_older: bool = Field(description="There are iterations with lower numbers; ask for them with `before`")
    iterations: list[IterationPoint] = Field(description="The newest that match, ascending")
    sessions: list[OutcomeSession] = Field(
        description="Whole sessions of the iterations shown, also those of their iterations that do not match"
    )


class OtherRubric(Noun):
    """The same iteration by another rubric version."""

    id: str
    rubric_version: str
    value: float | None
    band: str


class IterationContext(Noun):
    """The context of one iteration: its neighbours, its session, other rubrics, and its session's traces."""

    previous: IterationPoint | None = Field(description="The next lower number of this source and rubric version")
    next: IterationPoint | None = Field(description="The next higher number of this source and rubric version")
    session: OutcomeSession | None = Field(description="Null when the iteration names no session")
    other_rubrics: list[OtherRubric] = Field(description="The last stored first")
    trace_count: int = Field(description="Traces of this project that name the iteration's session")
    trace_count_capped: bool = Field(description="There may be more traces than were counted")
