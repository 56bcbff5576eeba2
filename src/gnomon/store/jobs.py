"""The job table: work with a lease on it.

A worker claims a job for a while and renews with every piece it finishes. When the worker
dies the lease runs out and another one goes on from the last finished piece: a piece's
results and the new position are one transaction, so nothing is done twice or lost.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypedDict, Unpack

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.job import JobStatus
from gnomon.model.score import JsonObject, TargetType
from gnomon.store.changes import note_all
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import JobRow
from gnomon.store.schema import for_update, is_any_of, jobs

LEASE = timedelta(seconds=30)
MAX_ATTEMPTS = 6
"""How often a job is attempted. An attempt is a claim that began to ask or to compute, or whose lease ran out."""
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When a job is due that only waits for its parts."""
_OPEN = ("queued", "running")


class NewJob(NamedTuple):
    """A job that is queued now."""

    id: str
    project_id: str
    kind: str
    payload: JsonObject
    total: int
    created_at: datetime
    experiment_id: str | None = None
    parent_id: str | None = None
    model: str | None = None
    target_type: TargetType | None = None
    target_id: str | None = None
    trace_id: str | None = None
    scorer_name: str | None = None
    config_hash: str | None = None


class JudgeJob(NamedTuple):
    """A job that asks a judge about one target: what its worker needs of the row."""

    id: str
    project_id: str
    payload: JsonObject
    attempts: int
    parent_id: str | None
    model: str
    target_type: TargetType
    target_id: str
    trace_id: str | None
    scorer_name: str
    patient_until: datetime | None


class JobGroup(NamedTuple):
    """Jobs of one kind and status: how many, what they cost, and how many asked a model at an unknown price."""

    kind: str
    status: JobStatus
    jobs: int
    cost_usd: float | None
    unpriced: int


class JobChanges(TypedDict, total=False):
    status: JobStatus
    payload: JsonObject
    attempts: int
    total: int
    counts: dict[str, int]
    position: str
    due_at: datetime
    lease_owner: str | None
    lease_until: datetime | None
    updated_at: datetime
    patient_until: datetime | None
    cost_usd: float | None


class JobEnd(NamedTuple):
    """How a job that is held here ended."""

    job_id: str
    status: JobStatus
    score_id: str | None
    cost_usd: float | None
    counts: dict[str, int]
    reason: str | None
    evidence: str | None


def add(db: Connection, rows: Sequence[NewJob]) -> None:
    if rows:
        db.execute(sa.insert(jobs), [_first_columns(row) for row in rows])
        note_all(db, (row.project_id for row in rows), "job")


def _first_columns(new: NewJob) -> dict[str, object]:
    queued = {"status": "queued", "attempts": 0, "counts": {}, "position": ""}
    return {**new._asdict(), **queued, "due_at": new.created_at, "updated_at": new.created_at}


def get(db: Connection, id: str, *, lock: bool = False) -> JobRow | None:
    query = sa.select(jobs).where(jobs.c.id == id)
    return fetch_first(db, JobRow, for_update(db, query) if lock else query)


def page(db: Connection, project_id: str, status: str | None, part: Slice) -> list[JobRow]:
    query = sa.select(jobs).where(jobs.c.project_id == project_id)
    if status is not None:
        query = query.where(jobs.c.status == status)
    return fetch_all(db, JobRow, keyset(query, [jobs.c.id], part))


def groups(db: Connection, project_id: str) -> list[JobGroup]:
    """A project's jobs, counted by kind and status."""
    condition = sa.and_(jobs.c.status == "done", jobs.c.model.is_not(None), jobs.c.cost_usd.is_(None))
    query = sa.select(
        jobs.c.kind, jobs.c.status, sa.func.count().label("jobs"), sa.func.sum(jobs.c.cost_usd).label("cost_usd"),
        sa.func.count(sa.case((condition, 1))).label("unpriced"),
    ).where(jobs.c.project_id == project_id).group_by(jobs.c.kind, jobs.c.status)  # fmt: skip
    return fetch_all(db, JobGroup, query)


def something_due(db: Connection, now: datetime, kinds: Collection[str]) -> bool:
    """Whether a claim would find anything: a read, so that idle workers take no write lock."""
    return db.execute(sa.select(jobs.c.id).where(_due(now), jobs.c.kind.in_(kinds)).limit(1)).first() is not None


