"""Scores, and the states of what has none."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.change import ChangeKind
from gnomon.model.score import TargetType
from gnomon.store.changes import note
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ScoreRow, ScoringStateRow, StoredScore, StoredScoringState
from gnomon.store.schema import insert_rows, is_any_of, iterations, jobs, scores, scoring_states, spans

_ANY_SCORE = (
    sa.select(scores.c.id)
    .where(scores.c.target_id == sa.bindparam("id"), scores.c.target_type == "run")
    .where(scores.c.scorer_name == sa.bindparam("name"))
    .limit(1)
)
_SCORE = sa.select(scores).where(scores.c.target_id == sa.bindparam("target"), scores.c.id == sa.bindparam("id"))


WITH_ITERATIONS = scores.outerjoin(
    iterations, (iterations.c.id == scores.c.target_id) & (scores.c.target_type == "iteration")
)
ITEM = sa.func.coalesce(
    scores.c.dataset_item_id, scores.c.trace_id, iterations.c.source + "/" + iterations.c.session_id, scores.c.target_id
)
"""What a score's target belongs to, and varies with: a run's item, a span's trace, an iteration's session."""


_OF_TARGET: dict[TargetType, ChangeKind] = {
    "run": "run", "span": "trace", "conversation": "trace", "iteration": "iteration"
}  # fmt: skip
"""What changes with the scores of a target."""


def add(db: Connection, rows: Sequence[StoredScore]) -> None:
    insert_rows(db, scores, rows)
    _note(db, rows)


def _note(db: Connection, rows: Sequence[StoredScore | ScoreRow | StoredScoringState]) -> None:
    for project_id, target_type in {(row.project_id, row.target_type) for row in rows}:
        note(db, project_id, _OF_TARGET[target_type])


def get(db: Connection, target_id: str, id: str) -> ScoreRow | None:
    return fetch_first(db, ScoreRow, _SCORE, {"target": target_id, "id": id})


def by_ids(db: Connection, target_id: str, ids: Collection[str]) -> list[ScoreRow]:
    """The scores of the target with these ids."""
    query = sa.select(scores).where(scores.c.target_id == target_id, is_any_of(db, scores.c.id, ids))
    return fetch_all(db, ScoreRow, query) if ids else []


def page_of_target(
    db: Connection,
    target_id: str,
    page: Slice,
    *,
    target_type: str | None,
    project_id: str | None,
    trace_id: str | None,
    scorer_name: str | None,
) -> list[ScoreRow]:
    query = sa.select(scores).where(scores.c.target_id == target_id)
    for column, value in (
        (scores.c.target_type, target_type),
        (scores.c.project_id, project_id),
        (scores.c.trace_id, trace_id),
        (scores.c.scorer_name, scorer_name),
    ):
        if value is not None:
            query = query.where(column == value)
    return fetch_all(db, ScoreRow, keyset(query, [scores.c.id], page))


def derived(db: Connection, target_ids: Collection[str], scorer: str) -> list[ScoreRow]:
    """The scores of iterations that this scorer derived from what is stored of them."""
    of_these = (is_any_of(db, scores.c.target_id, target_ids), scores.c.target_type == "iteration")
    return fetch_all(db, ScoreRow, sa.select(scores).where(*of_these, scores.c.scorer == scorer))


def derived_states(
    db: Connection, target_ids: Collection[str], config_hashes: Collection[str]
) -> list[ScoringStateRow]:
    """Why iterations have no score under these configurations."""
    of_these = (is_any_of(db, scoring_states.c.target_id, target_ids), scoring_states.c.target_type == "iteration")
    of_configs = is_any_of(db, scoring_states.c.config_hash, config_hashes)
    return fetch_all(db, ScoringStateRow, sa.select(scoring_states).where(*of_these, of_configs))


def delete(db: Connection, rows: Sequence[ScoreRow]) -> None:
    if rows:
        mark = "%s" if db.dialect.name == "postgresql" else "?"
        keys = [(row.target_id, row.id) for row in rows]
        db.exec_driver_sql(f"DELETE FROM scores WHERE target_id = {mark} AND id = {mark}", keys)
        _note(db, rows)


def of_runs(db: Connection, run_ids: Sequence[str]) -> dict[str, list[ScoreRow]]:
    """Run id → its scores, newest first."""
    query = sa.select(scores).where(is_any_of(db, scores.c.target_id, run_ids), scores.c.target_type == "run")
    grouped: dict[str, list[ScoreRow]] = {id: [] for id in run_ids}
    for row in fetch_all(db, ScoreRow, query.order_by(scores.c.id.desc())):
        grouped[row.target_id].append(row)
    return grouped


class ScorerOnTrace(NamedTuple):
    """The scores of one scorer on a trace's spans: the numbers (no label), or those with one label."""

    trace_id: str
    scorer_name: str
    label: str | None
    how_many: int
    mean: float | None


