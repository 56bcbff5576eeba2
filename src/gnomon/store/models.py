"""Models that judge: what they answered, how fast they may be asked, and what a project has spent on them."""

from collections.abc import Collection, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.llm.limits import Limit
from gnomon.model.moment import to_ms
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.rows import BudgetRow, ModelAnswerRow, ModelLimitRow, ModelPriceRow
from gnomon.store.schema import (
    Moment,
    budgets,
    for_update,
    is_any_of,
    model_answers,
    model_limits,
    model_prices,
    spending,
)

_PRICES = (
    sa.select(model_prices)
    .where(model_prices.c.project_id == sa.bindparam("project"))
    .order_by(model_prices.c.model, model_prices.c.since)
)
"""Asked by every batch of spans with tokens, so it is made once."""

# --- answers -----


def answers(db: Connection, keys: Collection[str]) -> dict[str, ModelAnswerRow]:
    """Cache key → the row of what was answered."""
    if not keys:
        return {}
    query = sa.select(model_answers).where(is_any_of(db, model_answers.c.cache_key, keys))
    return {row.cache_key: row for row in fetch_all(db, ModelAnswerRow, query)}


_KEEP = sa.text("""
INSERT INTO model_answers (cache_key, project_id, model, answer, tokens_input, tokens_output, cost_usd, created_at)
VALUES (:cache_key, :project_id, :model, :answer, :tokens_input, :tokens_output, :cost_usd, :created_at)
ON CONFLICT (cache_key) DO NOTHING
""").bindparams(sa.bindparam("created_at", type_=Moment))


def keep_answers(db: Connection, rows: Sequence[ModelAnswerRow]) -> None:
    """The first answer to a prompt stays."""
    if rows:
        db.execute(_KEEP, [row._asdict() for row in rows])


def answers_from(db: Connection, prefix: str) -> list[ModelAnswerRow]:
    """The answers whose key begins so. All rows are looked through."""
    query = sa.select(model_answers).where(model_answers.c.cache_key.startswith(prefix, autoescape=True))
    return fetch_all(db, ModelAnswerRow, query)


def forget_answers(db: Connection, keys: Collection[str]) -> None:
    if keys:
        db.execute(sa.delete(model_answers).where(is_any_of(db, model_answers.c.cache_key, keys)))


# --- limits -----


def limits_to_change(db: Connection, only: Collection[str] | None = None) -> dict[str, ModelLimitRow]:
    """Model → its row, for the models that have met a limit or a fault; no other worker changes them meanwhile."""
    query = sa.select(model_limits).order_by(model_limits.c.model)  # in one order, so that nobody waits in a ring
    if only is not None:
        query = query.where(is_any_of(db, model_limits.c.model, only))
    return {row.model: row for row in fetch_all(db, ModelLimitRow, for_update(db, query))}


def limit_to_change(db: Connection, model: str, first: Limit) -> ModelLimitRow:
    """The model's row, made of `first` when there is none; no other worker changes it meanwhile."""
    db.execute(_FIRST_LIMIT, _limit_columns(model, first))
    return limits_to_change(db, [model])[model]


_NEW_LIMIT = """
INSERT INTO model_limits (model, per_second, permits, failures, open_until, updated_at)
VALUES (:model, :per_second, :permits, :failures, :open_until, :updated_at)
"""
_FIRST_LIMIT = sa.text(f"{_NEW_LIMIT} ON CONFLICT (model) DO NOTHING")
_SET_LIMIT = sa.text(f"""{_NEW_LIMIT}
ON CONFLICT (model) DO UPDATE SET per_second = excluded.per_second, permits = excluded.permits,
    failures = excluded.failures, open_until = excluded.open_until, updated_at = excluded.updated_at
""")


def set_limit(db: Connection, model: str, limit: Limit) -> None:
    db.execute(_SET_LIMIT, _limit_columns(model, limit))


def _limit_columns(model: str, limit: Limit) -> dict[str, str | float | None]:
    """Times are kept as milliseconds."""
    columns = {"per_second": limit.per_second, "permits": limit.permits, "failures": limit.failures}
    times = {"open_until": to_ms(limit.open_until), "updated_at": to_ms(limit.updated_at)}
    return {"model": model, **columns, **times}


# --- budgets -----


def budget(db: Connection, project_id: str) -> BudgetRow | None:
    return fetch_first(db, BudgetRow, sa.select(budgets).where(budgets.c.project_id == project_id))


_SET_BUDGET = sa.text("""
INSERT INTO budgets (project_id, usd_per_day, tokens_per_day, updated_at)
VALUES (:project_id, :usd_per_day, :tokens_per_day, :updated_at)
ON CONFLICT (project_id) DO UPDATE SET usd_per_day = excluded.usd_per_day, tokens_per_day = excluded.tokens_per_day,
    updated_at = excluded.updated_at
""")


def set_budget(
    db: Connection, project_id: str, usd_per_day: float | None, tokens_per_day: int | None, now: datetime
) -> None:
    columns = {"usd_per_day": usd_per_day, "tokens_per_day": tokens_per_day, "updated_at": to_ms(now)}
    db.execute(_SET_BUDGET, {"project_id": project_id, **columns})


def prices(db: Connection, project_id: str) -> list[ModelPriceRow]:
    """The project's own prices, by model and first day."""
    return fetch_all(db, ModelPriceRow, _PRICES, {"project": project_id})


def set_prices(db: Connection, project_id: str, rows: Sequence[ModelPriceRow]) -> None:
    """These instead of all that were there."""
    db.execute(sa.delete(model_prices).where(model_prices.c.project_id == project_id))
    if rows:
        db.execute(sa.insert(model_prices), [row._asdict() for row in rows])


def spent(db: Connection, project_id: str, day: str) -> tuple[float, int]:
    """US dollars and tokens of that day."""
    query = sa.select(
        sa.func.coalesce(sa.func.sum(spending.c.usd), 0.0), sa.func.coalesce(sa.func.sum(spending.c.tokens), 0)
    ).where(spending.c.project_id == project_id, spending.c.day == day)
    usd, tokens = db.execute(query).one()
    return float(usd), int(tokens)


_SPEND = sa.text("""
INSERT INTO spending (project_id, day, model, calls, tokens, usd)
VALUES (:project_id, :day, :model, :calls, :tokens, :usd)
ON CONFLICT (project_id, day, model) DO UPDATE SET calls = spending.calls + excluded.calls,
    tokens = spending.tokens + excluded.tokens, usd = spending.usd + excluded.usd
""")


def spend(db: Connection, project_id: str, day: str, model: str, *, calls: int, tokens: int, usd: float) -> None:
    first = {"project_id": project_id, "day": day, "model": model, "calls": calls, "tokens": tokens, "usd": usd}
    db.execute(_SPEND, first)


def day_of(now: datetime) -> str:
    return now.strftime("%Y-%m-%d")