def models_due(db: Connection, now: datetime) -> set[str]:
    """Whom the jobs that are due would ask."""
    return set(db.execute(sa.select(jobs.c.model).where(_due(now), jobs.c.model.is_not(None)).distinct()).scalars())


def any_open(db: Connection) -> bool:
    """Whether some job is not ended."""
    return db.execute(sa.select(jobs.c.id).where(jobs.c.status.in_(_OPEN)).limit(1)).first() is not None


_may_be_attempted = jobs.c.attempts < MAX_ATTEMPTS


def claim(
    db: Connection, owner: str, now: datetime, kinds: Collection[str], *, lease: timedelta = LEASE
) -> JobRow | None:
    """Take the oldest job that is due, that nobody holds and that may be attempted once more, which this counts."""
    query = sa.select(jobs.c.id).where(_due(now), jobs.c.kind.in_(kinds), _may_be_attempted)
    ids = _claim(db, query, owner, now, 1, lease, attempts=jobs.c.attempts + 1)
    return get(db, ids[0]) if ids else None


def claim_used_up(db: Connection, owner: str, now: datetime, kinds: Collection[str]) -> str | None:
    """Take a job that is due and may not be attempted again, to end it; its id."""
    query = sa.select(jobs.c.id).where(_due(now), jobs.c.kind.in_(kinds), ~_may_be_attempted)
    ids = _claim(db, query, owner, now, 1, LEASE)
    return ids[0] if ids else None


def claim_judge_jobs(
    db: Connection, owner: str, now: datetime, kinds: Collection[str], *, most: int, lease: timedelta,
    models: Collection[str] | None = None, except_models: Collection[str] = (),
) -> list[JudgeJob]:  # fmt: skip
    """Take the oldest ones that may be attempted once more, of some models or of all but some."""
    query = sa.select(jobs.c.id).where(_due(now), jobs.c.kind.in_(kinds), _may_be_attempted)
    if models is not None:
        query = query.where(jobs.c.model.in_(models))
    if except_models:
        query = query.where(sa.or_(jobs.c.model.is_(None), jobs.c.model.not_in(except_models)))
    return _judge_jobs(db, _claim(db, query, owner, now, most, lease, attempts=jobs.c.attempts + 1), now)


def claim_used_up_judge_jobs(
    db: Connection, owner: str, now: datetime, kinds: Collection[str], *, most: int, lease: timedelta
) -> list[JudgeJob]:
    """Take those that may not be attempted again: nothing is left but to end them."""
    query = sa.select(jobs.c.id).where(_due(now), jobs.c.kind.in_(kinds), ~_may_be_attempted)
    return _judge_jobs(db, _claim(db, query, owner, now, most, lease), now)


def _judge_jobs(db: Connection, ids: Sequence[str], now: datetime) -> list[JudgeJob]:
    """The rows of jobs that were claimed. One that cannot be read ends here: it must not hold up the others."""
    if not ids:
        return []
    columns = [jobs.c[name] for name in JudgeJob._fields]
    claimed = sa.select(*columns).where(is_any_of(db, jobs.c.id, ids)).order_by(jobs.c.due_at, jobs.c.id)
    try:
        return fetch_all(db, JudgeJob, claimed)
    except (ValueError, TypeError) as bad:  # it holds something that is not JSON
        if len(ids) == 1:
            finish(db, ids[0], now, "failed", f"the job's row cannot be read: {bad}")
            return []
        return [row for id in ids for row in _judge_jobs(db, [id], now)]


def _claim(
    db: Connection, query: sa.Select[Any], owner: str, now: datetime, most: int, lease: timedelta, **columns: Any
) -> Sequence[str]:
    """Take the oldest of these; their ids."""
    query = query.order_by(jobs.c.due_at, jobs.c.id).limit(most)
    if db.dialect.name == "postgresql":
        query = query.with_for_update(skip_locked=True)
    ids = db.execute(query).scalars().all()
    if not ids:
        return []
    claimed = is_any_of(db, jobs.c.id, ids)
    taken = {"status": "running", "lease_owner": owner, "lease_until": now + lease, "updated_at": now}
    _update(db, sa.update(jobs).where(claimed).values(**taken, **columns))
    return ids


