"""What a tool is: a function whose signature is its schema and whose docstring is its description."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from gnomon.errors import InvalidInput
from gnomon.mcp.context import ToolContext
from gnomon.mcp.text import bounded
from gnomon.model.nearest import nearest
from gnomon.model.problems import from_pydantic

Pieces = Iterable[str]
"""An answer: lines, and blocks of lines that stand or fall together."""


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    arguments: type[BaseModel]
    function: Callable[..., Pieces]
    writes: bool

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments."""
        schema: dict[str, Any] = _without_titles(self.arguments.model_json_schema())
        return schema

    def call(self, context: ToolContext, arguments: Mapping[str, Any]) -> str:
        model = self._read(arguments)
        pieces = self.function(context, **{name: getattr(model, name) for name in type(model).model_fields})
        return bounded(pieces, context.limits.bytes)

    def _read(self, arguments: Mapping[str, Any]) -> BaseModel:
        known = self.arguments.model_fields
        for name in arguments:
            if name not in known:
                near = nearest(name, known)
                remedy = f"did you mean `{near}`?" if near else f"it takes {', '.join(known) or 'none'}"
                raise InvalidInput.of(name, f"{self.name} has no argument {name[:60]!r}; {remedy}")
        try:
            return self.arguments.model_validate(dict(arguments))
        except ValidationError as bad:
            raise from_pydantic(bad) from None


def tool(function: Callable[..., Pieces]) -> Tool:
    """Make a tool of a function that takes a `ToolContext` and named arguments."""
    return _tool(function, writes=False)


def writing_tool(function: Callable[..., Pieces]) -> Tool:
    """The same for one that changes something."""
    return _tool(function, writes=True)


def _tool(function: Callable[..., Pieces], *, writes: bool) -> Tool:
    hints = get_type_hints(function, include_extras=True)
    _, *named = inspect.signature(function).parameters.values()
    fields: dict[str, Any] = {
        parameter.name: (hints[parameter.name], ... if parameter.default is parameter.empty else parameter.default)
        for parameter in named
    }
    model = create_model(f"{function.__name__}_arguments", __config__=ConfigDict(extra="forbid"), **fields)
    description = " ".join(inspect.cleandoc(function.__doc__ or "").split())
    return Tool(function.__name__, description, model, function, writes)


def _without_titles(schema: Any) -> Any:
    """Titles repeat the names, and a model reads every word of a schema."""
    if isinstance(schema, list):
        return [_without_titles(value) for value in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _without_titles(value) for key, value in schema.items() if not (key == "title" and _is_text(value))}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)  # a parameter that is called `title` is an object


ProjectName = Annotated[
    str | None,
    Field(description="Project id. Default: the one that the server was started with, else the only one there is."),
]
ExperimentName = Annotated[
    str | None,
    Field(
        description="Name or id of an experiment. A name means the newest experiment of that name that has runs. "
        "Default: the newest experiment of the project."
    ),
]
At = Annotated[
    str | None,
    Field(
        description="Which experiment of that name: ~1 for the one before the newest, ~2 for the one before that, or "
        "7 or more hex digits of the commit that it was made at. Default: the newest."
    ),
]
OneScorerName = Annotated[str | None, Field(description="Only this scorer. Default: all scorers.")]
RowLimit = Annotated[int, Field(ge=1, description="At most so many rows.")]
Skip = Annotated[int, Field(ge=0, description="Leave out so many rows, to read on where an answer ended.")]
