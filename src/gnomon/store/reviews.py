"""Annotations, and the counts on a project's front page.

How many annotations a trace has stands beside the trace too, for lists of traces.
"""

from collections.abc import Collection
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.review import CardType
from gnomon.store.changes import note
from gnomon.store.fetch import fetch_all, fetch_first, fetch_one
from gnomon.store.pages import Slice, keyset
from gnomon.store.reviewcards import count_again
from gnomon.store.rows import AnnotationRow, ExperimentTableRow
from gnomon.store.schema import annotations, experiments, is_any_of, runs, scores, traces


class AnnotationFilter(NamedTuple):
    """Which annotations are wanted; None: any."""

    project_id: str | None = None
    trace_id: str | None = None
    run_id: str | None = None
    experiment_id: str | None = None
    """Of the runs of this experiment."""
    span_id: str | None = None
    annotator: str | None = None
    label: str | None = None
    after: datetime | None = None


class LabelRow(NamedTuple):
    """What somebody labelled a card."""

    target_type: CardType
    target_id: str
    annotator: str
    label: str


class AuthorScoreRow(NamedTuple):
    """A number that a reviewer gave, on a run or on the span of a trace."""

    target_type: CardType
    target_id: str
    author: str
    value: float


class TraceSums(NamedTuple):
    """Sums over some traces: how many, how many with errors; how many durations of root spans are known, their mean
    and the mean of their squares; their tokens, what is known of their cost, and model calls without a price."""

    traces: int
    error_count: int
    timed: int
    avg_duration_ms: float | None
    squared_ms: float | None
    tokens: int | Decimal | None
    cost_usd: float | None
    unpriced: int | Decimal | None


def annotate(db: Connection, row: AnnotationRow) -> None:
    """Add an annotation, and count it on its trace and its card."""
    db.execute(sa.insert(annotations).values(row._asdict()))
    _counted(db, row, 1)


def change_annotation(db: Connection, row: AnnotationRow) -> None:
    """Store what the annotation says now."""
    _note(db, row)
    changed = {name: getattr(row, name) for name in ("label", "correction", "notes", "scores", "updated_at")}
    db.execute(sa.update(annotations).where(annotations.c.id == row.id).values(changed))


def delete_annotation(db: Connection, row: AnnotationRow) -> None:
    db.execute(sa.delete(annotations).where(annotations.c.id == row.id))
    _counted(db, row, -1)


def _note(db: Connection, row: AnnotationRow) -> None:
    note(db, row.project_id, "review")
    note(db, row.project_id, "run" if row.trace_id is None else "trace")


def _counted(db: Connection, row: AnnotationRow, change: int) -> None:
    _note(db, row)
    if row.trace_id is not None:
        is_trace = (traces.c.id == row.trace_id) & (traces.c.project_id == row.project_id)
        counted = traces.c.annotation_count + change
        db.execute(sa.update(traces).where(is_trace).values(annotation_count=counted))
    count_again(db, row.project_id, *card_of(row))


def card_of(row: AnnotationRow) -> tuple[CardType, str]:
    """What an annotation is about."""
    return ("run", row.run_id or "") if row.trace_id is None else ("trace", row.trace_id)


def annotation(db: Connection, id: str) -> AnnotationRow | None:
    return fetch_first(db, AnnotationRow, sa.select(annotations).where(annotations.c.id == id))


def annotations_page(db: Connection, only: AnnotationFilter, page: Slice) -> list[AnnotationRow]:
    """Newest first."""
    query = sa.select(annotations)
    for column in (
        annotations.c.project_id, annotations.c.trace_id, annotations.c.run_id, annotations.c.span_id,
        annotations.c.annotator, annotations.c.label,
    ):  # fmt: skip
        value = getattr(only, column.name)
        if value is not None:
            query = query.where(column == value)
    if only.experiment_id is not None:
        of_experiment = sa.select(runs.c.id).where(runs.c.experiment_id == only.experiment_id)
        query = query.where(annotations.c.run_id.in_(of_experiment))
    if only.after is not None:
        query = query.where(annotations.c.created_at > only.after)
    return fetch_all(db, AnnotationRow, keyset(query, [annotations.c.id], page))


