"""Rules that score spans as they come in, and scorings of spans that are there already.

Which spans are meant, and whether one of them is in a sample, is decided here and nowhere else: ingest, jobs and
previews ask the same two functions. Storing rules and scoring are other rooms' work.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.budget import ScorerPreview
from gnomon.model.fields import Draft, FlatMap, Name, Noun, ProjectId, known_fields
from gnomon.model.jsonvalue import canonical
from gnomon.model.moment import Moment
from gnomon.model.score import ScorerSpec

Rate = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, description="Share of the matching spans to score")]
RuleTarget = Literal["span", "trace", "conversation"]
CHANGEABLE = ("enabled", "sampling_rate", "name")


class SpanFilter(Draft):
    """Which spans are meant. What is left out is not asked; an unknown key is refused, or it would match everything."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    refuses_unknown = True

    name: Annotated[str, Field(min_length=1)] | None = None
    model: str | None = None
    has_error: bool | None = None
    root_only: bool = False
    metadata: FlatMap | None = Field(default=None, description="Every key with exactly this value")

    @model_validator(mode="before")
    @classmethod
    def _knows_every_key(cls, fields: Any) -> Any:
        unknown = sorted(fields.keys() - cls.model_fields.keys()) if isinstance(fields, dict) else []
        if unknown:
            words = "a filter has no such key, and without it would match other spans; its keys are {known}"
            known = ", ".join(cls.model_fields)
            raise PydanticCustomError("INVALID_REQUEST", words, {"field": unknown[0], "known": known})
        return fields


class PastSpanFilter(SpanFilter):
    """Which of the spans that are there already."""

    since: Moment | None = Field(default=None, description="Started at this moment or later")
    until: Moment | None = Field(default=None, description="Started before this moment")

    @model_validator(mode="after")
    def _since_before_until(self) -> "PastSpanFilter":
        if self.since is not None and self.until is not None and self.since >= self.until:
            words = "until is not after since, so no span can match; swap them or leave one out"
            raise PydanticCustomError("INVALID_REQUEST", words, {"field": "until"})
        return self


class RuleDraft(Draft):
    project_id: ProjectId | None = None
    name: Name
    target: RuleTarget = Field(
        default="span",
        description="What is scored: each span that matches; or the whole trace or conversation in which some span "
        "matches, once nothing has come to it for 60 s or 30 min",
    )
    filter: SpanFilter = SpanFilter()
    scorer: ScorerSpec
    sampling_rate: Rate = 1.0
    enabled: bool = True


class RuleChange(Draft):
    """What may change about a rule. Another filter or scorer is another rule: their scores must not be mixed up."""

    name: Name | None = None
    sampling_rate: Rate | None = None
    enabled: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _only_what_can_change(cls, fields: Any) -> Any:
        if not isinstance(fields, dict):
            return fields
        for fixed in ("filter", "scorer", "project_id", "target"):
            if fields.get(fixed) is not None:
                words = "a rule keeps its {field}; make a new rule and delete this one"
                raise PydanticCustomError("INVALID_REQUEST", words, {"field": fixed})
        if all(fields.get(field) is None for field in CHANGEABLE):
            words = "nothing to change; name {field}"
            raise PydanticCustomError("INVALID_REQUEST", words, {"field": ", ".join(CHANGEABLE)})
        return fields


class Rule(Noun):
    id: str
    project_id: str
    name: str
    target: RuleTarget = "span"
    filter: Annotated[SpanFilter, known_fields(SpanFilter)]
    scorer: Annotated[ScorerSpec, known_fields(ScorerSpec)]
    sampling_rate: float
    enabled: bool
    created_at: Moment
    updated_at: Moment


class RulePreview(Noun):
    """What a rule would have scored in the last days. Nothing was stored, and no model was called."""

    since: Moment
    days: int
    looked_at_spans: int = Field(description="Spans of the traces that came since then")
    complete: bool = Field(description="False when there were too many, and only the newest traces were looked at")
    matched_spans: int = Field(description="Spans that match the filter")
    targets: int = Field(description="Spans, traces or conversations that it means, before sampling")
    sampled: int = Field(description="Those of them that it would have scored")
    sample_trace_ids: list[str] = Field(description="Up to 10 traces in which a span matches, the newest first")
    scoring: ScorerPreview = Field(description="What scoring them would have taken")
    cost_usd_per_day_estimate: float | None = Field(description="Null when nothing says what the model costs")
    budget_left_usd: float | None = Field(description="Of today; null without a limit")
    notes: list[str]


class ScoreSpansDraft(Draft):
    """Score spans that are there already."""

    project_id: ProjectId | None = None
    scorers: Annotated[list[ScorerSpec], Field(min_length=1, max_length=100)]
    filter: PastSpanFilter = PastSpanFilter()
    only_missing: bool = True
    no_cache: bool = Field(default=False, description="Ask judges again, also what they were asked before")
    sampling_rate: Rate = 1.0


def matcher(only: SpanFilter) -> Callable[[Any], bool]:
    """Tells of a span, just arrived or stored, whether it is meant."""
    name, model, has_error, root_only = only.name, only.model, only.has_error, only.root_only
    pairs = [(key, canonical(value)) for key, value in (only.metadata or {}).items()]
    since, until = (only.since, only.until) if isinstance(only, PastSpanFilter) else (None, None)

    def is_meant(span: Any) -> bool:
        return (
            (name is None or span.name == name)
            and (model is None or span.model == model)
            and (has_error is None or (span.error is not None) is has_error)
            and (not root_only or span.parent_span_id is None)
            and (since is None or span.start_time >= since)
            and (until is None or span.start_time < until)
            and (not pairs or _says(span.metadata, pairs))
        )

    return is_meant


def _says(metadata: dict[str, Any] | None, pairs: list[tuple[str, str]]) -> bool:
    # As JSON, because Python takes 1 and true for the same.
    return metadata is not None and all(key in metadata and canonical(metadata[key]) == text for key, text in pairs)


def is_sampled(seed: str, trace_id: str, span_id: str, rate: float) -> bool:
    """Whether this span is in the sample: the same answer on every machine and at every retry.

    A larger rate keeps all that a smaller one has. Ids hold no NUL, so no two spans have the same text.
    """
    drawn = int.from_bytes(sha256(f"{seed}\0{trace_id}\0{span_id}".encode()).digest()[:8])
    return drawn < rate * 2**64
