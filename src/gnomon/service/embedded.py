"""The backend in this process: every operation over the services, on a database of this machine, as its administrator.

It answers and refuses as a server does. Scores are computed on the same path and within the same bounds as those that
a request waits for, so that a score does not depend on where it was computed. Jobs are queued rows here too: a worker
runs them (`gnomon worker`, or a server on the same database).
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Annotated, Any, ParamSpec, Self, TypeVar

from pydantic import BaseModel, Field, TypeAdapter

from gnomon.collector import collector_paused
from gnomon.errors import InvalidInput
from gnomon.interop.otlp.decoding import decode_logs, decode_traces
from gnomon.model import quickrun, quickspan
from gnomon.model.access import Key, KeyDraft, NewKey, Principal, ReviewLink, ReviewLinkDraft
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.budget import Budget, BudgetDraft, ScoringPreview
from gnomon.model.calibration import Calibration
from gnomon.model.card import MOST_SAMPLES, Judge, JudgeCard, LabelMode, ProbeDraft, ProbePlan, ToLabel
from gnomon.model.checks import as_sent, body_of, build, option, read_back, text
from gnomon.model.comparison import Change, ComparedItem, ComparisonPoints, ItemOrder, PerItem
from gnomon.model.conversation import Conversation, ConversationTurn, TurnContent
from gnomon.model.dashboard import Dashboard, Window
from gnomon.model.dataset import (
    MAX_LINE,
    MAX_LISTED,
    Dataset,
    DatasetDraft,
    DatasetItem,
    DatasetRow,
    DatasetVersion,
    Imported,
    ItemDraft,
    ItemRun,
    ItemsDraft,
    ItemsSynced,
    LeanItem,
    SkippedLine,
)
from gnomon.model.drift import Drift, DriftOptions
from gnomon.model.experiment import (
    Bound,
    Comparison,
    CompleteDraft,
    Experiment,
    ExperimentComparison,
    ExperimentDraft,
    Metric,
    Run,
    RunDraft,
    RunOrder,
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
from gnomon.model.iterationgroups import (
    GroupBy,
    GroupMetric,
    IterationComparison,
    IterationComparisonOptions,
    IterationFacets,
    IterationOptions,
    IterationSummary,
    IterationSummaryOptions,
    IterationThresholdOptions,
)
from gnomon.model.iterationviews import IterationContext, IterationTrend, IterationTrendOptions
from gnomon.model.job import Job, JobAccepted, JobsSummary
from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
from gnomon.model.metadata import MetadataKeys, MetadataKeysDraft
from gnomon.model.metrics import Metrics, MetricsDraft
from gnomon.model.moment import Moment
from gnomon.model.otlp import OtlpReceived
from gnomon.model.outcome import Honesty, Iteration, IterationBatchDraft, IterationsAccepted, OutcomeSession
from gnomon.model.plan import Variance
from gnomon.model.playground import AskableModels, PlaygroundAccepted, PlaygroundDraft, PlaygroundPreview
from gnomon.model.prices import Prices, PricesDraft
from gnomon.model.quality import DatasetQuality, QualityOrder, Solved
from gnomon.model.retention import ProjectContents, Retention, RetentionDraft
from gnomon.model.review import (
    Annotation,
    AnnotationChange,
    AnnotationDraft,
    CardType,
    ClaimDraft,
    Direction,
    NextCard,
    NextClaimDraft,
    ProjectSummary,
    Queued,
    QueueDraft,
    QueuedRun,
    QueuedTargets,
    QueueItem,
    QueueReasonDraft,
    QueueStatus,
    ReviewAgreement,
    ReviewCard,
    ReviewClaim,
    ReviewCounts,
    ReviewSettings,
    ReviewSettingsDraft,
    ToItemDraft,
)
from gnomon.model.rule import Rule, RuleChange, RuleDraft, RulePreview, ScoreSpansDraft
from gnomon.model.run import LeanRun, RunDetail
from gnomon.model.runtranscript import RunTranscript
from gnomon.model.score import Score, ScoreBatchDraft, ScoreDraft, ScoresAccepted, ScoringState, State, TargetType
from gnomon.model.scorerlist import ScorerInUse
from gnomon.model.share import NewShare, ShareDraft, ViewShare
from gnomon.model.stopping import StoppingDraft
from gnomon.model.trace import Deleted, IngestDraft, Ingested, Project, ProjectDraft, SpanDraft, Trace, TraceRow
from gnomon.model.traceviews import (
    FoundSpans,
    SpanDetail,
    TextSearch,
    TextSearchDraft,
    TraceFacets,
    TraceOrder,
    TraceScores,
    TraceSkeleton,
    TraceTrends,
)
from gnomon.model.trends import Bucket, ExperimentPoint, ScoreTrends, TrendOrder
from gnomon.model.websession import LoginCode, Session
from gnomon.model.wording import WORDS, Words
from gnomon.report import leaderboard as leaderboardreport
from gnomon.report import outcomes as report
from gnomon.scorers.cost import CONFIGURATION
from gnomon.service.access import keys, projects, shares, websessions
from gnomon.service.analysis import compare, dashboard, drift, gate, histogram, itemwise, summarize, trends
from gnomon.service.bench import rankedexperiments, runtranscripts
from gnomon.service.call import Call, Listing
from gnomon.service.clock import Clock
from gnomon.service.experiments import briefs, datasets, experiments, itemuse, plan, runs, syncing
from gnomon.service.jobs import jobs
from gnomon.service.judges import budgets, calibration, cards, judgelist, labelling, prices, probejobs
from gnomon.service.outcome import groups, iterationviews, outcomes
from gnomon.service.outcome.grouping import Question
from gnomon.service.playground import accepting, askable, estimating
from gnomon.service.review import agreement, annotations, queue
from gnomon.service.review import cards as cards_of_queue
from gnomon.service.review import settings as review_rules
from gnomon.service.scoring import attach, measuring, preview, scorerlist, scoring, spanjobs
from gnomon.service.scoring.measuring import ScoreToCompute
from gnomon.service.traces import conversations, ingest, otlp, otlplogs, rules, textsearch, traces, traceviews
from gnomon.service.traces import metadata as metadata_keys
from gnomon.service.upkeep import health, removing, retention
from gnomon.service.upkeep.maintenance import open_existing
from gnomon.store.conversationrows import ConversationFilter
from gnomon.store.engine import Store, Transaction
from gnomon.store.iterations import Filter as IterationFilter
from gnomon.store.pages import PageKey, Slice
from gnomon.store.reviews import AnnotationFilter
from gnomon.store.runpages import RunFilter
from gnomon.store.spanstore import TraceFilter as TraceFilter

P = ParamSpec("P")
T = TypeVar("T")

_PAGE = 200
_SHARE = TypeAdapter(Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)])
_FINITE = TypeAdapter(Annotated[float, Field(allow_inf_nan=False)])
_LENGTH = TypeAdapter(Annotated[float, Field(ge=0, allow_inf_nan=False)])
_MOMENT: TypeAdapter[datetime] = TypeAdapter(Moment)
_TRACE_ORDER: TypeAdapter[TraceOrder] = TypeAdapter(TraceOrder)
_TURN_CONTENT: TypeAdapter[TurnContent] = TypeAdapter(TurnContent)
_TREND_ORDER: TypeAdapter[TrendOrder] = TypeAdapter(TrendOrder)
_QUALITY_ORDER: TypeAdapter[QualityOrder] = TypeAdapter(QualityOrder)
_OPTIONS: Mapping[str, TypeAdapter[Any]] = {
    "after": _MOMENT,
    "before": _MOMENT,
    "bound": TypeAdapter(Bound),
    "bucket": TypeAdapter(Bucket),
    "bins": TypeAdapter(Annotated[int, Field(ge=1, le=MOST_BINS)]),
    "cluster_by": TypeAdapter(Annotated[str, Field(min_length=1)]),
    "interval": TypeAdapter(IntervalMethod),
    "items": TypeAdapter(PerItem),
    "comparison": TypeAdapter(Comparison),
    "k": TypeAdapter(Annotated[int, Field(ge=1)]),
    "limit": TypeAdapter(Annotated[int, Field(ge=1, le=200)]),
    "max": _FINITE,
    "max_bytes": TypeAdapter(Annotated[int, Field(ge=1, le=traceviews.MAX_BYTES)]),
    "max_duration_ms": _LENGTH,
    "min": _FINITE,
    "min_duration_ms": _LENGTH,
    "metric": TypeAdapter(Metric),
    "min_effect": _SHARE,
    "min_n": TypeAdapter(Annotated[int, Field(ge=1, le=1_000_000_000)]),
    "missing": TypeAdapter(MissingPolicy),
    "mode": TypeAdapter(LabelMode),
    "pass_threshold": _SHARE,
    "q": TypeAdapter(Annotated[str, Field(min_length=1, max_length=200)]),
    "samples": TypeAdapter(Annotated[int, Field(ge=1, le=MOST_SAMPLES)]),
    "seed": TypeAdapter(Annotated[int, Field(ge=0, le=2**53 - 1)]),
    "show": TypeAdapter(Change),
    "solved": TypeAdapter(Solved),
    "state": TypeAdapter(State),
    "target_type": TypeAdapter(TargetType),
    "target_width": TypeAdapter(Annotated[float, Field(gt=0, le=0.5, allow_inf_nan=False)]),
    "trial": TypeAdapter(Annotated[int, Field(ge=0)]),
    "threshold": _FINITE,
    "version": TypeAdapter(Annotated[int, Field(ge=1, le=2**53 - 1)]),
    "most": TypeAdapter(Annotated[int, Field(ge=1, le=1000)]),
    "window": TypeAdapter(Window),
}
"""What the routes of a server hold these options to; a name means the same in every operation but for these."""
_OWN: Mapping[str, Mapping[str, TypeAdapter[Any]]] = {
    "compare_iterations": {"by": TypeAdapter(GroupBy)},
    "iteration_threshold": {"metric": TypeAdapter(GroupMetric)},
    "compared_items": {"sort": TypeAdapter(ItemOrder)},
    "experiment_rows": {"status": TypeAdapter(Status)},
    "experiments": {"status": TypeAdapter(Status)},
    "lean_runs": {"state": TypeAdapter(RunStanding)},
    "next_card": {"after": TypeAdapter(str), "direction": TypeAdapter(Direction)},
    "review_queue": {"target_type": TypeAdapter(CardType)},
    **{name: {"target_type": TypeAdapter(CardType)} for name in ("review_card", "claim_card", "release_card")},
    "runs": {"state": TypeAdapter(RunStanding)},
}


def checked(method: Callable[P, T]) -> Callable[P, T]:
    """Check options and drafts as a server does, before anything is looked up."""
    signature = inspect.signature(method)
    options = {**_OPTIONS, **_OWN.get(method.__name__, {})}

    @functools.wraps(method)
    def with_checks(*args: P.args, **kwargs: P.kwargs) -> T:
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            if name in options and value is not None:
                bound.arguments[name] = option(name, options[name], value)
            elif isinstance(value, str):
                text(name, value)
            elif name == "options":  # over HTTP they are parts of the address
                _check_texts(value)
            elif isinstance(value, BaseModel):
                bound.arguments[name] = as_sent(value)
        return method(*bound.args, **bound.kwargs)

    return with_checks


def _pairs(metadata: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:
    items_view = (metadata or {}).items()
    return traces.metadata_filter((text("metadata", key), text(f"metadata.{key}", value)) for key, value in items_view)


def _check_texts(options: BaseModel | None) -> None:
    for name, value in options or ():
        if isinstance(value, str):
            text(name, value)


class Embedded:
    """A database of this machine. Use it in a `with`, or close it."""

    def __init__(self, database_url: str, clock: Clock | None = None) -> None:
        self._clock, self._who = clock or Clock(), Principal("embedded", "admin")
        self._lane = measuring.Lane()
        self._store = open_existing(database_url)
        try:
            self._store.read(health.check)
        except BaseException:
            self._store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._store.close()

    # --- projects and keys -----

    @checked
    def projects(self) -> Iterator[Project]:
        return self._all(projects.all_of)

    @checked
    def create_project(self, draft: ProjectDraft) -> Project:
        return self._write(lambda call: projects.create(call, draft))

    @checked
    def project(self, id: str) -> Project:
        return self._read(lambda call: projects.get(call, id))

    @checked
    def delete_project(self, id: str, confirm: str | None = None) -> Deleted:
        return self._delete(lambda call: projects.delete(call, id, confirm))

    @checked
    def project_contents(self, id: str) -> ProjectContents:
        return self._read(lambda call: retention.contents(call, id))

    @checked
    def retention(self, project_id: str) -> Retention:
        return self._read(lambda call: retention.get(call, project_id))

    @checked
    def set_retention(self, project_id: str, draft: RetentionDraft) -> Retention:
        return self._write(lambda call: retention.put(call, project_id, draft))

    @checked
    def project_summary(self, id: str) -> ProjectSummary:
        return self._read(lambda call: projects.summary(call, id))

    @checked
    def dashboard(self, project_id: str, window: Window | None = None) -> Dashboard:
        return self._read(lambda call: dashboard.of_project(call, project_id, window or "24h"))

    @checked
    def trends(
        self,
        project_id: str,
        *,
        scorer_name: str | None = None,
        dataset_id: str | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        sort: TrendOrder | None = None,
    ) -> Iterator[ExperimentPoint]:
        order: TrendOrder = "completed_at" if sort is None else option("sort", _TREND_ORDER, sort)
        only = trends.TrendFilter(scorer_name, dataset_id, after, before, order == "-completed_at")
        return self._all(lambda call, part: trends.of_experiments(call, project_id, only, part))

    @checked
    def score_trends(
        self,
        project_id: str,
        *,
        scorer_name: str | None = None,
        bucket: Bucket | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
    ) -> ScoreTrends:
        return self._read(lambda call: trends.of_spans(call, project_id, scorer_name, bucket or "day", after, before))

    @checked
    def scorers(self, project_id: str | None = None, dataset_id: str | None = None) -> Iterator[ScorerInUse]:
        return self._all(lambda call, part: scorerlist.all_of(call, project_id, dataset_id, part))

    @checked
    def words(self) -> Words:
        return WORDS

    @checked
    def drift(self, project_id: str, options: DriftOptions | None = None) -> Drift:
        return self._read(lambda call: drift.drift(call, project_id, options or DriftOptions()))

    @checked
    def budget(self, project_id: str) -> Budget:
        return self._read(lambda call: budgets.get(call, project_id))

    @checked
    def set_budget(self, project_id: str, draft: BudgetDraft) -> Budget:
        return self._write(lambda call: budgets.put(call, project_id, draft))

    @checked
    def prices(self, project_id: str) -> Prices:
        return self._read(lambda call: prices.get(call, project_id))

    @checked
    def set_prices(self, project_id: str, draft: PricesDraft) -> Prices:
        return self._write(lambda call: prices.put(call, project_id, draft))

    @checked
    def metadata_keys(self, project_id: str) -> MetadataKeys:
        return self._read(lambda call: metadata_keys.get(call, project_id))

    @checked
    def set_metadata_keys(self, project_id: str, draft: MetadataKeysDraft) -> MetadataKeys:
        return self._write(lambda call: metadata_keys.put(call, project_id, draft))

    @checked
    def text_search(self, project_id: str) -> TextSearch:
        return self._read(lambda call: textsearch.get(call, project_id))

    @checked
    def set_text_search(self, project_id: str, draft: TextSearchDraft) -> TextSearch:
        return self._write(lambda call: textsearch.put(call, project_id, draft))

    @checked
    def keys(self) -> Iterator[Key]:
        return self._all(keys.all_of)

    @checked
    def create_key(self, draft: KeyDraft) -> NewKey:
        return self._write(lambda call: keys.create(call, draft))

    @checked
    def revoke_key(self, id: str) -> Deleted:
        return self._write(lambda call: keys.delete(call, id))

    @checked
    def whoami(self) -> Session:
        return self._read(websessions.current)

    @checked
    def create_login_code(self) -> LoginCode:
        return self._write(websessions.admin_code)

    @checked
    def create_review_link(self, draft: ReviewLinkDraft) -> ReviewLink:
        return self._write(lambda call: websessions.review_link(call, draft))

    @checked
    def create_share(self, draft: ShareDraft) -> NewShare:
        return self._write(lambda call: shares.create(call, draft))

    @checked
    def shares(self, project_id: str | None = None) -> Iterator[ViewShare]:
        return self._all(lambda call, part: shares.page(call, project_id, part))

    @checked
    def revoke_share(self, id: str) -> Deleted:
        return self._write(lambda call: shares.revoke(call, id))

    # --- traces -----

    @checked
    @collector_paused()
    def ingest(self, spans: Iterable[SpanDraft], project_id: str | None = None) -> Ingested:
        body = body_of(build(IngestDraft, spans=list(spans), project_id=project_id))
        sent = quickspan.decode(body) or read_back(IngestDraft, body)
        batch: ingest.Batch = dict(enumerate(sent.spans))
        planned = self._plan(lambda: ingest.plan_scores(batch))
        return self._write(lambda call: ingest.ingest(call, sent.project_id, batch, (), planned))

    @checked
    @collector_paused()
    def send_traces(self, request: bytes, project_id: str | None = None) -> OtlpReceived:
        prepared = otlp.prepare_traces(decode_traces(request, "protobuf"))
        return self._write(lambda call: otlp.receive_traces(call, prepared, project_id))

    @checked
    @collector_paused()
    def send_logs(self, request: bytes, project_id: str | None = None) -> OtlpReceived:
        prepared = otlplogs.prepare_logs(decode_logs(request, "protobuf"))
        return self._write(lambda call: otlplogs.receive_logs(call, prepared, project_id))

    @checked
    def traces(
        self,
        project_id: str | None = None,
        *,
        after: datetime | None = None,
        before: datetime | None = None,
        has_error: bool | None = None,
        in_queue: bool | None = None,
        metadata: Mapping[str, str] | None = None,
        conversation_id: str | None = None,
        model: str | None = None,
        min_duration_ms: float | None = None,
        max_duration_ms: float | None = None,
        scorer_name: str | None = None,
        min: float | None = None,
        max: float | None = None,
        q: str | None = None,
        sort: TraceOrder | None = None,
    ) -> Iterator[TraceRow]:
        only = TraceFilter(
            after=after, before=before, has_error=has_error, in_queue=in_queue, metadata=_pairs(metadata),
            conversation_id=conversation_id, model=model, min_duration_ms=min_duration_ms,
            max_duration_ms=max_duration_ms, scorer_name=scorer_name, min=min, max=max, q=q,
        )  # fmt: skip
        traces.checked(only)
        order = option("sort", _TRACE_ORDER, sort or "-created_at")
        return self._all(lambda call, part: traces.all_of(call, project_id, only, part, order))

    @checked
    def trace_facets(
        self,
        project_id: str | None = None,
        *,
        after: datetime | None = None,
        before: datetime | None = None,
        has_error: bool | None = None,
        in_queue: bool | None = None,
        metadata: Mapping[str, str] | None = None,
        conversation_id: str | None = None,
        model: str | None = None,
        min_duration_ms: float | None = None,
        max_duration_ms: float | None = None,
        scorer_name: str | None = None,
        min: float | None = None,
        max: float | None = None,
        q: str | None = None,
    ) -> TraceFacets:
        only = TraceFilter(
            after=after, before=before, has_error=has_error, in_queue=in_queue, metadata=_pairs(metadata),
            conversation_id=conversation_id, model=model, min_duration_ms=min_duration_ms,
            max_duration_ms=max_duration_ms, scorer_name=scorer_name, min=min, max=max, q=q,
        )  # fmt: skip
        traces.checked(only)
        return self._read(lambda call: traceviews.facets(call, project_id, only))

    @checked
    def trace_trends(
        self,
        project_id: str,
        bucket: Bucket | None = None,
        *,
        after: datetime | None = None,
        before: datetime | None = None,
    ) -> TraceTrends:
        return self._read(lambda call: traceviews.trends(call, project_id, bucket or "day", after, before))

    @checked
    def trace(self, id: str, project_id: str | None = None) -> Trace:
        return self._read(lambda call: traces.get(call, id, project_id))

    @checked
    def trace_skeleton(self, id: str, project_id: str | None = None) -> TraceSkeleton:
        return self._read(lambda call: traceviews.skeleton(call, id, project_id))

    @checked
    def span(
        self, trace_id: str, span_id: str, project_id: str | None = None, *, max_bytes: int | None = None
    ) -> SpanDetail:
        return self._read(lambda call: traceviews.span(call, trace_id, span_id, project_id, max_bytes))

    @checked
    def trace_scores(self, trace_id: str, project_id: str | None = None) -> TraceScores:
        return self._read(lambda call: traceviews.scores(call, trace_id, project_id))

    @checked
    def find_spans(self, trace_id: str, q: str, project_id: str | None = None) -> FoundSpans:
        return self._read(lambda call: traceviews.find(call, trace_id, q, project_id))

    @checked
    def delete_trace(self, id: str, project_id: str | None = None) -> Deleted:
        return self._write(lambda call: traces.delete(call, id, project_id))

    @checked
    def score_spans(self, draft: ScoreSpansDraft) -> JobAccepted:
        plans = self._plan(lambda: spanjobs.plan_all(draft.scorers))
        return self._write(lambda call: spanjobs.accept(call, draft, plans))

    @checked
    def preview_spans(self, draft: ScoreSpansDraft) -> ScoringPreview:
        plans = self._plan(lambda: spanjobs.plan_all(draft.scorers))
        return self._read(lambda call: preview.of_spans(call, draft, plans))

    # --- conversations -----

    @checked
    def conversations(
        self,
        project_id: str | None = None,
        *,
        user_id: str | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        has_error: bool | None = None,
        q: str | None = None,
    ) -> Iterator[Conversation]:
        only = conversations.checked(ConversationFilter(user_id, after, before, has_error, q))
        return self._all(lambda call, part: conversations.all_of(call, project_id, part, only))

    @checked
    def conversation(self, id: str, project_id: str | None = None) -> Conversation:
        return self._read(lambda call: conversations.get(call, id, project_id))

    @checked
    def turns(
        self, conversation_id: str, project_id: str | None = None, *, content: TurnContent | None = None
    ) -> Iterator[ConversationTurn]:
        as_content = option("content", _TURN_CONTENT, content or "full")
        return self._all(lambda call, part: conversations.turns(call, conversation_id, project_id, part, as_content))

    # --- scores -----

    @checked
    def add_score(self, draft: ScoreDraft) -> Score | JobAccepted | None:
        planned = self._plan(lambda: scoring.plan(draft))
        return self._write(lambda call: attach.attach_one(call, draft, planned))

    @checked
    @collector_paused()
    def add_scores(self, drafts: Iterable[ScoreDraft]) -> ScoresAccepted:
        body = body_of(build(ScoreBatchDraft, scores=list(drafts)))
        batch = (quickrun.decode_scores(body) or read_back(ScoreBatchDraft, body)).scores
        plans = self._plan(lambda: attach.plan(batch))
        return self._write(lambda call: attach.many(call, batch, plans))

    @checked
    def scores(
        self,
        target_id: str,
        target_type: TargetType | None = None,
        *,
        scorer_name: str | None = None,
        trace_id: str | None = None,
        project_id: str | None = None,
    ) -> Iterator[Score]:
        return self._all(
            lambda call, part: scoring.of_target(call, target_id, target_type, trace_id, scorer_name, part, project_id)
        )

    @checked
    def scoring_states(
        self,
        *,
        target_id: str | None = None,
        experiment_id: str | None = None,
        state: State | None = None,
        scorer_name: str | None = None,
    ) -> Iterator[ScoringState]:
        return self._all(
            lambda call, part: scoring.states(
                call, target_id=target_id, experiment_id=experiment_id, state=state, scorer_name=scorer_name,
                wanted=part,
            )
        )  # fmt: skip

    # --- rules -----

    @checked
    def create_rule(self, draft: RuleDraft) -> Rule:
        planned = self._plan(lambda: spanjobs.plan_scorer(draft.scorer))
        return self._write(lambda call: rules.create(call, draft, planned))

    @checked
    def preview_rule(self, draft: RuleDraft) -> RulePreview:
        planned = self._plan(lambda: spanjobs.plan_scorer(draft.scorer))
        return self._read(lambda call: preview.of_rule(call, draft, planned))

    @checked
    def rules(self, project_id: str | None = None) -> Iterator[Rule]:
        return self._all(lambda call, part: rules.all_of(call, project_id, part))

    @checked
    def rule(self, id: str) -> Rule:
        return self._read(lambda call: rules.get(call, id))

    @checked
    def change_rule(self, id: str, change: RuleChange) -> Rule:
        return self._write(lambda call: rules.change(call, id, change))

    @checked
    def delete_rule(self, id: str) -> Deleted:
        return self._write(lambda call: rules.delete(call, id))

    # --- datasets -----

    @checked
    def create_dataset(self, draft: DatasetDraft) -> Dataset:
        return self._write(lambda call: datasets.create(call, draft))

    @checked
    def datasets(self, project_id: str | None = None, *, q: str | None = None) -> Iterator[Dataset]:
        return self._all(lambda call, part: datasets.all_of(call, project_id, part, q))

    @checked
    def dataset_rows(self, project_id: str | None = None, *, q: str | None = None) -> Iterator[DatasetRow]:
        return self._all(lambda call, part: datasets.rows(call, project_id, part, q))

    @checked
    def dataset(self, id: str) -> Dataset:
        return self._read(lambda call: datasets.get(call, id))

    @checked
    def delete_dataset(self, id: str, *, cascade: bool | None = None) -> Deleted:
        return self._delete(lambda call: datasets.delete(call, id, cascade))

    @checked
    def items(self, dataset_id: str, version: int | None = None, *, q: str | None = None) -> Iterator[DatasetItem]:
        return self._all(lambda call, part: datasets.items(call, dataset_id, version, part, q))

    @checked
    def lean_items(self, dataset_id: str, version: int | None = None, *, q: str | None = None) -> Iterator[LeanItem]:
        return self._all(lambda call, part: datasets.lean_items(call, dataset_id, version, part, q))

    @checked
    def add_item(self, dataset_id: str, draft: ItemDraft) -> DatasetItem:
        return self._write(lambda call: datasets.add_item(call, dataset_id, draft))

    @checked
    def import_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> Imported:
        items, skipped = _importable(drafts)
        self._write(lambda call: datasets.import_items(call, dataset_id, items, len(items)))
        return Imported(imported_count=len(items), skipped_count=len(skipped), skipped=skipped[:MAX_LISTED])

    @checked
    @collector_paused()
    def sync_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> ItemsSynced:
        items = as_sent(build(ItemsDraft, items=list(drafts))).items
        entries = syncing.entries_of(items)
        return self._write(lambda call: syncing.sync(call, dataset_id, items, entries))

    @checked
    def item(self, dataset_id: str, item_id: str) -> DatasetItem:
        return self._read(lambda call: datasets.item(call, dataset_id, item_id))

    @checked
    def change_item(self, dataset_id: str, item_id: str, draft: ItemDraft) -> DatasetItem:
        return self._write(lambda call: datasets.change_item(call, dataset_id, item_id, draft))

    @checked
    def item_runs(self, dataset_id: str, item_id: str) -> Iterator[ItemRun]:
        return self._all(lambda call, part: itemuse.runs(call, dataset_id, item_id, part))

    @checked
    def export_items(self, dataset_id: str, version: int | None = None) -> str:
        pinned = self._read(lambda call: datasets.pinned(call, dataset_id, version))

        def piece(position: str) -> datasets.ExportedPart:
            return self._read(lambda call: datasets.piece(pinned, position, call))

        return b"".join(datasets.lines(piece)).decode()

    @checked
    def dataset_versions(self, dataset_id: str) -> Iterator[DatasetVersion]:
        return self._all(lambda call, part: datasets.versions(call, dataset_id, part))

    @checked
    def item_quality(
        self,
        dataset_id: str,
        scorer_name: str,
        *,
        pass_threshold: float | None = None,
        sort: QualityOrder | None = None,
        most: int | None = None,
        solved: Solved | None = None,
    ) -> DatasetQuality:
        bar = 1.0 if pass_threshold is None else pass_threshold
        order: QualityOrder = "hardest" if sort is None else option("sort", _QUALITY_ORDER, sort)
        return self._read(lambda call: itemuse.quality(call, dataset_id, scorer_name, bar, order, most or 200, solved))

    @checked
    def delete_item(self, dataset_id: str, item_id: str) -> Deleted:
        return self._write(lambda call: datasets.delete_item(call, dataset_id, item_id))

    @checked
    def leaderboard(self, dataset_id: str, scorer_name: str, options: LeaderboardOptions | None = None) -> Leaderboard:
        chosen = options or LeaderboardOptions()
        return self._read(lambda call: rankedexperiments.of_dataset(call, dataset_id, scorer_name, chosen))

    @checked
    def leaderboard_page(self, dataset_id: str, scorer_name: str, options: LeaderboardOptions | None = None) -> str:
        return leaderboardreport.page(self.leaderboard(dataset_id, scorer_name, options))

    # --- experiments -----

    @checked
    def create_experiment(self, draft: ExperimentDraft) -> Experiment:
        return self._write(lambda call: experiments.create(call, draft))

    @checked
    def experiments(
        self,
        project_id: str | None = None,
        dataset_id: str | None = None,
        name: str | None = None,
        *,
        status: Status | None = None,
        q: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Iterator[Experiment]:
        only = experiments.ExperimentFilter(dataset_id, name, status, q, tuple(sorted((metadata or {}).items())))
        return self._all(lambda call, part: experiments.all_of(call, project_id, part, only))

    @checked
    def experiment_rows(
        self,
        project_id: str | None = None,
        dataset_id: str | None = None,
        name: str | None = None,
        *,
        status: Status | None = None,
        q: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Iterator[ExperimentRow]:
        only = experiments.ExperimentFilter(dataset_id, name, status, q, tuple(sorted((metadata or {}).items())))
        return self._all(lambda call, part: briefs.rows(call, project_id, part, only))

    @checked
    def experiment(self, id: str) -> Experiment:
        return self._read(lambda call: experiments.get(call, id))

    @checked
    def delete_experiment(self, id: str) -> Deleted:
        return self._delete(lambda call: experiments.delete(call, id))

    @checked
    @collector_paused()
    def add_runs(self, experiment_id: str, runs: Iterable[RunDraft], *, replace_failed: bool = False) -> RunsAccepted:
        body = body_of(build(RunsDraft, runs=list(runs), replace_failed=replace_failed))
        batch = quickrun.decode(body) or read_back(RunsDraft, body)
        plans = self._plan(lambda: experiments.plan_scores(batch.runs))
        return self._write(
            lambda call: experiments.add_runs(
                call, experiment_id, batch.runs, plans, replace_failed=batch.replace_failed
            ),
            ahead=lambda call: experiments.questions(call, experiment_id, batch.runs, plans),
        )

    @checked
    def runs(
        self,
        experiment_id: str,
        *,
        scorer_name: str | None = None,
        min: float | None = None,
        max: float | None = None,
        sort: RunOrder | None = None,
        dataset_item_id: str | None = None,
        trial: int | None = None,
        has_error: bool | None = None,
        state: RunStanding | None = None,
        reason: str | None = None,
        label: str | None = None,
        q: str | None = None,
    ) -> Iterator[Run]:
        only = RunFilter(scorer_name, min, max, dataset_item_id, trial, has_error, state, reason, label, q)
        return self._all(lambda call, part: runs.all_of(call, experiment_id, part, only, sort or "-created_at"))

    @checked
    def lean_runs(
        self,
        experiment_id: str,
        *,
        scorer_name: str | None = None,
        min: float | None = None,
        max: float | None = None,
        sort: RunOrder | None = None,
        dataset_item_id: str | None = None,
        trial: int | None = None,
        has_error: bool | None = None,
        state: RunStanding | None = None,
        reason: str | None = None,
        label: str | None = None,
        q: str | None = None,
    ) -> Iterator[LeanRun]:
        only = RunFilter(scorer_name, min, max, dataset_item_id, trial, has_error, state, reason, label, q)
        return self._all(lambda call, part: runs.lean(call, experiment_id, part, only, sort or "-created_at"))

    @checked
    def run(self, id: str, max_bytes: int | None = None) -> RunDetail:
        return self._read(lambda call: runs.get(call, id, max_bytes))

    @checked
    def transcript(self, run_id: str) -> RunTranscript:
        return self._read(lambda call: runtranscripts.get(call, run_id))

    @checked
    def histogram(self, experiment_id: str, scorer_name: str, bins: int | None = None) -> Histogram:
        return self._read(lambda call: histogram.histogram(call, experiment_id, scorer_name, bins or 20))

    def complete(self, experiment_id: str, stopping: StoppingDraft | None = None) -> Experiment:
        text("experiment_id", experiment_id)
        draft = as_sent(build(CompleteDraft, stopping=stopping))
        return self._write(lambda call: experiments.complete(call, experiment_id, draft.stopping))

    @checked
    def set_metrics(self, experiment_id: str, draft: MetricsDraft) -> Metrics:
        return self._write(lambda call: experiments.set_metrics(call, experiment_id, draft))

    @checked
    def hold(self, experiment_id: str, draft: HoldDraft) -> Hold:
        return self._write(lambda call: experiments.hold(call, experiment_id, draft))

    @checked
    def summary(
        self,
        experiment_id: str,
        missing: MissingPolicy | None = None,
        pass_threshold: float | None = None,
        cluster_by: str | None = None,
        interval: IntervalMethod | None = None,
    ) -> Summary:
        bar = 1.0 if pass_threshold is None else pass_threshold
        reading = summarize.Reading(missing or "drop", bar, cluster_by, interval)
        return self._read(lambda call: summarize.summary(call, experiment_id, reading))

    @checked
    def compare(
        self,
        base_id: str,
        other_id: str,
        min_effect: float | None = None,
        missing: MissingPolicy | None = None,
        interval: IntervalMethod | None = None,
        items: PerItem | None = None,
    ) -> ExperimentComparison:
        return self._read(
            lambda call: compare.compare(
                call, base_id, other_id, min_effect, missing or "drop", interval, items or "all"
            )
        )

    @checked
    def compared_items(
        self,
        base_id: str,
        other_id: str,
        scorer_name: str,
        *,
        missing: MissingPolicy | None = None,
        show: Change | None = None,
        sort: ItemOrder | None = None,
        q: str | None = None,
    ) -> Iterator[ComparedItem]:
        query = itemwise.ItemQuery(scorer_name, missing or "drop", show, sort or "delta", q)
        return self._all(lambda call, part: itemwise.items(call, base_id, other_id, part, query))

    @checked
    def comparison_points(
        self, base_id: str, other_id: str, scorer_name: str, missing: MissingPolicy | None = None
    ) -> ComparisonPoints:
        return self._read(lambda call: itemwise.points(call, base_id, other_id, scorer_name, missing or "drop"))

    @checked
    def threshold(self, experiment_id: str, draft: ThresholdDraft) -> ThresholdResult:
        return self._write(lambda call: gate.check(call, experiment_id, draft))

    @checked
    def try_threshold(
        self,
        experiment_id: str,
        scorer_name: str,
        metric: Metric,
        threshold: float,
        *,
        comparison: Comparison | None = None,
        k: int | None = None,
        bound: Bound | None = None,
        min_n: int | None = None,
        sequential: bool | None = None,
        missing: MissingPolicy | None = None,
        cluster_by: str | None = None,
        interval: IntervalMethod | None = None,
    ) -> ThresholdResult:
        optional: dict[str, Any] = {
            "comparison": comparison, "k": k, "bound": bound, "min_n": min_n, "sequential": sequential,
            "missing": missing, "cluster_by": cluster_by, "interval": interval,
        }  # fmt: skip
        chosen = {name: value for name, value in optional.items() if value is not None}
        draft = build(ThresholdDraft, scorer_name=scorer_name, metric=metric, threshold=threshold, **chosen)
        return self._read(lambda call: gate.evaluate(call, experiment_id, draft))

    @checked
    def thresholds(self, experiment_id: str) -> Iterator[ThresholdRecord]:
        return self._all(lambda call, part: gate.history(call, experiment_id, part))

    @checked
    def variance(self, experiment_id: str, scorer_name: str, against_id: str | None = None) -> Variance:
        return self._read(lambda call: plan.variance(call, experiment_id, scorer_name, against_id))

    @checked
    def score_experiment(self, experiment_id: str, draft: ScoreExperimentDraft) -> JobAccepted:
        plans = self._plan(lambda: spanjobs.plan_all(draft.scorers))
        return self._write(lambda call: jobs.score_experiment(call, experiment_id, draft, plans))

    @checked
    def preview_experiment(self, experiment_id: str, draft: ScoreExperimentDraft) -> ScoringPreview:
        plans = self._plan(lambda: spanjobs.plan_all(draft.scorers))
        return self._read(lambda call: preview.of_experiment(call, experiment_id, draft, plans))

    # --- jobs -----

    @checked
    def jobs(self, project_id: str | None = None, *, status: str | None = None) -> Iterator[Job]:
        return self._all(lambda call, part: jobs.all_of(call, project_id, status, part))

    @checked
    def jobs_summary(self, project_id: str | None = None) -> JobsSummary:
        return self._read(lambda call: jobs.summary(call, project_id))

    @checked
    def job(self, id: str) -> Job:
        return self._read(lambda call: jobs.get(call, id))

    @checked
    def retry_job(self, id: str) -> Job:
        return self._write(lambda call: jobs.retry(call, id))

    @checked
    def cancel_job(self, id: str) -> Job:
        return self._write(lambda call: jobs.cancel(call, id))

    # --- playground -----

    @checked
    def askable_models(self, project_id: str | None = None, *, model: str | None = None) -> AskableModels:
        return self._read(lambda call: askable.askable(call, project_id, model))

    @checked
    def preview_playground(self, draft: PlaygroundDraft) -> PlaygroundPreview:
        plans = self._plan(lambda: accepting.check(draft))
        return self._read(lambda call: estimating.preview(call, draft, plans))

    @checked
    def run_playground(self, draft: PlaygroundDraft) -> PlaygroundAccepted:
        plans = self._plan(lambda: accepting.check(draft))
        return self._write(lambda call: accepting.accept(call, draft, plans))

    # --- human review -----

    @checked
    def annotate(self, draft: AnnotationDraft) -> Annotation:
        return self._write(lambda call: annotations.annotate(call, draft))

    @checked
    def annotations(
        self,
        trace_id: str | None = None,
        *,
        run_id: str | None = None,
        experiment_id: str | None = None,
        span_id: str | None = None,
        annotator: str | None = None,
        label: str | None = None,
        after: datetime | None = None,
        project_id: str | None = None,
    ) -> Iterator[Annotation]:
        only = AnnotationFilter(project_id, trace_id, run_id, experiment_id, span_id, annotator, label, after)
        return self._all(lambda call, part: annotations.page(call, only, part))

    @checked
    def annotation(self, id: str) -> Annotation:
        return self._read(lambda call: annotations.get(call, id))

    @checked
    def correct_annotation(self, id: str, draft: AnnotationChange) -> Annotation:
        return self._write(lambda call: annotations.correct(call, id, draft))

    @checked
    def undo_annotation(self, id: str) -> Deleted:
        return self._write(lambda call: annotations.undo(call, id))

    @checked
    def annotation_to_item(self, id: str, draft: ToItemDraft) -> DatasetItem:
        return self._write(lambda call: annotations.to_dataset_item(call, id, draft))

    @checked
    def queue_trace(self, id: str, project_id: str | None = None, draft: QueueReasonDraft | None = None) -> Queued:
        return self._write(
            lambda call: queue.enqueue_trace(call, id, project_id, None if draft is None else draft.reason)
        )

    @checked
    def unqueue_trace(self, id: str, project_id: str | None = None) -> Queued:
        return self._write(lambda call: queue.dequeue_trace(call, id, project_id))

    @checked
    def queue_run(self, id: str, draft: QueueReasonDraft | None = None) -> QueuedRun:
        return self._write(lambda call: queue.enqueue_run(call, id, None if draft is None else draft.reason))

    @checked
    def unqueue_run(self, id: str) -> QueuedRun:
        return self._write(lambda call: queue.dequeue_run(call, id))

    @checked
    def queue_targets(self, draft: QueueDraft) -> QueuedTargets:
        return self._write(lambda call: queue.enqueue(call, draft))

    @checked
    def review_queue(
        self,
        project_id: str | None = None,
        *,
        status: QueueStatus | None = None,
        annotator: str | None = None,
        mine: bool | None = None,
        target_type: CardType | None = None,
        q: str | None = None,
    ) -> Iterator[QueueItem]:
        return self._all(
            lambda call, part: queue.page(
                call, project_id, part, status=status, annotator=annotator, mine=mine, target_type=target_type, text=q
            )
        )

    @checked
    def queue_counts(self, project_id: str | None = None, annotator: str | None = None) -> ReviewCounts:
        return self._read(lambda call: queue.counts(call, project_id, annotator))

    @checked
    def next_card(
        self,
        project_id: str | None = None,
        *,
        after: str | None = None,
        direction: Direction | None = None,
        annotator: str | None = None,
    ) -> NextCard:
        return self._read(lambda call: queue.next_card(call, project_id, after, direction or "next", annotator))

    @checked
    def claim_next_card(self, draft: NextClaimDraft | None = None) -> NextCard:
        return self._write(lambda call: queue.claim_next(call, draft or NextClaimDraft()))

    @checked
    def review_card(
        self, target_type: CardType, target_id: str, project_id: str | None = None, *, annotator: str | None = None
    ) -> ReviewCard:
        return self._read(lambda call: cards_of_queue.get(call, target_type, target_id, project_id, annotator))

    @checked
    def claim_card(
        self, target_type: CardType, target_id: str, draft: ClaimDraft | None = None, project_id: str | None = None
    ) -> ReviewClaim:
        return self._write(
            lambda call: cards_of_queue.claim(call, target_type, target_id, draft or ClaimDraft(), project_id)
        )

    @checked
    def release_card(
        self, target_type: CardType, target_id: str, annotator: str | None = None, project_id: str | None = None
    ) -> ReviewClaim:
        return self._write(lambda call: cards_of_queue.release(call, target_type, target_id, annotator, project_id))

    @checked
    def review_settings(self, project_id: str) -> ReviewSettings:
        return self._read(lambda call: review_rules.get(call, project_id))

    @checked
    def set_review_settings(self, project_id: str, draft: ReviewSettingsDraft) -> ReviewSettings:
        return self._write(lambda call: review_rules.put(call, project_id, draft))

    @checked
    def review_agreement(self, project_id: str | None = None, scorer_name: str | None = None) -> ReviewAgreement:
        return self._read(lambda call: agreement.of_project(call, project_id, scorer_name))

    # --- judges -----

    @checked
    def calibration(
        self, judge: str, human: str, project_id: str | None = None, config_hash: str | None = None
    ) -> Calibration:
        return self._read(lambda call: calibration.calibrate(call, project_id, judge, human, config_hash))

    @checked
    def judges(self, project_id: str | None = None) -> Iterator[Judge]:
        return self._all(lambda call, part: judgelist.all_of(call, project_id, part))

    @checked
    def judge_card(
        self, scorer_name: str, project_id: str | None = None, config_hash: str | None = None, human: str | None = None
    ) -> JudgeCard:
        return self._read(lambda call: cards.card(call, project_id, scorer_name, config_hash, human))

    @checked
    def to_label(
        self,
        scorer_name: str,
        project_id: str | None = None,
        config_hash: str | None = None,
        human: str | None = None,
        *,
        mode: LabelMode | None = None,
        limit: int | None = None,
        target_width: float | None = None,
    ) -> ToLabel:
        options: dict[str, Any] = {"mode": mode, "limit": limit, "target_width": target_width}
        chosen = replace(labelling.PLAIN, **{name: value for name, value in options.items() if value is not None})
        return self._read(lambda call: labelling.to_label(call, project_id, scorer_name, config_hash, human, chosen))

    @checked
    def probe_plan(
        self,
        scorer_name: str,
        project_id: str | None = None,
        config_hash: str | None = None,
        *,
        samples: int | None = None,
        seed: int | None = None,
    ) -> ProbePlan:
        options: dict[str, Any] = {"samples": samples, "seed": seed}
        options |= {"project_id": project_id, "config_hash": config_hash}
        draft = ProbeDraft(**{name: value for name, value in options.items() if value is not None})
        return self._read(lambda call: probejobs.plan(call, scorer_name, draft))

    @checked
    def probe_judge(self, scorer_name: str, draft: ProbeDraft) -> JobAccepted:
        return self._write(lambda call: probejobs.accept(call, scorer_name, draft))

    # --- coding agents -----

    @checked
    def push_iterations(self, batch: IterationBatchDraft) -> IterationsAccepted:
        return self._write(lambda call: outcomes.push(call, batch))

    @checked
    def iterations(
        self,
        project_id: str | None = None,
        source: str | None = None,
        rubric_version: str | None = None,
        *,
        session_id: str | None = None,
        band: str | None = None,
        provisional: bool | None = None,
        agent: str | None = None,
        model: str | None = None,
        label: str | None = None,
        rules_file: str | None = None,
    ) -> Iterator[Iteration]:
        only = IterationFilter(source, rubric_version, session_id, band, provisional, agent, model, label, rules_file)
        return self._all(lambda call, part: outcomes.all_of(call, project_id, only, part))

    @checked
    def iteration(self, id: str) -> Iteration:
        return self._read(lambda call: outcomes.get(call, id))

    @checked
    def iteration_context(self, id: str) -> IterationContext:
        return self._read(lambda call: iterationviews.context(call, id))

    @checked
    def iteration_trend(
        self, project_id: str | None = None, options: IterationTrendOptions | None = None
    ) -> IterationTrend:
        return self._read(lambda call: iterationviews.trend(call, project_id, options or IterationTrendOptions()))

    @checked
    def iteration_facets(
        self, project_id: str | None = None, options: IterationOptions | None = None
    ) -> IterationFacets:
        only = groups.chosen(options or IterationOptions())
        return self._read(lambda call: groups.facets(call, project_id, only))

    @checked
    def iteration_summary(
        self, project_id: str | None = None, options: IterationSummaryOptions | None = None
    ) -> IterationSummary:
        options = options or IterationSummaryOptions()
        reading = summarize.Reading(options.missing or "drop", interval=options.interval)
        only, cluster_by = groups.chosen(options), options.cluster_by or "session"
        return self._read(lambda call: groups.summary(call, project_id, only, cluster_by, reading))

    @checked
    def iteration_threshold(
        self,
        scorer_name: str,
        metric: GroupMetric,
        threshold: float,
        project_id: str | None = None,
        options: IterationThresholdOptions | None = None,
    ) -> ThresholdResult:
        options = options or IterationThresholdOptions()
        chosen = options.model_dump(exclude_none=True, include={"comparison", "bound", "min_n", "missing", "interval"})
        draft = build(ThresholdDraft, scorer_name=scorer_name, metric=metric, threshold=threshold, **chosen)
        only, cluster_by = groups.chosen(options), options.cluster_by or "session"
        return self._read(lambda call: groups.threshold(call, project_id, only, draft, cluster_by))

    @checked
    def compare_iterations(
        self, by: GroupBy, project_id: str | None = None, options: IterationComparisonOptions | None = None
    ) -> IterationComparison:
        options = options or IterationComparisonOptions()
        question = Question(by, options.a, options.b, options.cluster_by, options.scorer_name, options.min_effect)
        return self._read(lambda call: groups.compare(call, project_id, groups.chosen(options), question))

    @checked
    def outcome_sessions(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Iterator[OutcomeSession]:
        only = IterationFilter(source, rubric_version)
        return self._all(lambda call, part: outcomes.sessions(call, project_id, only, part))

    @checked
    def honesty(
        self,
        project_id: str | None = None,
        source: str | None = None,
        rubric_version: str | None = None,
        *,
        session_id: str | None = None,
        agent: str | None = None,
        model: str | None = None,
        label: str | None = None,
        rules_file: str | None = None,
    ) -> Honesty:
        only = IterationFilter(
            source, rubric_version, session_id, agent=agent, model=model, label=label, rules_file=rules_file
        )
        return self._read(lambda call: outcomes.honesty(call, project_id, only))

    @checked
    def outcomes_page(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> str:
        shown = self._read(lambda call: outcomes.trend(call, project_id, source, rubric_version))
        return report.page(shown.iterations, shown.sessions, shown.honesty, shown.notes)

    # --- only here -----

    @property
    def store(self) -> Store:
        """The store, for a worker in this process: without a server nothing else runs the jobs."""
        return self._store

    # --- how work is done -----

    def _plan(self, work: Callable[[], T]) -> T:
        """Build scorers, before the transaction that uses them, within the bound that a request has."""
        with self._lane.metered(CONFIGURATION):
            return work()

    def _read(self, work: Callable[[Call], T]) -> T:
        return self._store.read(lambda db: work(self._call(db)))

    def _write(self, work: Callable[[Call], T], ahead: Callable[[Call], Sequence[ScoreToCompute]] | None = None) -> T:
        return measuring.write(
            self._store,
            lambda db, measured: work(Call(db, self._who, self._clock, measured, self._store.spans)),
            self._lane.answer,
            None if ahead is None else lambda db: ahead(self._call(db)),
        )

    def _delete(self, work: Callable[[Call], Deleted]) -> Deleted:
        """Delete something, and all that hangs on it after that."""

        def noted(call: Call) -> tuple[Deleted, str | None]:
            deleted = work(call)
            return deleted, removing.project_of(call, deleted.id)

        deleted, project_id = self._write(noted)
        removing.work_off(self._store, project_id=project_id)
        return deleted

    def _call(self, db: Transaction) -> Call:
        return Call(db, self._who, self._clock, spans=self._store.spans)

    def _all(self, part: Callable[[Call, Slice], Listing[T]]) -> Iterator[T]:
        after: PageKey | None = None
        while True:
            wanted = Slice(_PAGE, after)
            listing = self._store.read(lambda db, wanted=wanted: part(self._call(db), wanted))  # type: ignore[misc]
            yield from listing.items
            if (after := listing.next_key) is None:
                return


def _importable(drafts: Iterable[ItemDraft]) -> tuple[list[ItemDraft], list[SkippedLine]]:
    """What an import keeps, and the lines that it skips."""
    items: list[ItemDraft] = []
    skipped: list[SkippedLine] = []
    for number, body in enumerate(map(body_of, drafts), 1):
        try:
            if len(body) > MAX_LINE:
                raise InvalidInput(f"the line is longer than {MAX_LINE:,} bytes")
            items.append(read_back(ItemDraft, body))
        except InvalidInput as bad:
            skipped.append(SkippedLine(line=number, reason=bad.message))
    return items, skipped
