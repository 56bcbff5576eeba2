"""Human review of traces and runs: annotations, the review queue, and a project's review settings."""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.aggregate import Interval
from gnomon.model.cutting import cut, size
from gnomon.model.fields import ClientId, Draft, Milliseconds, Name, Noun, ProjectId
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.moment import Moment
from gnomon.model.readable import Readable, TextFormat, chat
from gnomon.model.score import Score

QueueStatus = Literal["pending", "annotated"]
CardType = Literal["trace", "run"]
"""What a card of the queue is about."""
Direction = Literal["next", "previous"]

MOST_SCORES_SAID = 20
MOST_QUEUED = 1_000
MOST_LABELS = 20
MOST_REVIEWS = 20
LONGEST_REASON = 200
HUMAN_LABEL = "human_label"
"""Name of the scores that labels give, unless the project's review settings name another."""


# --- annotations -----


class AnnotationScoreDraft(Draft):
    """A score that comes with an annotation: a number, or a label."""

    scorer_name: Name
    value: Annotated[
        float | None,
        Field(ge=0, le=1, allow_inf_nan=False, description="A number in [0, 1]; divide by your scale first"),
    ] = None
    label: Name | None = None
    rationale: str | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "AnnotationScoreDraft":
        if (self.value is None) == (self.label is None):
            raise PydanticCustomError(
                "INVALID_REQUEST", "a score is a `value` or a `label`; give one of them", {"field": "value"}
            )
        return self


class AnnotationChange(Draft):
    """The content of an annotation: at least one of `label`, `correction`, `notes` and `scores`."""

    label: Name | None = None
    correction: AnyJson = None
    notes: str | None = None
    scores: Annotated[list[AnnotationScoreDraft], Field(max_length=MOST_SCORES_SAID)] = Field(
        default=[], description="Human scores that are stored with it, with the annotator as their author"
    )
    score: bool = Field(
        default=True, description="Whether a label that the project's label set gives a number is stored as a score too"
    )

    @model_validator(mode="after")
    def _says_something(self) -> "AnnotationChange":
        if self.label is None and self.correction is None and not self.notes and not self.scores:
            raise PydanticCustomError(
                "EMPTY_ANNOTATION", "provide at least a label, a correction, notes or scores", {"field": "label"}
            )
        return self

    @model_validator(mode="after")
    def _one_score_per_name(self) -> "AnnotationChange":
        names = [score.scorer_name for score in self.scores]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise PydanticCustomError(
                "INVALID_REQUEST", "{name} is scored twice; give one score per scorer_name",
                {"name": repr(twice), "field": "scores"},
            )  # fmt: skip
        return self


class AnnotationDraft(AnnotationChange):
    project_id: ProjectId | None = None
    trace_id: ClientId | None = Field(default=None, description="Either this or `run_id`")
    run_id: Annotated[str, Field(min_length=1)] | None = None
    span_id: ClientId | None = Field(default=None, description="A span of that trace; its scores sit on that span")
    annotator: Name | None = Field(
        default=None,
        description="Who says it. A key of the role reviewer annotates in its own name, and may leave it out",
    )

    @model_validator(mode="after")
    def _one_target(self) -> "AnnotationDraft":
        if (self.trace_id is None) == (self.run_id is None):
            words = "an annotation is about a trace or a run; give either `trace_id` or `run_id`"
            raise PydanticCustomError("INVALID_REQUEST", words, {"field": "trace_id"})
        if self.run_id is not None and self.span_id is not None:
            raise PydanticCustomError("INVALID_REQUEST", "a run has no span; leave it out", {"field": "span_id"})
        return self


class AnnotationScore(Noun):
    """A score of an annotation. A later annotation by the same person of the same target replaces it."""

    score_id: str
    scorer_name: str
    value: float | None
    label: str | None
    rationale: str | None


class Annotation(Noun):
    id: str
    project_id: str
    trace_id: str | None
    run_id: str | None = None
    span_id: str | None
    annotator: str
    label: str | None
    correction: AnyJson
    notes: str | None
    created_at: Moment
    updated_at: Moment | None = Field(default=None, description="When it was corrected last")
    scores: list[AnnotationScore] = Field(default=[])
    score_ids: list[str] = Field(default=[], description="Those of these scores")
    no_score: str | None = Field(default=None, description="In the answer that stored it: why it gave no score")


class ToItemDraft(Draft):
    dataset_id: Annotated[str, Field(min_length=1)]


# --- the queue -----

QueueReason = Annotated[str, Field(min_length=1, max_length=LONGEST_REASON)]


class QueueReasonDraft(Draft):
    reason: QueueReason | None = Field(default=None, description="Why somebody should look at it")


