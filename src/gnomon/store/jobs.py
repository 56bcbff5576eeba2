"""The job table: work with a lease on it.

A worker claims a job for a while and renews with every piece it finishes. When the worker
dies the lease runs out and another one goes on from the last finished piece: a piece's
results and the new position are one transaction, so nothing is done twice or lost.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import for_update, is_any_of, jobs

LEASE = timedelta(seconds=30)
MAX_ATTEMPTS = 6
"""How often a job is attempted. An attempt is a claim that began to ask or to compute, or whose lease ran out."""
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When a job is due that only waits for its parts."""
_OPEN = ("queued", "running")


def add(db: Connection, **columns: Any) -> None:
    db.execute(sa.insert(jobs).values(**columns))


def get(db: Connection, id: str, *, lock: bool = False) -> Any:
    found = sa.select(jobs).where(jobs.c.id == id)
    return db.execute(for_update(db, found) if lock else found).first()


def page(db: Connection, project_id: str, status: str | None, wanted: Slice) -> Sequence[Any]:
    found = sa.select(jobs).where(jobs.c.project_id == project_id)
    if status is not None:
        found = found.where(jobs.c.status == status)
    return db.execute(keyset(found, [jobs.c.id], wanted)).all()


def add_many(db: Connection, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        db.execute(sa.insert(jobs), list(rows))


def something_due(db: Connection, now: datetime, kinds: Collection[str]) -> bool:
    """Whether a claim would find anything: a read, so that idle workers take no write lock."""
    return db.execute(sa.select(jobs.c.id).where(_due(now), jobs.c.kind.in_(kinds)).limit(1)).first() is not None


def models_due(db: Connection, now: datetime) -> set[str]:
    """Whom the jobs that are due would ask."""
    return set(db.execute(sa.select(jobs.c.model).where(_due(now), jobs.c.model.is_not(None)).distinct()).scalars())


def any_open(db: Connection) -> bool:
    return db.execute(sa.select(jobs.c.id).where(jobs.c.status.in_(_OPEN)).limit(1)).first() is not None


def claim(
    db: Connection, owner: str, now: datetime, kinds: Collection[str], *, most: int = 1, lease: timedelta = LEASE,
    models: Collection[str] | None = None, except_models: Collection[str] = (),
) -> Sequence[Any]:  # fmt: skip
    """Take the oldest jobs that are due, that nobody holds and that may be attempted once more, which this counts.

    Some models, or all but some, where it matters.
    """
    found = sa.select(jobs.c.id).where(_due(now), jobs.c.kind.in_(kinds), jobs.c.attempts < MAX_ATTEMPTS)
    if models is not None:
        found = found.where(jobs.c.model.in_(models))
    if except_models:
        found = found.where(sa.or_(jobs.c.model.is_(None), jobs.c.model.not_in(except_models)))
    return _take(db, found, owner, now, most, lease, attempts=jobs.c.attempts + 1)


def claim_used_up(
    db: Connection, owner: str, now: datetime, kinds: Collection[str], *, most: int = 1, lease: timedelta = LEASE
) -> Sequence[Any]:
    """Take the jobs that are due and may not be attempted again: nothing is left but to end them."""
    found = sa.select(jobs.c.id).where(_due(now), jobs.c.kind.in_(kinds), jobs.c.attempts >= MAX_ATTEMPTS)
    return _take(db, found, owner, now, most, lease)


def _take(
    db: Connection, found: sa.Select[Any], owner: str, now: datetime, most: int, lease: timedelta, **columns: Any
) -> Sequence[Any]:
    found = found.order_by(jobs.c.due_at, jobs.c.id).limit(most)
    if db.dialect.name == "postgresql":
        found = found.with_for_update(skip_locked=True)
    ids = db.execute(found).scalars().all()
    if not ids:
        return []
    mine = is_any_of(db, jobs.c.id, ids)
    taken = {"status": "running", "lease_owner": owner, "lease_until": now + lease, "updated_at": now}
    db.execute(sa.update(jobs).where(mine).values(**taken, **columns))
    rows = sa.select(jobs).where(mine).order_by(jobs.c.due_at, jobs.c.id)
    try:
        return db.execute(rows).all()
    except (ValueError, TypeError):  # a row holds something that is not JSON
        return _readable(db, ids, now)


def _readable(db: Connection, ids: Sequence[str], now: datetime) -> list[Any]:
    """The rows that can be read. One that cannot must not keep the others from being taken, so it ends here."""
    rows = []
    for id in ids:
        try:
            rows.append(get(db, id))
        except (ValueError, TypeError) as bad:
            finish(db, id, now, "failed", f"the job's row cannot be read: {bad}")
    return rows


def renew(db: Connection, ids: Collection[str], owner: str, now: datetime, lease: timedelta = LEASE) -> set[str]:
    """Hold these jobs a while longer; those that are this worker's no more are returned."""
    still = sa.and_(is_any_of(db, jobs.c.id, ids), jobs.c.lease_owner == owner, jobs.c.status == "running")
    db.execute(sa.update(jobs).where(still).values(lease_until=now + lease))
    return set(ids) - set(db.execute(sa.select(jobs.c.id).where(still)).scalars())


def held(db: Connection, ids: Collection[str], owner: str) -> set[str]:
    """Which of these jobs this worker still holds; they stay so until the transaction ends."""
    found = sa.select(jobs.c.id).where(
        is_any_of(db, jobs.c.id, ids), jobs.c.lease_owner == owner, jobs.c.status == "running"
    )
    return set(db.execute(for_update(db, found)).scalars())


def change(db: Connection, id: str, **columns: Any) -> None:
    db.execute(sa.update(jobs).where(jobs.c.id == id).values(**columns))


def end_many(db: Connection, now: datetime, ended: Sequence[Mapping[str, Any]]) -> None:
    """End jobs that are held here, each given as `job_id` and its columns, the same ones for all."""
    if not ended:
        return
    given: dict[str, Any] = {name: sa.bindparam(name) for name in ended[0] if name != "job_id"}
    nobody = {"lease_owner": None, "lease_until": None, "updated_at": now}
    one = sa.update(jobs).where(jobs.c.id == sa.bindparam("job_id")).values(**given, **nobody)
    db.execute(one, [dict(columns) for columns in ended])


def put_back(db: Connection, id: str, now: datetime, due_at: datetime, **columns: Any) -> None:
    """Queue a job that is held here again, for later."""
    again = {"status": "queued", "lease_owner": None, "lease_until": None, "due_at": due_at, "updated_at": now}
    change(db, id, **again, **columns)


def advance(db: Connection, id: str, owner: str, now: datetime, **columns: Any) -> bool:
    """Write down progress and renew the lease. False when the lease is somebody else's by now."""
    mine = (jobs.c.id == id) & (jobs.c.lease_owner == owner) & (jobs.c.status == "running")
    changed = db.execute(sa.update(jobs).where(mine).values(lease_until=now + LEASE, updated_at=now, **columns))
    return changed.rowcount == 1


def release(db: Connection, ids: Collection[str], owner: str) -> None:
    """Give jobs back that were broken off while they were asked, for the next worker to go on with."""
    _give_back(db, ids, owner)


def release_uncounted(db: Connection, ids: Collection[str], owner: str, **columns: Any) -> None:
    """Give jobs back that were not begun, or that another job or a shutdown interrupts: the claim was no attempt."""
    _give_back(db, ids, owner, attempts=jobs.c.attempts - 1, **columns)


def _give_back(db: Connection, ids: Collection[str], owner: str, **columns: Any) -> None:
    mine = sa.and_(is_any_of(db, jobs.c.id, ids), jobs.c.lease_owner == owner, jobs.c.status == "running")
    db.execute(sa.update(jobs).where(mine).values(status="queued", lease_owner=None, lease_until=None, **columns))


def finish(
    db: Connection, id: str, now: datetime, status: str, reason: str | None = None, owner: str | None = None
) -> None:
    """End a job. With an owner, only while that worker holds it."""
    held = jobs.c.id == id if owner is None else (jobs.c.id == id) & (jobs.c.lease_owner == owner)
    db.execute(
        sa.update(jobs)
        .where(held)
        .values(status=status, reason=reason, lease_owner=None, lease_until=None, updated_at=now)
    )


def requeue(db: Connection, id: str, now: datetime) -> None:
    """Start over from where it stopped, with a fresh count of attempts."""
    db.execute(
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
        )
    )