def _update(db: Connection, changed: sa.Update) -> int:
    """Change jobs; how many."""
    projects = db.execute(changed.returning(jobs.c.project_id)).scalars().all()
    note_all(db, projects, "job")
    return len(projects)


def renew(db: Connection, ids: Collection[str], owner: str, now: datetime, lease: timedelta = LEASE) -> set[str]:
    """Hold these jobs a while longer; those that are this worker's no more are returned."""
    still = sa.and_(is_any_of(db, jobs.c.id, ids), jobs.c.lease_owner == owner, jobs.c.status == "running")
    db.execute(sa.update(jobs).where(still).values(lease_until=now + lease))
    return set(ids) - set(db.execute(sa.select(jobs.c.id).where(still)).scalars())


def held(db: Connection, ids: Collection[str], owner: str) -> set[str]:
    """Which of these jobs this worker still holds; they stay so until the transaction ends."""
    query = sa.select(jobs.c.id).where(
        is_any_of(db, jobs.c.id, ids), jobs.c.lease_owner == owner, jobs.c.status == "running"
    )
    return set(db.execute(for_update(db, query)).scalars())


def change(db: Connection, id: str, **changes: Unpack[JobChanges]) -> None:
    _update(db, sa.update(jobs).where(jobs.c.id == id).values(**changes))


def end_many(db: Connection, now: datetime, ended: Sequence[JobEnd]) -> None:
    """End jobs that are held here."""
    if not ended:
        return
    columns: dict[str, object] = {name: sa.bindparam(name) for name in JobEnd._fields if name != "job_id"}
    nobody = {"lease_owner": None, "lease_until": None, "updated_at": now}
    statement = sa.update(jobs).where(jobs.c.id == sa.bindparam("job_id")).values({**columns, **nobody})
    db.execute(statement, [end._asdict() for end in ended])
    of_these = is_any_of(db, jobs.c.id, [end.job_id for end in ended])
    note_all(db, db.execute(sa.select(jobs.c.project_id).where(of_these).distinct()).scalars(), "job")


def end_or_wait(db: Connection, id: str, now: datetime, counted: int) -> None:
    """End a job that has begun all of its parts, or let it wait for those that are open. Its total is known now."""
    parts = children(db, id)
    change(db, id, total=counted + sum(parts.values()))
    if parts.keys() & set(_OPEN):
        change(db, id, due_at=NEVER, lease_owner=None, lease_until=None, updated_at=now)
    else:
        finish(db, id, now, "done")


def put_back(
    db: Connection, id: str, now: datetime, due_at: datetime, *, attempts: int, patient_until: datetime | None
) -> None:
    """Queue a job that is held here again, for later."""
    change(
        db, id, status="queued", lease_owner=None, lease_until=None, due_at=due_at, updated_at=now, attempts=attempts,
        patient_until=patient_until,
    )  # fmt: skip


def advance(db: Connection, id: str, owner: str, now: datetime, **changes: Unpack[JobChanges]) -> bool:
    """Write down progress and renew the lease. False when the lease is somebody else's by now."""
    own_lease = (jobs.c.id == id) & (jobs.c.lease_owner == owner) & (jobs.c.status == "running")
    return _update(db, sa.update(jobs).where(own_lease).values(lease_until=now + LEASE, updated_at=now, **changes)) == 1


def release(db: Connection, ids: Collection[str], owner: str) -> None:
    """Give jobs back that were broken off while they were asked, for the next worker to go on with."""
    _give_back(db, ids, owner)


def release_uncounted(db: Connection, ids: Collection[str], owner: str, **changes: Unpack[JobChanges]) -> None:
    """Give jobs back that were not begun, or that another job or a shutdown interrupts: the claim was no attempt."""
    _give_back(db, ids, owner, attempts=jobs.c.attempts - 1, **changes)


def _give_back(db: Connection, ids: Collection[str], owner: str, **columns: Any) -> None:
    own_leases = sa.and_(is_any_of(db, jobs.c.id, ids), jobs.c.lease_owner == owner, jobs.c.status == "running")
    _update(
        db, sa.update(jobs).where(own_leases).values(status="queued", lease_owner=None, lease_until=None, **columns)
    )


def finish(
    db: Connection, id: str, now: datetime, status: JobStatus, reason: str | None = None, owner: str | None = None
) -> None:
    """End a job. With an owner, only while that worker holds it."""
    held = jobs.c.id == id if owner is None else (jobs.c.id == id) & (jobs.c.lease_owner == owner)
    _update(
        db,
        sa.update(jobs)
        .where(held)
        .values(status=status, reason=reason, lease_owner=None, lease_until=None, updated_at=now),
    )


