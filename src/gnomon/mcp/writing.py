"""The tools that change something. They are listed with `gnomon mcp --write` only."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from gnomon.errors import InvalidInput
from gnomon.mcp.context import ToolContext
from gnomon.mcp.experiments import identified
from gnomon.mcp.tools import At, Pieces, ProjectName, writing_tool
from gnomon.model.budget import ScoringPreview
from gnomon.model.checks import build
from gnomon.model.dataset import ItemDraft
from gnomon.model.experiment import ScoreExperimentDraft
from gnomon.model.job import Job, JobAccepted
from gnomon.model.review import AnnotationDraft
from gnomon.model.rule import PastSpanFilter, ScoreSpansDraft
from gnomon.model.score import ScoreDraft, ScorerSpec, TargetType
from gnomon.report.text.drawing import clean
from gnomon.report.text.inventory import short
from gnomon.shorten import counted

ANNOTATOR = "agent (mcp)"
_ENDED = {"done", "failed", "cancelled"}


@writing_tool
def add_score(
    context: ToolContext,
    target: Annotated[str, Field(description="Id of the run or span that is scored.")],
    target_type: Annotated[TargetType, Field(description="What the id is of: run or span.")],
    scorer: Annotated[str, Field(description="Name of the score, such as helpfulness.")],
    value: Annotated[float | str, Field(description="A number from 0 to 1, or a label.")],
    rationale: Annotated[str | None, Field(description="Why, in a sentence or two. Default: none.")] = None,
    trace: Annotated[
        str | None, Field(description="Id of the span's trace, where several traces have that span id. Default: none.")
    ] = None,
) -> Pieces:
    """Store a score of a run or span."""
    draft = build(
        ScoreDraft, target_id=target, target_type=target_type, scorer_name=scorer, value=value,
        **_without_none(rationale=rationale, trace_id=trace),
    )  # fmt: skip
    stored = context.backend.add_score(draft)
    id = "" if stored is None or isinstance(stored, JobAccepted) else f" as score {stored.id}"
    shown = short(value) if isinstance(value, str) else f"{value:g}"
    yield f"stored{id}: {short(scorer)} {shown} of {target_type} {clean(target)}"


@writing_tool
def annotate(
    context: ToolContext,
    trace: Annotated[str, Field(description="Id of the trace.")],
    span: Annotated[str | None, Field(description="Id of one of its spans. Default: the whole trace.")] = None,
    label: Annotated[str | None, Field(description="A label, such as wrong. Default: none.")] = None,
    correction: Annotated[Any, Field(description="What the output should have been. Default: none.")] = None,
    notes: Annotated[str | None, Field(description="Anything else, in words. Default: none.")] = None,
    annotator: Annotated[str, Field(description="Who says so. Name an agent, not a person.")] = ANNOTATOR,
    project: ProjectName = None,
) -> Pieces:
    """Annotate a trace or one of its spans. Give at least one of label, correction and notes."""
    fields = _without_none(
        span_id=span, label=label, correction=correction, notes=notes, project_id=project or context.default_project
    )
    stored = context.backend.annotate(
        build(AnnotationDraft, trace_id=trace, annotator=annotator, score=False, **fields)
    )
    yield f"stored as annotation {stored.id} of trace {clean(trace)}"


@writing_tool
def add_dataset_item(
    context: ToolContext,
    dataset: Annotated[str, Field(description="Name or id of the dataset.")],
    input: Annotated[Any, Field(description="What the application is asked: text or JSON.")],
    expected_output: Annotated[Any, Field(description="The right answer: text or JSON. Default: none.")] = None,
    metadata: Annotated[dict[str, Any] | None, Field(description="Facts about the item. Default: none.")] = None,
    key: Annotated[
        str | None, Field(description="Your own id of the item, unique in the dataset. Default: none.")
    ] = None,
    project: ProjectName = None,
) -> Pieces:
    """Add an item to a dataset, such as a failure that must not come back. The dataset gets a new version."""
    stored = context.dataset(dataset, project)
    draft = build(ItemDraft, input=input, **_without_none(expected_output=expected_output, metadata=metadata, key=key))
    item = context.backend.add_item(stored.id, draft)
    size = counted(stored.item_count + 1, "item")
    yield f"stored as item {item.id} of dataset {short(stored.name)}, which has {size} now"


@writing_tool
def run_scorer(
    context: ToolContext,
    scorer: Annotated[
        str, Field(description="The built-in to run, such as exact_match, contains, regex or llm_judge.")
    ],
    name: Annotated[str | None, Field(description="Name that its scores get. Default: that of the built-in.")] = None,
    config: Annotated[
        dict[str, Any] | None,
        Field(description='Its configuration, such as {"case_sensitive": false}. Default: that of the built-in.'),
    ] = None,
    experiment: Annotated[
        str | None, Field(description="Name or id of the experiment whose runs are scored. Default: spans are scored.")
    ] = None,
    at: At = None,
    spans: Annotated[
        dict[str, Any] | None,
        Field(
            description="Without an experiment: which past spans, by name, model, has_error, root_only, metadata, "
            'since and until, such as {"name": "answer", "since": "2026-01-31T00:00:00Z"}. Default: none.'
        ),
    ] = None,
    only_missing: Annotated[bool, Field(description="Skip targets that have this score already.")] = True,
    preview: Annotated[
        bool, Field(description="Only say how much there is to score and what a judge would cost; store nothing.")
    ] = False,
    project: ProjectName = None,
) -> Pieces:
    """Score the runs of an experiment, or past spans, with a built-in scorer or a judge. A judge asks a model, which
    costs money: ask with preview=true first. Returns the id of a job; job_status shows its progress."""
    spec = build(ScorerSpec, scorer_name=name or scorer, scorer=scorer, **_without_none(config=config))
    if (experiment is None) == (spans is None):
        raise InvalidInput.of("experiment", "give one of `experiment` and `spans` ({} means all spans of the project)")
    scoring = {"scorers": [spec], "only_missing": only_missing}
    if experiment is not None:
        stored = context.experiment(experiment, project, at)
        runs = build(ScoreExperimentDraft, **scoring)
        if preview:
            yield from _previewed(context.backend.preview_experiment(stored.id, runs))
            return
        yield f"runs of {identified(stored)}"
        yield _queued(context.backend.score_experiment(stored.id, runs))
        return
    where = context.project(project)
    chosen = build(ScoreSpansDraft, project_id=where, filter=build(PastSpanFilter, **(spans or {})), **scoring)
    if preview:
        yield from _previewed(context.backend.preview_spans(chosen))
        return
    yield f"spans of project {where}"
    yield _queued(context.backend.score_spans(chosen))


@writing_tool
def job_status(
    context: ToolContext,
    job: Annotated[str | None, Field(description="Id of the job. Default: the newest jobs of the project.")] = None,
    project: ProjectName = None,
) -> Pieces:
    """Show the progress of a run_scorer job: queued, running, done, failed or cancelled, with counts and reasons."""
    if job is not None:
        yield from _job(context.backend.job(job))
        return
    where = context.project(project)
    shown, more = context.page(context.backend.jobs(where), 10)
    if not shown:
        yield f"project {where} has no job"
    for shown_job in shown:
        yield from _job(shown_job)
    yield from more


def _job(job: Job) -> Iterator[str]:
    counts = ", ".join(f"{count:,} {clean(state)}" for state, count in job.counts.items())
    reason = f": {clean(job.reason)}" if job.reason else ""
    yield f"job {job.id} ({job.kind}): {job.status}{reason}{f' ({counts})' if counts else ''}"
    if job.status not in _ENDED:
        yield "it is not finished; judges are asked by a server, or by `gnomon worker` on a database without one"


def _queued(accepted: JobAccepted) -> str:
    return f"queued as job {accepted.job_id} (ask job_status with job={accepted.job_id!r})"


def _previewed(preview: ScoringPreview) -> Iterator[str]:
    yield f"{preview.targets:,} targets; nothing was stored"
    for scorer in preview.by_scorer:
        asks = f", {counted(scorer.calls, 'call')} to {short(scorer.model)}" if scorer.model else ""
        yield f"{short(scorer.scorer_name)}: {scorer.to_score:,} to score, {scorer.already_scored:,} have a score{asks}"
    if any(scorer.model for scorer in preview.by_scorer):
        cost = preview.cost_usd_estimate
        yield "cost not known" if cost is None else f"about {cost:.4f} USD"
    yield from (f"note: {clean(note)}" for note in preview.notes)


def _without_none(**fields: Any) -> Mapping[str, Any]:
    """The fields that have a value."""
    return {field: value for field, value in fields.items() if value is not None}
