"""Traces and conversations that a rule scores as a whole, once nothing has come to them for a while."""

from collections.abc import Collection, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.moment import to_ms
from gnomon.store.fetch import fetch_all
from gnomon.store.rows import QuietTargetRow
from gnomon.store.schema import quiet_targets

_NOTE = """
INSERT INTO quiet_targets (rule_id, target_id, project_id, due_at) VALUES ({marks})
ON CONFLICT (rule_id, target_id) DO UPDATE SET
    due_at = CASE WHEN quiet_targets.due_at IS NULL THEN NULL ELSE excluded.due_at END
"""


def note(db: Connection, rule_id: str, project_id: str, target_ids: Collection[str], due_at: datetime) -> None:
    """Something came to these: they are due later. One that was scored already stays as it is."""
    if target_ids:
        marks = ", ".join(["%s" if db.dialect.name == "postgresql" else "?"] * 4)
        due = to_ms(due_at)
        rows = [(rule_id, target_id, project_id, due) for target_id in sorted(target_ids)]
        db.exec_driver_sql(_NOTE.format(marks=marks), rows)


def any_waiting(db: Connection) -> bool:
    """Whether anything is due now or later."""
    return _exists(db, quiet_targets.c.due_at.is_not(None))


def any_due(db: Connection, now: datetime) -> bool:
    return _exists(db, quiet_targets.c.due_at <= now)


def take_due(db: Connection, now: datetime, most: int) -> list[QuietTargetRow]:
    """Take the targets that are due; no other worker gets them."""
    query = sa.select(quiet_targets).where(quiet_targets.c.due_at <= now).order_by(quiet_targets.c.due_at).limit(most)
    if db.dialect.name == "postgresql":
        query = query.with_for_update(skip_locked=True)
    rows = fetch_all(db, QuietTargetRow, query)
    _mark_taken(db, rows)
    return rows


def _mark_taken(db: Connection, rows: Sequence[QuietTargetRow]) -> None:
    if rows:
        mark = "%s" if db.dialect.name == "postgresql" else "?"
        done = f"UPDATE quiet_targets SET due_at = NULL WHERE rule_id = {mark} AND target_id = {mark}"
        db.exec_driver_sql(done, [(row.rule_id, row.target_id) for row in rows])


def forget_rule(db: Connection, rule_id: str) -> None:
    db.execute(sa.delete(quiet_targets).where(quiet_targets.c.rule_id == rule_id))


def _exists(db: Connection, condition: sa.ColumnElement[bool]) -> bool:
    return db.execute(sa.select(sa.literal(1)).select_from(quiet_targets).where(condition).limit(1)).first() is not None
