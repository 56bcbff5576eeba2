"""What must hold in a task package beyond the shape of its files: names that are bound, tools and paths that exist."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gnomon.bench.tasks import expressions, paths, templates
from gnomon.bench.tasks.nouns import KEY, RESERVED, ROW, CallPattern, ReferenceCall, TaskFile, TaskTool, ToolStep
from gnomon.errors import Problem
from gnomon.model.nearest import did_you_mean


def tool_problems(name: str, tools: Sequence[TaskTool], world: Mapping[str, Any]) -> Iterator[Problem]:
    """What is wrong with the tools, each in one line. `name` is their file."""
    seen: set[str] = set()
    for index, tool in enumerate(tools):
        where = f"{name}: tools[{index}]"
        if tool.name in seen:
            yield _problem(f"{where}.name", "duplicate", f"{tool.name!r} is the name of two tools; rename one")
        seen.add(tool.name)
        yield from _problems_of_tool(where, tool, world)


def _problems_of_tool(where: str, tool: TaskTool, world: Mapping[str, Any]) -> Iterator[Problem]:
    for argument in tool.arguments:
        if argument in world:
            text = f"{argument!r} is also a key of the world, and expressions could not tell them apart; rename one"
            yield _problem(f"{where}.parameters", "ambiguous", text)
        if argument in RESERVED or not argument.isidentifier():
            text = f"{argument!r} cannot be a name in expressions; use letters, digits and _"
            yield _problem(f"{where}.parameters", "name", text)
    bound = {*world, *tool.arguments}
    for number, step in enumerate(tool.do):
        at = f"{where}.do[{number}]"
        for field, used in _names_used(step):
            inner = {ROW, KEY} if field == "where" else set()
            yield from _unbound(f"{at}.{field}", used, bound | inner)
        if step.name is not None:
            if step.name in bound:
                yield _problem(f"{at}.as", "ambiguous", f"{step.name!r} has a meaning already; choose another name")
            bound.add(step.name)
    for template in templates.templates_in(tool.returns):
        yield from _unbound(f"{where}.returns", template.names, bound)


def _names_used(step: ToolStep) -> Iterator[tuple[str, frozenset[str]]]:
    for field in ("compute", "where", "when", "unless"):
        if (text := getattr(step, field)) is not None:
            yield field, expressions.parse(text).names
    for field in ("lookup", "set", "append", "remove"):
        if (text := getattr(step, field)) is not None:
            yield field, frozenset(name for key in templates.path_template(text) for name in key.names)
    for field in ("error", "to", "value"):
        for template in templates.templates_in(getattr(step, field)):
            yield field, template.names


def _unbound(where: str, used: frozenset[str], bound: set[str]) -> Iterator[Problem]:
    for name in sorted(used - bound):
        hint = did_you_mean(name, bound, "it is no argument, key of the world or earlier `as`")
        yield _problem(where, "unknown_name", f"{name!r} is not defined here; {hint}")


def task_problems(
    name: str, task: TaskFile, tools: Mapping[str, TaskTool], world: Mapping[str, Any]
) -> Iterator[Problem]:
    """What is wrong with a task, each in one line. `name` is its file."""
    stem = name.rpartition("/")[2].rpartition(".")[0]
    if task.id is not None and task.id != stem:
        yield _problem(f"{name}: id", "name", f"{task.id!r} is not the file's name {stem!r}; make them the same")
    for path in task.changes:
        parent = paths.value_at(world, paths.parse(path)[:-1])
        if not isinstance(parent, dict | list):
            yield _problem(f"{name}: changes", "path", f"there is nothing at {path!r} in the world; check the path")
            return
    yield from _call_problems(name, task, tools)
    expected = task.expected
    if expected.calls is None and not expected.world and not expected.absent:
        text = "says neither calls nor world; give the calls that solve the task, or values at paths"
        yield _problem(f"{name}: expected", "missing", text)
    if expected.compare is not None and expected.calls is None:
        text = "needs calls, whose result it compares with; without them use world"
        yield _problem(f"{name}: expected.compare", "missing", text)
    for field in ("world", "absent", "compare"):
        for path in getattr(expected, field) or ():
            if "*" in paths.parse(path):
                yield _problem(f"{name}: expected.{field}", "path", f"{path!r} has a *, which is for ignore only")


def _call_problems(name: str, task: TaskFile, tools: Mapping[str, TaskTool]) -> Iterator[Problem]:
    listed: list[tuple[str, Sequence[CallPattern | ReferenceCall]]] = [
        ("expected.calls", task.expected.calls or []),
        ("required_calls", task.required_calls),
        ("forbidden_calls", task.forbidden_calls),
    ]
    for field, calls in listed:
        for index, call in enumerate(calls):
            where = f"{name}: {field}[{index}]"
            tool = tools.get(call.tool)
            if tool is None:
                hint = did_you_mean(call.tool, tools, f"there are {', '.join(tools)}")
                yield _problem(f"{where}.tool", "unknown_tool", f"{call.tool!r} is not a tool of the package; {hint}")
                continue
            for argument in sorted(set(call.args) - set(tool.arguments)):
                text = f"{argument!r} is not an argument of {tool.name}, which takes {', '.join(tool.arguments)}"
                yield _problem(f"{where}.args", "unknown_argument", text)
            if isinstance(call, CallPattern) and call.where is not None:
                yield from _unbound(f"{where}.where", expressions.parse(call.where).names, set(tool.arguments))


def _problem(where: str, code: str, text: str) -> Problem:
    return Problem(where, code, f"{where}: {text}")
