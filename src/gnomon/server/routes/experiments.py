"""Experiments: runs, summary, comparison, threshold."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from gnomon.model import quickrun
from gnomon.model.budget import ScoringPreview
from gnomon.model.checks import build
from gnomon.model.comparison import Change, ComparedItems, ComparisonPoints, ItemOrder, PerItem
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
    RunStanding,
    ScoreExperimentDraft,
    Status,
    Summary,
    ThresholdDraft,
    ThresholdRecord,
    ThresholdResult,
)
from gnomon.model.experimentrow import ExperimentRow
from gnomon.model.histogram import MOST_BINS, Histogram
from gnomon.model.hold import Hold, HoldDraft
from gnomon.model.job import JobAccepted
from gnomon.model.metrics import Metrics, MetricsDraft
from gnomon.model.page import CountedPage, Page
from gnomon.model.run import LeanRun, RunDetail, RunFields
from gnomon.model.runtranscript import RunTranscript
from gnomon.model.trace import Deleted
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import (
    Context,
    CountedWantedPage,
    IntervalChoice,
    Missing,
    ProjectQuery,
    WantedPage,
    gives,
    takes,
)
from gnomon.server.sharing import in_path, runs_of
from gnomon.service.analysis import compare, gate, histogram, itemwise, summarize
from gnomon.service.bench import runtranscripts
from gnomon.service.experiments import briefs, experiments, runs
from gnomon.service.jobs import jobs
from gnomon.service.scoring import preview, spanjobs
from gnomon.store.runpages import RunFilter

_COMPARED = in_path("compare", names=("id", "other"))

router = APIRouter(prefix="/v1", tags=["experiments"])

_METADATA = "metadata."
ScoreBound = Annotated[float | None, Query(allow_inf_nan=False)]
OfScorer = Annotated[str, Query(description="Which scorer's scores")]
SearchText = Annotated[
    str | None, Query(min_length=1, max_length=200, description="A text that is searched for, whatever its case")
]
DryRun = Annotated[bool, Query(description="Only estimate what it would cost: nothing is stored, no model is called")]
PREVIEW = {
    200: {
        "description": "With `dry_run`: the calls, tokens and cost it would take",
        "model": ScoringPreview,
    }
}


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
def create_experiment(context: Context) -> Response:
    """Make an experiment on a dataset as it is now."""
    draft = context.body(ExperimentDraft)
    return context.write(lambda call: experiments.create(call, draft), status=201)


@router.get("/experiments", **gives(CountedPage[ExperimentRow]))
@needs("read", query_prefixes=(_METADATA,))
def list_experiments(
    context: Context,
    request: Request,
    wanted: CountedWantedPage,
    project_id: ProjectQuery = None,
    dataset_id: str | None = None,
    name: Annotated[str | None, Query(description="Only those of exactly this name")] = None,
    status: Annotated[Status | None, Query(description="Only those in this status")] = None,
    q: SearchText = None,
    include: Annotated[Literal["summary"] | None, Query(description="`summary`: each with its scorers' means")] = None,
) -> Response:
    """A project's experiments, newest first.

    `q` leaves those whose name has this text in it. Any parameter `metadata.KEY=VALUE` leaves those with that
    metadata, compared as text (`42`, `true`, `null`); KEY may be a path such as `gnomon.git.commit`. For both,
    experiments are looked through, so many per page: such a page may be short, or empty, with a `next_cursor` all the
    same.
    """
    parameters = request.query_params.multi_items()
    metadata = [(key.removeprefix(_METADATA), value) for key, value in parameters if key.startswith(_METADATA)]
    only = experiments.ExperimentFilter(dataset_id, name, status, q, tuple(sorted(metadata)))
    filters = {"project_id": project_id, **asdict(only)}
    list_all = briefs.rows if include == "summary" else experiments.all_of
    return context.page("experiments", wanted, filters, lambda call, part: list_all(call, project_id, part, only))


@router.get("/experiments/{id}", **gives(Experiment))
@needs("read")
def get_experiment(id: str, context: Context) -> Response:
    """One experiment."""
    return context.read(lambda call: experiments.get(call, id))


@router.delete("/experiments/{id}", **gives(Deleted))
@needs("write")
def delete_experiment(id: str, context: Context) -> Response:
    """Delete an experiment with its runs, their scores, its jobs and its gates. Traces of its runs stay."""
    return context.delete(lambda call: experiments.delete(call, id))


@router.post("/experiments/{id}/runs", **gives(RunsAccepted, 201, 409, 422, 501), **takes(RunsDraft))
@needs("write")
def add_runs(id: str, context: Context) -> Response:
    """Store a batch of runs with their inline scores, all of it or nothing.

    With `replace_failed`, a run replaces the one of the same item and trial if that ended in an error, also in a
    completed experiment. The run keeps its id and counts one more of its `attempts`; its former scores and scoring
    states are deleted. A run that has an output is not replaced: 409, as without `replace_failed`.
    """
    draft = quickrun.decode(context.request.state.body) or context.body(RunsDraft)
    plans = context.plan(lambda: experiments.plan_scores(draft.runs))
    return context.write(
        lambda call: experiments.add_runs(call, id, draft.runs, plans, replace_failed=draft.replace_failed), status=201,
        ahead=lambda call: experiments.questions(call, id, draft.runs, plans),
    )  # fmt: skip


async def _runs_only(
    scorer_name: Annotated[str | None, Query(description="Only runs with a score of this scorer, unless asked")] = None,
    min: ScoreBound = None,
    max: ScoreBound = None,
    dataset_item_id: Annotated[str | None, Query(description="Only runs of this item")] = None,
    trial: Annotated[int | None, Query(ge=0)] = None,
    has_error: Annotated[Literal["true", "false"] | None, Query(description="Whether the run failed")] = None,
    state: Annotated[RunStanding | None, Query(description="Where runs stand with `scorer_name`")] = None,
    reason: Annotated[str | None, Query(description="Why there is no score of `scorer_name`, as in `reasons`")] = None,
    label: Annotated[str | None, Query(description="A label that `scorer_name` gave")] = None,
    q: SearchText = None,
) -> RunFilter:
    failed = None if has_error is None else has_error == "true"
    return RunFilter(scorer_name, min, max, dataset_item_id, trial, failed, state, reason, label, q)


@router.get("/experiments/{id}/runs", **gives(CountedPage[Run] | CountedPage[LeanRun]))
@needs("read", shared=in_path("experiment"))
def list_runs(
    id: str,
    context: Context,
    wanted: CountedWantedPage,
    only: Annotated[RunFilter, Depends(_runs_only)],
    sort: Annotated[str, Query(description="created_at, -created_at, score, -score or item")] = "-created_at",
    fields: Annotated[RunFields, Query(description="`lean`: texts cut at 300 characters, scores reduced")] = "all",
) -> Response:
    """Runs with their scores and the item's input and expected output.

    `min`, `max`, `state`, `reason`, `label` and sort by score are about `scorer_name`. `state`, `reason` and `label`
    mean the same as in the summary. With `q`, the runs of which input, output or expected output has this text in it
    are looked for, so many runs per page: such a page may be short, or empty, with a `next_cursor` all the same.
    """
    filters = {"id": id, "sort": sort, **asdict(only)}
    list_all = runs.lean if fields == "lean" else runs.all_of
    return context.page("runs", wanted, filters, lambda call, part: list_all(call, id, part, only, sort))


@router.get("/runs/{id}", **gives(RunDetail))
@needs("read", shared=runs_of("experiment"))
def get_run(
    id: str,
    context: Context,
    max_bytes: Annotated[
        int | None, Query(ge=1, le=10_000_000, description="Cut input, output and expected output at this many bytes")
    ] = None,
) -> Response:
    """One run with its scores, and its state for each other scorer of the experiment."""
    return context.read(lambda call: runs.get(call, id, max_bytes))


@router.get("/runs/{id}/transcript", **gives(RunTranscript))
@needs("read")
def get_run_transcript(id: str, context: Context) -> Response:
    """What the agent received, said and did in a run, read from its trace.

    For a run that `gnomon bench push` sent, also its metrics, and for each claim of its score the place in the
    transcript where it is to be seen. Long texts are cut; the trace has them whole.
    """
    return context.read(lambda call: runtranscripts.get(call, id))


@router.post("/experiments/{id}/complete", **gives(Experiment, 200, 422), **takes(CompleteDraft, optional=True))
@needs("write")
def complete_experiment(id: str, context: Context) -> Response:
    """Take no more runs. Scores may still be attached.

    With `stopping`, the evaluation could end before all of its items were run: all intervals of the experiment are
    then those that hold at every look, and flagged.
    """
    draft = context.optional_body(CompleteDraft)
    return context.write(lambda call: experiments.complete(call, id, draft.stopping))


@router.put("/experiments/{id}/metrics", **gives(Metrics), **takes(MetricsDraft))
@needs("write")
def put_metrics(id: str, context: Context) -> Response:
    """Replace the metrics of the whole experiment that are not means of scores, whatever its status."""
    draft = context.body(MetricsDraft)
    return context.write(lambda call: experiments.set_metrics(call, id, draft))


@router.post("/experiments/{id}/hold", **gives(Hold, 200, 409), **takes(HoldDraft))
@needs("write")
def hold_experiment(id: str, context: Context) -> Response:
    """Hold an experiment for some seconds, so that no other process evaluates into it; 0 seconds release it.

    While another holder's time has not run out: 409 `HELD`, unless `instead_of` names that holder.
    """
    draft = context.body(HoldDraft)
    return context.write(lambda call: experiments.hold(call, id, draft))


@router.get("/experiments/{id}/summary", **gives(Summary, 200))
@needs("read", shared=in_path("experiment"))
def get_summary(
    id: str,
    context: Context,
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
    return context.read(lambda call: summarize.summary(call, id, reading))


@router.get("/experiments/{id}/histogram", **gives(Histogram))
@needs("read", shared=in_path("experiment"))
def get_histogram(
    id: str,
    context: Context,
    scorer_name: OfScorer,
    bins: Annotated[int, Query(ge=1, le=MOST_BINS, description="Of equal width, from 0 to 1")] = 20,
) -> Response:
    """How one scorer's scores are distributed, and how many runs have none, by reason."""
    return context.read(lambda call: histogram.histogram(call, id, scorer_name, bins))