def by_scorer(db: Connection, project_id: str, trace_ids: Collection[str]) -> list[ScorerOnTrace]:
    """What the scores on the spans of these traces come to."""
    of_these = (scores.c.project_id == project_id) & is_any_of(db, scores.c.trace_id, trace_ids)
    query = sa.select(
        scores.c.trace_id, scores.c.scorer_name, scores.c.label, sa.func.count().label("how_many"),
        sa.func.avg(scores.c.value).label("mean"),
    ).where(of_these, scores.c.target_type == "span")  # fmt: skip
    return fetch_all(db, ScorerOnTrace, query.group_by(scores.c.trace_id, scores.c.scorer_name, scores.c.label))


def counts_of_trace(db: Connection, project_id: str, trace_id: str) -> dict[str, int]:
    """Span id → how many scores it has, for the spans of a trace that have any."""
    query = sa.select(scores.c.target_id, sa.func.count().label("how_many")).where(
        *_of_trace(scores, project_id, trace_id)
    )
    return {row.target_id: row.how_many for row in db.execute(query.group_by(scores.c.target_id))}


def of_trace(db: Connection, project_id: str, trace_id: str, limit: int) -> list[ScoreRow]:
    """The scores of all spans of a trace, newest first."""
    query = sa.select(scores).where(*_of_trace(scores, project_id, trace_id))
    return fetch_all(db, ScoreRow, query.order_by(scores.c.id.desc()).limit(limit))


def of_traces(db: Connection, project_id: str, trace_ids: Collection[str], most: int) -> list[ScoreRow]:
    """The newest scores of the spans of each of these traces."""
    recency = sa.func.row_number().over(partition_by=scores.c.trace_id, order_by=scores.c.id.desc())
    of_these = (scores.c.project_id == project_id) & is_any_of(db, scores.c.trace_id, trace_ids)
    of_spans = sa.select(scores, recency.label("recency")).where(of_these, scores.c.target_type == "span")
    ranked = of_spans.subquery("ranked")
    query = sa.select(*(ranked.c[name] for name in ScoreRow._fields)).where(ranked.c.recency <= most)
    return fetch_all(db, ScoreRow, query.order_by(ranked.c.trace_id, ranked.c.recency))


def states_of_trace(db: Connection, project_id: str, trace_id: str, limit: int) -> list[ScoringStateRow]:
    """Where the spans of a trace stand with scorers that gave no score, the newest first."""
    ids = sa.select(spans.c.id).where(spans.c.trace_id == trace_id, spans.c.project_id == project_id)
    query = _unscored().where(
        scoring_states.c.target_id.in_(ids), *_of_trace(scoring_states, project_id, trace_id)
    )  # fmt: skip
    newest = (scoring_states.c.updated_at.desc(), scoring_states.c.target_id, scoring_states.c.scorer_name)
    return fetch_all(db, ScoringStateRow, query.order_by(*newest, scoring_states.c.config_hash).limit(limit))


