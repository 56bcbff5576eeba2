"""The playground: one to four prompts, each with a model, tried on some items of a dataset."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.budget import ScorerPreview
from gnomon.model.fields import Draft, Name, Noun, ProjectId
from gnomon.model.job import JobAccepted
from gnomon.model.score import JsonObject, ScorerSpec

MOST_CANDIDATES = 4
MOST_ITEMS = 100
MOST_TRIALS = 10
MOST_ANSWERS = 1000
"""Of one playground run: candidates × items × trials."""
FIRST_ITEMS = 10

Speaker = Literal["system", "user", "assistant"]


class PromptMessage(Draft):
    """One message of a prompt. `{{input}}`, `{{input.KEY}}` and `{{metadata.KEY}}` stand for parts of the item."""

    role: Speaker
    content: Annotated[str, Field(min_length=1, max_length=100_000)]


class CandidateDraft(Draft):
    """A prompt with the model that is to answer it."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    refuses_unknown = True

    name: Name | None = Field(default=None, description="Of its experiment; made of `name` and the model unless said")
    messages: Annotated[list[PromptMessage], Field(min_length=1, max_length=50)]
    model: Annotated[str, Field(min_length=1, description="As in openai/gpt-4o; never an address")]
    params: JsonObject | None = Field(
        default=None, description="Settings of the answer, such as `temperature` and `max_tokens`"
    )

    @model_validator(mode="before")
    @classmethod
    def _knows_every_field(cls, fields: Any) -> Any:
        """Refuse unknown fields: a caller who sends an address or a key expects that it is used."""
        unknown = sorted(fields.keys() - cls.model_fields.keys()) if isinstance(fields, dict) else []
        if unknown:
            words = "a candidate has no such field; it has {known}, and addresses and keys are the server's own"
            raise PydanticCustomError(
                "INVALID_REQUEST", words, {"field": unknown[0], "known": ", ".join(cls.model_fields)}
            )
        return fields


class PlaygroundDraft(Draft):
    """What is to be tried, on which items, scored by what."""

    project_id: ProjectId | None = None
    name: Name = Field(default="playground", description="How the names of the experiments begin")
    candidates: Annotated[list[CandidateDraft], Field(min_length=1, max_length=MOST_CANDIDATES)]
    dataset_id: Annotated[str, Field(min_length=1)]
    item_ids: Annotated[list[str], Field(min_length=1, max_length=MOST_ITEMS)] | None = Field(
        default=None, description="The items to answer; without it the dataset's first ones"
    )
    first_items: Annotated[int, Field(ge=1, le=MOST_ITEMS)] = Field(
        default=FIRST_ITEMS, description="How many of the dataset's first items, where `item_ids` is left out"
    )
    scorers: Annotated[list[ScorerSpec], Field(max_length=20)] = Field(
        default=[], description="Built-in scorers of the answers; judges among them become jobs"
    )
    trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)] = 1


class CandidatePreview(Noun):
    """What one candidate would take."""

    model: str
    cannot_ask: str | None = Field(description="Why this server cannot ask the model; null when it can")
    calls: int = Field(description="One per item and trial")
    tokens_input_estimate: int
    tokens_output_estimate: int = Field(description="By `max_tokens`, or by an assumption that `notes` states")
    cost_usd_estimate: float | None = Field(description="Null when nothing says what the model costs")


class PlaygroundPreview(Noun):
    """What a playground run would take. Nothing was stored, and no model was asked."""

    items: int
    trials: int
    calls: int = Field(description="Of all candidates; those of judges are in `by_scorer`")
    candidates: list[CandidatePreview] = Field(description="In the order of the request")
    by_scorer: list[ScorerPreview] = Field(description="Over the answers of all candidates")
    cost_usd_estimate: float | None = Field(description="Null when a part of it is not known")
    budget_left_usd: float | None = Field(description="Of today; null without a limit")
    notes: list[str]


class PlaygroundExperiment(Noun):
    """Where the answers of one candidate are stored."""

    experiment_id: str
    name: str
    model: str


class PlaygroundAccepted(JobAccepted):
    experiments: list[PlaygroundExperiment] = Field(description="One per candidate, in the order of the request")
    item_ids: list[str]
    answers: int = Field(description="How many the job is to bring: candidates × items × trials")


class AskableProvider(Noun):
    """A provider of models, and whether this server may ask it."""

    provider: str
    can_ask: bool
    reason: str | None = Field(description="Why not, with the remedy; null when it can")
    models: list[str] = Field(description="Names that have a price in the shipped table; others may be asked too")


class AskableModels(Noun):
    """Which models this server may ask. Keys and addresses are never told."""

    providers: list[AskableProvider] = Field(description="Those that can be asked first")
    used: list[str] = Field(
        description="Models that this project asked today or set a price for, and that can be asked"
    )
    model: str | None = Field(description="The name that the request asks about")
    cannot_ask: str | None = Field(description="Why that one cannot be asked; null when it can, or none was named")
