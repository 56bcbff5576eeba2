"""The honesty profile: what roles claimed held against what was observed, over many iterations.

Pure: iterations' observations in, one row for each role and signal out. The pairs themselves are made where the
signals are read. Nothing here moves a score.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from gnomon.model.outcome import AgentRole, Honesty, IntegrityObservation, RoleHonesty
from gnomon.stats.describe import SAME, round_shown
from gnomon.stats.ends import Interval
from gnomon.stats.interval import interval_over, wilson

NOT_COMPARABLE = "no iteration has both a claim and a fact"
ONE_COMPARABLE = "only one iteration has both a claim and a fact; a spread needs two"
_ROLES: tuple[AgentRole, ...] = get_args(AgentRole)


@dataclass
class _Claims:
    """What was seen of one role's claims about one signal."""

    deltas: list[float] = field(default_factory=list)
    claimed_only: int = 0
    observed_only: int = 0

    def add(self, seen: IntegrityObservation) -> None:
        if seen.comparable:
            self.deltas.append(seen.delta)
        else:
            self.claimed_only += seen.claimed.present
            self.observed_only += seen.observed.present


def honesty(observations: Iterable[Sequence[IntegrityObservation]], rubric_version: str | None = None) -> Honesty:
    """How far the claims are borne out; `observations` has those of one iteration after the other.

    Rows are by role, then as the signals first appear. Their numbers do not depend on the iterations' order.
    """
    claims: dict[tuple[AgentRole, str], _Claims] = {}
    iterations = 0
    for of_one in observations:
        iterations += 1
        for seen in of_one:
            claims.setdefault((seen.role, seen.signal), _Claims()).add(seen)
    rows = sorted(claims.items(), key=lambda row: _ROLES.index(row[0][0]))
    profile = [_row(role, signal, pairs) for (role, signal), pairs in rows]
    return Honesty(rubric_version=rubric_version, n_iterations=iterations, roles=profile)


def _row(role: AgentRole, signal: str, claims: _Claims) -> RoleHonesty:
    n = len(claims.deltas)
    overclaimed = sum(delta < -SAME for delta in claims.deltas)
    share = wilson(overclaimed, n) if n else None
    return RoleHonesty(
        role=role, signal=signal, n=n, n_claimed_only=claims.claimed_only, n_observed_only=claims.observed_only,
        overclaimed=overclaimed, overclaim_share=round_shown(overclaimed / n) if n else None,
        overclaim_share_ci_95=None if share is None else (round_shown(share.low), round_shown(share.high)),
        **_mean(claims.deltas),
    )  # fmt: skip


def _mean(deltas: Sequence[float]) -> dict[str, Any]:
    mean = round_shown(math.fsum(deltas) / len(deltas)) if deltas else None
    if len(deltas) < 2:
        reason = ONE_COMPARABLE if deltas else NOT_COMPARABLE
        return {"mean_delta": mean, **no_interval(reason)}
    return {"mean_delta": mean, **with_interval(_interval(deltas))}


def _interval(deltas: Sequence[float]) -> Interval:
    low, high = min(deltas), max(deltas)
    if high - low <= SAME:
        # No spread to judge by: as many as were never seen may differ, and as far as a difference can.
        unseen = wilson(0, len(deltas)).high
        return Interval(low - unseen * (low + 1), high + unseen * (1 - high), "wilson", ("equal_differences",))
    # Differences lie in [−1, 1] and the interval of a mean in [0, 1]: there and back.
    scaled = interval_over([[(delta + 1) / 2] for delta in deltas])
    return Interval(2 * scaled.low - 1, 2 * scaled.high - 1, scaled.method, scaled.flags)


def with_interval(interval: Interval) -> dict[str, Any]:
    """An interval as the fields of a noun."""
    ends = (round_shown(interval.low), round_shown(interval.high))
    return {
        "confidence_interval_95": ends,
        "ci_method": interval.method,
        "ci_reason": None,
        "flags": list(interval.flags),
    }


def no_interval(reason: str) -> dict[str, Any]:
    """The same fields where there is none."""
    return {"confidence_interval_95": None, "ci_method": None, "ci_reason": reason, "flags": []}
