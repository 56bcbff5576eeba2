"""Outcome scores of a coding agent's iterations: signals, the score that explains itself, claims against facts.

A signal is present with a sub-score in [0, 1], or absent with a reason; absence is never a number. The same
nouns go through the pipeline, into sidecars, over HTTP and onto a page.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal, Protocol

from pydantic import Field, StringConstraints

from gnomon.model.aggregate import Interval
from gnomon.model.fields import LARGEST_COUNT, NAME_LIMIT, Draft, Name, Noun, ProjectId
from gnomon.model.moment import Moment

AgentRole = Literal["impl", "verifier", "review"]
Profile = Literal["gnomon", "compat"]
DEFAULT_PROFILE: Profile = "gnomon"
BAND_UNSCORED = "unscored"
BAND_PROVISIONAL = "provisional"  # of a session in which nothing is a verdict yet
PROVISIONAL_BELOW = 0.35  # of the rubric's weight: less evidence than this does not carry a verdict
LANDED = "landed"
_BUILD_TAG = re.compile(r"\+gnomon\.\d+$")

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


@lru_cache(maxsize=4096)
def absent_signal(detail: str) -> SignalValue:
    """A signal that has no vote. Thousands of iterations lack the same for the same reason, and share it."""
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
    self_reported: bool = Field(default=False, description="The agent's own log says so, and no fact stands behind it")


class BreakdownEvidence(Protocol):
    """What a row of a breakdown says about its evidence."""

    @property
    def signal(self) -> str: ...
    @property
    def present(self) -> bool: ...
    @property
    def self_reported(self) -> bool: ...
    @property
    def nominal_weight(self) -> float: ...


def observed_signals(breakdown: Sequence[BreakdownEvidence]) -> list[str]:
    """The signals that are based on facts: two scores are comparable when these are the same."""
    return sorted(row.signal for row in breakdown if row.present and not row.self_reported)


@dataclass(frozen=True, slots=True)
class EvidenceChange:
    """From `iteration` on, scores stand on other facts than before: they are not alike on both sides."""

    iteration: int
    more: tuple[str, ...]
    less: tuple[str, ...]

    @property
    def words(self) -> str:
        pairs = (("now also", self.more), ("no longer", self.less))
        parts = [f"{words} {', '.join(names)}" for words, names in pairs if names]
        return f"The evidence changes at iteration {self.iteration}: {'; '.join(parts)}"


def evidence_changes(scored: Iterable[tuple[int, Sequence[BreakdownEvidence]]]) -> Iterator[EvidenceChange]:
    """Every iteration that stands on other facts than the one before it. Those without a score are not to be given."""
    before: list[str] | None = None
    for iteration, breakdown in scored:
        now = observed_signals(breakdown)
        if before is not None and now != before:
            yield EvidenceChange(iteration, tuple(sorted({*now} - {*before})), tuple(sorted({*before} - {*now})))
        before = now


def why_provisional(breakdown: Sequence[BreakdownEvidence], rubric_version: str) -> str | None:
    """Why a score is not a verdict yet; None when it is one.

    In the `gnomon` profile claims alone carry no verdict, and neither does anything before git knows what became of the
    work: with less evidence a score could otherwise look better.
    """
    coverage = sum(row.nominal_weight for row in breakdown if row.present)
    if coverage < PROVISIONAL_BELOW:
        return f"on {coverage:.0%} of the evidence, {PROVISIONAL_BELOW:.0%} are needed"
    if not _BUILD_TAG.search(rubric_version):
        return None
    if not observed_signals(breakdown):
        return "self-reported only"
    landed = next((row for row in breakdown if row.signal == LANDED), None)
    return None if landed is None or landed.present else "git does not say what became of the work"


class OutcomeScore(Noun):
    """What an iteration was worth by a rubric, and why."""

    iteration: int
    rubric_version: str
    scored: bool = Field(description="False when no signal was present")
    value: SummedShare = Field(description="0 when not scored")
    band: str
    breakdown: list[SignalContribution] = Field(description="One row per signal, in the rubric's order")

    @property
    def coverage(self) -> float:
        """How much of the rubric's weight had evidence."""
        return sum(row.nominal_weight for row in self.breakdown if row.present)

    @property
    def provisional(self) -> bool:
        return self.why_provisional is not None

    @property
    def why_provisional(self) -> str | None:
        return why_provisional(self.breakdown, self.rubric_version)


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
    provisional: bool = False


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
AgentName = Annotated[str, StringConstraints(max_length=NAME_LIMIT)]
MAX_LABELS = 20
MAX_RULES_FILES = 20
_RULES_FILES = "Files with rules for agents at the commit, such as AGENTS.md@1f0c3a9d2b4e (the SHA-256's beginning)"
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
    self_reported: bool = Field(default=False, description="The agent's own log says so, and no fact stands behind it")


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
    agent: AgentName | None = Field(default=None, description="The agent's program, such as claude-code; empty is none")
    model: AgentName | None = Field(default=None, description="The model that the agent used; empty is none")
    labels: Annotated[list[Name], Field(max_length=MAX_LABELS)] = Field(
        default_factory=list, description="Names of your own to compare by, such as new-rules"
    )
    rules_files: Annotated[list[Name], Field(max_length=MAX_RULES_FILES)] | None = Field(
        default=None, description=f"{_RULES_FILES}; null when that is not known"
    )


