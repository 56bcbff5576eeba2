"""Judges: their report cards, and what to label next."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.card import MOST_SAMPLES, Judge, JudgeCard, LabelMode, ProbeDraft, ProbePlan, ToLabel
from gnomon.model.job import JobAccepted
from gnomon.model.page import Page
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives, takes
from gnomon.service.judges import cards, judgelist, labelling, probejobs

router = APIRouter(prefix="/v1", tags=["judges"])

Hash = Annotated[str | None, Query(description="Which configuration; the last used unless given")]
Human = Annotated[str | None, Query(description="The scorer that people's scores have; found unless given")]


@router.get("/judges", **gives(Page[Judge]))
@needs("read")
def list_judges(context: Context, wanted: WantedPage, project_id: ProjectQuery = None) -> Response:
    """The judges that have scores, the last used first, with their agreement with people, failures and cost."""
    return context.page(
        "judges", wanted, {"project_id": project_id}, lambda call, part: judgelist.all_of(call, project_id, part)
    )


# A scorer's name may hold a slash.
@router.get("/judges/{scorer_name:path}/card", **gives(JudgeCard, 200, 422))
@needs("read")
def get_card(
    scorer_name: str, context: Context, project_id: ProjectQuery = None, config_hash: Hash = None, human: Human = None
) -> Response:
    """How far a judge can be trusted: failures, repeats, length, its own family, people, cost, the newest probe."""
    return context.read(lambda call: cards.card(call, project_id, scorer_name, config_hash, human))


@router.get("/judges/{scorer_name:path}/to-label", **gives(ToLabel, 200, 422))
@needs("read")
def get_to_label(
    scorer_name: str,
    context: Context,
    project_id: ProjectQuery = None,
    config_hash: Hash = None,
    human: Human = None,
    limit: Annotated[int, Query(ge=1, le=200, description="How many to name")] = 20,
    target_width: Annotated[
        float, Query(gt=0, le=0.5, allow_inf_nan=False, description="How far the interval may reach to each side")
    ] = labelling.DEFAULT_REACH,
    mode: Annotated[LabelMode, Query(description="By lot, or where a label tells most")] = "random",
) -> Response:
    """Which targets people should label next, and how many until the corrected mean is as sure as wanted."""
    options = labelling.LabellingOptions(mode, limit, target_width)
    return context.read(lambda call: labelling.to_label(call, project_id, scorer_name, config_hash, human, options))


@router.get("/judges/{scorer_name:path}/probe-plan", **gives(ProbePlan, 200, 422))
@needs("read")
def get_probe_plan(
    scorer_name: str,
    context: Context,
    project_id: ProjectQuery = None,
    config_hash: Hash = None,
    samples: Annotated[int, Query(ge=1, le=MOST_SAMPLES, description="Targets to ask about")] = 50,
    seed: Annotated[int, Query(ge=0, le=2**53 - 1, description="Which targets are drawn")] = 0,
) -> Response:
    """What a probe of the judge would take: calls, tokens and US dollars, as far as they are known."""
    draft = ProbeDraft(project_id=project_id, config_hash=config_hash, samples=samples, seed=seed)
    return context.read(lambda call: probejobs.plan(call, scorer_name, draft))


@router.post("/judges/{scorer_name:path}/probe", **gives(JobAccepted, 202, 422, 501), **takes(ProbeDraft))
@needs("write")
def probe_judge(scorer_name: str, context: Context) -> Response:
    """Ask the judge on purpose, as a job: the same twice, with its labels turned, with a plea in the output."""
    draft = context.body(ProbeDraft)
    return context.write(lambda call: probejobs.accept(call, scorer_name, draft), status=202)
