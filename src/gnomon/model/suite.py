"""A suite: an evaluation that is written down in YAML, with its gates. `docs/reference/suite.schema.json` is made from
these classes.

What cannot be known from the text alone (whether a function, a file or a scorer exists) is checked by whoever builds
the suite.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.experiment import MAX_TRIALS
from gnomon.model.fields import NAME_LIMIT

Text = Annotated[str, Field(min_length=1)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _SuitePart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SuiteModelTask(_SuitePart):
    """A model with a prompt."""

    model: Text = Field(description="provider/model, as in openai/gpt-4o-mini")
    prompt: Text = Field(description="With {{input}}, {{input.KEY}} and {{metadata.KEY}} filled in")
    system: Text | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    timeout: Seconds | None = Field(default=None, description="Seconds for one try")
    allow_expected_output: bool = Field(default=False, description="Allow {{expected_output}} in the prompt")


class SuiteHttpTask(_SuitePart):
    """An HTTP endpoint: one request per run."""

    http: Text = Field(description="The address")
    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST"
    headers: dict[str, str] | None = None
    body: Any = Field(default=None, description='Default: {"input": "{{input}}"}')
    output: Text | None = Field(default=None, description="Path of the output in a JSON answer, as in answer.text")
    timeout: Seconds | None = None
    allow_expected_output: bool = False


class SuiteCommandTask(_SuitePart):
    """A command: one process per run."""

    command: Text | Annotated[list[str], Field(min_length=1)]
    input: Literal["stdin-text", "stdin-json", "argument", "none"] = "stdin-text"
    output: Literal["text", "json", "last-line"] = "text"
    timeout: Seconds | None = None
    cwd: Text | None = Field(default=None, description="Default: the suite's folder")
    env: dict[str, str] | None = None
    allow_expected_output: bool = False


TASK_KEYS = ("http", "command", "model")


def _kind_of_task(value: Any) -> str | None:
    if isinstance(value, str):
        return "function"
    if isinstance(value, dict):
        return next((key for key in TASK_KEYS if key in value), None)
    return getattr(value, "kind", None)


TaskField = Annotated[
    Annotated[Text, Tag("function")]
    | Annotated[SuiteModelTask, Tag("model")]
    | Annotated[SuiteHttpTask, Tag("http")]
    | Annotated[SuiteCommandTask, Tag("command")],
    Discriminator(
        _kind_of_task,
        custom_error_type="task_kind",
        custom_error_message="is not module:function, file.py:function or an object with http, command or model",
    ),
]

ScorerEntry = Annotated[
    str | dict[str, Any],
    WithJsonSchema(
        {
            "description": "A built-in scorer, alone or with its settings, or a function of yours (file.py:function)",
            "oneOf": [
                {"type": "string", "minLength": 1},
                {
                    "type": "object",
                    "minProperties": 1,
                    "maxProperties": 1,
                    "additionalProperties": {"type": ["object", "null"]},
                },
            ],
        }
    ),
]


class Suite(_SuitePart):
    """Data, a task, scorers and gates."""

    name: Annotated[str, Field(min_length=1, max_length=NAME_LIMIT)] | None = Field(
        default=None, description="Of its experiments; default: the file's name"
    )
    description: str | None = None
    data: Text | list[dict[str, Any]] | None = Field(
        default=None, description="A file (.jsonl, .csv, .parquet, …), relative to the suite, or a list of items"
    )
    dataset: Text | None = Field(default=None, description="A stored dataset; with data, the name to store it under")
    columns: dict[Literal["id", "input", "expected_output", "metadata"], str] | None = Field(
        default=None, description="Which column of the data is which, where it is called otherwise: {input: question}"
    )
    task: TaskField = Field(description="module:function, file.py:function, or an object with http, command or model")
    scorers: list[ScorerEntry] = Field(default_factory=list)
    trials: Annotated[int, Field(ge=1, le=MAX_TRIALS)] = Field(default=1, description="Runs per item")
    concurrency: Annotated[int, Field(ge=1, le=10_000)] = Field(default=16, description="Runs at a time")
    timeout: Seconds | None = Field(default=None, description="Seconds per run")
    gates: list[Text] = Field(
        default_factory=list, description="As in exact_match >= 0.8, or exact_match not worse than git:main by 0.02"
    )
    against: Text | None = Field(default=None, description="Compare with this experiment: a name, an id, or git:BRANCH")
    cache: bool = Field(default=False, description="Keep outputs of the task and use them again")
    version: Text | None = Field(default=None, description="Stands for the task's source in the cache and in resuming")
    metadata: dict[str, Any] | None = Field(default=None, description="Stored with the experiment")

    @model_validator(mode="after")
    def _has_data(self) -> "Suite":
        if self.data is None and self.dataset is None:
            raise PydanticCustomError("no_data", "names no data; add data: FILE, or dataset: NAME for a stored one")
        return self


def suite_schema() -> dict[str, Any]:
    """The JSON schema of suites, for editors."""
    schema = Suite.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Gnomon suite"}
