"""Experiments, datasets and projects are removed: at once out of everybody's sight, their parts in batches after that.

The transaction that deletes an experiment takes its own row, without which nobody finds its runs, and leaves a note in
`removals`. Runs and scores follow a batch at a time, so that others can write in between, and the note goes with the
last batch. Whoever dies in the middle leaves the note, and a worker goes on.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as lite_insert
from sqlalchemy.engine import Connection

from gnomon.model.moment import to_ms
from gnomon.store import changes
from gnomon.store.fetch import fetch_first
from gnomon.store.rows import RemovalKind, RemovalRow
from gnomon.store.schema import (
    annotations,
    api_keys,
    budgets,
    change_counts,
    conversations,
    dataset_items,
    dataset_versions,
    datasets,
    experiments,
    for_update,
    indexed_keys,
    is_any_of,
    iterations,
    jobs,
    judge_cards,
    login_codes,
    model_answers,
    model_prices,
    projects,
    quiet_targets,
    remembered_answers,
    removals,
    retention,
    review_cards,
    review_settings,
    runs,
    score_days,
    scores,
    scoring_rules,
    scoring_states,
    shares,
    span_sources,
    spending,
    text_search,
    threshold_results,
    trace_values,
    traces,
    web_sessions,
)
from gnomon.store.spanstore import SpanStore

BATCH = 1_000
"""Rows of one kind that are removed in one transaction, with what hangs on them."""
SPANS_TOGETHER = 4_000
"""The same for spans; a trace is removed whole."""


def any_left(db: Connection, project_id: str | None = None) -> bool:
    """Whether parts of something deleted, in one project or in any, are still stored."""
    some = sa.select(removals.c.id).limit(1)
    if project_id is not None:
        some = some.where(removals.c.project_id == project_id)
    return db.execute(some).first() is not None


def project_of(db: Connection, id: str) -> str | None:
    """The project of something deleted, while parts of it are still stored."""
    return db.execute(sa.select(removals.c.project_id).where(removals.c.id == id).limit(1)).scalar()


# --- at once -----


def remove_experiments(db: Connection, ids: Sequence[str], now: datetime) -> None:
    """Experiments with the gates that were evaluated on them."""
    rows = _held(db, experiments, is_any_of(db, experiments.c.id, ids))
    if rows:
        note(db, [RemovalRow("experiment", row.id, row.project_id, now) for row in rows])
        db.execute(sa.delete(review_cards).where(is_any_of(db, review_cards.c.experiment_id, ids)))
        db.execute(sa.delete(threshold_results).where(is_any_of(db, threshold_results.c.experiment_id, ids)))
        db.execute(sa.delete(experiments).where(is_any_of(db, experiments.c.id, ids)))
        _forget_answers(db, "experiments", ids)
        changes.note_all(db, (row.project_id for row in rows), "experiment")


def remove_datasets(db: Connection, ids: Sequence[str], now: datetime) -> None:
    """Datasets with their versions."""
    rows = _held(db, datasets, is_any_of(db, datasets.c.id, ids))
    if rows:
        note(db, [RemovalRow("dataset", row.id, row.project_id, now) for row in rows])
        db.execute(sa.delete(dataset_versions).where(is_any_of(db, dataset_versions.c.dataset_id, ids)))
        db.execute(sa.delete(datasets).where(is_any_of(db, datasets.c.id, ids)))
        _forget_answers(db, "datasets", ids)
        changes.note_all(db, (row.project_id for row in rows), "dataset")


def _held(db: Connection, table: sa.Table, which: sa.ColumnElement[bool]) -> Sequence[sa.Row[tuple[str, str]]]:
    """Ids with their projects; in order, so that two transactions never wait for each other in a ring."""
    return db.execute(for_update(db, sa.select(table.c.id, table.c.project_id).where(which).order_by(table.c.id))).all()


_SETTINGS = (
    budgets, indexed_keys, judge_cards, model_prices, retention, score_days, scoring_rules, spending, text_search,
    quiet_targets, review_cards, review_settings, shares, change_counts,
)  # fmt: skip
"""Small tables of a project, which go with it at once."""


def remove_project(db: Connection, id: str, now: datetime) -> None:
    """A project with its settings, its keys and who is logged in with them, its experiments and its datasets."""
    remove_experiments(db, [row.id for row in _held(db, experiments, experiments.c.project_id == id)], now)
    remove_datasets(db, [row.id for row in _held(db, datasets, datasets.c.project_id == id)], now)
    own_keys = sa.select(api_keys.c.id).where(api_keys.c.project_id == id)
    for table in (web_sessions, login_codes, remembered_answers):
        db.execute(sa.delete(table).where(table.c.key_id.in_(own_keys)))
    db.execute(sa.delete(api_keys).where(api_keys.c.project_id == id))
    for table in _SETTINGS:
        db.execute(sa.delete(table).where(table.c.project_id == id))
    db.execute(sa.delete(jobs).where(jobs.c.project_id == id, jobs.c.status.in_(("queued", "running"))))
    db.execute(sa.delete(projects).where(projects.c.id == id))
    note(db, [RemovalRow("project", id, id, now)])


def note(db: Connection, rows: Sequence[RemovalRow]) -> None:
    """Note what is left to remove. One that is noted already holds for what has come since, too."""
    insert = pg_insert if db.dialect.name == "postgresql" else lite_insert
    added = insert(removals).values([row._asdict() for row in rows])
    later = {"created_at": added.excluded.created_at}
    db.execute(added.on_conflict_do_update(index_elements=["kind", "id"], set_=later))


def _forget_answers(db: Connection, collection: str, ids: Sequence[str]) -> None:
    """Answers that are remembered for retries of calls below these, which would tell of what is gone."""
    parts = sa.func.substr(remembered_answers.c.path, len(f"/v1/{collection}/") + 1, len(ids[0]))
    below = remembered_answers.c.path.startswith(f"/v1/{collection}/")
    db.execute(sa.delete(remembered_answers).where(below, is_any_of(db, parts, ids)))


# --- in batches -----


def next_batch(db: Connection, spans: SpanStore, project_id: str | None = None) -> int | None:
    """Remove the next batch of something that was deleted: how many rows of its main kind. None when there was none.

    Of any project, what others work on is left to them; of one project, their batch is waited for.
    """
    oldest = sa.select(removals).order_by(removals.c.created_at, removals.c.kind, removals.c.id).limit(1)
    if project_id is not None:
        oldest = oldest.where(removals.c.project_id == project_id)
    if db.dialect.name == "postgresql":
        oldest = oldest.with_for_update(skip_locked=project_id is None)
    row = fetch_first(db, RemovalRow, oldest)
    if row is None:
        return None
    parts: dict[RemovalKind, Callable[[], int]] = {
        "experiment": lambda: _runs(db, row.id),
        "dataset": lambda: _items(db, row.id),
        "project": lambda: _of_project(db, spans, row),
    }
    removed = parts[row.kind]()
    if removed == 0:
        db.execute(sa.delete(removals).where(removals.c.kind == row.kind, removals.c.id == row.id))
    return removed


def _runs(db: Connection, experiment_id: str) -> int:
    """Some runs of an experiment with what was said of them; with the last ones, the experiment's jobs."""
    some = sa.select(runs.c.id).where(runs.c.experiment_id == experiment_id).order_by(runs.c.id).limit(BATCH)
    ids = list(db.execute(for_update(db, some)).scalars())  # held first: whoever adds a score to a run holds it
    _remove_of_targets(db, "run", ids)
    db.execute(sa.delete(annotations).where(is_any_of(db, annotations.c.run_id, ids)))
    db.execute(sa.delete(runs).where(is_any_of(db, runs.c.id, ids)))
    if not ids:
        return _some(db, jobs, jobs.c.experiment_id == experiment_id, "id")
    return len(ids)


