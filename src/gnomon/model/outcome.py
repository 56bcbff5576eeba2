"""Outcome scores of a coding agent's iterations: signals, the score that explains itself, claims against facts.

A signal is present with a sub-score in [0, 1], or absent with a reason; absence is never a number. The same
nouns go through the pipeline, into sidecars, over HTTP and onto a page.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from gnomon.model.aggregate import Interval
from gnomon.model.fields import LARGEST_COUNT, NAME_LIMIT, Draft, Name, Noun, ProjectId
from gnomon.model.moment import Moment

AgentRole = Literal["impl", "verifier", "review"]
Profile = Literal["gnomon", "compat"]
DEFAULT_PROFILE: Profile = "gnomon"
BAND_UNSCORED = "unscored"
PROVISIONAL_BELOW = 0.35  # of the rubric's weight: less evidence than this does not carry a verdict

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
# Sums of weights such as 0.2 + 0.18 + … end a rounding error above 1, and are kept as they came out.
SummedShare = Annotated[float, Field(ge=0, le=1 + 1e-9, allow_inf_nan=False)]


class SignalValue(Noun):
    """One signal of one iteration: a sub-score, or the reason why there is none."""

    present: bool
    sub_score: Share = Field(default=0.0, description="Meaningful only when present")
    detail: str = Field(default="", description="What produced the value, or why there is none")


def present_signal(sub_score: float, detail: str = "") -> SignalValue:
    """A signal that votes. What lies outside [0, 1] is brought to the nearer end."""
    return SignalValue(present=True, sub_score=min(1.0, max(0.0, float(sub_score))), detail=detail)


def absent_signal(detail: str) -> SignalValue:
    return SignalValue(present=False, detail=detail)


class SignalContribution(Noun):
    """One row of a breakdown. The contributions of present signals add up to the value."""

    signal: str
    label: str
    present: bool
    sub_score: Share
    detail: str = ""
    nominal_weight: Share
    effective_weight: SummedShare
    contribution: SummedShare


class OutcomeScore(Noun):
    """What an iteration was worth by a rubric, and why."""

    iteration: int
    rubric_version: str
    scored: bool = Field(description="False when no signal was present")
    value: SummedShare = Field(description="0 when not scored")
    band: str
    breakdown: list[SignalContribution] = Field(description="One row a signal, in the rubric's order")

    @property
    def coverage(self) -> float:
        """How much of the rubric's weight had evidence."""
        return sum(row.nominal_weight for row in self.breakdown if row.present)

    @property
    def provisional(self) -> bool:
        return self.coverage < PROVISIONAL_BELOW


class IntegrityObservation(Noun):
    """What a role claimed beside what was observed. It never moves the score."""

    signal: str
    role: AgentRole
    claimed: SignalValue
    observed: SignalValue

    @property
    def comparable(self) -> bool:
        return self.claimed.present and self.observed.present

    @property
    def delta(self) -> float:
        """Observed minus claimed; negative when more was claimed than is true. 0 when not comparable."""
        return self.observed.sub_score - self.claimed.sub_score if self.comparable else 0.0


class SessionIterRef(Noun):
    iteration: int
    scored: bool
    value: SummedShare
    band: str


class SessionScore(Noun):
    """A session's iterations together. Those without a score do not vote."""

    session_id: str
    rubric_version: str
    iterations: list[int]
    scored: bool
    value: SummedShare = Field(description="Mean of the scored iterations; 0 when there are none")
    band: str
    per_iteration: list[SessionIterRef]


# ── what is pushed to a server ──────────────────────────────────────────────────────────────────────────────────

Text = Annotated[str, StringConstraints(max_length=4000)]
SessionId = Annotated[str, StringConstraints(max_length=NAME_LIMIT)]
IterationNumber = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]


class SignalDraft(Draft):
    present: bool
    sub_score: Share = 0.0
    detail: Text = ""


