"""How scores moved: from one completed experiment to the next, and on spans from bucket to bucket."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from gnomon.model.moment import to_ms
from gnomon.model.trends import Bucket, ExperimentPoint, ScoreBucket, ScorerPoint, ScoreSeries, ScoreTrends
from gnomon.service.access import projects
from gnomon.service.analysis import buckets
from gnomon.service.analysis.aggregate import shown
from gnomon.service.analysis.buckets import Buckets
from gnomon.service.call import Call, Listing, listing
from gnomon.service.experiments import experiments
from gnomon.stats.describe import ItemSums, ScoreSums, round_shown
from gnomon.stats.ends import MeanMethod
from gnomon.stats.interval import mean_interval
from gnomon.store import briefs
from gnomon.store import trends as store
from gnomon.store.pages import Slice
from gnomon.store.rows import ExperimentTableRow

_USUAL: dict[Bucket, timedelta] = {"hour": timedelta(hours=48), "day": timedelta(days=30)}
LABELS_ONLY = "it gave labels, which have no mean"


@dataclass(frozen=True, slots=True)
class TrendFilter:
    """Which completed experiments are wanted, with which scorer; None leaves a question out."""

    scorer_name: str | None = None
    dataset_id: str | None = None
    after: datetime | None = None
    before: datetime | None = None
    newest_first: bool = False


# --- experiments -----


def of_experiments(call: Call, project_id: str, only: TrendFilter, page: Slice) -> Listing[ExperimentPoint]:
    """A page of completed experiments, with the figures of their summaries: a fixed number of queries."""
    projects.get(call, project_id)
    rows = store.completed_page(
        call.db, project_id, page, dataset_id=only.dataset_id, after=only.after, before=only.before,
        newest_first=only.newest_first,
    )  # fmt: skip
    points = _points(call, rows[: page.limit], only.scorer_name)
    return listing(
        rows,
        page,
        lambda row: _experiment(row, points.get(row.id, [])),
        lambda row: (to_ms(_completed_at(row)), row.id),
    )


def _experiment(row: ExperimentTableRow, scorers: list[ScorerPoint]) -> ExperimentPoint:
    return ExperimentPoint(
        experiment_id=row.id, name=row.name, dataset_id=row.dataset_id, dataset_version=row.dataset_version,
        completed_at=_completed_at(row), run_count=row.run_count, failed_run_count=row.failed_run_count,
        expected_run_count=row.expected_run_count, scorers=scorers,
    )  # fmt: skip


def _completed_at(row: ExperimentTableRow) -> datetime:
    assert row.completed_at is not None, "only completed experiments are asked for"
    return row.completed_at


def _points(call: Call, rows: Sequence[ExperimentTableRow], scorer_name: str | None) -> dict[str, list[ScorerPoint]]:
    """Experiment → its scorers, by name."""
    by_id = {row.id: row for row in rows}
    single = {row.id for row in rows if row.trials == 1}
    repeated = {(row.id, name) for row in rows for name in row.repeated_scorers or ()}
    totals = briefs.totals(call.db, single, by_id.keys() - single, repeated)
    # An interval that holds at every look is made of the items themselves, not of sums.
    items = briefs.item_sums(call.db, [row.id for row in rows if row.stopping is not None])
    points: dict[str, list[ScorerPoint]] = {}
    for key, counts in totals.items():
        if scorer_name is None or key[1] == scorer_name:
            points.setdefault(key[0], []).append(_scorer(by_id[key[0]], key[1], counts, items.get(key, [])))
    return points


def _scorer(row: ExperimentTableRow, name: str, counts: briefs.Counted, items: Sequence[ItemSums]) -> ScorerPoint:
    sums, stopped = counts.sums, experiments.stopping(row)
    if sums is None:
        return ScorerPoint(
            scorer_name=name, mean=None, confidence_interval_95=None, ci_method=None, flags=[], n=counts.scored_runs,
            n_items=0, reason=LABELS_ONLY,
        )  # fmt: skip
    method: MeanMethod | None = "betting_mixture" if stopped else None
    interval = mean_interval(sums, lambda: [(item.total, item.n) for item in items], method)
    return ScorerPoint(
        scorer_name=name, mean=round_shown(sums.mean), confidence_interval_95=shown(interval),
        ci_method=interval.method, flags=[*interval.flags, *([stopped.flag] if stopped else [])],
        n=counts.scored_runs, n_items=sums.clusters, reason=None,
    )  # fmt: skip


# --- spans -----


def of_spans(
    call: Call, project_id: str, scorer_name: str | None, bucket: Bucket, after: datetime | None,
    before: datetime | None,
) -> ScoreTrends:  # fmt: skip
    """Means of the numbers on spans, by the hour or day on which the spans began."""
    projects.get(call, project_id)
    time = buckets.between(call, bucket, after, before, _USUAL)
    read = store.days if bucket == "day" else store.hours
    rows = read(call.db, project_id, scorer_name, time.first * time.width_ms, time.end * time.width_ms)
    return ScoreTrends(
        project_id=project_id,
        bucket=bucket,
        after=time.after,
        before=time.before,
        series=[
            ScoreSeries(scorer_name=name, points=list(_points_of(group, time)))
            for name, group in groupby(rows, key=lambda row: row.scorer_name)
        ],
        notes=[],
    )


def _points_of(rows: Iterable[store.ScoreBucketSums], time: Buckets) -> Iterator[ScoreBucket]:
    for start, group in groupby(rows, key=lambda row: row.bucket):
        together = list(group)
        sums = _together(together)
        interval = mean_interval(sums)
        yield ScoreBucket(
            start=time.start_of(int(start)), n=sums.scores, mean=round_shown(sums.mean),
            confidence_interval_95=shown(interval), ci_method=interval.method, flags=list(interval.flags),
            config_hashes=[row.config_hash or None for row in together],
        )  # fmt: skip


def _together(rows: Sequence[store.ScoreBucketSums]) -> ScoreSums:
    n = sum(int(row.n) for row in rows)
    # Deleted scores leave the rounding of a sum behind, which may lie just outside what is possible.
    total = min(max(sum(row.total for row in rows), 0.0), float(n))
    squares = min(max(sum(row.squares for row in rows), 0.0), total)
    return ScoreSums.of_single_scores(
        n, total, squares, min(row.lowest for row in rows), max(row.highest for row in rows)
    )