def _remove_of_targets(db: Connection, kind: str, ids: Sequence[str]) -> None:
    for table in (scores, scoring_states, jobs):
        of_these = is_any_of(db, table.c.target_id, ids) & (table.c.target_type == kind)
        db.execute(sa.delete(table).where(of_these))


def _items(db: Connection, dataset_id: str) -> int:
    return _some(db, dataset_items, dataset_items.c.dataset_id == dataset_id, "id")


def _of_project(db: Connection, spans: SpanStore, row: RemovalRow) -> int:
    """The next rows of a project that came before it was deleted; a new one may have its id by now."""
    return (
        _traces(db, spans, row)
        or _iterations(db, row)
        or _older(db, row, jobs, "id")
        or _older(db, row, model_answers, "cache_key")
        or _older(db, row, conversations, "id", "project_id")
        or _older(db, row, trace_values, "project_id", "key", "value", "created_at", "trace_id")
        or _sources(db, row)
    )


def _traces(db: Connection, spans: SpanStore, row: RemovalRow) -> int:
    """Remove the oldest traces, a bounded number of spans at a time; return how many traces went."""
    created = sa.type_coerce(traces.c.created_at, sa.BigInteger)
    oldest = sa.select(traces.c.id, traces.c.span_count).where(
        traces.c.project_id == row.project_id, created <= to_ms(row.created_at)
    )
    rows = db.execute(oldest.order_by(created, traces.c.id).limit(BATCH)).all()
    return spans.remove(db, row.project_id, within([(trace.id, trace.span_count) for trace in rows])).traces


def within(sized: Sequence[tuple[str, int]], most: int = SPANS_TOGETHER) -> list[str]:
    """The first traces that have so many spans together, but one at least."""
    ids: list[str] = []
    total = 0
    for id, span_count in sized:
        total += span_count
        if ids and total > most:
            break
        ids.append(id)
    return ids


def _iterations(db: Connection, row: RemovalRow) -> int:
    some = sa.select(iterations.c.id).where(
        iterations.c.project_id == row.project_id, iterations.c.created_at <= row.created_at
    )
    ids = list(db.execute(for_update(db, some.limit(BATCH))).scalars())
    _remove_of_targets(db, "iteration", ids)
    db.execute(sa.delete(iterations).where(is_any_of(db, iterations.c.id, ids)))
    return len(ids)


def _sources(db: Connection, row: RemovalRow) -> int:
    """What spans say of their resources has no age; where the project is there again, new spans may need it."""
    if db.execute(sa.select(projects.c.id).where(projects.c.id == row.project_id)).first() is not None:
        return 0
    return _some(db, span_sources, span_sources.c.project_id == row.project_id, "project_id", "id")


def _older(db: Connection, row: RemovalRow, table: sa.Table, *key: str) -> int:
    created = sa.type_coerce(table.c.created_at, sa.BigInteger)
    return _some(db, table, (table.c.project_id == row.project_id) & (created <= to_ms(row.created_at)), *key)


def _some(db: Connection, table: sa.Table, which: sa.ColumnElement[bool], *key: str) -> int:
    columns = [table.c[name] for name in key]
    key_of_row = columns[0] if len(columns) == 1 else sa.tuple_(*columns)
    return db.execute(sa.delete(table).where(key_of_row.in_(sa.select(*columns).where(which).limit(BATCH)))).rowcount
