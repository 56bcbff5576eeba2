"""What a project may spend on judges in a day. Who holds it to that is judging.py, before each call."""

from gnomon.model.budget import Budget, BudgetDraft, ModelSpending
from gnomon.service import projects
from gnomon.service.call import Call
from gnomon.store import models, preview


def get(call: Call, project_id: str) -> Budget:
    projects.get(call, project_id)
    return of(call, project_id)


def of(call: Call, project_id: str) -> Budget:
    """Also of a project that nobody has used yet."""
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
