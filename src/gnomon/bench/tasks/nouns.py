"""What a task package consists of: tools with their steps, tasks with what is expected, and people who answer.

Whoever reads is lenient: keys that nobody knows are kept and noted. What decides a score is strict: an expression, a
path or a schema that cannot be used is refused where it stands. What is expected, required and forbidden, and the
summary, are for scorers only; no agent ever sees them.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from gnomon.bench.tasks import expressions, paths, templates
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.tools import Data, Sha256
from gnomon.scorers.jsonschema import checker

FAMILY = "tasks"
OPERATIONS = ("lookup", "compute", "set", "append", "remove", "error")
ROW, KEY = "row", "key"
"""What `where` calls the item that it is asked about, and the item's key or index."""
RESERVED = frozenset({ROW, KEY, "true", "false", "null"})
MOST_STEPS = 50
DEFAULT_MAX_STEPS = 8


def _template_values(value: Any) -> Any:
    list(templates.templates_in(value))
    return value


def _parameters(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type", "object") != "object":
        raise ValueError("the parameters of a tool are an object; give the schema `type: object`")
    if not isinstance(schema.get("properties", {}), dict):
        raise ValueError("properties is not an object; give each parameter a name and a schema")
    whole = {"type": "object", "properties": {}, "additionalProperties": False, **schema}
    checker(whole)
    return whole


def _identifier(name: str) -> str:
    if not name.isidentifier() or not name.isascii() or name in RESERVED:
        raise ValueError(f"{name!r} cannot be a name in expressions; use letters, digits and _")
    return name


def _of_path(text: str) -> str:
    paths.parse(text)
    return text


def _of_path_template(text: str) -> str:
    templates.path_template(text)
    return text


def _of_expression(text: str) -> str:
    expressions.parse(text)
    return text


SafeName = Annotated[str, StringConstraints(pattern=r"\A[A-Za-z0-9][A-Za-z0-9_-]{0,63}\z")]
Binding = Annotated[str, AfterValidator(_identifier)]
WorldPath = Annotated[str, AfterValidator(_of_path)]
PathTemplate = Annotated[str, AfterValidator(_of_path_template)]
Condition = Annotated[str, AfterValidator(_of_expression)]
TemplateValue = Annotated[AnyJson, AfterValidator(_template_values)]
TemplateText = Annotated[str, AfterValidator(_template_values)]
Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Phrases = Annotated[list[Phrase], Field(min_length=1)]


class ToolStep(Data):
    """One thing that a tool does: exactly one of the operations, perhaps under a condition."""

    lookup: PathTemplate | None = Field(default=None, description="Read the value at this path; null if there is none")
    compute: Condition | None = Field(default=None, description="Compute this expression")
    set: PathTemplate | None = Field(default=None, description="Write `to` at this path")
    append: PathTemplate | None = Field(default=None, description="Add `value` to the list at this path")
    remove: PathTemplate | None = Field(
        default=None, description="Remove what is at this path; with `where`, those of its items for which that holds"
    )
    error: TemplateText | None = Field(default=None, description="End the call with this message; nothing is changed")
    where: Condition | None = Field(
        default=None, description="With lookup and remove: which items of the list or object; each is `row`, with `key`"
    )
    first: bool = Field(default=False, description="With lookup and where: the first such item, or null, not a list")
    name: Binding | None = Field(default=None, alias="as", description="With lookup and compute: name for later steps")
    to: TemplateValue = Field(default=None, description="With set: the value")
    value: TemplateValue = Field(default=None, description="With append: the value")
    when: Condition | None = Field(default=None, description="Do it only when this holds")
    unless: Condition | None = Field(default=None, description="Do it only when this does not hold")

    @property
    def operation(self) -> str:
        return next(name for name in OPERATIONS if getattr(self, name) is not None)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        operations = [name for name in OPERATIONS if getattr(self, name) is not None]
        if len(operations) != 1:
            raise ValueError(
                f"has {' and '.join(operations) or 'no operation'}; give it one of {', '.join(OPERATIONS)}"
            )
        takes = _TAKES[operations[0]]
        for field, label in _FIELDS.items():
            has = field in self.model_fields_set
            if has and field not in takes:
                raise ValueError(f"has {label} beside {operations[0]}; it goes with {_goes_with(field)}")
            if not has and takes.get(field):
                raise ValueError(f"{operations[0]} needs {label}; add it")
        if self.first and self.where is None:
            raise ValueError("has first without where; it picks the first item for which `where` holds")
        return self


_FIELDS = {"name": "as", "where": "where", "first": "first", "to": "to", "value": "value"}
_TAKES: dict[str, dict[str, bool]] = {
    "lookup": {"name": True, "where": False, "first": False},
    "compute": {"name": True},
    "set": {"to": True},
    "append": {"value": True},
    "remove": {"where": False},
    "error": {},
}
"""The fields that go with an operation, and whether it needs them."""


def _goes_with(field: str) -> str:
    return " and ".join(operation for operation, fields in _TAKES.items() if field in fields)


class TaskTool(Data):
    """A tool. An agent sees name, description and parameters; `do` and `returns` are what calling it does."""

    name: SafeName = Field(description="How it is called")
    description: str = Field(min_length=1, description="What an agent is told about it")
    parameters: Annotated[dict[str, Any], AfterValidator(_parameters)] = Field(
        default_factory=lambda: _parameters({}), description="JSON schema of the arguments"
    )
    do: list[ToolStep] = Field(default_factory=list, max_length=MOST_STEPS, description="What it does, step by step")
    returns: TemplateValue = Field(default=None, description="What the agent gets back, besides that it worked")

    @property
    def arguments(self) -> list[str]:
        return list(self.parameters["properties"])

    def offered(self) -> dict[str, Any]:
        """The tool as an agent is offered it."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


class ToolsFile(Data):
    tools: Annotated[list[TaskTool], Field(min_length=1)] = Field(description="The tools of the package")


class Fact(Data):
    """Something that the simulated user knows and says when asked for it."""

    asked: Phrases = Field(description="Words or phrases; one of them in the agent's message asks for the fact")
    say: str = Field(min_length=1, description="What the user says")


class SimulatedUser(Data):
    """The simulated user, who answers the agent. Without one the conversation ends with the agent's first answer."""

    persona: str = Field(default="", description="Who it is, for a model that plays the user")
    facts: list[Fact] = Field(default_factory=list, description="Told only when asked for")
    says: list[str] = Field(
        default_factory=list, description="Said one after the other when the agent has asked for no fact"
    )
    otherwise: str | None = Field(
        default=None, description="Answer to a question that no fact answers; null ends the conversation"
    )


class CallPattern(Data):
    """Calls that are meant: of this tool, with these arguments among others, for which the condition holds."""

    tool: SafeName = Field(description="Name of the tool")
    args: dict[str, AnyJson] = Field(default_factory=dict, description="Arguments that the call has, with these values")
    where: Condition | None = Field(default=None, description="Condition over the arguments, by their names")


class RequiredCall(CallPattern):
    times: int = Field(default=1, ge=1, description="At least so many calls that succeed")


class ForbiddenCall(CallPattern):
    attempts: bool = Field(default=True, description="Whether a call that the tool refused counts as well")


class ReferenceCall(Data):
    tool: SafeName = Field(description="Name of the tool")
    args: dict[str, AnyJson] = Field(default_factory=dict, description="Its arguments")


class Expected(Data):
    """How the world has to be at the end."""

    calls: list[ReferenceCall] | None = Field(default=None, description="Calls that solve the task, in order")
    answer: str | None = Field(default=None, description="What somebody who solved it would say at the end")
    world: dict[WorldPath, AnyJson] = Field(default_factory=dict, description="Values that stand at these paths")
    absent: list[WorldPath] = Field(default_factory=list, description="Paths at which nothing stands")
    compare: list[WorldPath] | None = Field(
        default=None, description="Paths that matter; by default all of the world, or without calls those of `world`"
    )
    ignore: list[WorldPath] = Field(default_factory=list, description="Paths that do not matter; * is every key")
    any_order: list[WorldPath] = Field(default_factory=list, description="Lists whose order does not matter")


class TaskFile(Data):
    """One task: what the agent is asked, and what counts."""

    id: SafeName | None = Field(default=None, description="As the file is called; may be left out")
    summary: str = Field(min_length=1, description="What the task tests, for people")
    instruction: str = Field(min_length=1, description="What the user says first")
    user: SimulatedUser | None = Field(default=None, description="Who answers afterwards")
    changes: dict[WorldPath, AnyJson] = Field(
        default_factory=dict, description="Values set in the package's world before this task"
    )
    expected: Expected = Field(description="How the world has to be at the end")
    required_calls: list[RequiredCall] = Field(default_factory=list, description="Calls that have to be made")
    in_order: bool = Field(default=False, description="Whether the required calls are made in the order listed")
    forbidden_calls: list[ForbiddenCall] = Field(default_factory=list, description="Calls that must not be made")
    required_words: list[Phrase | Phrases] = Field(
        default_factory=list, description="Phrases in what the agent says to the user; a list is a choice of them"
    )
    forbidden_words: list[Phrase] = Field(default_factory=list, description="Phrases that it must not say")
    nothing_to_do: bool = Field(default=False, description="Whether doing nothing is a success, on purpose")
    max_steps: int = Field(default=DEFAULT_MAX_STEPS, ge=1, le=100, description="Messages to the agent at the most")


class PackageFile(Data):
    """What all tasks of a package share."""

    family: Literal["tasks"] = Field(description="Always tasks")
    format_version: Literal[1] = Field(default=1, description="Version of the format of packages; 1 is the only one")
    name: SafeName = Field(description="Name of the package, as its folder is called")
    title: str = Field(default="", description="For people")
    policy: str = Field(min_length=1, description="The system prompt: who the agent is and which rules it follows")


class TaskManifest(Data):
    """The hashes of a package, so that a change is seen."""

    package_hash: Sha256 = Field(description="SHA-256 over every other file of the package")
    content_hashes: dict[str, Sha256] = Field(description="SHA-256 of what decides a task, by task")
    files: dict[str, Sha256] = Field(description="SHA-256 of each file, so that a change has a name")


def unknown_keys(noun: Data, where: str) -> Iterator[str]:
    """The keys in a noun, and in those inside it, that nobody knows, each with its place."""
    joint = ": " if "." in where and ": " not in where else "."
    for key in noun.model_extra or ():
        yield f"{where}{joint}{key}"
    for field in type(noun).model_fields:
        value = getattr(noun, field)
        for index, inner in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(inner, Data):
                step = field if index is None else f"{field}[{index}]"
                yield from unknown_keys(inner, f"{where}{joint}{step}")