def children(db: Connection, parent_id: str) -> dict[str, int]:
    """What became of a job's parts → how many. A part that is done without a score had nothing to score."""
    became = sa.case(
        (sa.and_(jobs.c.status == "done", jobs.c.score_id.is_not(None)), "scored"),
        (jobs.c.status == "done", "absent"),
        else_=jobs.c.status,
    ).label("became")
    found = sa.select(became, sa.func.count()).where(jobs.c.parent_id == parent_id).group_by(became)
    return {name: int(count) for name, count in db.execute(found)}


def end_children(db: Connection, parent_id: str, now: datetime) -> None:
    """Cancel the parts of a job that are still open."""
    db.execute(
        sa.update(jobs)
        .where(jobs.c.parent_id == parent_id, jobs.c.status.in_(_OPEN))
        .values(status="cancelled", lease_owner=None, lease_until=None, updated_at=now)
    )


def requeue_children(db: Connection, parent_id: str, now: datetime) -> None:
    """Queue the parts that failed or were cancelled again."""
    db.execute(
        sa.update(jobs)
        .where(jobs.c.parent_id == parent_id, jobs.c.status.in_(("failed", "cancelled")))
        .values(status="queued", reason=None, evidence=None, attempts=0, patient_until=None, due_at=now, updated_at=now)
    )