def scoring_annotations(db: Connection, row: AnnotationRow) -> list[AnnotationRow]:
    """All that the same person said in scores of the same run or span, oldest first."""
    same_trace = annotations.c.run_id == row.run_id if row.trace_id is None else annotations.c.trace_id == row.trace_id
    query = sa.select(annotations).where(
        same_trace, annotations.c.project_id == row.project_id, annotations.c.annotator == row.annotator,
        annotations.c.score_target_id == row.score_target_id, annotations.c.scores.is_not(None),
    )  # fmt: skip
    return fetch_all(db, AnnotationRow, query.order_by(annotations.c.id))


def forget_runs(db: Connection, run_ids: Collection[str]) -> None:
    """Delete the annotations of runs; cards of theirs that stay in the queue wait anew."""
    rows = db.execute(
        sa.delete(annotations).where(is_any_of(db, annotations.c.run_id, run_ids)).returning(
            annotations.c.project_id, annotations.c.run_id
        )
    )  # fmt: skip
    for project_id, run_id in sorted({(row.project_id, row.run_id) for row in rows}):
        count_again(db, project_id, "run", run_id)


def labels_of_project(db: Connection, project_id: str) -> list[LabelRow]:
    """Every label that was given, oldest first. Of a span it counts for its trace."""
    is_run = annotations.c.run_id.is_not(None)
    query = sa.select(
        sa.case((is_run, "run"), else_="trace").label("target_type"),
        sa.func.coalesce(annotations.c.run_id, annotations.c.trace_id).label("target_id"),
        annotations.c.annotator, annotations.c.label,
    ).where(annotations.c.project_id == project_id, annotations.c.label.is_not(None))  # fmt: skip
    return fetch_all(db, LabelRow, query.order_by(annotations.c.id))


def numbers_by_author(db: Connection, project_id: str, scorer_name: str) -> list[AuthorScoreRow]:
    """The numbers that reviewers gave under this name, oldest first."""
    is_run = scores.c.target_type == "run"
    query = sa.select(
        sa.case((is_run, "run"), else_="trace").label("target_type"),
        sa.case((is_run, scores.c.target_id), else_=scores.c.trace_id).label("target_id"),
        scores.c.author, scores.c.value,
    ).where(
        scores.c.project_id == project_id, scores.c.scorer_name == scorer_name, scores.c.source == "human",
        scores.c.author.is_not(None), scores.c.value.is_not(None),
    )  # fmt: skip
    return fetch_all(db, AuthorScoreRow, query.order_by(scores.c.id))


def trace_sums(db: Connection, project_id: str, since: datetime) -> TraceSums:
    """Sums over the traces that came since then."""
    query = sa.select(
        sa.func.count().label("traces"),
        sa.func.count(sa.case((traces.c.error_count > 0, 1))).label("error_count"),
        sa.func.count(traces.c.root_duration_ms).label("timed"),
        sa.func.avg(traces.c.root_duration_ms).label("avg_duration_ms"),
        sa.func.avg(traces.c.root_duration_ms * traces.c.root_duration_ms).label("squared_ms"),
        sa.func.sum(traces.c.tokens).label("tokens"),
        sa.func.sum(traces.c.cost_usd).label("cost_usd"),
        sa.func.sum(traces.c.unpriced).label("unpriced"),
    )
    return fetch_one(db, TraceSums, query.where(traces.c.project_id == project_id, traces.c.created_at >= since))


def experiment_counts(db: Connection, project_id: str) -> dict[str, int]:
    """Status → how many experiments."""
    query = (
        sa.select(experiments.c.status, sa.func.count().label("how_many"))
        .where(experiments.c.project_id == project_id)
        .group_by(experiments.c.status)
    )
    return {row.status: row.how_many for row in db.execute(query)}


def last_completed(db: Connection, project_id: str) -> ExperimentTableRow | None:
    completed = (experiments.c.project_id == project_id) & experiments.c.completed_at.is_not(None)
    newest = (experiments.c.completed_at.desc(), experiments.c.id.desc())
    return fetch_first(db, ExperimentTableRow, sa.select(experiments).where(completed).order_by(*newest).limit(1))
