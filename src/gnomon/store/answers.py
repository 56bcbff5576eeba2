"""Answers to calls that carried an Idempotency-Key, kept for a day."""

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.schema import remembered_answers as answers

KEPT = timedelta(hours=24)


def recall(db: Connection, key_id: str, path: str, idempotency_key: str, now: datetime) -> Any:
    return db.execute(
        sa.select(answers).where(
            answers.c.key_id == key_id,
            answers.c.path == path,
            answers.c.idempotency_key == idempotency_key,
            answers.c.created_at > now - KEPT,
        )
    ).first()


def remember(db: Connection, now: datetime, **columns: Any) -> None:
    db.execute(sa.delete(answers).where(answers.c.created_at <= now - KEPT))
    db.execute(sa.insert(answers).values(created_at=now, **columns))
