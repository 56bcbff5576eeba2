"""What a team reads of a week of agents' work: what landed, what was undone and why, what it cost, what to look at."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gnomon.model.aggregate import Interval
from gnomon.model.fields import Noun

WorkState = Literal[
    "landed", "partly undone", "undone", "superseded", "waiting", "not landed", "revert", "not known",
]  # fmt: skip
ReportBy = Literal["author", "agent", "model", "path"]


@dataclass(frozen=True, slots=True)
class WorkChange:
    """One iteration as the report shows it; there may be tens of thousands. `at` is when it landed, or when its newest
    commit was made."""

    iteration: int
    commit: str
    at: datetime | None
    title: str
    state: WorkState
    agent: str
    model: str
    pull_request: str
    value: float | None
    band: str
    provisional: bool
    cost_usd: float | None
    authors: tuple[str, ...]
    """Empty unless they are asked for."""
    folders: tuple[str, ...]


class UndoneWork(Noun):
    """Work that was taken back. `iteration` is None where it is from before the time of the report."""

    iteration: int | None
    commit: str
    title: str
    landed_at: datetime | None
    state: WorkState
    by: str
    at: datetime
    by_subject: str
    why: str
    """What the message of the revert gives as a reason; empty where it gives none."""
    after_days: int


class BrokenClaim(Noun):
    """A claim that the facts do not support in full."""

    iteration: int
    title: str
    role: str
    signal: str
    claimed: float
    observed: float
    fact: str


class CostPerChange(Noun):
    """The total cost of the iterations with a known cost, per iteration that landed and was not undone."""

    total_usd: float
    n_known: int
    n_unknown: int
    n_standing: int
    per_change_usd: float | None
    confidence_interval_95: Interval | None
    reason: str | None
    """Why there is no figure, or no interval."""
    why_unknown: dict[str, int]


class WorthALook(Noun):
    """An iteration that deserves a look, with the reasons, the weightiest first."""

    iteration: int
    commit: str
    title: str
    reasons: list[str]


class WorkGroup(Noun):
    """The changes of one author, agent or folder."""

    name: str
    n: int
    n_landed: int
    n_undone: int
    undone_share: float | None
    undone_ci_95: Interval | None
    mean: float | None
    """Of the scores that are a verdict."""
    n_firm: int
    cost_usd: float | None
    """None where that of any of them is not known."""


class WorkReport(Noun):
    """The report on one repository over a period."""

    source: str
    trunk: str
    since: datetime | None
    as_of: datetime
    plain_history: bool
    """Commits of the trunk's own line stand for iterations; there was no log."""
    rubric_version: str
    n_changes: int
    n_landed: int
    """Those that came onto the trunk, also where they were undone since."""
    n_undone: int
    undone_ci_95: Interval | None
    n_waiting: int
    n_not_landed: int
    mean: float | None
    mean_ci_95: Interval | None
    n_firm: int
    n_provisional: int
    why_provisional: dict[str, int]
    n_claims: int
    """Claims that could be checked."""
    broken_claims_ci_95: Interval | None
    cost: CostPerChange
    changes: list[WorkChange]
    """The newest first."""
    undone: list[UndoneWork]
    claims: list[BrokenClaim]
    look_at: list[WorthALook]
    by: ReportBy | None
    groups: list[WorkGroup]
    notes: list[str]
