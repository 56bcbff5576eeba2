"""What the scores of a file say together, in the shape of an experiment's summary."""

from collections.abc import Sequence
from typing import Any

from gnomon.model.aggregate import IntervalMethod
from gnomon.model.experiment import ScorerSummary
from gnomon.service.analysis.aggregate import label_shares, numbers
from gnomon.service.scoring.bulk import FileScores, ScorerTally


def file_report(scores: FileScores) -> dict[str, Any]:
    return {
        "file": str(scores.path),
        "rows": scores.rows,
        "out": None if scores.out is None else str(scores.out),
        "skipped": scores.skipped,
        "skips": list(scores.skips),
    }


def by_name(summaries: Sequence[ScorerSummary]) -> dict[str, Any]:
    return {summary.scorer_name: summary.model_dump(mode="json") for summary in summaries}


def summarized(tally: ScorerTally, interval: IntervalMethod | None = None) -> ScorerSummary:
    """What a summary of an experiment would say of these scores, each row an item of its own."""
    sums = tally.sums()
    return ScorerSummary(
        scorer_name=tally.scorer_name,
        scored_run_count=tally.n_scored,
        score_count=tally.n_scored,
        mixed=bool(tally.labels) and sums is not None,
        n_total=tally.n_total,
        n_scored=tally.n_scored,
        n_absent=tally.n_absent,
        n_failed=tally.n_failed,
        n_pending=0,
        reasons=dict(tally.reasons),
        **numbers(sums, tally.items, tally.n_total - tally.n_scored if sums else 0, "drop", interval),
        distribution=dict(tally.labels) or None,
        label_shares=label_shares(tally.labels, None),
    )
