"""Scores, and why something has none."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model import quickrun
from gnomon.model.job import JobAccepted
from gnomon.model.page import CountedPage, Page
from gnomon.model.score import (
    Score,
    ScoreBatchDraft,
    ScoreDraft,
    ScoresAccepted,
    ScoringState,
    State,
    TargetType,
)
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, CountedWantedPage, ReplyWithStatus, WantedPage, gives, takes
from gnomon.server.sharing import in_query
from gnomon.service.call import Call
from gnomon.service.scoring import attach, scoring

router = APIRouter(prefix="/v1", tags=["scores"])

_ABSENT_OR_ASKED: dict[int, Any] = {
    200: {
        "description": "There is no score: nothing to score, or it failed. The scoring state says why",
        "content": {"application/json": {"schema": {"type": "null"}}},
    },
    202: {"description": "A judge will be asked by this job", "model": JobAccepted},
}


@router.post("/scores", **gives(Score, 201, 409, 501, also=_ABSENT_OR_ASKED), **takes(ScoreDraft))
@needs("write")
def attach_score(context: Context) -> Response:
    """Store the given value, or let a built-in scorer compute one.

    A draft has one of `value`, `absent` and `failed`, or none of them. `absent` and `failed` are reasons: no score is
    stored but a scoring state with that reason (200 `null`, as for a built-in that has nothing to score).

    `llm_judge` works in both ways. Caller-executed: the caller asks a model and sends the result as `value`, which is
    kept as it is (201). Platform-executed: without a `value` this server asks the model that `config.model` names, and
    answers 202 with a job to watch at `/v1/jobs/{id}`. There is no default model: `config.model` is required. It is
    `provider/model`, such as `openai/gpt-4o`, of a provider whose key the server has or that `GNOMON_JUDGE_PROVIDERS`
    lists; a name without a provider goes to the server at `OPENAI_BASE_URL` where that is set, else to the provider
    whose model it names. Any other model is refused with 400.

    `rubric` is asked by the platform in the same way. Its `config` has the `model` and the `rubric` itself as an
    object; one job writes the score of the whole under `scorer_name` and one score per dimension under
    `scorer_name.DIMENSION`, all of them or none. The job's `score_id` is the score of the whole.
    """
    draft = context.body(ScoreDraft)
    planned = context.plan(lambda: scoring.plan(draft))

    def work(call: Call) -> ReplyWithStatus:
        result = attach.attach_one(call, draft, planned)
        return ReplyWithStatus(result, 200 if result is None else 202 if isinstance(result, JobAccepted) else 201)

    return context.write(work)


@router.post("/scores/batch", **gives(ScoresAccepted, 201, 409, 501), **takes(ScoreBatchDraft))
@needs("write")
def attach_scores(context: Context) -> Response:
    """Up to 1000 scores, all of them or none."""
    draft = quickrun.decode_scores(context.request.state.body) or context.body(ScoreBatchDraft)
    plans = context.plan(lambda: attach.plan(draft.scores))
    return context.write(lambda call: attach.many(call, draft.scores, plans), status=201)


@router.get("/scores", **gives(CountedPage[Score]))
@needs("read", shared=in_query("iteration", "target_id", target_type="iteration"))
def list_scores(
    context: Context,
    wanted: CountedWantedPage,
    target_id: Annotated[str, Query()],
    target_type: Annotated[TargetType | None, Query(description="Whatever has this id unless said")] = None,
    scorer_name: str | None = None,
    trace_id: str | None = None,
    project_id: Annotated[str | None, Query(description="Conversations of several projects may have one id")] = None,
) -> Response:
    """The scores of one target, newest first. Without `target_type`, of any target with that id."""
    filters = {"target_id": target_id, "target_type": target_type, "scorer_name": scorer_name, "trace_id": trace_id,
               "project_id": project_id}  # fmt: skip
    return context.page(
        "scores", wanted, filters,
        lambda call, part: scoring.of_target(call, target_id, target_type, trace_id, scorer_name, part, project_id),
    )  # fmt: skip


@router.get("/scoring-states", **gives(Page[ScoringState]))
@needs("read")
def list_states(
    context: Context,
    wanted: WantedPage,
    target_id: str | None = None,
    experiment_id: str | None = None,
    state: State | None = None,
    scorer_name: str | None = None,
) -> Response:
    """Why a target, or the runs of an experiment, have no score."""
    filters = {"target_id": target_id, "experiment_id": experiment_id, "state": state, "scorer_name": scorer_name}
    return context.page("states", wanted, filters, lambda call, part: scoring.states(call, **filters, wanted=part))