RepositoryUrl = Annotated[
    str,
    Field(
        max_length=NAME_LIMIT, pattern=r"^https://[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(/[A-Za-z0-9][A-Za-z0-9_.-]*){2,6}$"
    ),
]
"""Without credentials, a port or a query."""


class IterationBatchDraft(Draft):
    project_id: ProjectId | None = None
    source: Name = Field(description="Which repository: its remote's name, or what you call it")
    repository_url: RepositoryUrl | None = Field(
        default=None, description="Where it is on the web, such as https://github.com/owner/name; pages link commits"
    )
    iterations: Annotated[list[IterationDraft], Field(min_length=1, max_length=1000)]


class IterationsAccepted(Noun):
    accepted: int
    created: int
    updated: int


class Iteration(Noun):
    """An iteration as a server stores it. `coverage` and `provisional` say how much evidence the value is based on."""

    id: str
    project_id: str
    source: str
    repository_url: str | None = Field(default=None, description="Where the source is on the web")
    iteration: int
    rubric_version: str
    profile: Profile
    scored: bool
    value: float | None
    band: str
    coverage: float
    provisional: bool = Field(description="No verdict yet: on little evidence, on claims alone, or not landed yet")
    why_provisional: str | None = Field(default=None, description="Null when the score is a verdict")
    breakdown: list[SignalContribution]
    integrity: list[IntegrityObservation]
    objectives: dict[str, SignalValue]
    session_id: str | None
    date: str | None
    task_id: str | None
    commit: str | None
    agent: str | None = Field(default=None, description="The agent's program")
    model: str | None = Field(default=None, description="The model that the agent used")
    labels: list[str] = Field(default_factory=list)
    rules_files: list[str] | None = Field(default=None, description=f"{_RULES_FILES}; null when that is not known")
    created_at: Moment
    updated_at: Moment


class SessionIteration(Noun):
    """One iteration of a session, with how much evidence its value is based on."""

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
    n_provisional: int = Field(description="Of the scored iterations, how many are provisional, and not in `value`")
    value: float | None = Field(
        description="Mean of the scored iterations that are not provisional; null when there are none"
    )
    provisional_value: float | None = Field(
        default=None, description="Mean of the provisional ones, apart; null when there are none"
    )
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

    rubric_version: str | None = Field(default=None, description="Null when no iteration names one")
    rubric_versions: list[str] = Field(
        default_factory=list, description="All that are stored here, the last pushed first; of these one is shown"
    )
    n_iterations: int
    roles: list[RoleHonesty] = Field(description="impl, verifier, review; then as the signals first appear")
