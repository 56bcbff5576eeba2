"""Rules for new spans, and the walk through the spans that are there."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple, TypedDict, Unpack

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.score import JsonObject
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ScoringRuleRow, SpanRow
from gnomon.store.schema import for_update, is_any_of, jobs, scores, scoring_rules, spans, traces

Key = tuple[str, str]
"""A span of a project: (trace id, span id)."""
_OPEN = ("queued", "running")
_ENABLED = sa.select(scoring_rules).where(
    scoring_rules.c.project_id == sa.bindparam("project"), scoring_rules.c.enabled == 1
)


class SpanToFilter(NamedTuple):
    """What a filter looks at. Input and output may be large, so they come only for the spans that are meant."""

    trace_id: str
    id: str
    start_time: datetime
    parent_span_id: str | None
    name: str
    model: str | None
    metadata: JsonObject | None
    error: JsonObject | None


class RuleChanges(TypedDict, total=False):
    name: str
    sampling_rate: float
    enabled: int
    updated_at: datetime


# --- rules -----


def add(db: Connection, row: ScoringRuleRow) -> None:
    db.execute(sa.insert(scoring_rules).values(row._asdict()))


def get(db: Connection, id: str, *, lock: bool = False) -> ScoringRuleRow | None:
    found = sa.select(scoring_rules).where(scoring_rules.c.id == id)
    return fetch_first(db, ScoringRuleRow, for_update(db, found) if lock else found)


def by_name(db: Connection, project_id: str, name: str) -> ScoringRuleRow | None:
    named = sa.select(scoring_rules).where(scoring_rules.c.project_id == project_id, scoring_rules.c.name == name)
    return fetch_first(db, ScoringRuleRow, named)


def page(db: Connection, project_id: str, wanted: Slice) -> list[ScoringRuleRow]:
    found = sa.select(scoring_rules).where(scoring_rules.c.project_id == project_id)
    return fetch_all(db, ScoringRuleRow, keyset(found, [scoring_rules.c.id], wanted))


def change(db: Connection, id: str, **changes: Unpack[RuleChanges]) -> None:
    db.execute(sa.update(scoring_rules).where(scoring_rules.c.id == id).values(**changes))


def remove(db: Connection, id: str) -> None:
    db.execute(sa.delete(scoring_rules).where(scoring_rules.c.id == id))


def enabled(db: Connection, project_id: str) -> list[ScoringRuleRow]:
    """What every batch of spans asks, so it is one statement made once."""
    return fetch_all(db, ScoringRuleRow, _ENABLED, {"project": project_id})


# --- spans -----


def span_count(db: Connection, project_id: str) -> int:
    """By the traces' own counters, without looking at a span."""
    found = sa.select(sa.func.sum(traces.c.span_count)).where(traces.c.project_id == project_id)
    return int(db.execute(found).scalar() or 0)


def spans_after(
    db: Connection, project_id: str, after: tuple[str, datetime, str] | None, limit: int
) -> list[SpanToFilter]:
    """The project's spans by (trace id, start, span id) from a place on: how a job walks through them."""
    found = sa.select(*(spans.c[name] for name in SpanToFilter._fields)).where(spans.c.project_id == project_id)
    # In the order of the index by trace, so nothing is sorted and each walk reads it once.
    keys = [spans.c.trace_id, spans.c.project_id, spans.c.start_time, spans.c.id]
    if after is not None:
        trace_id, start, id = after
        last = [sa.bindparam(None, value, type_=key.type) for key, value in
                zip(keys, (trace_id, project_id, start, id), strict=True)]  # fmt: skip
        found = found.where(sa.tuple_(*keys) > sa.tuple_(*last))
    return fetch_all(db, SpanToFilter, found.order_by(*keys).limit(limit))


def spans_at(db: Connection, project_id: str, keys: Collection[Key], *, lock: bool = False) -> list[SpanRow]:
    """Those of these spans that are there, with input and output, in the order of the keys."""
    found = sa.select(spans).where(
        is_any_of(db, spans.c.id, {id for _, id in keys}),
        is_any_of(db, spans.c.trace_id, {trace_id for trace_id, _ in keys}),
        spans.c.project_id == project_id,
    )
    found = for_update(db, found.order_by(spans.c.id, spans.c.trace_id)) if lock else found
    rows = {(row.trace_id, row.id): row for row in fetch_all(db, SpanRow, found)}
    return [rows[key] for key in keys if key in rows]


def spans_known(db: Connection, project_id: str, scorer_name: str, config_hash: str, keys: Collection[Key]) -> set[Key]:
    """Which of these spans have a score of that name, or an open job by this very scorer."""
    ids = {id for _, id in keys}
    scored = sa.select(scores.c.trace_id, scores.c.target_id).where(
        is_any_of(db, scores.c.target_id, ids), scores.c.target_type == "span", scores.c.project_id == project_id,
        scores.c.scorer_name == scorer_name,
    )  # fmt: skip
    asked = sa.select(jobs.c.trace_id, jobs.c.target_id).where(
        is_any_of(db, jobs.c.target_id, ids), jobs.c.target_type == "span", jobs.c.project_id == project_id,
        jobs.c.scorer_name == scorer_name, jobs.c.config_hash == config_hash, jobs.c.status.in_(_OPEN),
    )  # fmt: skip
    return {(trace_id, id) for found in (scored, asked) for trace_id, id in db.execute(found)}