@router.get("/experiments/{id}/compare/{other}", **gives(ExperimentComparison, 200, 422))
@needs("read", shared=_COMPARED)
def get_comparison(
    id: str,
    other: str,
    context: Context,
    min_effect: Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False)] = None,
    missing: Missing = "drop",
    interval: IntervalChoice = None,
    items: Annotated[PerItem, Query(description="`none` leaves `per_item_results` empty")] = "all",
) -> Response:
    """`id` is the base; deltas are `other` − `id`. The strongest evidence of regression comes first."""
    return context.read(lambda call: compare.compare(call, id, other, min_effect, missing, interval, items))


@router.get("/experiments/{id}/compare/{other}/items", **gives(ComparedItems, 200, 422))
@needs("read", shared=_COMPARED)
def list_compared_items(
    id: str,
    other: str,
    context: Context,
    wanted: WantedPage,
    scorer_name: OfScorer,
    missing: Missing = "drop",
    show: Annotated[Change | None, Query(description="Only items that became this")] = None,
    sort: Annotated[ItemOrder, Query(description="`delta`: the largest regression first")] = "delta",
    q: SearchText = None,
) -> Response:
    """One scorer in two experiments, item by item, with both outputs.

    Items without a delta come after those with one. With `q`, the items of which input, expected output or some
    output has this text in it are looked for, so many per page: such a page may be short, or empty, with a
    `next_cursor` all the same.
    """
    query = itemwise.ItemQuery(scorer_name, missing, show, sort, q)
    filters = {"id": id, "other": other, **asdict(query)}
    return context.page("compared", wanted, filters, lambda call, part: itemwise.items(call, id, other, part, query))