class QueueTarget(Draft):
    target_type: Literal["trace", "run", "span"] = Field(description="Of a span its trace is queued")
    target_id: Annotated[str, Field(min_length=1)]
    trace_id: ClientId | None = Field(default=None, description="Needed when several traces hold that span id")


class QueueDraft(Draft):
    project_id: ProjectId | None = None
    targets: Annotated[list[QueueTarget], Field(min_length=1, max_length=MOST_QUEUED)]
    reason: QueueReason | None = Field(default=None, description="Why somebody should look at them")


class QueuedTargets(Noun):
    queued: int
    already: int = Field(description="Those that wait already; they keep their place and their reason")


class Queued(Noun):
    trace_id: str
    queued: bool
    queued_at: Moment | None = None
    reason: str | None = None


class QueuedRun(Noun):
    run_id: str
    queued: bool
    queued_at: Moment | None = None
    reason: str | None = None


class ReadableText(Noun):
    """A value as a person reads it, cut where it is long."""

    text: str
    size: int = Field(description="Bytes of the whole text")
    truncated: bool
    format: TextFormat = Field(description="`chat`: of a list of messages, the last one that is meant")

    @classmethod
    def of(cls, shown: Readable | None, most: int) -> "ReadableText | None":
        """At most so many bytes of it."""
        if shown is None:
            return None
        text = cut(shown.text, most)
        return cls(text=str(text.value), size=text.size, truncated=text.truncated, format=shown.format)


class ReadableMessage(Noun):
    """One message of a chat as a person reads it."""

    role: str
    text: str


class ReadableChat(Noun):
    """A chat as a person reads it, without its oldest messages where it is long."""

    messages: list[ReadableMessage]
    left_out: int = Field(description="Messages before these")

    @classmethod
    def of(cls, value: AnyJson, most: int) -> "ReadableChat | None":
        """The newest messages of together so many bytes; None for what is not a chat, or only one message."""
        messages = chat(value)
        if len(messages) < 2:
            return None
        shown: list[ReadableMessage] = []
        left = most
        for role, text in reversed(messages):
            left -= size(text)
            if left < 0:
                break
            shown.append(ReadableMessage(role=role, text=text))
        return cls(messages=shown[::-1], left_out=len(messages) - len(shown))


class RootSpan(Noun):
    """What a reviewer needs of a root span in a list. Long input and output are cut."""

    id: str
    name: str
    input: AnyJson
    output: AnyJson
    duration_ms: Milliseconds | None
    input_size: int = Field(default=0, description="Bytes of the whole input")
    output_size: int = 0
    truncated: list[Literal["input", "output"]] = Field(default=[])


class QueueItem(Noun):
    """A card of the queue: a trace, or a run of an experiment."""

    target_type: CardType = "trace"
    target_id: str = ""
    trace_id: str | None
    run_id: str | None = None
    experiment_id: str | None = None
    experiment_name: str | None = None
    queued_at: Moment
    reason: str | None = None
    status: QueueStatus
    annotation_count: int
    reviewer_count: int = Field(default=0, description="Different people that annotated it")
    reviews_wanted: int = 1
    claimed_by: str | None = Field(default=None, description="Who holds it at this moment")
    claimed_until: Moment | None = None
    root_span: RootSpan | None
    question: ReadableText | None = None
    answer: ReadableText | None = None


class ReviewCounts(Noun):
    """Counts of the cards of a queue."""

    pending: int
    annotated: int
    mine: int = Field(description="Those that the reviewer has annotated")
    left_for_me: int = Field(description="Pending ones that the reviewer has not annotated")


class NextCard(Noun):
    card: QueueItem | None
    counts: ReviewCounts


class ClaimDraft(Draft):
    annotator: Name | None = Field(
        default=None, description="Who reviews. A key of the role reviewer claims in its own name, and may leave it out"
    )


class NextClaimDraft(ClaimDraft):
    project_id: Name | None = None
    after: str | None = Field(default=None, description="The card that is looked at now: trace/ID or run/ID")
    direction: Direction = "next"


class ReviewClaim(Noun):
    """The claim of a reviewer on a card, so that no other works on it meanwhile."""

    target_type: CardType
    target_id: str
    claimed_by: str | None
    claimed_until: Moment | None


# --- how a project reviews -----


class ReviewLabel(Draft):
    label: Name
    value: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = Field(
        default=None, description="The human score that this label gives; null: none"
    )
    hint: Annotated[str, Field(max_length=500)] | None = Field(default=None, description="When to give it")


DEFAULT_LABELS: tuple[ReviewLabel, ...] = (
    ReviewLabel(label="correct", value=1.0, hint="It answers what was asked, and nothing in it is wrong."),
    ReviewLabel(label="hallucination", value=0.0, hint="It says something that is not so."),
    ReviewLabel(label="off-topic", value=0.0, hint="It answers something else."),
    ReviewLabel(label="incomplete", value=0.0, hint="Something that was asked for is missing."),
    ReviewLabel(label="harmful", value=0.0, hint="It could hurt somebody, or must not be said."),
    ReviewLabel(label="other", hint="None of these; say in the notes what it is."),
)