def _of_trace(table: sa.Table, project_id: str, trace_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return (table.c.trace_id == trace_id, table.c.project_id == project_id, table.c.target_type == "span")


def known_targets(
    db: Connection, project_id: str, target_type: TargetType, ids: Collection[str], scorer_name: str, config_hash: str
) -> set[str]:
    """Which of these have a score of that name, or an open job by this very scorer."""
    scored = sa.select(scores.c.target_id).where(
        is_any_of(db, scores.c.target_id, ids), scores.c.target_type == target_type,
        scores.c.project_id == project_id, scores.c.scorer_name == scorer_name,
    )  # fmt: skip
    query = sa.select(jobs.c.target_id).where(
        is_any_of(db, jobs.c.target_id, ids), jobs.c.target_type == target_type, jobs.c.project_id == project_id,
        jobs.c.scorer_name == scorer_name, jobs.c.config_hash == config_hash, jobs.c.status.in_(("queued", "running")),
    )  # fmt: skip
    return {id for query_of_ids in (scored, query) for id in db.execute(query_of_ids).scalars()}


class StateKey(NamedTuple):
    """What a scoring state is about, by column."""

    target_id: str
    target_type: TargetType
    trace_id: str
    project_id: str
    scorer_name: str
    config_hash: str


def stated(db: Connection, target_ids: Collection[str]) -> set[str]:
    """Which of these targets have some state."""
    targets = is_any_of(db, scoring_states.c.target_id, target_ids)
    return set(db.execute(sa.select(scoring_states.c.target_id).where(targets)).scalars())


def any_state(db: Connection, experiment_ids: Collection[str | None]) -> bool:
    """Whether anything in these experiments has a state; of what is in no experiment that is not known."""
    if None in experiment_ids:
        return True
    of_these = scoring_states.c.experiment_id.in_(sorted(id for id in experiment_ids if id is not None))
    return db.execute(sa.select(sa.literal(1)).where(of_these).limit(1)).first() is not None


def clear_states(db: Connection, keys: Sequence[StateKey]) -> None:
    """Forget why something was not scored."""
    if not keys:
        return
    mark = "%s" if db.dialect.name == "postgresql" else "?"
    same = " AND ".join(f"{name} = {mark}" for name in StateKey._fields)
    db.exec_driver_sql(f"DELETE FROM scoring_states WHERE {same}", list(keys))


def add_states(db: Connection, rows: Sequence[StoredScoringState]) -> None:
    """Remember why; the newest reason for one target, scorer and configuration stands."""
    if not rows:
        return
    mark = "%s" if db.dialect.name == "postgresql" else "?"
    names = ", ".join(StoredScoringState._fields)
    marks = ", ".join([mark] * len(StoredScoringState._fields))
    db.exec_driver_sql(
        f"INSERT INTO scoring_states ({names}) VALUES ({marks}) "
        f"ON CONFLICT ({', '.join(StateKey._fields)}) DO UPDATE SET "
        "state = excluded.state, reason = excluded.reason, job_id = excluded.job_id, updated_at = excluded.updated_at",
        list(rows),
    )
    _note(db, rows)


def forget_runs(db: Connection, run_ids: Collection[str]) -> None:
    """Delete the scores of runs, and why others are missing."""
    for table in (scores, scoring_states):
        of_runs = (is_any_of(db, table.c.target_id, run_ids), table.c.target_type == "run")
        db.execute(sa.delete(table).where(*of_runs))


_CANCEL = sa.text("""
UPDATE scoring_states SET state = 'cancelled', updated_at = :now WHERE state = 'queued' AND job_id IN (
    SELECT id FROM jobs WHERE id = :job OR parent_id = :job
)
""")


def cancel_states(db: Connection, job_id: str, now: int) -> None:
    """What waited for this job, or for a part of it, waits no more."""
    db.execute(_CANCEL, {"job": job_id, "now": now})


_FAIL = sa.text("""
UPDATE scoring_states SET state = 'failed', reason = :reason, updated_at = :now
WHERE target_id = :target AND job_id = :job AND state = 'queued'
""")


def fail_states(db: Connection, target_id: str, job_id: str, reason: str, now: int) -> None:
    """A target that waited for this job has no score, under whatever names it waited."""
    db.execute(_FAIL, {"target": target_id, "job": job_id, "reason": reason, "now": now})


_REQUEUE = sa.text("""
UPDATE scoring_states SET state = 'queued', reason = NULL, updated_at = :now WHERE state IN ('failed', 'cancelled')
AND job_id IN (SELECT id FROM jobs WHERE (id = :job OR parent_id = :job) AND status = 'queued' AND kind = 'judge')
""")


def requeue_states(db: Connection, job_id: str, now: int) -> None:
    """What failed or was cancelled waits for this job, or for a part of it, again."""
    db.execute(_REQUEUE, {"job": job_id, "now": now})


def states_page(
    db: Connection,
    wanted: Slice,
    *,
    target_id: str | None,
    experiment_id: str | None,
    state: str | None,
    scorer_name: str | None,
    project_id: str | None,
) -> list[ScoringStateRow]:
    """Where targets stand with scorers. Of one target everything; of an experiment what has no score, unless
    the scored ones are asked for."""
    query: Any = _unscored()
    if target_id is not None or state == "scored":
        query = sa.union_all(query, _scored(target_id, experiment_id))
    rows = query.subquery("states")
    page = sa.select(rows)
    filters = {"target_id": target_id, "experiment_id": experiment_id, "state": state, "scorer_name": scorer_name,
             "project_id": project_id}  # fmt: skip
    for name, value in filters.items():
        if value is not None:
            page = page.where(rows.c[name] == value)
    at = sa.type_coerce(rows.c.updated_at, sa.BigInteger)
    keys = [at, rows.c.target_id, rows.c.scorer_name, rows.c.config_hash]
    return fetch_all(db, ScoringStateRow, keyset(page, keys, wanted))


def _unscored() -> sa.Select[Any]:
    """A job that was taken is running, which only its own row knows."""
    running = sa.and_(scoring_states.c.state == "queued", jobs.c.status == "running")
    state = sa.case((running, "running"), else_=scoring_states.c.state).label("state")
    columns = [state if column.name == "state" else column for column in scoring_states.columns]
    return sa.select(*columns).outerjoin(jobs, jobs.c.id == scoring_states.c.job_id)


def _scored(target_id: str | None, experiment_id: str | None) -> sa.Select[Any]:
    newest = sa.func.max(sa.type_coerce(scores.c.created_at, sa.BigInteger))
    query = sa.select(
        scores.c.target_id, scores.c.target_type, sa.func.coalesce(scores.c.trace_id, "").label("trace_id"),
        scores.c.scorer_name, sa.func.coalesce(scores.c.config_hash, "").label("config_hash"), scores.c.project_id,
        scores.c.experiment_id, sa.literal("scored").label("state"), sa.null().label("reason"),
        sa.null().label("job_id"), sa.type_coerce(newest, scores.c.created_at.type).label("updated_at"),
    )  # fmt: skip
    if target_id is not None:
        query = query.where(scores.c.target_id == target_id)
    if experiment_id is not None:
        query = query.where(scores.c.experiment_id == experiment_id)
    return query.group_by(
        scores.c.target_id, scores.c.target_type, scores.c.trace_id, scores.c.scorer_name, scores.c.config_hash,
        scores.c.project_id, scores.c.experiment_id,
    )  # fmt: skip


def already_scored(db: Connection, pairs: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which of these (run id, scorer name) have a score."""
    if len(pairs) == 1:  # the first score found is answer enough, however many the run has
        ((id, name),) = pairs
        return set(pairs) if db.execute(_ANY_SCORE, {"id": id, "name": name}).first() is not None else set()
    runs = {id for id, _ in pairs}
    query = sa.select(scores.c.target_id, scores.c.scorer_name).where(is_any_of(db, scores.c.target_id, runs))
    known = {(id, name) for id, name in db.execute(query.where(scores.c.target_type == "run").distinct()).all()}
    return known & set(pairs)


def runs_scored_by(db: Connection, scorer_name: str, run_ids: Sequence[str]) -> set[str]:
    """Which of these runs have a score of that name."""
    query = (
        sa.select(scores.c.target_id)
        .where(is_any_of(db, scores.c.target_id, run_ids), scores.c.target_type == "run")
        .where(scores.c.scorer_name == scorer_name)
        .distinct()
    )
    return set(db.execute(query).scalars().all())
