"""Answers to calls that carried an Idempotency-Key, kept for a day."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_first
from gnomon.store.rows import RememberedAnswerRow
from gnomon.store.schema import remembered_answers as answers

KEPT = timedelta(hours=24)


def recall(db: Connection, key_id: str, path: str, idempotency_key: str, now: datetime) -> RememberedAnswerRow | None:
    return fetch_first(
        db,
        RememberedAnswerRow,
        sa.select(answers).where(
            answers.c.key_id == key_id,
            answers.c.path == path,
            answers.c.idempotency_key == idempotency_key,
            answers.c.created_at > now - KEPT,
        ),
    )


def remember(db: Connection, row: RememberedAnswerRow) -> None:
    """Keep an answer, and drop those that are too old by now."""
    db.execute(sa.delete(answers).where(answers.c.created_at <= row.created_at - KEPT))
    db.execute(sa.insert(answers).values(row._asdict()))
