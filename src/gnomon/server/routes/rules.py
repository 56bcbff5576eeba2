"""Rules: what scores new spans."""

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.model.page import Page
from gnomon.model.rule import Rule, RuleChange, RuleDraft, RulePreview
from gnomon.model.trace import Deleted
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives, takes
from gnomon.server.routes.experiments import DryRun
from gnomon.service.scoring import preview, spanjobs
from gnomon.service.traces import rules

router = APIRouter(prefix="/v1", tags=["rules"])


PREVIEW = {200: {"description": "With `dry_run`: what it would have scored in 7 days", "model": RulePreview}}


@router.post("/rules", **gives(Rule, 201, 409, 501, also=PREVIEW), **takes(RuleDraft))
@needs("write")
def create_rule(context: Context, dry_run: DryRun = False) -> Response:
    """Score new spans that match, all of them or a sample."""
    draft = context.body(RuleDraft)
    planned = context.plan(lambda: spanjobs.plan_scorer(draft.scorer))
    if dry_run:
        return context.read(lambda call: preview.of_rule(call, draft, planned))
    return context.write(lambda call: rules.create(call, draft, planned), status=201)


@router.get("/rules", **gives(Page[Rule]))
@needs("read")
def list_rules(context: Context, wanted: WantedPage, project_id: ProjectQuery = None) -> Response:
    """A project's rules, newest first."""
    return context.page(
        "rules", wanted, {"project_id": project_id}, lambda call, part: rules.all_of(call, project_id, part)
    )


@router.get("/rules/{id}", **gives(Rule))
@needs("read")
def get_rule(id: str, context: Context) -> Response:
    """One rule."""
    return context.read(lambda call: rules.get(call, id))


@router.patch("/rules/{id}", **gives(Rule, 200, 409), **takes(RuleChange))
@needs("write")
def change_rule(id: str, context: Context) -> Response:
    """Switch a rule on or off, rename it, or sample more or less. It holds for spans that come in from now on."""
    change = context.body(RuleChange)
    return context.write(lambda call: rules.change(call, id, change))


@router.delete("/rules/{id}", **gives(Deleted))
@needs("write")
def delete_rule(id: str, context: Context) -> Response:
    """Delete a rule. Its scores stay, and spans that it matched before are still scored."""
    return context.write(lambda call: rules.delete(call, id))
