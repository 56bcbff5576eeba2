"""Rules for new spans, traces and conversations."""

from datetime import datetime
from typing import TypedDict, Unpack

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ScoringRuleRow
from gnomon.store.schema import for_update, scoring_rules

_ENABLED = sa.select(scoring_rules).where(
    scoring_rules.c.project_id == sa.bindparam("project"), scoring_rules.c.enabled == 1
)


class RuleChanges(TypedDict, total=False):
    name: str
    sampling_rate: float
    enabled: int
    updated_at: datetime


# --- rules -----


def add(db: Connection, row: ScoringRuleRow) -> None:
    db.execute(sa.insert(scoring_rules).values(row._asdict()))


def get(db: Connection, id: str, *, lock: bool = False) -> ScoringRuleRow | None:
    query = sa.select(scoring_rules).where(scoring_rules.c.id == id)
    return fetch_first(db, ScoringRuleRow, for_update(db, query) if lock else query)


def by_name(db: Connection, project_id: str, name: str) -> ScoringRuleRow | None:
    named = sa.select(scoring_rules).where(scoring_rules.c.project_id == project_id, scoring_rules.c.name == name)
    return fetch_first(db, ScoringRuleRow, named)


def page(db: Connection, project_id: str, part: Slice) -> list[ScoringRuleRow]:
    query = sa.select(scoring_rules).where(scoring_rules.c.project_id == project_id)
    return fetch_all(db, ScoringRuleRow, keyset(query, [scoring_rules.c.id], part))


def change(db: Connection, id: str, **changes: Unpack[RuleChanges]) -> None:
    db.execute(sa.update(scoring_rules).where(scoring_rules.c.id == id).values(**changes))


def remove(db: Connection, id: str) -> None:
    db.execute(sa.delete(scoring_rules).where(scoring_rules.c.id == id))


def enabled(db: Connection, project_id: str) -> list[ScoringRuleRow]:
    """What every batch of spans asks, so it is one statement made once."""
    return fetch_all(db, ScoringRuleRow, _ENABLED, {"project": project_id})
