"""Experiments: runs, summary, comparison, threshold."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from gnomon.model import quickrun
from gnomon.model.budget import ScoringPreview
from gnomon.model.checks import build
from gnomon.model.experiment import Bound as GateBound
from gnomon.model.experiment import (
    Comparison,
    CompleteDraft,
    Experiment,
    ExperimentComparison,
    ExperimentDraft,
    Metric,
    Run,
    RunsAccepted,
    RunsDraft,
    ScoreExperimentDraft,
    Summary,
    ThresholdDraft,
    ThresholdRecord,
    ThresholdResult,
)
from gnomon.model.hold import Hold, HoldDraft
from gnomon.model.job import JobAccepted
from gnomon.model.metrics import Metrics, MetricsDraft
from gnomon.model.page import Page
from gnomon.server.desk import Here, IntervalChoice, Missing, ProjectQuery, Wanted, gives, takes
from gnomon.server.endpoints import needs
from gnomon.service import compare, experiments, gate, jobs, preview, spans, summarize

router = APIRouter(prefix="/v1", tags=["experiments"])

Bound = Annotated[float | None, Query(allow_inf_nan=False)]
DryRun = Annotated[bool, Query(description="Only tell what it would take: nothing is stored, no model is asked")]
PREVIEW = {200: {"description": "With `dry_run`: what it would take", "model": ScoringPreview}}


async def _threshold(
    scorer_name: Annotated[str, Query(description="Whose numbers")],
    metric: Metric,
    threshold: Annotated[float, Query(allow_inf_nan=False, description="The bar")],
    comparison: Comparison = "gte",
    k: Annotated[int | None, Query(ge=1, description="For pass_at_k and pass_pow_k")] = None,
    bound: Annotated[GateBound, Query(description="Hold the value against the bar, or its interval")] = "point",
    min_n: Annotated[int | None, Query(ge=1, le=1_000_000_000, description="Fewest items to decide on")] = None,
    sequential: Annotated[
        Literal["true", "false"], Query(description="Decide on an interval that holds however often one looks")
    ] = "false",
    missing: Missing = "drop",
    cluster_by: Annotated[str | None, Query(description="Item metadata key to cluster by")] = None,
    interval: IntervalChoice = None,
) -> ThresholdDraft:
    """The draft of the POST, as parts of an address."""
    return build(
        ThresholdDraft, scorer_name=scorer_name, metric=metric, threshold=threshold, comparison=comparison, k=k,
        bound=bound, min_n=min_n, sequential=sequential == "true", missing=missing, cluster_by=cluster_by,
        interval=interval,
    )  # fmt: skip


@router.post("/experiments", **gives(Experiment, 201), **takes(ExperimentDraft))
@needs("write")
def create_experiment(desk: Here) -> Response:
    """Make an experiment on a dataset as it is now."""
    draft = desk.body(ExperimentDraft)
    return desk.write(lambda call: experiments.create(call, draft), status=201)


@router.get("/experiments", **gives(Page[Experiment]))
@needs("read")
def list_experiments(
    desk: Here,
    wanted: Wanted,
    project_id: ProjectQuery = None,
    dataset_id: str | None = None,
    name: Annotated[str | None, Query(description="Only those of exactly this name")] = None,
) -> Response:
    """A project's experiments, newest first."""
    filters = {"project_id": project_id, "dataset_id": dataset_id, "name": name}
    return desk.page(
        "experiments", wanted, filters,
        lambda call, part: experiments.all_of(call, project_id, part, dataset_id=dataset_id, name=name),
    )  # fmt: skip


@router.get("/experiments/{id}", **gives(Experiment))
@needs("read")
def get_experiment(id: str, desk: Here) -> Response:
    """One experiment."""
    return desk.read(lambda call: experiments.get(call, id))


@router.post("/experiments/{id}/runs", **gives(RunsAccepted, 201, 409, 422, 501), **takes(RunsDraft))
@needs("write")
def add_runs(id: str, desk: Here) -> Response:
    """Store a batch of runs with their inline scores, all of it or nothing.

    With `replace_failed`, a run replaces the one of the same item and trial if that ended in an error, also in a
    completed experiment. The run keeps its id and counts one more of its `attempts`; its former scores and scoring
    states are deleted. A run that has an output is not replaced: 409, as without `replace_failed`.
    """
    draft = quickrun.decode(desk.request.state.body) or desk.body(RunsDraft)
    plans = desk.plan(lambda: experiments.plan_scores(draft.runs))
    return desk.write(
        lambda call: experiments.add_runs(call, id, draft.runs, plans, replace_failed=draft.replace_failed), status=201,
        ahead=lambda call: experiments.questions(call, id, draft.runs, plans),
    )  # fmt: skip


