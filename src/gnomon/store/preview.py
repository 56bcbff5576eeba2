"""What is read to tell beforehand what a scoring would take, and what was spent. Nothing is held or changed."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all, fetch_one
from gnomon.store.rows import RunRow, SpendingRow
from gnomon.store.schema import is_any_of, model_answers, runs, spending

RECENT = 1000


class PastCalls(NamedTuple):
    """Past answers of a model: their number, output tokens per call, and what of tokens and US dollars is known
    together."""

    calls: int
    tokens_output: float | Decimal | None
    priced_tokens: int | Decimal | None
    usd: float | None


def run_ids_after(db: Connection, experiment_id: str, position: str, limit: int) -> Sequence[str]:
    query = sa.select(runs.c.id).where(runs.c.experiment_id == experiment_id, runs.c.id > position)
    return db.execute(query.order_by(runs.c.id).limit(limit)).scalars().all()


def runs_at(db: Connection, ids: Collection[str]) -> list[RunRow]:
    return fetch_all(db, RunRow, sa.select(runs).where(is_any_of(db, runs.c.id, ids)).order_by(runs.c.id))


def spent_by_model(db: Connection, project_id: str, day: str) -> list[SpendingRow]:
    """The dearest first."""
    query = sa.select(spending).where(spending.c.project_id == project_id, spending.c.day == day)
    dearest_first = (spending.c.usd.desc(), spending.c.tokens.desc(), spending.c.model)
    return fetch_all(db, SpendingRow, query.order_by(*dearest_first))


def past_calls(db: Connection, project_id: str, model: str) -> PastCalls:
    """Sum up to 1000 answers of a model. There is no index by model: a few are as good as all of them."""
    some = sa.select(model_answers.c.tokens_input, model_answers.c.tokens_output, model_answers.c.cost_usd).where(
        model_answers.c.project_id == project_id, model_answers.c.model == model,
        model_answers.c.tokens_input.is_not(None), model_answers.c.tokens_output.is_not(None),
    ).limit(RECENT).subquery()  # fmt: skip
    priced = some.c.cost_usd.is_not(None)
    return fetch_one(
        db,
        PastCalls,
        sa.select(
            sa.func.count().label("calls"),
            sa.func.avg(some.c.tokens_output).label("tokens_output"),
            sa.func.sum(sa.case((priced, some.c.tokens_input + some.c.tokens_output))).label("priced_tokens"),
            sa.func.sum(some.c.cost_usd).label("usd"),
        ),
    )
