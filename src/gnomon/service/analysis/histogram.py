"""How one scorer's scores in one experiment are spread."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from gnomon.model.histogram import MOST_VALUES, Histogram, MissingCount
from gnomon.service.analysis import summarize
from gnomon.service.call import Call
from gnomon.service.experiments import experiments
from gnomon.stats.describe import round_shown
from gnomon.store import aggregates


def histogram(call: Call, id: str, scorer_name: str, bins: int) -> Histogram:
    row = experiments.row(call, id)
    first = aggregates.run_means(call.db, id, scorer_name, MOST_VALUES + 1)
    few = len(first) <= MOST_VALUES
    tally = [(mean, 1) for _, mean in first] if few else aggregates.run_mean_counts(call.db, id, scorer_name)
    edges = [index / bins for index in range(bins + 1)]
    counts = [0] * bins
    for mean, runs in tally:
        counts[min(bisect_right(edges, mean), bins) - 1] += runs
    standings = summarize.standings(call, row, scorer_name)
    missing = [
        MissingCount(state=state, reason=reason, count=runs)
        for (state, reason), runs in sorted(standings.items(), key=lambda standing: (-standing[1], str(standing[0])))
        if state != "scored"
    ]
    return Histogram(
        experiment_id=id,
        scorer_name=scorer_name,
        edges=edges,
        counts=counts,
        n_values=sum(counts),
        quartiles=_quartiles(sorted(tally)),
        labels=aggregates.labels(call.db, id, scorer_name),
        n_missing=sum(reason.count for reason in missing),
        missing=missing,
        run_ids=[run for run, _ in first] if few else None,
        values=[round_shown(mean) for _, mean in first] if few else None,
    )


def _quartiles(tally: Sequence[tuple[float, int]]) -> tuple[float, float, float] | None:
    """Quartiles of ordered values, each with its count; between two values by their distance."""
    if not tally:
        return None
    ends = list(accumulate(times for _, times in tally))

    def at(share: float) -> float:
        rank = share * (ends[-1] - 1)
        low, high = int(rank), min(int(rank) + 1, ends[-1] - 1)
        below, above = tally[bisect_right(ends, low)][0], tally[bisect_right(ends, high)][0]
        return round_shown(below + (above - below) * (rank - low))

    return at(0.25), at(0.5), at(0.75)
