"""The backend: everything that a caller can do with Gnomon, as one typed protocol.

Commands, the SDK and whatever else uses Gnomon know only `Backend`. It has one method for each operation of the HTTP
contract, and two implementations: `gnomon.client.Client` asks a server, `gnomon.service.embedded.Embedded` works on a
database in this process. Both give the same answers and the same refusals.

An option that is left out (None) is the server's to decide. Lists are iterators that fetch pages as they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Protocol

from gnomon.errors import Conflict, InvalidInput, NotFound
from gnomon.model.access import Key, KeyDraft, NewKey, ReviewLink, ReviewLinkDraft
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.budget import Budget, BudgetDraft, ScoringPreview
from gnomon.model.calibration import Calibration
from gnomon.model.card import Judge, JudgeCard, LabelMode, ProbeDraft, ProbePlan, ToLabel
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
    ItemsSynced,
    LeanItem,
)
from gnomon.model.drift import Drift, DriftOptions
from gnomon.model.experiment import (
    Bound,
    Comparison,
    Experiment,
    ExperimentComparison,
    ExperimentDraft,
    Metric,
    Run,
    RunDraft,
    RunOrder,
    RunsAccepted,
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
from gnomon.model.naming import check_at, choose, choose_other
from gnomon.model.nearest import did_you_mean
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
from gnomon.model.score import Score, ScoreDraft, ScoresAccepted, ScoringState, State, TargetType
from gnomon.model.scorerlist import ScorerInUse
from gnomon.model.share import NewShare, ShareDraft, ViewShare
from gnomon.model.stopping import StoppingDraft
from gnomon.model.trace import Deleted, Ingested, Project, ProjectDraft, SpanDraft, Trace, TraceRow
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
from gnomon.shorten import list_some


class Backend(Protocol):
    """What a caller can do. `help(gnomon.Client)` and docs/reference/python-client-methods.md describe each method."""

    # --- projects and keys -----

    def projects(self) -> Iterator[Project]: ...
    def create_project(self, draft: ProjectDraft) -> Project: ...
    def project(self, id: str) -> Project: ...
    def delete_project(self, id: str, confirm: str | None = None) -> Deleted: ...
    def project_contents(self, id: str) -> ProjectContents: ...
    def retention(self, project_id: str) -> Retention: ...
    def set_retention(self, project_id: str, draft: RetentionDraft) -> Retention: ...
    def project_summary(self, id: str) -> ProjectSummary: ...
    def dashboard(self, project_id: str, window: Window | None = None) -> Dashboard: ...
    def trends(
        self,
        project_id: str,
        *,
        scorer_name: str | None = None,
        dataset_id: str | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        sort: TrendOrder | None = None,
    ) -> Iterator[ExperimentPoint]: ...
    def score_trends(
        self,
        project_id: str,
        *,
        scorer_name: str | None = None,
        bucket: Bucket | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
    ) -> ScoreTrends: ...
    def scorers(self, project_id: str | None = None, dataset_id: str | None = None) -> Iterator[ScorerInUse]: ...
    def words(self) -> Words: ...
    def drift(self, project_id: str, options: DriftOptions | None = None) -> Drift: ...
    def budget(self, project_id: str) -> Budget: ...
    def set_budget(self, project_id: str, draft: BudgetDraft) -> Budget: ...
    def prices(self, project_id: str) -> Prices: ...
    def set_prices(self, project_id: str, draft: PricesDraft) -> Prices: ...
    def metadata_keys(self, project_id: str) -> MetadataKeys: ...
    def set_metadata_keys(self, project_id: str, draft: MetadataKeysDraft) -> MetadataKeys: ...
    def text_search(self, project_id: str) -> TextSearch: ...
    def set_text_search(self, project_id: str, draft: TextSearchDraft) -> TextSearch: ...
    def keys(self) -> Iterator[Key]: ...
    def create_key(self, draft: KeyDraft) -> NewKey: ...
    def revoke_key(self, id: str) -> Deleted: ...
    def whoami(self) -> Session: ...
    def create_login_code(self) -> LoginCode: ...
    def create_review_link(self, draft: ReviewLinkDraft) -> ReviewLink: ...
    def create_share(self, draft: ShareDraft) -> NewShare: ...
    def shares(self, project_id: str | None = None) -> Iterator[ViewShare]: ...
    def revoke_share(self, id: str) -> Deleted: ...

    # --- traces -----

    def ingest(self, spans: Iterable[SpanDraft], project_id: str | None = None) -> Ingested: ...
    def send_traces(self, request: bytes, project_id: str | None = None) -> OtlpReceived: ...
    def send_logs(self, request: bytes, project_id: str | None = None) -> OtlpReceived: ...
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
    ) -> Iterator[TraceRow]: ...
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
    ) -> TraceFacets: ...
    def trace_trends(
        self,
        project_id: str,
        bucket: Bucket | None = None,
        *,
        after: datetime | None = None,
        before: datetime | None = None,
    ) -> TraceTrends: ...
    def trace(self, id: str, project_id: str | None = None) -> Trace: ...
    def trace_skeleton(self, id: str, project_id: str | None = None) -> TraceSkeleton: ...
    def span(
        self, trace_id: str, span_id: str, project_id: str | None = None, *, max_bytes: int | None = None
    ) -> SpanDetail: ...
    def trace_scores(self, trace_id: str, project_id: str | None = None) -> TraceScores: ...
    def find_spans(self, trace_id: str, q: str, project_id: str | None = None) -> FoundSpans: ...
    def delete_trace(self, id: str, project_id: str | None = None) -> Deleted: ...
    def score_spans(self, draft: ScoreSpansDraft) -> JobAccepted: ...
    def preview_spans(self, draft: ScoreSpansDraft) -> ScoringPreview: ...

    # --- conversations -----

    def conversations(
        self,
        project_id: str | None = None,
        *,
        user_id: str | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        has_error: bool | None = None,
        q: str | None = None,
    ) -> Iterator[Conversation]: ...
    def conversation(self, id: str, project_id: str | None = None) -> Conversation: ...
    def turns(
        self, conversation_id: str, project_id: str | None = None, *, content: TurnContent | None = None
    ) -> Iterator[ConversationTurn]: ...

    # --- scores -----

    def add_score(self, draft: ScoreDraft) -> Score | JobAccepted | None: ...
    def add_scores(self, drafts: Iterable[ScoreDraft]) -> ScoresAccepted: ...
    def scores(
        self,
        target_id: str,
        target_type: TargetType | None = None,
        *,
        scorer_name: str | None = None,
        trace_id: str | None = None,
        project_id: str | None = None,
    ) -> Iterator[Score]: ...
    def scoring_states(
        self,
        *,
        target_id: str | None = None,
        experiment_id: str | None = None,
        state: State | None = None,
        scorer_name: str | None = None,
    ) -> Iterator[ScoringState]: ...

    # --- rules -----

    def create_rule(self, draft: RuleDraft) -> Rule: ...
    def preview_rule(self, draft: RuleDraft) -> RulePreview: ...
    def rules(self, project_id: str | None = None) -> Iterator[Rule]: ...
    def rule(self, id: str) -> Rule: ...
    def change_rule(self, id: str, change: RuleChange) -> Rule: ...
    def delete_rule(self, id: str) -> Deleted: ...

    # --- datasets -----

    def create_dataset(self, draft: DatasetDraft) -> Dataset: ...
    def datasets(self, project_id: str | None = None, *, q: str | None = None) -> Iterator[Dataset]: ...
    def dataset_rows(self, project_id: str | None = None, *, q: str | None = None) -> Iterator[DatasetRow]: ...
    def dataset(self, id: str) -> Dataset: ...
    def delete_dataset(self, id: str, *, cascade: bool | None = None) -> Deleted: ...
    def items(self, dataset_id: str, version: int | None = None, *, q: str | None = None) -> Iterator[DatasetItem]: ...
    def lean_items(
        self, dataset_id: str, version: int | None = None, *, q: str | None = None
    ) -> Iterator[LeanItem]: ...
    def add_item(self, dataset_id: str, draft: ItemDraft) -> DatasetItem: ...
    def import_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> Imported: ...
    def sync_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> ItemsSynced: ...
    def item(self, dataset_id: str, item_id: str) -> DatasetItem: ...
    def change_item(self, dataset_id: str, item_id: str, draft: ItemDraft) -> DatasetItem: ...
    def item_runs(self, dataset_id: str, item_id: str) -> Iterator[ItemRun]: ...
    def export_items(self, dataset_id: str, version: int | None = None) -> str: ...
    def dataset_versions(self, dataset_id: str) -> Iterator[DatasetVersion]: ...
    def item_quality(
        self,
        dataset_id: str,
        scorer_name: str,
        *,
        pass_threshold: float | None = None,
        sort: QualityOrder | None = None,
        most: int | None = None,
        solved: Solved | None = None,
    ) -> DatasetQuality: ...
    def delete_item(self, dataset_id: str, item_id: str) -> Deleted: ...
    def leaderboard(
        self, dataset_id: str, scorer_name: str, options: LeaderboardOptions | None = None
    ) -> Leaderboard: ...
    def leaderboard_page(self, dataset_id: str, scorer_name: str, options: LeaderboardOptions | None = None) -> str: ...

    # --- experiments -----

    def create_experiment(self, draft: ExperimentDraft) -> Experiment: ...
    def experiments(
        self,
        project_id: str | None = None,
        dataset_id: str | None = None,
        name: str | None = None,
        *,
        status: Status | None = None,
        q: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Iterator[Experiment]: ...
    def experiment_rows(
        self,
        project_id: str | None = None,
        dataset_id: str | None = None,
        name: str | None = None,
        *,
        status: Status | None = None,
        q: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Iterator[ExperimentRow]: ...
    def experiment(self, id: str) -> Experiment: ...
    def delete_experiment(self, id: str) -> Deleted: ...
    def add_runs(
        self, experiment_id: str, runs: Iterable[RunDraft], *, replace_failed: bool = False
    ) -> RunsAccepted: ...
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
    ) -> Iterator[Run]: ...
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
    ) -> Iterator[LeanRun]: ...
    def run(self, id: str, max_bytes: int | None = None) -> RunDetail: ...
    def transcript(self, run_id: str) -> RunTranscript: ...
    def histogram(self, experiment_id: str, scorer_name: str, bins: int | None = None) -> Histogram: ...
    def complete(self, experiment_id: str, stopping: StoppingDraft | None = None) -> Experiment: ...
    def set_metrics(self, experiment_id: str, draft: MetricsDraft) -> Metrics: ...
    def hold(self, experiment_id: str, draft: HoldDraft) -> Hold: ...
    def summary(
        self,
        experiment_id: str,
        missing: MissingPolicy | None = None,
        pass_threshold: float | None = None,
        cluster_by: str | None = None,
        interval: IntervalMethod | None = None,
    ) -> Summary: ...
    def compare(
        self,
        base_id: str,
        other_id: str,
        min_effect: float | None = None,
        missing: MissingPolicy | None = None,
        interval: IntervalMethod | None = None,
        items: PerItem | None = None,
    ) -> ExperimentComparison: ...
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
    ) -> Iterator[ComparedItem]: ...
    def comparison_points(
        self, base_id: str, other_id: str, scorer_name: str, missing: MissingPolicy | None = None
    ) -> ComparisonPoints: ...
    def threshold(self, experiment_id: str, draft: ThresholdDraft) -> ThresholdResult: ...
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
    ) -> ThresholdResult: ...
    def thresholds(self, experiment_id: str) -> Iterator[ThresholdRecord]: ...
    def variance(self, experiment_id: str, scorer_name: str, against_id: str | None = None) -> Variance: ...
    def score_experiment(self, experiment_id: str, draft: ScoreExperimentDraft) -> JobAccepted: ...
    def preview_experiment(self, experiment_id: str, draft: ScoreExperimentDraft) -> ScoringPreview: ...

    # --- jobs -----

    def jobs(self, project_id: str | None = None, *, status: str | None = None) -> Iterator[Job]: ...
    def jobs_summary(self, project_id: str | None = None) -> JobsSummary: ...
    def job(self, id: str) -> Job: ...
    def retry_job(self, id: str) -> Job: ...
    def cancel_job(self, id: str) -> Job: ...

    # --- playground -----

    def askable_models(self, project_id: str | None = None, *, model: str | None = None) -> AskableModels: ...
    def preview_playground(self, draft: PlaygroundDraft) -> PlaygroundPreview: ...
    def run_playground(self, draft: PlaygroundDraft) -> PlaygroundAccepted: ...

    # --- human review -----

    def annotate(self, draft: AnnotationDraft) -> Annotation: ...
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
    ) -> Iterator[Annotation]: ...
    def annotation(self, id: str) -> Annotation: ...
    def correct_annotation(self, id: str, draft: AnnotationChange) -> Annotation: ...
    def undo_annotation(self, id: str) -> Deleted: ...
    def annotation_to_item(self, id: str, draft: ToItemDraft) -> DatasetItem: ...
    def queue_trace(self, id: str, project_id: str | None = None, draft: QueueReasonDraft | None = None) -> Queued: ...
    def unqueue_trace(self, id: str, project_id: str | None = None) -> Queued: ...
    def queue_run(self, id: str, draft: QueueReasonDraft | None = None) -> QueuedRun: ...
    def unqueue_run(self, id: str) -> QueuedRun: ...
    def queue_targets(self, draft: QueueDraft) -> QueuedTargets: ...
    def review_queue(
        self,
        project_id: str | None = None,
        *,
        status: QueueStatus | None = None,
        annotator: str | None = None,
        mine: bool | None = None,
        target_type: CardType | None = None,
        q: str | None = None,
    ) -> Iterator[QueueItem]: ...
    def queue_counts(self, project_id: str | None = None, annotator: str | None = None) -> ReviewCounts: ...
    def next_card(
        self,
        project_id: str | None = None,
        *,
        after: str | None = None,
        direction: Direction | None = None,
        annotator: str | None = None,
    ) -> NextCard: ...
    def claim_next_card(self, draft: NextClaimDraft | None = None) -> NextCard: ...
    def review_card(
        self, target_type: CardType, target_id: str, project_id: str | None = None, *, annotator: str | None = None
    ) -> ReviewCard: ...
    def claim_card(
        self, target_type: CardType, target_id: str, draft: ClaimDraft | None = None, project_id: str | None = None
    ) -> ReviewClaim: ...
    def release_card(
        self, target_type: CardType, target_id: str, annotator: str | None = None, project_id: str | None = None
    ) -> ReviewClaim: ...
    def review_settings(self, project_id: str) -> ReviewSettings: ...
    def set_review_settings(self, project_id: str, draft: ReviewSettingsDraft) -> ReviewSettings: ...
    def review_agreement(self, project_id: str | None = None, scorer_name: str | None = None) -> ReviewAgreement: ...

    # --- judges -----

    def calibration(
        self, judge: str, human: str, project_id: str | None = None, config_hash: str | None = None
    ) -> Calibration: ...
    def judges(self, project_id: str | None = None) -> Iterator[Judge]: ...
    def judge_card(
        self, scorer_name: str, project_id: str | None = None, config_hash: str | None = None, human: str | None = None
    ) -> JudgeCard: ...
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
    ) -> ToLabel: ...
    def probe_plan(
        self,
        scorer_name: str,
        project_id: str | None = None,
        config_hash: str | None = None,
        *,
        samples: int | None = None,
        seed: int | None = None,
    ) -> ProbePlan: ...
    def probe_judge(self, scorer_name: str, draft: ProbeDraft) -> JobAccepted: ...

    # --- coding agents -----

    def push_iterations(self, batch: IterationBatchDraft) -> IterationsAccepted: ...
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
    ) -> Iterator[Iteration]: ...
    def iteration(self, id: str) -> Iteration: ...
    def iteration_context(self, id: str) -> IterationContext: ...
    def iteration_trend(
        self, project_id: str | None = None, options: IterationTrendOptions | None = None
    ) -> IterationTrend: ...
    def iteration_facets(
        self, project_id: str | None = None, options: IterationOptions | None = None
    ) -> IterationFacets: ...
    def iteration_summary(
        self, project_id: str | None = None, options: IterationSummaryOptions | None = None
    ) -> IterationSummary: ...
    def iteration_threshold(
        self,
        scorer_name: str,
        metric: GroupMetric,
        threshold: float,
        project_id: str | None = None,
        options: IterationThresholdOptions | None = None,
    ) -> ThresholdResult: ...
    def compare_iterations(
        self, by: GroupBy, project_id: str | None = None, options: IterationComparisonOptions | None = None
    ) -> IterationComparison: ...
    def outcome_sessions(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Iterator[OutcomeSession]: ...
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
    ) -> Honesty: ...
    def outcomes_page(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> str: ...

    def close(self) -> None:
        """Let go of connections and files."""


_MOST_PROJECTS = 50
_NAMES_READ = 500
"""So many experiments, and so many projects, are read to find a name near the one that is not there."""
_NAMES_LISTED = 5


def find_experiment(
    backend: Backend,
    name_or_id: str,
    project_id: str | None = None,
    *,
    at: str | None = None,
    other_than: str | None = None,
) -> Experiment:
    """Find an experiment by id, else by name: the newest of that name with a run, else the newest.

    `at` chooses another one of that name: `~1` or `1` the one before, `~2` the one before that, or 7 or more hex digits
    of the commit in its metadata (`gnomon.git.commit`). `other_than` is the id of an experiment that is to be compared
    with it: its own name means, unless `at` chooses, the newest of the others. Without a project the name is looked
    for in all of them.
    """
    check_at(at)
    try:
        experiment = backend.experiment(name_or_id)
    except NotFound:
        named = _named(backend, name_or_id, project_id)
        newest = next(named, None)
        if newest is None:
            raise _no_experiment(backend, name_or_id, project_id) from None
        named = chain([newest], named)
        if other_than is not None and at is None:
            return choose_other(named, name_or_id, other_than)
        return choose(named, name_or_id, at)
    if at is not None:
        raise InvalidInput.of("at", f"{name_or_id!r} is an id, which stands for one experiment; leave out at {at!r}")
    return experiment


def find_dataset(backend: Backend, name_or_id: str, project_id: str | None = None) -> Dataset:
    """Find a dataset by id, else by name. Without a project the name is looked for in all of them."""
    try:
        return backend.dataset(name_or_id)
    except NotFound:
        pass
    projects = [project_id] if project_id else [project.id for project in backend.projects()]
    every = [dataset for project in projects for dataset in backend.datasets(project)]
    named = [dataset for dataset in every if dataset.name == name_or_id]
    if len(named) > 1:
        project_ids = " and ".join(dataset.project_id for dataset in named)
        words = f"several datasets are named {name_or_id!r} (in {project_ids}); name the project"
        raise Conflict(words, code="AMBIGUOUS_TARGET")
    if not named:
        raise _not_there(backend, "dataset", name_or_id, project_id, [dataset.name for dataset in every])
    return named[0]


def find_project(backend: Backend, id: str) -> Project:
    """Find a project by id. The refusal of an unknown id names a similar one."""
    try:
        return backend.project(id)
    except NotFound as missing:
        hint = _near(id, [project.id for project in islice(backend.projects(), _NAMES_READ)])
        raise NotFound(f"{missing.message}; {hint}") from None


def _no_experiment(backend: Backend, name: str, project_id: str | None) -> NotFound:
    projects = [project_id] if project_id else [project.id for project in islice(backend.projects(), _MOST_PROJECTS)]
    every = (experiment for project in projects for experiment in backend.experiments(project))
    return _not_there(
        backend, "experiment", name, project_id, [candidate.name for candidate in islice(every, _NAMES_READ)]
    )


def _not_there(backend: Backend, noun: str, name: str, project_id: str | None, known: Iterable[str]) -> NotFound:
    """The refusal, with what is near. In a project that does not exist there is nothing, and that is what is wrong."""
    if project_id is not None:
        find_project(backend, project_id)
    where = f" in project {project_id!r}" if project_id else ""
    return NotFound(f"{noun} {name!r} does not exist{where}; {_near(name, list(dict.fromkeys(known)))}")


def _near(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known, f"there are {list_some(known, _NAMES_LISTED)}" if known else "there are none yet")


def _named(backend: Backend, name: str, project_id: str | None) -> Iterator[Experiment]:
    """The experiments of this name, newest first; all in one project."""
    try:
        experiments = backend.experiments(project_id, name=name)
        first = list(islice(experiments, 1))  # a list asks for nothing before it is read
        return chain(first, experiments)
    except InvalidInput as refusal:
        if refusal.code != "PROJECT_REQUIRED":
            raise
        projects = [project.id for project in islice(backend.projects(), _MOST_PROJECTS + 1)]
        if len(projects) > _MOST_PROJECTS:
            raise
    having = [project for project in projects if any(True for _ in backend.experiments(project, name=name))]
    if len(having) > 1:
        words = f"{len(having)} projects have an experiment named {name!r} ({', '.join(having)}); name the project"
        raise Conflict(words, code="AMBIGUOUS_TARGET")
    return backend.experiments(having[0], name=name) if having else iter(())
