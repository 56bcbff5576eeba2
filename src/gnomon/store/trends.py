"""What trends are drawn from: sums of many experiments at once, and sums of the scores on spans by time."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.stats.describe import ScoreSums
from gnomon.store.aggregates import ItemGroup, folded
from gnomon.store.fetch import fetch_all
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ExperimentRow
from gnomon.store.schema import experiments, is_any_of, score_days, scores, spans, traces
from gnomon.store.score_days import DAY_MS

HOUR_MS = 3_600_000
ScorerKey = tuple[str, str]
"""(experiment id, scorer name)"""


class ScorerTotals(NamedTuple):
    """One scorer in one experiment: how many scores, and sums over its numbers (None without any)."""

    scorer_name: str
    score_count: int
    sums: ScoreSums | None


class BucketSums(NamedTuple):
    """The numbers of one scorer in one configuration on the spans that began in one hour or on one day."""

    scorer_name: str
    bucket: int
    config_hash: str
    n: int
    total: float
    squares: float
    lowest: float
    highest: float


def completed_page(
    db: Connection,
    project_id: str,
    wanted: Slice,
    *,
    dataset_id: str | None,
    after: datetime | None,
    before: datetime | None,
    newest_first: bool,
) -> list[ExperimentRow]:
    """Completed experiments by the time at which they were."""
    found = sa.select(experiments).where(
        experiments.c.project_id == project_id, experiments.c.completed_at.is_not(None)
    )
    if dataset_id is not None:
        found = found.where(experiments.c.dataset_id == dataset_id)
    if after is not None:
        found = found.where(experiments.c.completed_at > after)
    if before is not None:
        found = found.where(experiments.c.completed_at < before)
    keys = [sa.type_coerce(experiments.c.completed_at, sa.BigInteger), experiments.c.id]
    return fetch_all(db, ExperimentRow, keyset(found, keys, wanted, newest_first=newest_first))


def totals(db: Connection, experiment_ids: Collection[str], scorer_name: str | None) -> dict[ScorerKey, ScorerTotals]:
    """Every scorer of these experiments, in one pass over the index that holds all that this needs."""
    value = scores.c.value
    items = (
        _scores(db, experiment_ids, scorer_name, scores.c.experiment_id, scores.c.scorer_name)
        .add_columns(
            sa.func.count().label("everything"), sa.func.count(value).label("n"), sa.func.sum(value).label("s"),
            sa.func.sum(value * value).label("q"), sa.func.min(value).label("lo"), sa.func.max(value).label("hi"),
        )
        .group_by(scores.c.experiment_id, scores.c.scorer_name, scores.c.dataset_item_id)
        .subquery("items")
    ).c  # fmt: skip
    alike = sa.select(
        items.experiment_id, items.scorer_name, items.n, sa.literal_column("0").label("passed"),
        sa.func.count().label("items"), sa.func.sum(items.everything).label("everything"),
        sa.func.sum(items.s).label("total"), sa.func.sum(items.s * items.s).label("squares"),
        sa.func.sum(items.s * items.s * items.s).label("cubes"), sa.func.sum(items.q).label("value_squares"),
        sa.func.min(items.s).label("lowest"), sa.func.max(items.s).label("highest"),
        sa.func.min(items.lo).label("minimum"), sa.func.max(items.hi).label("maximum"),
    ).group_by(items.experiment_id, items.scorer_name, items.n)  # fmt: skip
    by_scorer: dict[ScorerKey, list[ItemGroup]] = {}
    for experiment_id, name, *sums in db.execute(alike):
        by_scorer.setdefault((experiment_id, name), []).append(ItemGroup(*sums))
    return {
        key: ScorerTotals(key[1], sum(int(row.everything) for row in rows), folded([row for row in rows if row.n]))
        for key, rows in by_scorer.items()
    }


def scored_runs(db: Connection, experiment_ids: Collection[str], scorer_name: str | None) -> dict[ScorerKey, int]:
    """How many runs have a score, where a run may have several."""
    key = (scores.c.experiment_id, scores.c.scorer_name)
    runs = (
        _scores(db, experiment_ids, scorer_name, *key)
        .group_by(*key, scores.c.dataset_item_id, scores.c.target_id)
        .subquery("runs")
    ).c
    found = sa.select(runs.experiment_id, runs.scorer_name, sa.func.count())
    rows = db.execute(found.group_by(runs.experiment_id, runs.scorer_name))
    return {(experiment_id, name): int(count) for experiment_id, name, count in rows}


def item_totals(
    db: Connection, experiment_ids: Collection[str], scorer_name: str | None
) -> dict[ScorerKey, list[tuple[float, int]]]:
    """Each item's sum of numbers and how many they are, in the order of the items' ids."""
    key = (scores.c.experiment_id, scores.c.scorer_name)
    found = (
        _scores(db, experiment_ids, scorer_name, *key)
        .add_columns(sa.func.sum(scores.c.value), sa.func.count(scores.c.value))
        .where(scores.c.value.is_not(None))
        .group_by(*key, scores.c.dataset_item_id)
        .order_by(*key, scores.c.dataset_item_id)
    )
    items: dict[ScorerKey, list[tuple[float, int]]] = {}
    for experiment_id, name, total, n in db.execute(found):
        items.setdefault((experiment_id, name), []).append((total, int(n)))
    return items


def _scores(
    db: Connection, experiment_ids: Collection[str], scorer_name: str | None, *columns: sa.ColumnElement[Any]
) -> sa.Select[Any]:
    found = sa.select(*columns).where(is_any_of(db, scores.c.experiment_id, experiment_ids))
    return found if scorer_name is None else found.where(scores.c.scorer_name == scorer_name)


def days(db: Connection, project_id: str, scorer_name: str | None, first_ms: int, end_ms: int) -> Sequence[BucketSums]:
    """By day, from the daily sums: these outlive the scores themselves."""
    day = score_days.c
    found = sa.select(
        day.scorer_name, day.day.label("bucket"), day.config_hash, sa.func.sum(day.n).label("n"),
        sa.func.sum(day.total).label("total"), sa.func.sum(day.squares).label("squares"),
        sa.func.min(day.lowest).label("lowest"), sa.func.max(day.highest).label("highest"),
    ).where(day.project_id == project_id, day.day >= first_ms // DAY_MS, day.day < end_ms // DAY_MS)  # fmt: skip
    if scorer_name is not None:
        found = found.where(day.scorer_name == scorer_name)
    key = (day.scorer_name, day.day, day.config_hash)
    return fetch_all(db, BucketSums, found.group_by(*key).order_by(*key))


def hours(db: Connection, project_id: str, scorer_name: str | None, first_ms: int, end_ms: int) -> Sequence[BucketSums]:
    """By hour, from the scores that are stored, of traces that were received at most a day before the first hour."""
    began, value = sa.type_coerce(spans.c.start_time, sa.BigInteger), scores.c.value
    bucket = (began // sa.literal_column(str(HOUR_MS), sa.BigInteger)).label("bucket")
    hashed = sa.func.coalesce(scores.c.config_hash, sa.literal_column("''", sa.Text)).label("config_hash")
    received = sa.type_coerce(traces.c.created_at, sa.BigInteger)
    in_trace = (spans.c.project_id == project_id) & (spans.c.trace_id == traces.c.id)
    of_span = (
        (scores.c.target_id == spans.c.id)
        & (scores.c.trace_id == spans.c.trace_id)
        & (scores.c.project_id == project_id)
        & (scores.c.target_type == "span")
    )
    found = (
        sa.select(
            scores.c.scorer_name, bucket, hashed, sa.func.count().label("n"), sa.func.sum(value).label("total"),
            sa.func.sum(value * value).label("squares"), sa.func.min(value).label("lowest"),
            sa.func.max(value).label("highest"),
        )
        .select_from(traces.join(spans, in_trace).join(scores, of_span))
        .where(traces.c.project_id == project_id, received >= first_ms - DAY_MS)
        .where(began >= first_ms, began < end_ms, value.is_not(None))
    )  # fmt: skip
    if scorer_name is not None:
        found = found.where(scores.c.scorer_name == scorer_name)
    key = (scores.c.scorer_name, bucket, hashed)
    return fetch_all(db, BucketSums, found.group_by(*key).order_by(*key))