def finish_parents(db: Connection, now: datetime) -> None:
    """End the jobs that waited for their parts, where none is open any more."""
    part = jobs.alias("part")
    open_part = sa.select(part.c.id).where(part.c.parent_id == jobs.c.id, part.c.status.in_(_OPEN))
    db.execute(
        sa.update(jobs)
        .where(jobs.c.due_at == NEVER, jobs.c.status == "running", ~open_part.exists())
        .values(status="done", updated_at=now)
    )


def waiting_parents(db: Connection) -> bool:
    found = sa.select(jobs.c.id).where(jobs.c.due_at == NEVER, jobs.c.status == "running")
    return db.execute(found.limit(1)).first() is not None


def open_targets(db: Connection, scorer_name: str, config_hash: str, target_ids: Collection[str]) -> set[str]:
    """Which of these targets have an open job by this very scorer."""
    found = sa.select(jobs.c.target_id).where(
        is_any_of(db, jobs.c.target_id, target_ids), jobs.c.scorer_name == scorer_name,
        jobs.c.config_hash == config_hash, jobs.c.status.in_(_OPEN),
    )  # fmt: skip
    return set(db.execute(found).scalars())


def pending_scorers(db: Connection, experiment_id: str) -> list[Mapping[str, Any]]:
    """The scorers that an open job is still to run over this experiment, as its payload has them."""
    found = sa.select(jobs.c.payload).where(
        jobs.c.experiment_id == experiment_id, jobs.c.status.in_(_OPEN), jobs.c.kind == "score_experiment"
    )
    return [spec for payload in db.execute(found).scalars() for spec in payload["scorers"]]


def _due(now: datetime) -> sa.ColumnElement[bool]:
    nobody = sa.or_(jobs.c.lease_until.is_(None), jobs.c.lease_until < now)
    return sa.and_(jobs.c.status.in_(_OPEN), jobs.c.due_at <= now, nobody)
