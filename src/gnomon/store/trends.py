"""What trends are drawn from: completed experiments by time, and sums of the scores on spans by time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ExperimentTableRow
from gnomon.store.schema import experiments, score_days, scores, spans, traces
from gnomon.store.score_days import DAY_MS

HOUR_MS = 3_600_000


class ScoreBucketSums(NamedTuple):
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
    page: Slice,
    *,
    dataset_id: str | None,
    after: datetime | None,
    before: datetime | None,
    newest_first: bool,
) -> list[ExperimentTableRow]:
    """Completed experiments by the time at which they were."""
    query = sa.select(experiments).where(
        experiments.c.project_id == project_id, experiments.c.completed_at.is_not(None)
    )
    if dataset_id is not None:
        query = query.where(experiments.c.dataset_id == dataset_id)
    if after is not None:
        query = query.where(experiments.c.completed_at > after)
    if before is not None:
        query = query.where(experiments.c.completed_at < before)
    keys = [sa.type_coerce(experiments.c.completed_at, sa.BigInteger), experiments.c.id]
    return fetch_all(db, ExperimentTableRow, keyset(query, keys, page, newest_first=newest_first))


def days(
    db: Connection, project_id: str, scorer_name: str | None, first_ms: int, end_ms: int
) -> Sequence[ScoreBucketSums]:
    """The trend by day, from the daily sums: these outlive the scores themselves."""
    day = score_days.c
    query = sa.select(
        day.scorer_name, day.day.label("bucket"), day.config_hash, sa.func.sum(day.n).label("n"),
        sa.func.sum(day.total).label("total"), sa.func.sum(day.squares).label("squares"),
        sa.func.min(day.lowest).label("lowest"), sa.func.max(day.highest).label("highest"),
    ).where(day.project_id == project_id, day.day >= first_ms // DAY_MS, day.day < end_ms // DAY_MS)  # fmt: skip
    if scorer_name is not None:
        query = query.where(day.scorer_name == scorer_name)
    key = (day.scorer_name, day.day, day.config_hash)
    return fetch_all(db, ScoreBucketSums, query.group_by(*key).order_by(*key))


def hours(
    db: Connection, project_id: str, scorer_name: str | None, first_ms: int, end_ms: int
) -> Sequence[ScoreBucketSums]:
    """The trend by hour, from stored scores of traces received at most a day before the first hour."""
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
    query = (
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
        query = query.where(scores.c.scorer_name == scorer_name)
    key = (scores.c.scorer_name, bucket, hashed)
    return fetch_all(db, ScoreBucketSums, query.group_by(*key).order_by(*key))
