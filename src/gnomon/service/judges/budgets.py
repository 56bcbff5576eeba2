"""What a project may spend on judges in a day, and whether a model may be asked within that.

A budget in US dollars counts what calls cost, so it refuses a model whose price nobody knows: it could never stop it.
Who holds a project to its budget is judging.py and probing.py, before each call.
"""

from gnomon.llm.prices import OwnPrices, price_of
from gnomon.model.budget import Budget, BudgetDraft, ModelSpending
from gnomon.service.access import projects
from gnomon.service.call import Call
from gnomon.store import models, preview


def get(call: Call, project_id: str) -> Budget:
    projects.get(call, project_id)
    return of(call, project_id)


def of(call: Call, project_id: str) -> Budget:
    """The budget of a project, even if it was never used."""
    day = models.day_of(call.clock.now())
    usd, tokens = models.spent(call.db, project_id, day)
    limit = models.budget(call.db, project_id)
    most_usd, most_tokens = (None, None) if limit is None else (limit.usd_per_day, limit.tokens_per_day)
    return Budget(
        project_id=project_id,
        usd_per_day=most_usd,
        tokens_per_day=most_tokens,
        day=day,
        spent_usd=usd,
        spent_tokens=tokens,
        left_usd=None if most_usd is None else max(0.0, most_usd - usd),
        left_tokens=None if most_tokens is None else max(0, most_tokens - tokens),
        by_model=[
            ModelSpending(model=row.model, calls=row.calls, tokens=row.tokens, usd=row.usd)
            for row in preview.spent_by_model(call.db, project_id, day)
        ],
    )


def put(call: Call, project_id: str, draft: BudgetDraft) -> Budget:
    """Set the whole budget. It holds from the next call to a model on."""
    projects.get(call, project_id)
    models.set_budget(call.db, project_id, draft.usd_per_day, draft.tokens_per_day, call.clock.now())
    return of(call, project_id)


def refusal(call: Call, project_id: str, model: str, own: OwnPrices) -> str | None:
    """Why this model may not be asked today; None when it may. `own` are the project's own prices."""
    limit = models.budget(call.db, project_id)
    if limit is None:
        return None
    if limit.usd_per_day is not None and price_of(model, own) is None:
        return price_unknown(project_id, model)
    usd, tokens = models.spent(call.db, project_id, models.day_of(call.clock.now()))
    if limit.usd_per_day is not None and usd >= limit.usd_per_day:
        return f"budget: {usd:.4g} of {limit.usd_per_day:g} USD a day are spent; raise it, or retry tomorrow"
    if limit.tokens_per_day is not None and tokens >= limit.tokens_per_day:
        return f"budget: {tokens:,} of {limit.tokens_per_day:,} tokens per day are used; raise it, or retry tomorrow"
    return None


def price_unknown(project_id: str, model: str) -> str:
    return (
        f"budget: the price of {model} is not known, so a budget in USD cannot hold it; set a price with"
        f" PUT /v1/projects/{project_id}/prices, or tokens_per_day instead of usd_per_day"
    )
