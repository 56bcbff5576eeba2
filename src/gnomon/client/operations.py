"""Every operation of the HTTP contract, written once: what is sent, and how the answer is read."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, TypeAdapter

from gnomon.client.binding import listing, operation
from gnomon.client.otlp import export
from gnomon.client.requests import (
    NDJSON,
    ListRequest,
    Request,
    delete,
    get,
    get_all,
    get_text,
    part,
    patch,
    post,
    put,
)
from gnomon.errors import Conflict
from gnomon.model.access import Key, KeyDraft, NewKey, ReviewLink, ReviewLinkDraft
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.budget import Budget, BudgetDraft, ScoringPreview
from gnomon.model.calibration import Calibration
from gnomon.model.card import Judge, JudgeCard, LabelMode, ProbeDraft, ProbePlan, ToLabel
from gnomon.model.checks import body_of, build, option, text
from gnomon.model.comparison import Change, ComparedItem, ComparisonPoints, ItemOrder, PerItem
from gnomon.model.conversation import Conversation, ConversationTurn, TurnContent
from gnomon.model.dashboard import Dashboard, Window
from gnomon.model.dataset import (
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
from gnomon.model.histogram import Histogram
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
from gnomon.model.moment import Moment, iso
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
from gnomon.model.wording import Words

_ONE_SCORE: TypeAdapter[Score | JobAccepted | None] = TypeAdapter(Score | JobAccepted | None)
_MOMENT: TypeAdapter[datetime] = TypeAdapter(Moment)


class Operations:
    """The operations, as methods of `Client` and of `AsyncClient`."""

    # --- projects and keys -----

    @listing
    def projects(self) -> ListRequest[Project]:
        """Projects, newest first. A key that is bound to one sees only that."""
        return get_all("/projects", Project)

    @operation
    def create_project(self, draft: ProjectDraft) -> Request[Project]:
        """Make a project. Needs a key that is bound to none."""
        return post("/projects", Project, draft)

    @operation
    def project(self, id: str) -> Request[Project]:
        """One project."""
        return get(f"/projects/{part(id)}", Project)

    @operation
    def delete_project(self, id: str, confirm: str | None = None) -> Request[Deleted]:
        """Delete a project with everything in it, its keys included. `confirm` is the project's id once more."""
        return delete(f"/projects/{part(id)}", confirm=confirm)

    @operation
    def project_contents(self, id: str) -> Request[ProjectContents]:
        """How much the project holds: what is deleted with it."""
        return get(f"/projects/{part(id)}/contents", ProjectContents)

    @operation
    def retention(self, project_id: str) -> Request[Retention]:
        """How long the project keeps its traces."""
        return get(f"/projects/{part(project_id)}/retention", Retention)

    @operation
    def set_retention(self, project_id: str, draft: RetentionDraft) -> Request[Retention]:
        """Set how long the project keeps its traces; without `retention_days`, for ever."""
        return put(f"/projects/{part(project_id)}/retention", Retention, draft)

    @operation
    def project_summary(self, id: str) -> Request[ProjectSummary]:
        """Traces of the last day and week, experiments by status, and the review queue."""
        return get(f"/projects/{part(id)}/summary", ProjectSummary)

    @operation
    def dashboard(self, project_id: str, window: Window | None = None) -> Request[Dashboard]:
        """A project's front page: traces of a window, experiments, the last completed one, queue, datasets, alarms."""
        return get(f"/projects/{part(project_id)}/dashboard", Dashboard, window=window)

    @listing
    def trends(
        self,
        project_id: str,
        *,
        scorer_name: str | None = None,
        dataset_id: str | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        sort: TrendOrder | None = None,
    ) -> ListRequest[ExperimentPoint]:
        """Completed experiments with mean and interval per scorer, oldest first unless `sort` is given."""
        return get_all(
            f"/projects/{part(project_id)}/trends", ExperimentPoint, scorer_name=scorer_name, dataset_id=dataset_id,
            after=_time("after", after), before=_time("before", before), sort=sort,
        )  # fmt: skip

    @operation
    def score_trends(
        self,
        project_id: str,
        *,
        scorer_name: str | None = None,
        bucket: Bucket | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
    ) -> Request[ScoreTrends]:
        """Mean scores of spans by day or hour, with intervals."""
        return get(
            f"/projects/{part(project_id)}/trends/scores", ScoreTrends, scorer_name=scorer_name, bucket=bucket,
            after=_time("after", after), before=_time("before", before),
        )  # fmt: skip

    @listing
    def scorers(self, project_id: str | None = None, dataset_id: str | None = None) -> ListRequest[ScorerInUse]:
        """The scorers that have scores in a project, or in the experiments on a dataset, by name."""
        return get_all("/scorers", ScorerInUse, project_id=project_id, dataset_id=dataset_id)

    @operation
    def words(self) -> Request[Words]:
        """Plain words for the codes in answers."""
        return get("/words", Words)

    @operation
    def drift(self, project_id: str, options: DriftOptions | None = None) -> Request[Drift]:
        """Has the mean of an online scorer moved since a reference window?"""
        return get(f"/projects/{part(project_id)}/drift", Drift, **_options(options))

    @operation
    def budget(self, project_id: str) -> Request[Budget]:
        """What judges may spend in a day, and what they have spent today."""
        return get(f"/projects/{part(project_id)}/budget", Budget)

    @operation
    def set_budget(self, project_id: str, draft: BudgetDraft) -> Request[Budget]:
        """Set what judges may spend in a day; a limit that is left out means no limit."""
        return put(f"/projects/{part(project_id)}/budget", Budget, draft)

    @operation
    def prices(self, project_id: str) -> Request[Prices]:
        """The project's own prices of models."""
        return get(f"/projects/{part(project_id)}/prices", Prices)

    @operation
    def set_prices(self, project_id: str, draft: PricesDraft) -> Request[Prices]:
        """Replace the project's own prices of models; a model that is left out loses its price."""
        return put(f"/projects/{part(project_id)}/prices", Prices, draft)

    @operation
    def metadata_keys(self, project_id: str) -> Request[MetadataKeys]:
        """The keys of metadata that the project has an index of."""
        return get(f"/projects/{part(project_id)}/metadata-keys", MetadataKeys)

    @operation
    def set_metadata_keys(self, project_id: str, draft: MetadataKeysDraft) -> Request[MetadataKeys]:
        """Declare which keys of metadata to index; a key that is left out loses its index."""
        return put(f"/projects/{part(project_id)}/metadata-keys", MetadataKeys, draft)

    @operation
    def text_search(self, project_id: str) -> Request[TextSearch]:
        """Whether the project's root spans can be searched by their words."""
        return get(f"/projects/{part(project_id)}/text-search", TextSearch)

    @operation
    def set_text_search(self, project_id: str, draft: TextSearchDraft) -> Request[TextSearch]:
        """Switch the text search of a project on or off; a job indexes what is there, or empties the index."""
        return put(f"/projects/{part(project_id)}/text-search", TextSearch, draft)

    @listing
    def keys(self) -> ListRequest[Key]:
        """Keys without their secrets, newest first."""
        return get_all("/keys", Key)

    @operation
    def create_key(self, draft: KeyDraft) -> Request[NewKey]:
        """Make a key. The answer shows the secret, once."""
        return Request("POST", "/keys", _new_key, body=body_of(draft))

    @operation
    def revoke_key(self, id: str) -> Request[Deleted]:
        """Revoke a key."""
        return delete(f"/keys/{part(id)}")

    @operation
    def whoami(self) -> Request[Session]:
        """The role, the project and the name of the key that is used."""
        return get("/session", Session)

    @operation
    def create_login_code(self) -> Request[LoginCode]:
        """A code with which a browser logs in once as the holder of this key, at `/login#code=…`."""
        return post("/session/codes", LoginCode)

    @operation
    def create_review_link(self, draft: ReviewLinkDraft) -> Request[ReviewLink]:
        """A link that logs one person in, once, with access to the review queue of a project only."""
        return post("/review-links", ReviewLink, draft)

    @operation
    def create_share(self, draft: ShareDraft) -> Request[NewShare]:
        """A read-only link to one view, such as a comparison, for people without a key."""
        return post("/shares", NewShare, draft)

    @listing
    def shares(self, project_id: str | None = None) -> ListRequest[ViewShare]:
        """Links to views that work still, without their tokens, newest first."""
        return get_all("/shares", ViewShare, project_id=project_id)

    @operation
    def revoke_share(self, id: str) -> Request[Deleted]:
        """Revoke a share: whoever has its link open sees nothing more."""
        return delete(f"/shares/{part(id)}")

    # --- traces -----

    @operation
    def ingest(self, spans: Iterable[SpanDraft], project_id: str | None = None) -> Request[Ingested]:
        """Store a batch of up to 1000 spans, all of it or nothing."""
        return post("/traces/ingest", Ingested, build(IngestDraft, spans=list(spans), project_id=project_id))

    @operation
    def send_traces(self, request: bytes, project_id: str | None = None) -> Request[OtlpReceived]:
        """Store spans of OpenTelemetry: an ExportTraceServiceRequest as protobuf.

        Spans that are stored already are accepted again and stay as they are. What cannot be stored is counted as
        rejected; the rest is stored. The project is that of the key, else `project_id`, else what the resources say:
        `gnomon.project` or `service.name`.
        """
        return export("/traces", request, project_id)

    @operation
    def send_logs(self, request: bytes, project_id: str | None = None) -> Request[OtlpReceived]:
        """Store log records of OpenTelemetry that belong to spans: an ExportLogsServiceRequest as protobuf.

        Evaluation results become scores of their spans, prompts and completions join them.
        """
        return export("/logs", request, project_id)

    @listing
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
    ) -> ListRequest[TraceRow]:
        """Traces without their spans, newest first unless `sort` says otherwise.

        `metadata` keeps those with each pair in some span, `scorer_name` those with a score of that scorer, between
        `min` and `max`, and `q` those whose root span holds each of these words (`word*`: one that begins so).
        """
        return get_all(
            "/traces", TraceRow, project_id=project_id, has_error=has_error, in_queue=in_queue,
            conversation_id=conversation_id, model=model, min_duration_ms=min_duration_ms,
            max_duration_ms=max_duration_ms, scorer_name=scorer_name, min=min, max=max, q=q, sort=sort,
            **_times(after, before), **_metadata(metadata),
        )  # fmt: skip

    @operation
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
    ) -> Request[TraceFacets]:
        """Counts of the traces that match these filters: errors, queued traces, models, metadata."""
        return get(
            "/traces/facets", TraceFacets, project_id=project_id, has_error=has_error, in_queue=in_queue,
            conversation_id=conversation_id, model=model, min_duration_ms=min_duration_ms,
            max_duration_ms=max_duration_ms, scorer_name=scorer_name, min=min, max=max, q=q,
            **_times(after, before), **_metadata(metadata),
        )  # fmt: skip

    @operation
    def trace_trends(
        self,
        project_id: str,
        bucket: Bucket | None = None,
        *,
        after: datetime | None = None,
        before: datetime | None = None,
    ) -> Request[TraceTrends]:
        """Traces per hour or day: how many, errors, duration and cost, with intervals."""
        path = f"/projects/{part(project_id)}/trends/traces"
        return get(path, TraceTrends, bucket=bucket, **_times(after, before))

    @operation
    def trace(self, id: str, project_id: str | None = None) -> Request[Trace]:
        """One trace with its spans, by start time."""
        return get(f"/traces/{part(id)}", Trace, project_id=project_id)

    @operation
    def trace_skeleton(self, id: str, project_id: str | None = None) -> Request[TraceSkeleton]:
        """One trace with its spans as arrays, without inputs, outputs and other large values."""
        return get(f"/traces/{part(id)}", TraceSkeleton, project_id=project_id, spans="skeleton")

    @operation
    def span(
        self, trace_id: str, span_id: str, project_id: str | None = None, *, max_bytes: int | None = None
    ) -> Request[SpanDetail]:
        """One span of a trace. With `max_bytes` longer inputs, outputs and texts of attributes are cut."""
        path = f"/traces/{part(trace_id)}/spans/{part(span_id)}"
        return get(path, SpanDetail, project_id=project_id, max_bytes=max_bytes)

    @operation
    def trace_scores(self, trace_id: str, project_id: str | None = None) -> Request[TraceScores]:
        """The scores of all spans of a trace, and why others have none."""
        return get(f"/traces/{part(trace_id)}/scores", TraceScores, project_id=project_id)

    @operation
    def find_spans(self, trace_id: str, q: str, project_id: str | None = None) -> Request[FoundSpans]:
        """The spans of a trace whose name, model, input or output holds this text."""
        return get(f"/traces/{part(trace_id)}/find", FoundSpans, q=q, project_id=project_id)

    @operation
    def delete_trace(self, id: str, project_id: str | None = None) -> Request[Deleted]:
        """Delete a trace with its spans, their scores, its annotations and its place in the review queue."""
        return delete(f"/traces/{part(id)}", project_id=project_id)

    @operation
    def score_spans(self, draft: ScoreSpansDraft) -> Request[JobAccepted]:
        """Run built-in scorers over stored spans, as a job."""
        return post("/traces/score", JobAccepted, draft)

    @operation
    def preview_spans(self, draft: ScoreSpansDraft) -> Request[ScoringPreview]:
        """What `score_spans` would cost; nothing is stored, no model is called."""
        return post("/traces/score", ScoringPreview, draft, dry_run=True)

    # --- conversations -----

    @listing
    def conversations(
        self,
        project_id: str | None = None,
        *,
        user_id: str | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        has_error: bool | None = None,
        q: str | None = None,
    ) -> ListRequest[Conversation]:
        """Conversations, newest first. `user_id` keeps those in which this user took part, `q` those of which some
        turn's root span holds these words."""
        return get_all(
            "/conversations", Conversation, project_id=project_id, user_id=user_id, has_error=has_error, q=q,
            **_times(after, before),
        )  # fmt: skip

    @operation
    def conversation(self, id: str, project_id: str | None = None) -> Request[Conversation]:
        """One conversation: what its traces add up to."""
        return get(f"/conversations/{part(id)}", Conversation, project_id=project_id)

    @listing
    def turns(
        self, conversation_id: str, project_id: str | None = None, *, content: TurnContent | None = None
    ) -> ListRequest[ConversationTurn]:
        """The traces of a conversation in the order in which they began, with their roots' input and output; with
        `content="readable"` with question and answer in their place."""
        address = f"/conversations/{part(conversation_id)}/turns"
        return get_all(address, ConversationTurn, project_id=project_id, content=content)

    # --- scores -----

    @operation
    def add_score(self, draft: ScoreDraft) -> Request[Score | JobAccepted | None]:
        """Store the given value, or let a built-in scorer compute one.

        A judge's score comes later: the answer is then its job. None: there was nothing to score.
        """
        return Request("POST", "/scores", _ONE_SCORE.validate_python, body=body_of(draft))

    @operation
    def add_scores(self, drafts: Iterable[ScoreDraft]) -> Request[ScoresAccepted]:
        """Up to 1000 scores, all of them or none."""
        return post("/scores/batch", ScoresAccepted, build(ScoreBatchDraft, scores=list(drafts)))

    @listing
    def scores(
        self,
        target_id: str,
        target_type: TargetType | None = None,
        *,
        scorer_name: str | None = None,
        trace_id: str | None = None,
        project_id: str | None = None,
    ) -> ListRequest[Score]:
        """The scores of one target, newest first; without `target_type`, of any target with that id.

        Conversations of several projects may have one id: `project_id` chooses."""
        return get_all(
            "/scores", Score, target_id=target_id, target_type=target_type, scorer_name=scorer_name, trace_id=trace_id,
            project_id=project_id,
        )  # fmt: skip

    @listing
    def scoring_states(
        self,
        *,
        target_id: str | None = None,
        experiment_id: str | None = None,
        state: State | None = None,
        scorer_name: str | None = None,
    ) -> ListRequest[ScoringState]:
        """Why a target, or the runs of an experiment, have no score."""
        return get_all(
            "/scoring-states", ScoringState, target_id=target_id, experiment_id=experiment_id, state=state,
            scorer_name=scorer_name,
        )  # fmt: skip

    # --- rules -----

    @operation
    def create_rule(self, draft: RuleDraft) -> Request[Rule]:
        """Score new spans that match, all of them or a sample."""
        return post("/rules", Rule, draft)

    @operation
    def preview_rule(self, draft: RuleDraft) -> Request[RulePreview]:
        """What a rule would have scored in the last 7 days; nothing is stored, no model is called."""
        return post("/rules", RulePreview, draft, dry_run=True)

    @listing
    def rules(self, project_id: str | None = None) -> ListRequest[Rule]:
        """A project's rules, newest first."""
        return get_all("/rules", Rule, project_id=project_id)

    @operation
    def rule(self, id: str) -> Request[Rule]:
        """One rule."""
        return get(f"/rules/{part(id)}", Rule)

    @operation
    def change_rule(self, id: str, change: RuleChange) -> Request[Rule]:
        """Switch a rule on or off, rename it, or sample more or less, for spans that come in from now on."""
        return patch(f"/rules/{part(id)}", Rule, change)

    @operation
    def delete_rule(self, id: str) -> Request[Deleted]:
        """Delete a rule. Its scores stay, and spans that it matched before are still scored."""
        return delete(f"/rules/{part(id)}")

    # --- datasets -----

    @operation
    def create_dataset(self, draft: DatasetDraft) -> Request[Dataset]:
        """Make a dataset. It starts at version 1, without items."""
        return post("/datasets", Dataset, draft)

    @listing
    def datasets(self, project_id: str | None = None, *, q: str | None = None) -> ListRequest[Dataset]:
        """A project's datasets, newest first; with `q`, those whose name has this text in it."""
        return get_all("/datasets", Dataset, project_id=project_id, q=q)

    @listing
    def dataset_rows(self, project_id: str | None = None, *, q: str | None = None) -> ListRequest[DatasetRow]:
        """List datasets like `datasets`, each with the number of experiments on it."""
        return get_all("/datasets", DatasetRow, project_id=project_id, q=q, include="experiments")

    @operation
    def dataset(self, id: str) -> Request[Dataset]:
        """One dataset, without its items."""
        return get(f"/datasets/{part(id)}", Dataset)

    @operation
    def delete_dataset(self, id: str, *, cascade: bool | None = None) -> Request[Deleted]:
        """Delete a dataset with its items. Experiments on it stay; with `cascade` they are deleted too, and with
        `cascade=False` the dataset is only deleted if there are none."""
        return delete(f"/datasets/{part(id)}", cascade=cascade)

    @listing
    def items(self, dataset_id: str, version: int | None = None, *, q: str | None = None) -> ListRequest[DatasetItem]:
        """The items of the newest version, or as they were at `version`; with `q`, those that hold this text."""
        return get_all(f"/datasets/{part(dataset_id)}/items", DatasetItem, version=version, q=q)

    @listing
    def lean_items(self, dataset_id: str, version: int | None = None, *, q: str | None = None) -> ListRequest[LeanItem]:
        """List items like `items`, with each text cut to 300 characters, as a table shows them."""
        return get_all(f"/datasets/{part(dataset_id)}/items", LeanItem, version=version, q=q, fields="lean")

    @operation
    def add_item(self, dataset_id: str, draft: ItemDraft) -> Request[DatasetItem]:
        """Add one item; this makes a new version."""
        return post(f"/datasets/{part(dataset_id)}/items", DatasetItem, draft)

    @operation
    def import_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> Request[Imported]:
        """Add many items as one new version of the dataset."""
        lines = b"".join(body_of(draft) + b"\n" for draft in drafts)
        path = f"/datasets/{part(dataset_id)}/items/import"
        return Request("POST", path, Imported.model_validate, body=lines, media_type=NDJSON)

    @operation
    def sync_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> Request[ItemsSynced]:
        """Make a dataset contain exactly these items, up to 100,000, as one new version; none if nothing changed.

        Items match by `key`, else by content. Equal content keeps its item id; what is left out is removed.
        """
        return put(f"/datasets/{part(dataset_id)}/items", ItemsSynced, build(ItemsDraft, items=list(drafts)))

    @operation
    def item(self, dataset_id: str, item_id: str) -> Request[DatasetItem]:
        """One item, even if the newest version no longer has it."""
        return get(f"/datasets/{part(dataset_id)}/items/{part(item_id)}", DatasetItem)

    @operation
    def change_item(self, dataset_id: str, item_id: str, draft: ItemDraft) -> Request[DatasetItem]:
        """Replace an item's content, as a new version: the answer is a new item with an id of its own."""
        return put(f"/datasets/{part(dataset_id)}/items/{part(item_id)}", DatasetItem, draft)

    @listing
    def item_runs(self, dataset_id: str, item_id: str) -> ListRequest[ItemRun]:
        """The runs on an item with their scores, over all experiments, newest first."""
        return get_all(f"/datasets/{part(dataset_id)}/items/{part(item_id)}/runs", ItemRun)

    @operation
    def export_items(self, dataset_id: str, version: int | None = None) -> Request[str]:
        """The items of the newest version, or as they were at `version`, as NDJSON that an import reads."""
        return get_text(f"/datasets/{part(dataset_id)}/items/export", NDJSON, version=version)

    @listing
    def dataset_versions(self, dataset_id: str) -> ListRequest[DatasetVersion]:
        """The versions of a dataset with what changed in each, newest first."""
        return get_all(f"/datasets/{part(dataset_id)}/versions", DatasetVersion)

    @operation
    def item_quality(
        self,
        dataset_id: str,
        scorer_name: str,
        *,
        pass_threshold: float | None = None,
        sort: QualityOrder | None = None,
        most: int | None = None,
        solved: Solved | None = None,
    ) -> Request[DatasetQuality]:
        """How hard each item is and how well it separates experiments, over all experiments on the dataset."""
        return get(
            f"/datasets/{part(dataset_id)}/quality", DatasetQuality, scorer_name=scorer_name,
            pass_threshold=pass_threshold, sort=sort, most=most, solved=solved,
        )  # fmt: skip

    @operation
    def delete_item(self, dataset_id: str, item_id: str) -> Request[Deleted]:
        """Remove an item from the newest version on."""
        return delete(f"/datasets/{part(dataset_id)}/items/{part(item_id)}")

    @operation
    def leaderboard(
        self, dataset_id: str, scorer_name: str, options: LeaderboardOptions | None = None
    ) -> Request[Leaderboard]:
        """The agents whose experiments run over a dataset, ranked by one scorer."""
        return get("/leaderboard", Leaderboard, dataset_id=dataset_id, scorer_name=scorer_name, **_options(options))

    @operation
    def leaderboard_page(
        self, dataset_id: str, scorer_name: str, options: LeaderboardOptions | None = None
    ) -> Request[str]:
        """The same as one file of HTML that fetches nothing."""
        return get_text("/leaderboard/page", dataset_id=dataset_id, scorer_name=scorer_name, **_options(options))

    # --- experiments -----

    @operation
    def create_experiment(self, draft: ExperimentDraft) -> Request[Experiment]:
        """Make an experiment on a dataset as it is now."""
        return post("/experiments", Experiment, draft)

    @listing
    def experiments(
        self,
        project_id: str | None = None,
        dataset_id: str | None = None,
        name: str | None = None,
        *,
        status: Status | None = None,
        q: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> ListRequest[Experiment]:
        """A project's experiments, newest first: those of a name, with the text `q` in their name, with metadata."""
        named = {f"metadata.{key}": value for key, value in (metadata or {}).items()}
        return get_all(
            "/experiments", Experiment, project_id=project_id, dataset_id=dataset_id, name=name, status=status, q=q,
            **named,
        )  # fmt: skip

    @listing
    def experiment_rows(
        self,
        project_id: str | None = None,
        dataset_id: str | None = None,
        name: str | None = None,
        *,
        status: Status | None = None,
        q: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> ListRequest[ExperimentRow]:
        """List experiments like `experiments`, each with its scorers' means, its last gate and its cost."""
        named = {f"metadata.{key}": value for key, value in (metadata or {}).items()}
        return get_all(
            "/experiments", ExperimentRow, project_id=project_id, dataset_id=dataset_id, name=name, status=status,
            q=q, include="summary", **named,
        )  # fmt: skip

    @operation
    def experiment(self, id: str) -> Request[Experiment]:
        """One experiment."""
        return get(f"/experiments/{part(id)}", Experiment)

    @operation
    def delete_experiment(self, id: str) -> Request[Deleted]:
        """Delete an experiment with its runs, their scores, its jobs and its gates. Traces of its runs stay."""
        return delete(f"/experiments/{part(id)}")

    @operation
    def add_runs(
        self, experiment_id: str, runs: Iterable[RunDraft], *, replace_failed: bool = False
    ) -> Request[RunsAccepted]:
        """Store up to 1000 runs with their inline scores, all of them or none.

        With `replace_failed` they replace runs of the same item and trial that ended in an error, also in a completed
        experiment.
        """
        options = {"replace_failed": True} if replace_failed else {}  # servers that do not know it need not be told
        draft = build(RunsDraft, runs=list(runs), **options)
        return post(f"/experiments/{part(experiment_id)}/runs", RunsAccepted, draft)

    @listing
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
    ) -> ListRequest[Run]:
        """Runs with their scores and the item's input and expected output, the newest first unless `sort` is given.

        `min`, `max`, `state`, `reason` and `label` are about `scorer_name`; `q` is a text in input, output or
        expected output.
        """
        return get_all(
            f"/experiments/{part(experiment_id)}/runs", Run, scorer_name=scorer_name, min=min, max=max, sort=sort,
            dataset_item_id=dataset_item_id, trial=trial, has_error=has_error, state=state, reason=reason,
            label=label, q=q,
        )  # fmt: skip

    @listing
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
    ) -> ListRequest[LeanRun]:
        """List runs like `runs`, cut to a row of a table: 300 characters per text, values instead of scores."""
        return get_all(
            f"/experiments/{part(experiment_id)}/runs", LeanRun, scorer_name=scorer_name, min=min, max=max, sort=sort,
            dataset_item_id=dataset_item_id, trial=trial, has_error=has_error, state=state, reason=reason,
            label=label, q=q, fields="lean",
        )  # fmt: skip

    @operation
    def run(self, id: str, max_bytes: int | None = None) -> Request[RunDetail]:
        """One run with its scores and where it stands with the other scorers; `max_bytes` cuts what is longer."""
        return get(f"/runs/{part(id)}", RunDetail, max_bytes=max_bytes)

    @operation
    def transcript(self, run_id: str) -> Request[RunTranscript]:
        """What the agent did in a run, step by step, with the evidence of each claim of its score in place."""
        return get(f"/runs/{part(run_id)}/transcript", RunTranscript)

    @operation
    def histogram(self, experiment_id: str, scorer_name: str, bins: int | None = None) -> Request[Histogram]:
        """How one scorer's scores are distributed, and how many runs have none, by reason."""
        return get(f"/experiments/{part(experiment_id)}/histogram", Histogram, scorer_name=scorer_name, bins=bins)

    @operation
    def complete(self, experiment_id: str, stopping: StoppingDraft | None = None) -> Request[Experiment]:
        """Take no more runs. Scores may still be attached.

        With `stopping` the evaluation could end before all items were run: its intervals then hold at every look.
        """
        draft = None if stopping is None else build(CompleteDraft, stopping=stopping)
        return post(f"/experiments/{part(experiment_id)}/complete", Experiment, draft)

    @operation
    def set_metrics(self, experiment_id: str, draft: MetricsDraft) -> Request[Metrics]:
        """Replace the metrics of a whole experiment that are not means of scores; its summary shows them."""
        return put(f"/experiments/{part(experiment_id)}/metrics", Metrics, draft)

    @operation
    def hold(self, experiment_id: str, draft: HoldDraft) -> Request[Hold]:
        """Hold an experiment for some seconds, so that no other process evaluates into it; 0 seconds release it."""
        return post(f"/experiments/{part(experiment_id)}/hold", Hold, draft)

    @operation
    def summary(
        self,
        experiment_id: str,
        missing: MissingPolicy | None = None,
        pass_threshold: float | None = None,
        cluster_by: str | None = None,
        interval: IntervalMethod | None = None,
    ) -> Request[Summary]:
        """Every scorer: mean with interval, pass@k, what is missing and why."""
        return get(
            f"/experiments/{part(experiment_id)}/summary", Summary, missing=missing, pass_threshold=pass_threshold,
            cluster_by=cluster_by, interval=interval,
        )  # fmt: skip

    @operation
    def compare(
        self,
        base_id: str,
        other_id: str,
        min_effect: float | None = None,
        missing: MissingPolicy | None = None,
        interval: IntervalMethod | None = None,
        items: PerItem | None = None,
    ) -> Request[ExperimentComparison]:
        """How `other_id` differs from `base_id`, item by item; the strongest evidence of regression comes first.

        With `items` "none", the items are left out.
        """
        path = f"/experiments/{part(base_id)}/compare/{part(other_id)}"
        return get(path, ExperimentComparison, min_effect=min_effect, missing=missing, interval=interval, items=items)

    @listing
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
    ) -> ListRequest[ComparedItem]:
        """One scorer in two experiments, item by item, with both outputs; the largest regression first."""
        path = f"/experiments/{part(base_id)}/compare/{part(other_id)}/items"
        return get_all(path, ComparedItem, scorer_name=scorer_name, missing=missing, show=show, sort=sort, q=q)

    @operation
    def comparison_points(
        self, base_id: str, other_id: str, scorer_name: str, missing: MissingPolicy | None = None
    ) -> Request[ComparisonPoints]:
        """One scorer in two experiments: both scores of every item, as columns; the first 5,000 items."""
        path = f"/experiments/{part(base_id)}/compare/{part(other_id)}/points"
        return get(path, ComparisonPoints, scorer_name=scorer_name, missing=missing)

    @operation
    def threshold(self, experiment_id: str, draft: ThresholdDraft) -> Request[ThresholdResult]:
        """Check one metric of one scorer against a threshold, and store the result."""
        return post(f"/experiments/{part(experiment_id)}/threshold", ThresholdResult, draft)

    @operation
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
    ) -> Request[ThresholdResult]:
        """Check one metric of one scorer against a threshold, as `threshold` does, but store nothing."""
        return get(
            f"/experiments/{part(experiment_id)}/threshold", ThresholdResult, scorer_name=scorer_name, metric=metric,
            threshold=threshold, comparison=comparison, k=k, bound=bound, min_n=min_n, sequential=sequential,
            missing=missing, cluster_by=cluster_by, interval=interval,
        )  # fmt: skip

    @listing
    def thresholds(self, experiment_id: str) -> ListRequest[ThresholdRecord]:
        """The results that `threshold` stored, newest first."""
        return get_all(f"/experiments/{part(experiment_id)}/thresholds", ThresholdRecord)

    @operation
    def variance(self, experiment_id: str, scorer_name: str, against_id: str | None = None) -> Request[Variance]:
        """Where the variance of one scorer's numbers comes from: what planning starts from."""
        path = f"/experiments/{part(experiment_id)}/variance"
        return get(path, Variance, scorer_name=scorer_name, against=against_id)

    @operation
    def score_experiment(self, experiment_id: str, draft: ScoreExperimentDraft) -> Request[JobAccepted]:
        """Run built-in scorers over the runs, as a job."""
        return post(f"/experiments/{part(experiment_id)}/score", JobAccepted, draft)

    @operation
    def preview_experiment(self, experiment_id: str, draft: ScoreExperimentDraft) -> Request[ScoringPreview]:
        """What `score_experiment` would cost; nothing is stored, no model is called."""
        return post(f"/experiments/{part(experiment_id)}/score", ScoringPreview, draft, dry_run=True)

    # --- jobs -----

    @listing
    def jobs(self, project_id: str | None = None, *, status: str | None = None) -> ListRequest[Job]:
        """A project's jobs, newest first."""
        return get_all("/jobs", Job, project_id=project_id, status=status)

    @operation
    def jobs_summary(self, project_id: str | None = None) -> Request[JobsSummary]:
        """How many jobs a project has by status and kind, and what they cost."""
        return get("/jobs/summary", JobsSummary, project_id=project_id)

    @operation
    def job(self, id: str) -> Request[Job]:
        """One job: how far it is, and why it failed if it did."""
        return get(f"/jobs/{part(id)}", Job)

    @operation
    def retry_job(self, id: str) -> Request[Job]:
        """Queue a failed or cancelled job again; it goes on where it stopped."""
        return post(f"/jobs/{part(id)}/retry", Job)

    @operation
    def cancel_job(self, id: str) -> Request[Job]:
        """Stop an open job; what it has stored stays."""
        return post(f"/jobs/{part(id)}/cancel", Job)

    # --- playground -----

    @operation
    def askable_models(self, project_id: str | None = None, *, model: str | None = None) -> Request[AskableModels]:
        """Which models the server may ask, by provider, and why not others; `model` asks about one name."""
        return get("/playground/models", AskableModels, project_id=project_id, model=model)

    @operation
    def preview_playground(self, draft: PlaygroundDraft) -> Request[PlaygroundPreview]:
        """What `run_playground` would take; nothing is stored, no model is asked."""
        return post("/playground/preview", PlaygroundPreview, draft)

    @operation
    def run_playground(self, draft: PlaygroundDraft) -> Request[PlaygroundAccepted]:
        """Ask prompts with their models about some items, as a job that stores an experiment of each."""
        return post("/playground", PlaygroundAccepted, draft)

    # --- human review -----

    @operation
    def annotate(self, draft: AnnotationDraft) -> Request[Annotation]:
        """Annotate a trace, one of its spans, or a run, with scores that are stored together with the annotation."""
        return post("/annotations", Annotation, draft)

    @listing
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
    ) -> ListRequest[Annotation]:
        """Annotations, newest first: of a trace, a run or an experiment's runs, by an annotator, or with a label."""
        return get_all(
            "/annotations", Annotation, trace_id=trace_id, run_id=run_id, experiment_id=experiment_id, span_id=span_id,
            annotator=annotator, label=label, after=after, project_id=project_id,
        )  # fmt: skip

    @operation
    def annotation(self, id: str) -> Request[Annotation]:
        """One annotation."""
        return get(f"/annotations/{part(id)}", Annotation)

    @operation
    def correct_annotation(self, id: str, draft: AnnotationChange) -> Request[Annotation]:
        """Replace an annotation's label, correction, notes and scores."""
        return put(f"/annotations/{part(id)}", Annotation, draft)

    @operation
    def undo_annotation(self, id: str) -> Request[Deleted]:
        """Delete an annotation and the scores that it gave."""
        return delete(f"/annotations/{part(id)}")

    @operation
    def annotation_to_item(self, id: str, draft: ToItemDraft) -> Request[DatasetItem]:
        """Make a dataset item from the input and the annotation's correction."""
        return post(f"/annotations/{part(id)}/to-dataset-item", DatasetItem, draft)

    @operation
    def queue_trace(
        self, id: str, project_id: str | None = None, draft: QueueReasonDraft | None = None
    ) -> Request[Queued]:
        """Put a trace in the review queue. If it is there already, it keeps its position."""
        return post(f"/traces/{part(id)}/queue", Queued, draft, project_id=project_id)

    @operation
    def unqueue_trace(self, id: str, project_id: str | None = None) -> Request[Queued]:
        """Take a trace out of the review queue. Its annotations stay."""
        return delete(f"/traces/{part(id)}/queue", Queued, project_id=project_id)

    @operation
    def queue_run(self, id: str, draft: QueueReasonDraft | None = None) -> Request[QueuedRun]:
        """Put a run of an experiment in the review queue. If it is there already, it keeps its position."""
        return post(f"/runs/{part(id)}/queue", QueuedRun, draft)

    @operation
    def unqueue_run(self, id: str) -> Request[QueuedRun]:
        """Take a run out of the review queue. Its annotations stay."""
        return delete(f"/runs/{part(id)}/queue", QueuedRun)

    @operation
    def queue_targets(self, draft: QueueDraft) -> Request[QueuedTargets]:
        """Put up to 1,000 traces, runs and spans in the review queue, all of them or none."""
        return post("/queue", QueuedTargets, draft)

    @listing
    def review_queue(
        self,
        project_id: str | None = None,
        *,
        status: QueueStatus | None = None,
        annotator: str | None = None,
        mine: bool | None = None,
        target_type: CardType | None = None,
        q: str | None = None,
    ) -> ListRequest[QueueItem]:
        """Cards of the review queue, the longest waiting first; with `q` those whose content holds this text."""
        return get_all(
            "/queue", QueueItem, project_id=project_id, status=status, annotator=annotator, mine=mine,
            target_type=target_type, q=q,
        )  # fmt: skip

    @operation
    def queue_counts(self, project_id: str | None = None, annotator: str | None = None) -> Request[ReviewCounts]:
        """How many cards are pending and annotated, and how many of them the annotator has done."""
        return get("/queue/counts", ReviewCounts, project_id=project_id, annotator=annotator)

    @operation
    def next_card(
        self,
        project_id: str | None = None,
        *,
        after: str | None = None,
        direction: Direction | None = None,
        annotator: str | None = None,
    ) -> Request[NextCard]:
        """The next card that the annotator has not annotated and nobody else holds."""
        return get(
            "/queue/next", NextCard, project_id=project_id, after=after, direction=direction, annotator=annotator
        )

    @operation
    def claim_next_card(self, draft: NextClaimDraft | None = None) -> Request[NextCard]:
        """Choose the next card and hold it for ten minutes, in one step."""
        return post("/queue/next", NextCard, draft)

    @operation
    def review_card(
        self, target_type: CardType, target_id: str, project_id: str | None = None, *, annotator: str | None = None
    ) -> Request[ReviewCard]:
        """One card of the review queue in full; what judges scored is held back until `annotator` has annotated it."""
        return get(f"/queue/{target_type}/{part(target_id)}", ReviewCard, project_id=project_id, annotator=annotator)

    @operation
    def claim_card(
        self, target_type: CardType, target_id: str, draft: ClaimDraft | None = None, project_id: str | None = None
    ) -> Request[ReviewClaim]:
        """Hold a card for ten minutes, so that nobody else works on it."""
        return post(f"/queue/{target_type}/{part(target_id)}/claim", ReviewClaim, draft, project_id=project_id)

    @operation
    def release_card(
        self, target_type: CardType, target_id: str, annotator: str | None = None, project_id: str | None = None
    ) -> Request[ReviewClaim]:
        """Give a card back before the ten minutes are over."""
        return delete(
            f"/queue/{target_type}/{part(target_id)}/claim", ReviewClaim, annotator=annotator, project_id=project_id
        )

    @operation
    def review_settings(self, project_id: str) -> Request[ReviewSettings]:
        """A project's label set, how many reviews a card needs, and whether reviewers see each other's."""
        return get(f"/projects/{part(project_id)}/review-settings", ReviewSettings)

    @operation
    def set_review_settings(self, project_id: str, draft: ReviewSettingsDraft) -> Request[ReviewSettings]:
        """Set how a project reviews; what is left out gets its default."""
        return put(f"/projects/{part(project_id)}/review-settings", ReviewSettings, draft)

    @operation
    def review_agreement(
        self, project_id: str | None = None, scorer_name: str | None = None
    ) -> Request[ReviewAgreement]:
        """Whether reviewers agree: Krippendorff's α, pair by pair, and where they differ most."""
        return get("/review/agreement", ReviewAgreement, project_id=project_id, scorer_name=scorer_name)

    # --- judges -----

    @operation
    def calibration(
        self, judge: str, human: str, project_id: str | None = None, config_hash: str | None = None
    ) -> Request[Calibration]:
        """How well a judge's scores agree with people's, and its mean corrected by them."""
        return get(
            "/calibration", Calibration, judge=judge, human=human, project_id=project_id, config_hash=config_hash
        )

    @listing
    def judges(self, project_id: str | None = None) -> ListRequest[Judge]:
        """The judges that have scores, the last used first."""
        return get_all("/judges", Judge, project_id=project_id)

    @operation
    def judge_card(
        self, scorer_name: str, project_id: str | None = None, config_hash: str | None = None, human: str | None = None
    ) -> Request[JudgeCard]:
        """How far a judge can be trusted: failures, repeats, length, its own family, people, cost, the newest probe."""
        path = f"/judges/{part(scorer_name)}/card"
        return get(path, JudgeCard, project_id=project_id, config_hash=config_hash, human=human)

    @operation
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
    ) -> Request[ToLabel]:
        """Which targets people should label next, and how many until the corrected mean is as sure as wanted."""
        return get(
            f"/judges/{part(scorer_name)}/to-label", ToLabel, project_id=project_id, config_hash=config_hash,
            human=human, mode=mode, limit=limit, target_width=target_width,
        )  # fmt: skip

    @operation
    def probe_plan(
        self,
        scorer_name: str,
        project_id: str | None = None,
        config_hash: str | None = None,
        *,
        samples: int | None = None,
        seed: int | None = None,
    ) -> Request[ProbePlan]:
        """What a probe of the judge would take: calls, tokens and US dollars, as far as they are known."""
        return get(
            f"/judges/{part(scorer_name)}/probe-plan", ProbePlan, project_id=project_id, config_hash=config_hash,
            samples=samples, seed=seed,
        )  # fmt: skip

    @operation
    def probe_judge(self, scorer_name: str, draft: ProbeDraft) -> Request[JobAccepted]:
        """Ask the judge on purpose, as a job: the same twice, with its labels turned, with a plea in the output."""
        return post(f"/judges/{part(scorer_name)}/probe", JobAccepted, draft)

    # --- coding agents -----

    @operation
    def push_iterations(self, batch: IterationBatchDraft) -> Request[IterationsAccepted]:
        """Store scored iterations, all of them or none; those that are stored already are updated."""
        return post("/iterations", IterationsAccepted, batch)

    @listing
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
    ) -> ListRequest[Iteration]:
        """A project's iterations, the highest number first."""
        return get_all(
            "/iterations", Iteration, project_id=project_id, source=source, rubric_version=rubric_version,
            session_id=session_id, band=band, provisional=provisional, agent=agent, model=model, label=label,
            rules_file=rules_file,
        )  # fmt: skip

    @operation
    def iteration(self, id: str) -> Request[Iteration]:
        """One iteration: its score, the rows that explain it, and claims against facts."""
        return get(f"/iterations/{part(id)}", Iteration)

    @operation
    def iteration_context(self, id: str) -> Request[IterationContext]:
        """The context of one iteration: the ones before and after it, its session, other rubrics, its traces."""
        return get(f"/iterations/{part(id)}/context", IterationContext)

    @operation
    def iteration_trend(
        self, project_id: str | None = None, options: IterationTrendOptions | None = None
    ) -> Request[IterationTrend]:
        """Values over time: the newest iterations of one source by one rubric version in brief, with their sessions."""
        return get("/iterations/trend", IterationTrend, project_id=project_id, **_options(options))

    @operation
    def iteration_facets(
        self, project_id: str | None = None, options: IterationOptions | None = None
    ) -> Request[IterationFacets]:
        """What iterations can be filtered and compared by: sources, sessions, agents, models, labels, …"""
        return get("/iterations/facets", IterationFacets, project_id=project_id, **_options(options))

    @operation
    def iteration_summary(
        self, project_id: str | None = None, options: IterationSummaryOptions | None = None
    ) -> Request[IterationSummary]:
        """Every scorer of a group of iterations: mean with interval, what is missing and why."""
        return get("/iterations/summary", IterationSummary, project_id=project_id, **_options(options))

    @operation
    def iteration_threshold(
        self,
        scorer_name: str,
        metric: GroupMetric,
        threshold: float,
        project_id: str | None = None,
        options: IterationThresholdOptions | None = None,
    ) -> Request[ThresholdResult]:
        """Check one metric of a group of iterations against a threshold; nothing is stored."""
        return get(
            "/iterations/threshold", ThresholdResult, scorer_name=scorer_name, metric=metric, threshold=threshold,
            project_id=project_id, **_options(options),
        )  # fmt: skip

    @operation
    def compare_iterations(
        self, by: GroupBy, project_id: str | None = None, options: IterationComparisonOptions | None = None
    ) -> Request[IterationComparison]:
        """Two groups of iterations: the difference of their means, unpaired, clustered, with a verdict."""
        return get("/iterations/compare", IterationComparison, by=by, project_id=project_id, **_options(options))

    @listing
    def outcome_sessions(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> ListRequest[OutcomeSession]:
        """The mean of each session with its interval, the newest first, one for each rubric version."""
        return get_all("/sessions", OutcomeSession, project_id=project_id, source=source, rubric_version=rubric_version)

    @operation
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
    ) -> Request[Honesty]:
        """How far each role's claims agree with the facts, by one rubric version (default: the last pushed)."""
        return get(
            "/integrity", Honesty, project_id=project_id, source=source, rubric_version=rubric_version,
            session_id=session_id, agent=agent, model=model, label=label, rules_file=rules_file,
        )  # fmt: skip

    @operation
    def outcomes_page(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Request[str]:
        """Values over time, sessions and honesty of one source as a page of HTML that fetches nothing."""
        return get_text("/outcomes/page", project_id=project_id, source=source, rubric_version=rubric_version)


def _options(options: BaseModel | None) -> dict[str, Any]:
    return {} if options is None else options.model_dump(exclude_unset=True)


def _time(field: str, value: datetime | None) -> str | None:
    return None if value is None else iso(option(field, _MOMENT, value))


def _times(after: datetime | None, before: datetime | None) -> dict[str, str | None]:
    return {"after": _time("after", after), "before": _time("before", before)}


def _metadata(pairs: Mapping[str, str] | None) -> dict[str, str]:
    return {f"metadata.{text('metadata', key)}": value for key, value in (pairs or {}).items()}


def _new_key(content: Any) -> NewKey:
    new_key = NewKey.model_validate(content)
    if new_key.key is None:  # the first answer was lost on the way, and a secret is shown only once
        raise Conflict(
            f"key {new_key.id} was created, but the answer with its secret was lost; revoke it and create another"
        )
    return new_key
