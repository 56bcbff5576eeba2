"""The state of a run for a scorer: scored, absent, failed or pending, and why.

The rule is written here for one run, in `store/runpages.py` as a filter, and in `store/aggregates.py` as counts.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from gnomon.model.experiment import RunStanding
from gnomon.service.call import Call
from gnomon.service.scoring import scoring
from gnomon.store import aggregates, jobs
from gnomon.store.rows import ExperimentTableRow, ScoringStateRow

RUN_FAILED = "the run failed"
NEVER_ASKED = "no score was submitted"


def standing(run_failed: bool, stored: ScoringStateRow | None, *, is_pending: bool) -> tuple[RunStanding, str | None]:
    """The state of a run without a score, and the reason. `is_pending`: an open job is to score the experiment."""
    if run_failed:
        return "failed", RUN_FAILED
    if stored is None:
        return ("pending", None) if is_pending else ("absent", NEVER_ASKED)
    if stored.state == "queued":  # a judge's job will tell
        return "pending", None
    return ("failed" if stored.state == "failed" else "absent"), stored.reason or stored.state


def pending_names(call: Call, experiment_ids: Collection[str]) -> dict[str, set[str]]:
    """Experiment → the names of the scores that an open job is still to make."""
    names: dict[str, set[str]] = {id: set() for id in experiment_ids}
    for id, spec in jobs.pending_scorers(call.db, experiment_ids):
        names[id].update(scoring.names_to_come(spec))
    return names


Gaps = Mapping[tuple[str, str], int]
"""(stored state, reason) → runs without a score that did not fail themselves."""


def gaps(call: Call, experiment_ids: Collection[str]) -> dict[str, dict[str, Counter[tuple[str, str]]]]:
    """Experiment → scorer → why runs have no score."""
    counts: dict[str, dict[str, Counter[tuple[str, str]]]] = {id: {} for id in experiment_ids}
    for id, scorer, state, reason, runs in aggregates.gaps(call.db, experiment_ids):
        counts[id].setdefault(scorer, Counter())[state, reason or state] += runs
    return counts


def counted(
    row: ExperimentTableRow, scored: int, scored_failures: int, gaps: Gaps, *, is_pending: bool
) -> Counter[tuple[RunStanding, str | None]]:
    """How many runs have which state for a scorer, and why: every run once."""
    counts: Counter[tuple[RunStanding, str | None]] = Counter({("scored", None): scored})
    counts["failed", RUN_FAILED] = row.failed_run_count - scored_failures
    for (state, reason), runs in gaps.items():
        if state == "queued":
            counts["pending", None] += runs
        else:
            counts["failed" if state == "failed" else "absent", reason] += runs
    rest = row.run_count - counts.total()
    if rest > 0:
        counts[("pending", None) if is_pending else ("absent", NEVER_ASKED)] += rest
    return +counts


def shown(row: ExperimentTableRow, counts: Mapping[tuple[RunStanding, str | None], int]) -> dict[str, Any]:
    """The same as the fields of an aggregate."""
    states: Counter[RunStanding] = Counter()
    reasons: Counter[str] = Counter()
    for (state, reason), runs in counts.items():
        states[state] += runs
        if reason is not None:
            reasons[reason] += runs
    by_state = {f"n_{state}": states[state] for state in ("scored", "absent", "failed", "pending")}
    return {"n_total": row.run_count, **by_state, "reasons": dict(reasons)}