@router.get("/experiments/{id}/runs", **gives(Page[Run]))
@needs("read")
def list_runs(
    id: str,
    desk: Here,
    wanted: Wanted,
    scorer_name: str | None = None,
    min: Bound = None,
    max: Bound = None,
    sort: Annotated[str, Query(description="created_at, -created_at, score or -score")] = "-created_at",
) -> Response:
    """Runs with their scores and the item's input and expected output."""
    filters = {"id": id, "scorer_name": scorer_name, "min": min, "max": max, "sort": sort}
    return desk.page(
        "runs", wanted, filters,
        lambda call, part: experiments.runs(call, id, part, scorer_name=scorer_name, least=min, most=max, sort=sort),
    )  # fmt: skip


@router.post("/experiments/{id}/complete", **gives(Experiment, 200, 422), **takes(CompleteDraft, optional=True))
@needs("write")
def complete_experiment(id: str, desk: Here) -> Response:
    """Take no more runs. Scores may still be attached.

    With `stopping`, the evaluation could end before all of its items were run: all intervals of the experiment are
    then those that hold at every look, and flagged.
    """
    draft = desk.optional_body(CompleteDraft)
    return desk.write(lambda call: experiments.complete(call, id, draft.stopping))


@router.put("/experiments/{id}/metrics", **gives(Metrics), **takes(MetricsDraft))
@needs("write")
def put_metrics(id: str, desk: Here) -> Response:
    """Replace the numbers about the whole experiment that are no mean of scores, whatever its status."""
    draft = desk.body(MetricsDraft)
    return desk.write(lambda call: experiments.set_metrics(call, id, draft))


@router.post("/experiments/{id}/hold", **gives(Hold, 200, 409), **takes(HoldDraft))
@needs("write")
def hold_experiment(id: str, desk: Here) -> Response:
    """Hold an experiment for some seconds, so that no other process evaluates into it; 0 seconds release it.

    While another holder's time has not run out: 409 `HELD`, unless `instead_of` names that holder.
    """
    draft = desk.body(HoldDraft)
    return desk.write(lambda call: experiments.hold(call, id, draft))


@router.get("/experiments/{id}/summary", **gives(Summary, 200))
@needs("read")
def get_summary(
    id: str,
    desk: Here,
    missing: Missing = "drop",
    pass_threshold: Annotated[
        float, Query(ge=0, le=1, allow_inf_nan=False, description="From which score on a run passed")
    ] = 1.0,
    cluster_by: Annotated[
        str | None, Query(min_length=1, description="Key of the items' metadata that says what belongs together")
    ] = None,
    interval: IntervalChoice = None,
) -> Response:
    """Every scorer: mean with interval, pass@k, what is missing and why."""
    reading = summarize.Reading(missing, pass_threshold, cluster_by, interval)
    return desk.read(lambda call: summarize.summary(call, id, reading))


@router.get("/experiments/{id}/compare/{other}", **gives(ExperimentComparison, 200, 422))
@needs("read")
def get_comparison(
    id: str,
    other: str,
    desk: Here,
    min_effect: Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False)] = None,
    missing: Missing = "drop",
    interval: IntervalChoice = None,
) -> Response:
    """`id` is the base; deltas are `other` − `id`. The strongest evidence of regression comes first."""
    return desk.read(lambda call: compare.compare(call, id, other, min_effect, missing, interval))


@router.post("/experiments/{id}/threshold", **gives(ThresholdResult, 200, 422), **takes(ThresholdDraft))
@needs("write")
def post_threshold(id: str, desk: Here) -> Response:
    """Hold one metric of one scorer against a bar, and remember the result."""
    wanted = desk.body(ThresholdDraft)
    return desk.write(lambda call: gate.check(call, id, wanted))


@router.get("/experiments/{id}/threshold", **gives(ThresholdResult, 200, 422))
@needs("read")
def get_threshold(id: str, desk: Here, wanted: Annotated[ThresholdDraft, Depends(_threshold)]) -> Response:
    """Hold one metric of one scorer against a bar, as the POST does, and remember nothing."""
    return desk.read(lambda call: gate.evaluate(call, id, wanted))


@router.get("/experiments/{id}/thresholds", **gives(Page[ThresholdRecord]))
@needs("read")
def list_thresholds(id: str, desk: Here, wanted: Wanted) -> Response:
    """The results that POST remembered, newest first."""
    return desk.page("thresholds", wanted, {"id": id}, lambda call, part: gate.history(call, id, part))


@router.post("/experiments/{id}/score", **gives(JobAccepted, 202, 501, also=PREVIEW), **takes(ScoreExperimentDraft))
@needs("write")
def score_experiment(id: str, desk: Here, dry_run: DryRun = False) -> Response:
    """Run built-in scorers over the runs, as a job."""
    draft = desk.body(ScoreExperimentDraft)
    plans = desk.plan(lambda: spans.plan_all(draft.scorers))
    if dry_run:
        return desk.read(lambda call: preview.of_experiment(call, id, draft, plans))
    return desk.write(lambda call: jobs.score_experiment(call, id, draft, plans), status=202)
