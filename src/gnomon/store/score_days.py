"""Daily sums of the numbers that scorers gave to spans, per project, scorer, configuration and model.

A day is the UTC day on which the span started, as a count of days since 1970. The sums stay when old traces are
dropped; they shrink only where somebody deletes a trace on purpose. The lowest and highest score of a day cannot shrink
with them: they bound what was there.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all
from gnomon.store.rows import ScoreDayRow
from gnomon.store.schema import score_days, scores, spans

DAY_MS = 86_400_000

_ADD = """
INSERT INTO score_days (project_id, scorer_name, config_hash, day, model, n, total, squares, lowest, highest)
VALUES ({marks}) ON CONFLICT (project_id, scorer_name, config_hash, day, model) DO UPDATE SET
    n = score_days.n + excluded.n, total = score_days.total + excluded.total,
    squares = score_days.squares + excluded.squares,
    lowest = CASE WHEN excluded.lowest < score_days.lowest THEN excluded.lowest ELSE score_days.lowest END,
    highest = CASE WHEN excluded.highest > score_days.highest THEN excluded.highest ELSE score_days.highest END
"""
_TAKE_OUT = """
UPDATE score_days SET n = n - {mark}, total = total - {mark}, squares = squares - {mark}
WHERE project_id = {mark} AND scorer_name = {mark} AND config_hash = {mark} AND day = {mark} AND model = {mark}
"""


class DayKey(NamedTuple):
    """What a day's sums are about, by column."""

    project_id: str
    scorer_name: str
    config_hash: str
    day: int
    model: str


class NewScore(NamedTuple):
    """A number for a span, as the sums need it."""

    project_id: str
    scorer_name: str
    config_hash: str | None
    model: str | None
    started_ms: int
    value: float

    @property
    def key(self) -> DayKey:
        hashed, day = self.config_hash or "", self.started_ms // DAY_MS
        return DayKey(self.project_id, self.scorer_name, hashed, day, self.model or "")


class ScoreWithMetadata(NamedTuple):
    """A number of a span, when the span began, and the span's metadata as text."""

    start_ms: int
    metadata: str | None
    value: float


def add(db: Connection, numbers: Iterable[NewScore]) -> None:
    """Count these in. Rows go in order of their keys, so that two transactions do not wait for each other."""
    sums = _summed(numbers)
    if sums:
        rows = [(*key, len(values), *_sums(values), min(values), max(values)) for key, values in sorted(sums.items())]
        db.exec_driver_sql(_ADD.format(marks=", ".join([_mark(db)] * 10)), rows)


def take_out_trace(db: Connection, project_id: str, trace_id: str) -> None:
    """Uncount the scores of a trace that is about to be deleted on purpose."""
    of_trace = (scores.c.trace_id == trace_id) & (scores.c.project_id == project_id) & (scores.c.target_type == "span")
    same_span = (spans.c.id == scores.c.target_id) & (spans.c.trace_id == trace_id) & (spans.c.project_id == project_id)
    query = sa.select(
        scores.c.project_id, scores.c.scorer_name, scores.c.config_hash, spans.c.model,
        sa.type_coerce(spans.c.start_time, sa.BigInteger), scores.c.value,
    ).select_from(spans.join(scores, same_span)).where(of_trace, scores.c.value.is_not(None))  # fmt: skip
    take_out(db, [NewScore(*row) for row in db.execute(query)])


def take_out(db: Connection, numbers: Iterable[NewScore]) -> None:
    """Uncount these: numbers that were counted in, and are deleted on purpose."""
    sums = _summed(numbers)
    if sums:
        rows = [(len(values), *_sums(values), *key) for key, values in sorted(sums.items())]
        db.exec_driver_sql(_TAKE_OUT.format(mark=_mark(db)), rows)
        projects = {key.project_id for key in sums}
        db.execute(sa.delete(score_days).where(score_days.c.project_id.in_(sorted(projects)), score_days.c.n <= 0))


def of_project(db: Connection, project_id: str, scorer_name: str | None) -> list[ScoreDayRow]:
    """All sums of a project, or of one of its scorers, the oldest day first."""
    query = sa.select(score_days).where(score_days.c.project_id == project_id)
    if scorer_name is not None:
        query = query.where(score_days.c.scorer_name == scorer_name)
    return fetch_all(db, ScoreDayRow, query.order_by(*(score_days.c[name] for name in DayKey._fields)))


def scores_with_metadata(
    db: Connection, project_id: str, scorer_name: str, config_hash: str
) -> Iterable[ScoreWithMetadata]:
    """The scores that are still stored, one by one: there may be many."""
    of_config = scores.c.config_hash.is_(None) if config_hash == "" else scores.c.config_hash == config_hash
    same_span = (
        (spans.c.id == scores.c.target_id)
        & (spans.c.project_id == scores.c.project_id)
        & (spans.c.trace_id == scores.c.trace_id)
    )
    query = (
        sa.select(
            sa.type_coerce(spans.c.start_time, sa.BigInteger).label("start_ms"),
            sa.type_coerce(spans.c.metadata, sa.Text).label("metadata"),
            scores.c.value,
        )
        .select_from(scores.join(spans, same_span))
        .where(scores.c.project_id == project_id, scores.c.target_type == "span", scores.c.scorer_name == scorer_name)
        .where(of_config, scores.c.value.is_not(None))
    )
    return map(ScoreWithMetadata._make, db.execute(query))


def _summed(numbers: Iterable[NewScore]) -> dict[DayKey, list[float]]:
    by_key: dict[DayKey, list[float]] = {}
    for number in numbers:
        by_key.setdefault(number.key, []).append(number.value)
    return by_key


def _sums(values: Sequence[float]) -> tuple[float, float]:
    return sum(values), sum(value * value for value in values)


def _mark(db: Connection) -> str:
    return "%s" if db.dialect.name == "postgresql" else "?"