@router.get("/experiments/{id}/compare/{other}/points", **gives(ComparisonPoints, 200, 422))
@needs("read", shared=_COMPARED)
def get_points(id: str, other: str, context: Context, scorer_name: OfScorer, missing: Missing = "drop") -> Response:
    """One scorer in two experiments: both scores of every item as columns, for a plot; the first 5,000 items."""
    return context.read(lambda call: itemwise.points(call, id, other, scorer_name, missing))


@router.post("/experiments/{id}/threshold", **gives(ThresholdResult, 200, 422), **takes(ThresholdDraft))
@needs("write")
def post_threshold(id: str, context: Context) -> Response:
    """Check one metric of one scorer against a threshold, and store the result."""
    draft = context.body(ThresholdDraft)
    return context.write(lambda call: gate.check(call, id, draft))


@router.get("/experiments/{id}/threshold", **gives(ThresholdResult, 200, 422))
@needs("read", shared=in_path("experiment"))
def get_threshold(id: str, context: Context, wanted: Annotated[ThresholdDraft, Depends(_threshold)]) -> Response:
    """Check one metric of one scorer against a threshold, as the POST does, but store nothing."""
    return context.read(lambda call: gate.evaluate(call, id, wanted))


@router.get("/experiments/{id}/thresholds", **gives(Page[ThresholdRecord]))
@needs("read")
def list_thresholds(id: str, context: Context, wanted: WantedPage) -> Response:
    """The results that POST stored, newest first."""
    return context.page("thresholds", wanted, {"id": id}, lambda call, part: gate.history(call, id, part))


@router.post("/experiments/{id}/score", **gives(JobAccepted, 202, 501, also=PREVIEW), **takes(ScoreExperimentDraft))
@needs("write")
def score_experiment(id: str, context: Context, dry_run: DryRun = False) -> Response:
    """Run built-in scorers over the runs, as a job."""
    draft = context.body(ScoreExperimentDraft)
    plans = context.plan(lambda: spanjobs.plan_all(draft.scorers))
    if dry_run:
        return context.read(lambda call: preview.of_experiment(call, id, draft, plans))
    return context.write(lambda call: jobs.score_experiment(call, id, draft, plans), status=202)