def requeue(db: Connection, id: str, now: datetime) -> None:
    """Start over from where it stopped, with a fresh count of attempts."""
    _update(
        db,
        sa.update(jobs)
        .where(jobs.c.id == id)
        .values(
            status="queued",
            reason=None,
            attempts=0,
            patient_until=None,
            due_at=now,
            lease_owner=None,
            lease_until=None,
            updated_at=now,
        ),
    )


def children(db: Connection, parent_id: str) -> dict[str, int]:
    """What became of a job's parts → how many. A part that is done without a score had nothing to score."""
    return children_of(db, [parent_id]).get(parent_id, {})


def children_of(db: Connection, parent_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """The same for several jobs; those without parts are left out."""
    became = sa.case(
        (sa.and_(jobs.c.status == "done", jobs.c.score_id.is_not(None)), "scored"),
        (jobs.c.status == "done", "absent"),
        else_=jobs.c.status,
    ).label("became")
    query = sa.select(jobs.c.parent_id, became, sa.func.count()).where(is_any_of(db, jobs.c.parent_id, parent_ids))
    counts: dict[str, dict[str, int]] = {}
    for parent, name, count in db.execute(query.group_by(jobs.c.parent_id, became)):
        counts.setdefault(parent, {})[name] = int(count)
    return counts


def end_children(db: Connection, parent_id: str, now: datetime) -> None:
    """Cancel the parts of a job that are still open."""
    _update(
        db,
        sa.update(jobs)
        .where(jobs.c.parent_id == parent_id, jobs.c.status.in_(_OPEN))
        .values(status="cancelled", lease_owner=None, lease_until=None, updated_at=now),
    )


def requeue_children(db: Connection, parent_id: str, now: datetime) -> None:
    """Queue the parts that failed or were cancelled again."""
    _update(
        db,
        sa.update(jobs)
        .where(jobs.c.parent_id == parent_id, jobs.c.status.in_(("failed", "cancelled")))
        .values(
            status="queued", reason=None, evidence=None, attempts=0, patient_until=None, due_at=now, updated_at=now
        ),
    )


def finish_parents(db: Connection, now: datetime) -> None:
    """End the jobs that waited for their parts, where none is open any more."""
    part = jobs.alias("part")
    open_part = sa.select(part.c.id).where(part.c.parent_id == jobs.c.id, part.c.status.in_(_OPEN))
    _update(
        db,
        sa.update(jobs)
        .where(jobs.c.due_at == NEVER, jobs.c.status == "running", ~open_part.exists())
        .values(status="done", updated_at=now),
    )


def waiting_parents(db: Connection) -> bool:
    query = sa.select(jobs.c.id).where(jobs.c.due_at == NEVER, jobs.c.status == "running")
    return db.execute(query.limit(1)).first() is not None


def open_targets(db: Connection, scorer_name: str, config_hash: str, target_ids: Collection[str]) -> set[str]:
    """Which of these targets have an open job by this very scorer."""
    query = sa.select(jobs.c.target_id).where(
        is_any_of(db, jobs.c.target_id, target_ids), jobs.c.scorer_name == scorer_name,
        jobs.c.config_hash == config_hash, jobs.c.status.in_(_OPEN),
    )  # fmt: skip
    return set(db.execute(query).scalars())


def pending_scorers(db: Connection, experiment_ids: Collection[str]) -> list[tuple[str, JsonObject]]:
    """The scorers that an open job is still to run over these experiments: the experiment's id, and the scorer as the
    job's payload has it."""
    query = sa.select(jobs.c.experiment_id, jobs.c.payload).where(
        jobs.c.experiment_id.in_(sorted(experiment_ids)), jobs.c.status.in_(_OPEN), jobs.c.kind == "score_experiment"
    )
    return [(id, spec) for id, payload in db.execute(query) for spec in payload["scorers"]]


def _due(now: datetime) -> sa.ColumnElement[bool]:
    nobody = sa.or_(jobs.c.lease_until.is_(None), jobs.c.lease_until < now)
    return sa.and_(jobs.c.status.in_(_OPEN), jobs.c.due_at <= now, nobody)
