"""The job table: work with a lease on it.

A worker claims a job for a while and renews with every piece it finishes. When the worker
dies the lease runs out and another one goes on from the last finished piece: a piece's
results and the new position are one transaction, so nothing is done twice or lost.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import for_update, jobs

LEASE = timedelta(seconds=30)
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


def something_due(db: Connection, now: datetime) -> bool:
    """Whether a claim would find anything: a read, so that idle workers take no write lock."""
    return db.execute(sa.select(jobs.c.id).where(_due(now)).limit(1)).first() is not None


def claim(db: Connection, owner: str, now: datetime) -> Any:
    """Take the oldest job that is due and that nobody holds; None when there is none."""
    found = sa.select(jobs.c.id).where(_due(now)).order_by(jobs.c.due_at, jobs.c.id).limit(1)
    if db.dialect.name == "postgresql":
        found = found.with_for_update(skip_locked=True)
    id = db.execute(found).scalar()
    if id is None:
        return None
    db.execute(
        sa.update(jobs)
        .where(jobs.c.id == id)
        .values(
            status="running", lease_owner=owner, lease_until=now + LEASE, attempts=jobs.c.attempts + 1, updated_at=now
        )
    )
    return get(db, id)


def advance(db: Connection, id: str, owner: str, now: datetime, **columns: Any) -> bool:
    """Write down progress and renew the lease. False when the lease is somebody else's by now."""
    mine = (jobs.c.id == id) & (jobs.c.lease_owner == owner) & (jobs.c.status == "running")
    changed = db.execute(sa.update(jobs).where(mine).values(lease_until=now + LEASE, updated_at=now, **columns))
    return changed.rowcount == 1


def release(db: Connection, id: str, owner: str) -> None:
    """Give a job back unfinished, for the next worker to go on with at once."""
    mine = (jobs.c.id == id) & (jobs.c.lease_owner == owner) & (jobs.c.status == "running")
    db.execute(sa.update(jobs).where(mine).values(status="queued", lease_owner=None, lease_until=None))


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
            status="queued", reason=None, attempts=0, due_at=now, lease_owner=None, lease_until=None, updated_at=now
        )
    )


def pending_scorers(db: Connection, experiment_id: str) -> set[str]:
    """Names of the scorers that an open job is still to run over this experiment."""
    found = sa.select(jobs.c.payload).where(
        jobs.c.experiment_id == experiment_id, jobs.c.status.in_(_OPEN), jobs.c.kind == "score_experiment"
    )
    return {spec["scorer_name"] for payload in db.execute(found).scalars() for spec in payload["scorers"]}


def _due(now: datetime) -> sa.ColumnElement[bool]:
    nobody = sa.or_(jobs.c.lease_until.is_(None), jobs.c.lease_until < now)
    return sa.and_(jobs.c.status.in_(_OPEN), jobs.c.due_at <= now, nobody)