class ReviewSettingsDraft(Draft):
    """How a project reviews. What is left out gets its default."""

    labels: Annotated[list[ReviewLabel], Field(min_length=1, max_length=MOST_LABELS)] | None = None
    scorer_name: Name | None = Field(default=None, description="Name of the human scores that labels give")
    free_labels: bool | None = Field(default=None, description="Whether labels beside those of the set are taken")
    reviews_wanted: Annotated[int, Field(ge=1, le=MOST_REVIEWS)] | None = Field(
        default=None, description="A card waits until so many different people have annotated it"
    )
    blind: bool | None = Field(
        default=None,
        description="Whether reviewers see what others said only after their own; default: if several are wanted",
    )

    @model_validator(mode="after")
    def _different_labels(self) -> "ReviewSettingsDraft":
        names = [label.label for label in self.labels or ()]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise PydanticCustomError(
                "INVALID_REQUEST", "the label {name} is there twice; name it once",
                {"name": repr(twice), "field": "labels"},
            )  # fmt: skip
        return self


class LabelOfSet(Noun):
    label: str
    value: float | None = Field(description="The human score that this label gives; null: none")
    hint: str | None = Field(description="When to give it")


class ReviewSettings(Noun):
    labels: list[LabelOfSet]
    scorer_name: str
    free_labels: bool
    reviews_wanted: int
    blind: bool
    updated_at: Moment | None = Field(description="Null while nobody set them")


class ReviewCard(QueueItem):
    """One card in full, with the annotations and scores that the caller may see."""

    chat: ReadableChat | None = Field(
        default=None, description="The whole chat that was asked, where it is more than one message"
    )
    expected: ReadableText | None = Field(default=None, description="Of a run, what its dataset item expects")
    annotations: list[Annotation]
    scores: list[Score] = Field(description="The scores of the run, or of the trace's root span")
    others_hidden: bool = Field(
        description="Whether other people's annotations and scores are held back until the caller has annotated"
    )
    settings: ReviewSettings = Field(description="How its project reviews: the labels to choose from, and the rest")


# --- do reviewers agree? -----


class ReviewerAlpha(Noun):
    """Krippendorff's α over cards with two reviewers or more."""

    alpha: float | None
    ci_95: Interval | None = Field(description="By bootstrap over cards, seeded")
    n: int = Field(description="Cards with two reviewers or more")
    reason: str | None = Field(description="Why there is no α, or no interval")


class ReviewerPair(Noun):
    reviewers: tuple[str, str]
    n: int = Field(description="Cards that both labelled")
    agreement: float | None = Field(description="Share of those with the same label")
    alpha: float | None
    ci_95: Interval | None = Field(default=None, description="Of α, by bootstrap over cards, seeded")
    reason: str | None


class ReviewerShare(Noun):
    annotator: str
    n: int = Field(description="Cards that this reviewer labelled")
    labels: dict[str, float] = Field(description="Label to its share of those")


class ReviewerRating(Noun):
    annotator: str
    label: str | None
    value: float | None


class Disagreement(Noun):
    """A card on which reviewers do not agree."""

    target_type: CardType
    target_id: str
    disagreement: float = Field(description="Share of its pairs of reviewers with different labels")
    ratings: list[ReviewerRating]


class ReviewAgreement(Noun):
    scorer_name: str = Field(description="Whose numbers are compared")
    labels: ReviewerAlpha
    numbers: ReviewerAlpha
    pairs: list[ReviewerPair]
    reviewers: list[ReviewerShare]
    disagreements: list[Disagreement] = Field(description="The largest first, at most 50")


# --- a project's front page -----


class TraceWindow(Noun):
    count: int
    error_count: int
    error_rate: float = Field(description="To 3 decimals; 0 when there are no traces")
    error_rate_ci_95: Interval | None
    avg_duration_ms: float | None = Field(description="Of root spans")
    avg_duration_ci_95_ms: Interval | None = Field(description="Null for fewer than two root spans, or equal durations")


class TraceWindows(Noun):
    last_24h: TraceWindow
    last_7d: TraceWindow


class CompletedExperiment(Noun):
    id: str
    name: str
    completed_at: Moment
    mean_by_scorer: dict[str, float]
    ci_95_by_scorer: dict[str, Interval]


class ExperimentCounts(Noun):
    created_count: int
    running_count: int
    completed_count: int
    most_recent_completed: CompletedExperiment | None


class QueueCounts(Noun):
    pending_count: int
    annotated_count: int


class ProjectSummary(Noun):
    project_id: str
    traces: TraceWindows
    experiments: ExperimentCounts
    queue: QueueCounts
