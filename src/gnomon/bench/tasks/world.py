"""A JSON world that tools read and change: `apply` takes a world and a call, and gives a new world and a result.

It is pure: the same world and call give the same answer, and the world that went in is as it was. A call is done as a
whole or not at all: whatever goes wrong in one of its steps, the result is an error and the world is unchanged. So the
world of a run that was killed is found again by applying the calls of its transcript.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gnomon.bench.tasks import expressions, paths, templates
from gnomon.bench.tasks.expressions import ExpressionError, OperationBudget
from gnomon.bench.tasks.nouns import KEY, ROW, TaskTool, ToolStep
from gnomon.bench.tasks.paths import MISSING, PathError
from gnomon.model.nearest import nearest
from gnomon.scorers.cost import TooCostlyError
from gnomon.scorers.jsonschema import checker, faults
from gnomon.scorers.protocol import UnmeasurableError

World = dict[str, Any]
MOST_VALUES = 50_000
"""Values of a world, and of anything that a step makes."""
MOST_STEPS = 200_000
"""Steps that all expressions of one call may take together."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a call."""

    world: World
    result: dict[str, Any]

    @property
    def ok(self) -> bool:
        return bool(self.result["status"] == "ok")


class CallError(Exception):
    """The call cannot be done. The message is for the agent."""


def apply(tools: Mapping[str, TaskTool], world: World, tool: str, args: Mapping[str, Any]) -> Applied:
    """Do a call; nothing raises, whatever is called with whatever."""
    try:
        definition = tools.get(tool)
        if definition is None:
            raise CallError(_unknown_tool(tool, tools))
        return _done(definition, world, _checked(definition, args))
    except (CallError, ExpressionError, PathError, TooCostlyError, UnmeasurableError) as bad:
        return Applied(world, {"status": "error", "message": str(bad)})


def replayed(tools: Mapping[str, TaskTool], world: World, calls: Iterable[tuple[str, Mapping[str, Any]]]) -> World:
    """The world after a sequence of calls."""
    for tool, args in calls:
        world = apply(tools, world, tool, args).world
    return world


def _unknown_tool(tool: str, tools: Mapping[str, TaskTool]) -> str:
    near = nearest(tool, tools)
    return f"Unknown tool: {tool[:60]}" + (f"; did you mean {near}?" if near else "")


def _checked(tool: TaskTool, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, if they fit the tool's schema. A null that nobody asked for is an argument left out."""
    properties = tool.parameters["properties"]
    arguments = {key: value for key, value in args.items() if value is not None or _takes_null(properties.get(key))}
    for key in arguments:
        if key not in properties and tool.parameters["additionalProperties"] is False:
            takes = ", ".join(properties) or "no arguments"
            raise CallError(f"Unknown argument: {key[:60]}; {tool.name} takes {takes}")
    for key in tool.parameters.get("required", ()):
        if key not in arguments:
            raise CallError(f"Missing argument: {key}")
    for fault in faults(checker(tool.parameters), arguments):
        raise CallError(f"Wrong arguments: {fault}")
    return arguments


def _takes_null(schema: Any) -> bool:
    kinds = schema.get("type") if isinstance(schema, dict) else None
    return kinds == "null" or (isinstance(kinds, list) and "null" in kinds)


def _done(tool: TaskTool, world: World, args: dict[str, Any]) -> Applied:
    # Arguments that were left out are null, so that conditions can ask for them; others than declared are not seen.
    call = _ToolExecution(world, {name: args.get(name) for name in tool.arguments}, OperationBudget(MOST_STEPS))
    for step in tool.do:
        call.do(step)
    result = {"status": "ok"}
    if tool.returns is not None:
        result["result"] = templates.filled(tool.returns, call.names, call.budget)
    return Applied(_bounded(call.world), _bounded(result))


@dataclass
class _ToolExecution:
    """A running call: the world so far, and the names that its steps have bound."""

    world: World
    bound: dict[str, Any]
    budget: OperationBudget

    @property
    def names(self) -> dict[str, Any]:
        return {**self.world, **self.bound}

    def do(self, step: ToolStep) -> None:
        if not self._is_due(step):
            return
        if step.error is not None:
            raise CallError(templates.template(step.error).text(self.names, self.budget))
        if step.name is not None:
            value = self._computed(step.compute) if step.compute is not None else self._looked_up(step)
            self.bound[step.name] = _bounded(value)
        else:
            self.world = self._changed(step)

    def _is_due(self, step: ToolStep) -> bool:
        return not (
            (step.when is not None and not self._holds(step.when))
            or (step.unless is not None and self._holds(step.unless))
        )

    def _holds(self, condition: str) -> bool:
        return expressions.parse(condition).holds(self.names, self.budget)

    def _computed(self, expression: str) -> Any:
        return expressions.parse(expression).value(self.names, self.budget)

    def _looked_up(self, step: ToolStep) -> Any:
        value = paths.value_at(self.world, self._path(step))
        if step.where is None:
            return None if value is MISSING else value
        rows = [value for _, value in self._rows(value, step.where)]
        return (rows[0] if rows else None) if step.first else rows

    def _changed(self, step: ToolStep) -> World:
        path = self._path(step)
        changed: World
        if step.set is not None:
            changed = paths.with_value(self.world, path, templates.filled(step.to, self.names, self.budget))
        elif step.append is not None:
            changed = paths.with_appended(self.world, path, templates.filled(step.value, self.names, self.budget))
        elif step.where is None:
            changed = paths.without(self.world, path)
        else:
            changed = self._without_rows(path, step.where)
        return changed

    def _path(self, step: ToolStep) -> paths.Path:
        return templates.filled_path(getattr(step, step.operation), self.names, self.budget)

    def _without_rows(self, path: paths.Path, where: str) -> World:
        container = paths.value_at(self.world, path)
        leaving = {key for key, _ in self._rows(container, where)}
        kept: Any
        if isinstance(container, dict):
            kept = {key: value for key, value in container.items() if key not in leaving}
        else:
            kept = [value for key, value in _items(container) if key not in leaving]
        changed: World = paths.with_value(self.world, path, kept)
        return changed

    def _rows(self, container: Any, where: str) -> Iterator[tuple[Any, Any]]:
        condition, names = expressions.parse(where), self.names
        for key, value in _items(container):
            if condition.holds({**names, ROW: value, KEY: key}, self.budget):
                yield key, value


def _items(container: Any) -> Sequence[tuple[Any, Any]]:
    if isinstance(container, dict):
        return list(container.items())
    return list(enumerate(container)) if isinstance(container, list) else []


def _bounded(value: Any) -> Any:
    """The value, unless it has grown beyond all bounds; counting stops at the bound, too."""
    waiting, count = [value], 0
    while waiting:
        inner = waiting.pop()
        count += 1
        if count > MOST_VALUES:
            raise CallError(f"The call makes more than {MOST_VALUES} values; ask for less")
        if isinstance(inner, dict):
            waiting += inner.values()
        elif isinstance(inner, list):
            waiting += inner
    return value