class ContributionDraft(Draft):
    signal: Name
    label: Text = ""
    present: bool
    sub_score: Share = 0.0
    detail: Text = ""
    nominal_weight: Share
    effective_weight: SummedShare = 0.0
    contribution: SummedShare = 0.0


class IntegrityDraft(Draft):
    signal: Name
    role: AgentRole
    claimed: SignalDraft
    observed: SignalDraft


class IterationDraft(Draft):
    """One scored iteration, as `gnomon outcome push` sends it. (source, iteration, rubric_version) is its key."""

    iteration: IterationNumber
    rubric_version: Name
    profile: Profile
    scored: bool
    value: SummedShare | None = Field(default=None, description="Null when not scored")
    band: Name
    breakdown: Annotated[list[ContributionDraft], Field(max_length=100)]
    integrity: Annotated[list[IntegrityDraft], Field(max_length=100)] = Field(default_factory=list)
    objectives: dict[Name, SignalDraft] = Field(default_factory=dict)
    session_id: SessionId | None = Field(default=None, description="Empty is none")
    date: Text | None = None
    task_id: Text | None = None
    commit: Text | None = None


class IterationBatchDraft(Draft):
    project_id: ProjectId | None = None
    source: Name = Field(description="Which repository: its remote's name, or what you call it")
    iterations: Annotated[list[IterationDraft], Field(min_length=1, max_length=1000)]


class IterationsAccepted(Noun):
    accepted: int
    created: int
    updated: int


class Iteration(Noun):
    """An iteration as a server keeps it. `coverage` and `provisional` say how much evidence the value stands on."""

    id: str
    project_id: str
    source: str
    iteration: int
    rubric_version: str
    profile: Profile
    scored: bool
    value: float | None
    band: str
    coverage: float
    provisional: bool
    breakdown: list[SignalContribution]
    integrity: list[IntegrityObservation]
    objectives: dict[str, SignalValue]
    session_id: str | None
    date: str | None
    task_id: str | None
    commit: str | None
    created_at: Moment
    updated_at: Moment


class SessionIteration(Noun):
    """One iteration of a session, with how much evidence its value stands on."""

    iteration: int
    value: float | None = Field(description="Null when not scored")
    band: str
    coverage: float
    provisional: bool


class OutcomeSession(Noun):
    """A session as a server shows it, by one rubric, with the uncertainty of its mean."""

    source: str
    session_id: str
    rubric_version: str
    iterations: list[int] = Field(description="Ascending")
    n_scored: int
    n_provisional: int = Field(description="Of the scored iterations, how many stand on little evidence")
    value: float | None = Field(description="Mean of the scored iterations; null when there are none")
    confidence_interval_95: Interval | None
    ci_method: str | None
    ci_reason: str | None = Field(description="Why there is no interval; null when there is one")
    flags: list[str] = Field(description="What a reader should know before trusting the interval")
    band: str | None = Field(description="As the rubric names it; null when the rubric is not known here")
    per_iteration: list[SessionIteration]


class RoleHonesty(Noun):
    """How far one role's claims about one signal are borne out. Means over the comparable iterations."""

    role: AgentRole
    signal: str
    n: int = Field(description="Iterations in which both the claim and the fact are known")
    n_claimed_only: int
    n_observed_only: int
    mean_delta: float | None = Field(description="Observed minus claimed; negative means more was claimed")
    confidence_interval_95: Interval | None
    ci_method: str | None
    ci_reason: str | None = Field(description="Why there is no interval; null when there is one")
    overclaimed: int = Field(description="Iterations that claimed more than is true")
    overclaim_share: float | None
    overclaim_share_ci_95: Interval | None
    flags: list[str] = Field(description="What a reader should know before trusting the interval")


class Honesty(Noun):
    """Claims against facts, by role and signal, under one rubric."""

    rubric_version: str | None = Field(default=None, description="Null when there is nothing, or nobody said")
    n_iterations: int
    roles: list[RoleHonesty] = Field(description="impl, verifier, review; then as the signals first appear")
