"""The tools of a scenario as an agent meets them: names for the wire, schemas, and arguments that are checked.

Providers take letters, digits, _ and - in a tool's name, so a dotted name goes over the wire with __ for the dot. A
table leads back, so a name that has a __ of its own keeps it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from gnomon.bench.protocol import Tool
from gnomon.model.tools import ToolDefinition

Args = dict[str, Any]
Response = dict[str, Any]

LONGEST_NAME = 64
_KINDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "string": ("a string", (str,)),
    "integer": ("an integer", (int,)),
    "number": ("a number", (int, float)),
    "boolean": ("true or false", (bool,)),
}
_ANY = ("a string", (str,))


class BadArgument(Exception):
    """A call that its tool cannot take. The message names the argument."""


def error(message: str) -> Response:
    return {"status": "error", "message": message}


class ToolNames:
    """Names of tools, and how they go over the wire."""

    def __init__(self, names: Iterable[str]) -> None:
        self._wire: dict[str, str] = {}
        # Plain names first: they keep their spelling whatever a dotted one would become.
        for name in sorted(set(names), key=lambda name: (name != _spelled(name), name)):
            self._wire[name] = _free(_spelled(name), set(self._wire.values()))
        self._name = {wire: name for name, wire in self._wire.items()}

    def __contains__(self, name: str) -> bool:
        return name in self._wire

    def wire(self, name: str) -> str:
        """The name that agents call a tool by. A name that no tool has is changed to one that providers accept."""
        return self._wire.get(name) or _spelled(name) or "unnamed"

    def name(self, called: str) -> str:
        """The tool that an agent's call names, by its wire name or its own name."""
        return self._name.get(called, called)


class Toolbox(ToolNames):
    """Tools whose parameters are of simple types."""

    def __init__(self, definitions: Sequence[ToolDefinition]) -> None:
        super().__init__(tool.name for tool in definitions)
        self._definitions = {tool.name: tool for tool in definitions}
        self.offered: list[Tool] = [self._offer(tool) for tool in definitions]

    def checked(self, name: str, args: Args) -> Args:
        """The arguments without the nulls; raises `BadArgument` when a call does not fit the tool's definition."""
        known = {parameter.name: parameter for parameter in self._definitions[name].parameters}
        without_nulls = {key: value for key, value in args.items() if value is not None}
        for key in without_nulls:
            if key not in known:
                takes = ", ".join(known) or "no arguments"
                raise BadArgument(f"Unknown argument: {key[:60]}; {name} takes {takes}")
        for key, parameter in known.items():
            if key not in without_nulls and parameter.required:
                raise BadArgument(f"Missing argument: {key}")
            if key in without_nulls:
                without_nulls[key] = _fitting(key, parameter.type, without_nulls[key])
        return without_nulls

    def _offer(self, tool: ToolDefinition) -> Tool:
        properties = {
            parameter.name: {
                "type": parameter.type if parameter.type in _KINDS else "string",
                "description": parameter.description,
            }
            for parameter in tool.parameters
        }
        schema = {
            "type": "object",
            "properties": properties,
            "required": [parameter.name for parameter in tool.parameters if parameter.required],
        }
        function = {"name": self._wire[tool.name], "description": tool.description, "parameters": schema}
        return {"type": "function", "function": function}


def text_of(args: Args, name: str) -> str:
    """A string that a tool cannot do without, whatever a package's definition of the tool says."""
    if name not in args:
        raise BadArgument(f"Missing argument: {name}")
    text: str = _fitting(name, "string", args[name])
    return text


def whole_of(args: Args, name: str) -> int:
    if name not in args:
        raise BadArgument(f"Missing argument: {name}")
    number: int = _fitting(name, "integer", args[name])
    return number


def _fitting(name: str, kind: str, value: Any) -> Any:
    words, types = _KINDS.get(kind, _ANY)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)  # JSON knows one kind of number
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise BadArgument(f"Argument {name} must be {words}, not {str(value)[:60]!r}")
    return value


def _spelled(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name.replace(".", "__"))[:LONGEST_NAME]


def _free(wanted: str, taken: set[str]) -> str:
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted[: LONGEST_NAME - 4]}_{number}"
    return name
